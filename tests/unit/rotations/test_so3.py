"""Exponential, logarithm and tangent maps of rotations, against SciPy, complex steps and exact series.

Tolerances: 1e-15 is a few units in the last place of numbers of size one; tests that chain two or three maps,
or add tens of products, allow ten times that.
"""

from fractions import Fraction
from math import factorial

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from samara.rotations import (
    exp_so3,
    exp_so3_small,
    inverse_spatial_tangent_so3,
    inverse_spatial_tangent_so3_small,
    inverse_tangent_so3,
    inverse_tangent_so3_small,
    log_so3,
    log_so3_below_pi,
    rotation_x,
    rotation_y,
    rotation_z,
    skew,
    spatial_tangent_so3,
    spatial_tangent_so3_small,
    tangent_so3,
    tangent_so3_small,
    unskew,
)
from samara.rotations.coefficients import exp_coefficients, inverse_coefficient

ANGLES = [0.0, 1e-300, 1e-9, 1e-4, 0.1, 0.5, 0.999999, 1.0, 1.000001, 2.0, 3.0, np.pi - 1e-9, np.pi, 4.5, 6.0]
SMALL_ANGLES = [x for x in ANGLES if x <= 1.0]


def vector(rng, angle):
    axis = rng.normal(size=3)
    return angle * axis / np.linalg.norm(axis)


@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_is_the_matrix_exponential(rng, angle):
    phi = vector(rng, angle)
    np.testing.assert_allclose(exp_so3(phi), Rotation.from_rotvec(phi).as_matrix(), atol=1e-15)
    # expm squares repeatedly: each squaring doubles its round-off, hence 1e-14.
    np.testing.assert_allclose(exp_so3(phi), expm(skew(phi)), atol=1e-14)


@pytest.mark.parametrize("angle", SMALL_ANGLES)
def test_small_flavours_are_exact_to_one_radian(rng, angle):
    phi = vector(rng, angle)
    for small, general in [
        (exp_so3_small, exp_so3),
        (tangent_so3_small, tangent_so3),
        (spatial_tangent_so3_small, spatial_tangent_so3),
        (inverse_tangent_so3_small, inverse_tangent_so3),
        (inverse_spatial_tangent_so3_small, inverse_spatial_tangent_so3),
    ]:
        np.testing.assert_allclose(small(phi), general(phi), atol=1e-15, err_msg=small.__name__)
    np.testing.assert_allclose(exp_so3_small(phi), Rotation.from_rotvec(phi).as_matrix(), atol=1e-15)


@pytest.mark.parametrize("terms", [1, 2, 3, 4, 6, 9])
@pytest.mark.parametrize("angle", [0.1, 0.2, 0.5, 1.0, 2.0])
def test_truncation_error_is_the_first_term_left_out(rng, terms, angle):
    phi = vector(rng, angle)
    bound = angle ** (2 * terms + 2) / factorial(2 * terms + 2)
    error = np.linalg.norm(exp_so3_small(phi, terms) - exp_so3(phi), 2)
    # The sine and cosine parts are orthogonal, so their errors add as squares: at most 6/5 of the larger.
    assert error <= 1.2 * bound + 1e-15
    assert error >= 0.5 * bound - 1e-15, "the documented error must not be pessimistic either"
    bound = 2.1 * (angle / (2.0 * np.pi)) ** (2 * terms + 2)
    assert np.linalg.norm(inverse_tangent_so3_small(phi, terms) - inverse_tangent_so3(phi), 2) <= 1.2 * bound + 1e-15


@pytest.mark.parametrize("terms", [0, 17])
def test_terms_out_of_range_are_refused(terms):
    with pytest.raises(ValueError, match="terms must be"):
        exp_so3_small([0.1, 0.2, 0.3], terms)


def test_coefficients_against_rational_arithmetic():
    """Sums of 40 exact terms, on both sides of the switch: relative error below 5 units in the last place."""
    for angle in [0.01, 0.5, 0.99, 1.01, 1.5, 2.5]:
        t = Fraction(angle * angle)
        b = sum(Fraction((-1) ** k, factorial(2 * k + 2)) * t**k for k in range(40))
        c = sum(Fraction((-1) ** k, factorial(2 * k + 3)) * t**k for k in range(40))
        d = (1 - (1 - t * c) / (2 * b)) / t
        b_float, c_float = exp_coefficients(angle * angle)
        assert b_float == pytest.approx(float(b), rel=1e-15)
        assert c_float == pytest.approx(float(c), rel=1e-15)
        # One minus a number near one: a unit in the last place of 1 is 12 of d.
        assert inverse_coefficient(angle * angle) == pytest.approx(float(d), abs=4e-16)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 0.5, 0.999, 1.001, 2.0, 3.0, 4.5])
def test_tangents_are_the_derivative_of_the_exponential(rng, complex_step, angle):
    phi = vector(rng, angle)
    R = exp_so3(phi)
    dR = complex_step(exp_so3, phi)
    body = np.stack([unskew(R.T @ dR[..., k]) for k in range(3)], axis=1)
    spatial = np.stack([unskew(dR[..., k] @ R.T) for k in range(3)], axis=1)
    np.testing.assert_allclose(tangent_so3(phi), body, atol=2e-15)
    np.testing.assert_allclose(spatial_tangent_so3(phi), spatial, atol=2e-15)


