"""Vector products against NumPy, choices on plain and traced numbers."""

import numpy as np
import pytest

from samara.rotations import arctan2, axial_matrix, choose, cross, dot, is_less, norm, skew, unskew


def test_products_match_numpy(rng):
    a, b = rng.normal(size=(2, 3))
    np.testing.assert_allclose(cross(a, b), np.cross(a, b), rtol=1e-15, atol=1e-15)
    np.testing.assert_allclose(skew(a) @ b, np.cross(a, b), rtol=1e-15, atol=1e-15)
    np.testing.assert_array_equal(unskew(skew(a)), a)
    assert dot(a, b) == pytest.approx(a @ b, rel=1e-14)
    assert norm(a) == pytest.approx(np.linalg.norm(a), rel=1e-15)


def test_products_keep_complex_numbers_analytic():
    v = np.array([1.0 + 2.0j, 3.0, -1.0j])
    assert dot(v, v) == v[0] ** 2 + v[1] ** 2 + v[2] ** 2


def test_unskew_drops_the_symmetric_part(rng):
    v = rng.normal(size=3)
    m = rng.normal(size=(3, 3))
    np.testing.assert_allclose(unskew(skew(v) + m + m.T), v, rtol=1e-14)


def test_dot_refuses_different_lengths():
    with pytest.raises(ValueError, match="shorter"):
        dot([1.0, 2.0, 3.0], [1.0, 2.0])


def test_axial_matrix_is_the_polynomial_of_skew(rng):
    v = rng.normal(size=3)
    S = skew(v)
    expected = np.eye(3) + 0.3 * S - 0.7 * S @ S
    np.testing.assert_allclose(axial_matrix(v, 1.0 + 0.7 * (v @ v), 0.3, -0.7), expected, atol=1e-15)
    np.testing.assert_allclose(axial_matrix(v, 2.0, 0.3), 2.0 * np.eye(3) + 0.3 * S, atol=1e-15)


def test_products_have_no_structural_zeros(trace):
    a, b = trace([1.0, 2.0, 3.0]), trace([4.0, 5.0, 6.0])
    cross(a, b)
    dot(a, b)
    axial_matrix(a, b[0], b[1], b[2])
    assert trace.wasted() == 0
    assert trace.counts["mul"] == 6 + 3 + 12


def test_choose_on_plain_values():
    assert choose(True, 1.0, 2.0) == 1.0
    assert choose(np.bool_(False), 1.0, 2.0) == 2.0
    np.testing.assert_array_equal(choose(np.array([True, False]), 1.0, np.array([3.0, 4.0])), [1.0, 4.0])


def test_choose_on_traced_values(trace):
    x = trace([1.0, 5.0])
    assert trace.values(choose(x[0] < 2.0, x[0], 7.0)) == 1.0
    np.testing.assert_array_equal(trace.values(choose(x[1] < 2.0, x, 7.0 * x)), [7.0, 35.0])
    np.testing.assert_array_equal(trace.values(choose(np.less(x, 2.0, dtype=object), x, 0.0)), [1.0, 0.0])
    with pytest.raises(TypeError, match="truth"):
        bool(x[0] < 2.0)


def test_is_less_looks_at_real_parts():
    assert is_less(1.0 + 5.0j, 2.0)
    assert not is_less(2.0, 1.0 + 5.0j)


def test_is_less_of_a_numpy_number_and_a_traced_one(trace):
    assert trace.values(choose(is_less(np.float64(1.0), trace(2.0)), 3.0, 4.0)) == 3.0


@pytest.mark.parametrize("angle", [-3.0, -2.0, -0.5, 1e-9, 0.5, 1.57, 2.0, 3.1])
def test_arctan2_is_analytic(angle):
    y, x, h = 2.0 * np.sin(angle), 2.0 * np.cos(angle), 1e-30
    assert arctan2(y, x) == pytest.approx(angle, rel=1e-14)
    along_y, along_x = arctan2(complex(y, h), complex(x)), arctan2(complex(y), complex(x, h))
    assert along_y.real == pytest.approx(angle, rel=1e-14)
    assert along_y.imag / h == pytest.approx(x / 4.0, abs=1e-14)
    assert along_x.imag / h == pytest.approx(-y / 4.0, abs=1e-14)
