"""Poses, twists and the exponential map of rigid motions, against matrix exponentials and complex steps.

Tolerances: round-off of numbers of size one is 1e-16; sums of six products and the factor |d| of order
one to three in the coupling block make it a few 1e-15. expm and matrix inverses allow 1e-14.
"""

import numpy as np
import pytest
from scipy.linalg import expm

from samara.rotations import (
    Pose,
    ad,
    ad_times,
    ad_transpose_times,
    adjoint,
    adjoint_times,
    adjoint_transpose_times,
    compose_poses,
    exp_se3,
    exp_se3_small,
    hat_se3,
    homogeneous,
    inverse_pose,
    inverse_tangent_se3,
    inverse_tangent_se3_small,
    inverse_tangent_small,
    log_se3,
    log_se3_below_pi,
    relative_pose,
    tangent_se3,
    tangent_se3_small,
    transform_point,
    unskew,
)

ANGLES = [0.0, 1e-9, 1e-3, 0.5, 0.999, 1.0, 1.001, 2.0, 3.0, 4.5]


def increment(rng, angle):
    n = rng.normal(size=6)
    n[3:] *= angle / np.linalg.norm(n[3:])
    return n


def pose(rng):
    return exp_se3(rng.normal(size=6))


def vee(X):
    return np.concatenate([X[:3, 3], unskew(X[:3, :3])])


@pytest.mark.parametrize("angle", ANGLES)
def test_exponential_is_the_matrix_exponential(rng, angle):
    n = increment(rng, angle)
    np.testing.assert_allclose(homogeneous(exp_se3(n)), expm(hat_se3(n)), atol=1e-14)
    if angle <= 1.0:
        np.testing.assert_allclose(homogeneous(exp_se3_small(n)), homogeneous(exp_se3(n)), atol=1e-15)


def test_poses_are_a_group(rng):
    H_AB, H_BC = pose(rng), pose(rng)
    p_CQ = rng.normal(size=3)
    H_AC = compose_poses(H_AB, H_BC)
    np.testing.assert_allclose(homogeneous(H_AC), homogeneous(H_AB) @ homogeneous(H_BC), atol=2e-15)
    np.testing.assert_allclose(
        transform_point(H_AC, p_CQ), transform_point(H_AB, transform_point(H_BC, p_CQ)), atol=2e-15
    )
    identity = homogeneous(compose_poses(H_AB, inverse_pose(H_AB)))
    np.testing.assert_allclose(identity, np.eye(4), atol=2e-15)
    np.testing.assert_allclose(homogeneous(relative_pose(H_AB, H_AC)), homogeneous(H_BC), atol=2e-15)


def test_pose_is_a_plain_pair(rng):
    R, p = pose(rng)
    assert Pose(R, p).R is R and Pose(R, p).p is p
    assert compose_poses((R, p), (R, p)).p.shape == (3,)


def test_adjoint_carries_twists_and_wrenches(rng):
    H, eta, F = pose(rng), rng.normal(size=6), rng.normal(size=6)
    X = homogeneous(H)
    np.testing.assert_allclose(hat_se3(adjoint(H) @ eta), X @ hat_se3(eta) @ np.linalg.inv(X), atol=1e-14)
    np.testing.assert_allclose(adjoint_times(H, eta), adjoint(H) @ eta, atol=2e-15)
    np.testing.assert_allclose(adjoint_transpose_times(H, F), adjoint(H).T @ F, atol=4e-15)


def test_ad_is_the_bracket(rng):
    eta, xi, F = rng.normal(size=(3, 6))
    bracket = hat_se3(eta) @ hat_se3(xi) - hat_se3(xi) @ hat_se3(eta)
    np.testing.assert_allclose(hat_se3(ad(eta) @ xi), bracket, atol=2e-15)
    np.testing.assert_allclose(ad_times(eta, xi), ad(eta) @ xi, atol=2e-15)
    np.testing.assert_allclose(ad_transpose_times(eta, F), ad(eta).T @ F, atol=2e-15)


def test_adjoint_of_the_exponential_is_the_exponential_of_ad(rng):
    n = rng.normal(size=6)
    np.testing.assert_allclose(adjoint(exp_se3(n)), expm(ad(n)), atol=2e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_tangent_is_the_derivative_of_the_exponential(rng, complex_step, angle):
    n = increment(rng, angle)
    X = homogeneous(exp_se3(n))
    dX = complex_step(lambda m: homogeneous(exp_se3(m)), n)
    body = np.stack([vee(np.linalg.solve(X, dX[..., k])) for k in range(6)], axis=1)
    np.testing.assert_allclose(tangent_se3(n), body, atol=1e-14)


@pytest.mark.parametrize("angle", [1e-3, 1.0, 3.0])
def test_tangent_against_finite_differences(rng, angle):
    """As an integrator uses it: exp(n)^-1 exp(n + s e) = exp(s T e + O(s^2))."""
    n, e, s = increment(rng, angle), rng.normal(size=6), 1e-5
    ahead, behind = exp_se3(n + s * e), exp_se3(n - s * e)
    H = exp_se3(n)
    slope = (log_se3(relative_pose(H, ahead)) - log_se3(relative_pose(H, behind))) / (2.0 * s)
    # Central differences: s^2 times a third derivative of order ten, and round-off 1e-16 / s.
    np.testing.assert_allclose(tangent_se3(n) @ e, slope, atol=1e-8)


@pytest.mark.parametrize("angle", ANGLES)
def test_tangent_is_its_series_in_ad(rng, angle):
    n = increment(rng, angle)
    A, term, series = ad(n), np.eye(6), np.zeros((6, 6))
    for k in range(60):
        series += term
        term = -term @ A / (k + 2)
    # Alternating terms of size 4.5^4 / 5! cancel: a few digits of 1e-16.
    np.testing.assert_allclose(tangent_se3(n), series, atol=2e-14)


@pytest.mark.parametrize("angle", ANGLES)
def test_inverse_tangent(rng, angle):
    n = increment(rng, angle)
    np.testing.assert_allclose(inverse_tangent_se3(n) @ tangent_se3(n), np.eye(6), atol=2e-14)


@pytest.mark.parametrize("angle", [x for x in ANGLES if x <= 1.0])
def test_small_tangents_are_exact_to_one_radian(rng, angle):
    n = increment(rng, angle)
    np.testing.assert_allclose(tangent_se3_small(n), tangent_se3(n), atol=1e-15)
    np.testing.assert_allclose(inverse_tangent_se3_small(n), inverse_tangent_se3(n), atol=1e-15)


@pytest.mark.parametrize("terms", [1, 2, 4])
def test_truncated_tangents_are_of_their_order(rng, terms):
    """Halving n divides the error of k terms by 2^(2k+1) (tangent) or 2^(2k+2) (inverse), asymptotically."""
    n = increment(rng, 1.0)
    for small, exact, order in [
        (tangent_se3_small, tangent_se3, 2 * terms + 1),
        (inverse_tangent_se3_small, inverse_tangent_se3, 2 * terms + 2),
    ]:
        h = {1: 0.1, 2: 0.4, 4: 1.6}[terms]
        coarse, fine = (np.abs(small(s * n, terms) - exact(s * n)).max() for s in (h, h / 2.0))
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.6)


