"""Memory of a system: where arrays begin, and what goes back once it is free."""

import numpy as np
import pytest

from samara.system.memory.aligned_arrays import BOUNDARY, MANY_UNKNOWNS, aligned_zeros, return_free_memory


@pytest.mark.parametrize("shape", [1, 7, (3, 5)])
def test_arrays_begin_on_a_boundary(shape):
    array = aligned_zeros(shape)
    assert array.ctypes.data % BOUNDARY == 0
    assert not array.any()


@pytest.mark.parametrize("unknowns", [1, MANY_UNKNOWNS])
def test_what_is_in_use_is_not_given_back(unknowns):
    kept, freed = np.arange(1000.0), [np.ones(1000) for _ in range(1000)]
    del freed
    return_free_memory(unknowns)
    np.testing.assert_array_equal(kept, np.arange(1000.0))
