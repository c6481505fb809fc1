"""The largest of many numbers by their bits, against NumPy."""

import numpy as np
import pytest

from samara.tracing.driver.bits import bits_of, largest_in, largest_of, number_of

LARGE = [0.0, 5e-324, 1e-300, 1.0, 1e300, np.inf]


def test_bits_are_ordered_as_the_numbers_are():
    bits = [bits_of(x) for x in LARGE]
    assert bits == sorted(bits)
    assert [number_of(b) for b in bits] == LARGE
    assert bits_of(np.nan) > bits_of(np.inf)


@pytest.mark.parametrize("size", range(1, 40))
def test_largest_is_that_of_numpy(size):
    rng = np.random.default_rng(size)
    x = rng.standard_normal(size) * 10.0 ** rng.integers(-300, 300, size)
    assert largest_in(x) == np.abs(x).max()
    x[rng.integers(size)] = -np.inf
    assert largest_in(x) == np.inf
    x[rng.integers(size)] = np.nan
    assert np.isnan(largest_in(x))


def test_nothing_and_no_number():
    assert largest_in(np.zeros(0)) == 0.0
    assert largest_in(np.array([-0.0])) == 0.0
    assert largest_of(1.0, 2.0) == largest_of(2.0, 1.0) == 2.0
    assert np.isnan(largest_of(np.nan, np.inf)) and np.isnan(largest_of(np.inf, np.nan))
