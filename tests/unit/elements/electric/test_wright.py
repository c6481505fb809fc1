"""Wright's omega function against SciPy's."""

import numpy as np
from scipy.special import wrightomega

from samara.elements.electric.circuits.wright_omega import LOWEST, omega


def test_it_is_that_of_scipy_to_rounding():
    x = np.concatenate([np.linspace(LOWEST, 1e3, 50001), np.linspace(-3.0, 3.0, 6001), [-1e-9, 0.0, 1e-9, 1.0, 1e8]])
    expected = np.real(wrightomega(x))
    np.testing.assert_allclose(omega(x), expected, rtol=2e-14)  # x has 600 times the rounding of one


def test_it_overflows_nowhere():
    with np.errstate(all="raise", under="ignore"):
        far = omega(np.array([-1e300, -1e4, 1e4, 1e12]))
    assert np.isfinite(far).all()
    assert np.all(np.diff(far) >= 0)


def test_its_slope_is_w_over_one_plus_w():
    """By a complex step, through both rounds: what tracing makes of it."""
    for x in (-50.0, -1.0, 0.3, 0.9, 4.0, 200.0):
        w = omega(np.array([x + 1e-30j]))[0]
        assert np.isclose(w.imag / 1e-30, w.real / (1 + w.real), rtol=1e-9)