@pytest.mark.parametrize("angle", [x for x in ANGLES if x < 5.0])
def test_inverse_tangents(rng, angle):
    phi = vector(rng, angle)
    np.testing.assert_allclose(inverse_tangent_so3(phi) @ tangent_so3(phi), np.eye(3), atol=1e-14)
    np.testing.assert_allclose(inverse_spatial_tangent_so3(phi) @ spatial_tangent_so3(phi), np.eye(3), atol=1e-14)


def test_body_and_spatial_tangents_differ_by_the_rotation(rng):
    phi = rng.normal(size=3)
    np.testing.assert_allclose(exp_so3(phi) @ tangent_so3(phi), spatial_tangent_so3(phi), atol=2e-15)
    np.testing.assert_array_equal(tangent_so3(phi).T, spatial_tangent_so3(phi))


@pytest.mark.parametrize("angle", [x for x in ANGLES if x <= np.pi])
def test_logarithm_inverts_the_exponential(rng, angle):
    for _ in range(20):
        phi = vector(rng, angle)
        R = Rotation.from_rotvec(phi).as_matrix()
        # The entries of R carry 1e-16 each, which the row used turns into a few 1e-16 of angle.
        np.testing.assert_allclose(exp_so3(log_so3(R)), R, atol=2e-15)
        if angle < np.pi:
            np.testing.assert_allclose(log_so3(R), phi, atol=3e-15)


@pytest.mark.parametrize("angle", [x for x in ANGLES if x <= 3.0])
def test_short_logarithm_away_from_pi(rng, angle):
    phi = vector(rng, angle)
    np.testing.assert_allclose(log_so3_below_pi(exp_so3(phi)), phi, atol=4e-16 / (np.pi - angle) ** 2 + 1e-15)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 1), (-1, 0, 1e-9)])
def test_logarithm_at_half_a_turn(axis):
    e = np.array(axis) / np.linalg.norm(axis)
    phi = log_so3(2.0 * np.outer(e, e) - np.eye(3))
    assert np.linalg.norm(phi) == pytest.approx(np.pi, rel=1e-15)
    np.testing.assert_allclose(np.abs(phi @ e), np.pi, rtol=1e-15)


def test_logarithm_of_the_identity_is_zero_with_a_derivative(complex_step):
    np.testing.assert_array_equal(log_so3(np.eye(3)), np.zeros(3))
    for log in (log_so3, log_so3_below_pi):
        np.testing.assert_allclose(complex_step(lambda phi, log=log: log(exp_so3(phi)), np.zeros(3)), np.eye(3))


@pytest.mark.parametrize("angle", [1e-9, 0.05, 0.19, 0.21, 1.0, 2.0, 2.9])
def test_derivative_of_the_logarithm_is_the_inverse_tangent(rng, complex_step, angle):
    phi = vector(rng, angle)
    R = exp_so3(phi)
    for log in (log_so3, log_so3_below_pi):
        J = complex_step(lambda w, R=R, log=log: log(R @ exp_so3(w)), np.zeros(3))
        # The short one loses digits as 1 / (pi - angle)^2: a factor of 17 at 2.9 rad, more in a derivative.
        np.testing.assert_allclose(J, inverse_tangent_so3(phi), atol=1e-13)


def test_elementary_rotations(complex_step):
    for k, turn in enumerate((rotation_x, rotation_y, rotation_z)):
        np.testing.assert_allclose(turn(0.7), exp_so3(0.7 * np.eye(3)[k]), atol=1e-15)
        assert turn(0.7 + 0.1j).dtype == complex


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.7, 2.5])
def test_every_map_runs_traced(rng, trace, angle):
    phi = vector(rng, angle)
    for function in (
        exp_so3,
        tangent_so3,
        spatial_tangent_so3,
        inverse_tangent_so3,
        inverse_spatial_tangent_so3,
    ):
        np.testing.assert_array_equal(trace.values(function(trace(phi))), function(phi))
    R = exp_so3(phi)
    for function in (log_so3, log_so3_below_pi):
        np.testing.assert_array_equal(trace.values(function(trace(R))), function(R))


@pytest.mark.parametrize("axis", np.eye(3))
def test_logarithm_runs_traced_at_half_a_turn(trace, axis):
    R = 2.0 * np.outer(axis, axis) - np.eye(3)
    np.testing.assert_array_equal(trace.values(log_so3(trace(R))), np.pi * axis)


@pytest.mark.parametrize(
    ("function", "budget"),
    [(exp_so3_small, 65), (tangent_so3_small, 65), (inverse_tangent_so3_small, 55)],
)
def test_small_maps_are_cheap(trace, function, budget):
    """Two polynomials of nine terms are 32 operations, the matrix about 25: no trigonometry, no waste."""
    function(trace([0.1, 0.2, 0.3]))
    assert trace.operations() <= budget
    assert trace.wasted() == 0
    assert not any(trace.counts[k] for k in ("sqrt", "sin", "cos", "tan", "div", "compare", "select"))