def test_inverse_tangent_small_is_the_truncated_series(rng):
    n = rng.normal(size=6)
    A = ad(n)
    np.testing.assert_allclose(inverse_tangent_small(n), np.eye(6) + A / 2.0 + A @ A / 12.0, atol=1e-15)
    for size in (0.05, 0.1, 0.2):
        m = size * n / np.linalg.norm(n)
        error = inverse_tangent_small(m) - inverse_tangent_se3(m)
        A = ad(m)
        # The next term of the series is ad^4 / 720, the one after ad^6 / 30240.
        np.testing.assert_allclose(error, np.linalg.matrix_power(A, 4) / 720.0, atol=4.0 * size**6 / 30240.0 + 1e-16)
    assert np.linalg.norm(inverse_tangent_small(0.1 * m / size) - inverse_tangent_se3(0.1 * m / size), 2) < 1e-6


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-9, 0.19, 0.21, 1.0, 2.0, 3.0])
def test_logarithm_inverts_the_exponential(rng, angle):
    n = increment(rng, angle)
    np.testing.assert_allclose(log_se3(exp_se3(n)), n, atol=4e-15)
    np.testing.assert_allclose(log_se3_below_pi(exp_se3(n)), n, atol=1e-15 + 1e-14 * (angle > 0) / (np.pi - angle) ** 2)


def test_logarithm_at_half_a_turn(rng):
    n = increment(rng, np.pi)
    H = exp_se3(n)
    np.testing.assert_allclose(homogeneous(exp_se3(log_se3(H))), homogeneous(H), atol=5e-15)


@pytest.mark.parametrize("angle", [1e-9, 0.5, 2.0])
def test_derivative_of_the_logarithm_is_the_inverse_tangent(rng, complex_step, angle):
    n = increment(rng, angle)
    H = exp_se3(n)
    J = complex_step(lambda z: log_se3(compose_poses(H, exp_se3(z))), np.zeros(6))
    np.testing.assert_allclose(J, inverse_tangent_se3(n), atol=2e-14)


def test_a_steady_screw_is_reproduced_by_steps(rng):
    """exp(n) = exp(n / 10)^10: a constant twist is integrated exactly."""
    n = rng.normal(size=6)
    H = Pose(np.eye(3), np.zeros(3))
    for _ in range(10):
        H = compose_poses(H, exp_se3_small(n / 10.0))
    np.testing.assert_allclose(homogeneous(H), homogeneous(exp_se3(n)), atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5])
def test_every_map_runs_traced(rng, trace, angle):
    n = increment(rng, angle)
    for function in (tangent_se3, inverse_tangent_se3, tangent_se3_small, inverse_tangent_small, ad):
        np.testing.assert_array_equal(trace.values(function(trace(n))), function(n))
    for function in (exp_se3, exp_se3_small):
        np.testing.assert_array_equal(trace.values(homogeneous(function(trace(n)))), homogeneous(function(n)))
    R, p = exp_se3(n)
    H = Pose(trace(R), trace(p))
    for function in (log_se3, log_se3_below_pi):
        np.testing.assert_array_equal(trace.values(function(H)), function((R, p)))
    # The object matrix product adds in another order than BLAS.
    np.testing.assert_allclose(trace.values(adjoint(H)), adjoint((R, p)), atol=1e-15)
    np.testing.assert_allclose(trace.values(adjoint_times(H, trace(n))), adjoint((R, p)) @ n, atol=2e-15)
    np.testing.assert_allclose(trace.values(relative_pose(H, H).p), 0.0, atol=1e-15)


@pytest.mark.parametrize(
    ("function", "budget"),
    [
        (exp_se3_small, 95),
        (tangent_se3_small, 170),
        (inverse_tangent_se3_small, 115),
        (inverse_tangent_small, 65),
    ],
)
def test_small_maps_are_cheap(trace, function, budget):
    function(trace([1.0, 2.0, 3.0, 0.1, 0.2, 0.3]))
    assert trace.operations() <= budget
    assert trace.wasted() == 0
    assert not any(trace.counts[k] for k in ("sqrt", "sin", "cos", "tan", "div", "compare", "select"))
