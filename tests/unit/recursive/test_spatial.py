"""The algebra of spatial operators: identities that hold for any screws, and rates against differences."""

import numpy as np
import pytest

from samara.recursive.dynamics.inertia import Inertia, body_bias
from samara.recursive.dynamics.spatial import (
    extended_cross,
    extended_rotation,
    extended_translation,
    kinematic_operator,
    momentum_cross,
)
from samara.rotations import Pose, compose_poses, exp_se3, exp_so3, inverse_pose


@pytest.fixture
def rng():
    return np.random.default_rng(2)


def rotation(rng):
    return exp_so3(rng.normal(size=3))


def test_extended_rotation_is_orthogonal_and_a_homomorphism(rng):
    A, B = rotation(rng), rotation(rng)
    np.testing.assert_allclose(extended_rotation(A) @ extended_rotation(A).T, np.eye(6), atol=1e-15)
    np.testing.assert_allclose(extended_rotation(A @ B), extended_rotation(A) @ extended_rotation(B), atol=1e-15)


def test_extended_translation_moves_twists_and_wrenches_with_the_same_power(rng):
    a, twist, wrench = rng.normal(size=3), rng.normal(size=6), rng.normal(size=6)
    moved = extended_translation(a) @ twist
    np.testing.assert_allclose(moved[:3], twist[:3] + np.cross(twist[3:], a), atol=1e-15)
    assert moved @ wrench == pytest.approx(twist @ (extended_translation(a).T @ wrench), abs=1e-13)
    np.testing.assert_allclose(extended_translation(a) @ extended_translation(-a), np.eye(6), atol=1e-15)


def test_extended_cross_product(rng):
    a, b, c = rng.normal(size=(3, 6))
    np.testing.assert_allclose(extended_cross(a) @ a, 0.0, atol=1e-15)
    np.testing.assert_allclose(extended_cross(a) @ b, -extended_cross(b) @ a, atol=1e-15)
    # Jacobi's identity: commutators of operators are operators of products
    bracket = extended_cross(a) @ extended_cross(b) - extended_cross(b) @ extended_cross(a)
    np.testing.assert_allclose(extended_cross(extended_cross(a) @ b), bracket, atol=1e-14)
    total = sum(extended_cross(x) @ extended_cross(y) @ z for x, y, z in ((a, b, c), (b, c, a), (c, a, b)))
    np.testing.assert_allclose(total, 0.0, atol=1e-14)


def test_momentum_cross_is_skew_and_the_transpose_of_the_cross_product(rng):
    a, b = rng.normal(size=(2, 6))
    np.testing.assert_allclose(momentum_cross(b), -momentum_cross(b).T, atol=0.0)
    np.testing.assert_allclose(extended_cross(a).T @ b, momentum_cross(b) @ a, atol=1e-15)


def test_kinematic_operator_in_both_orders_and_composed(rng):
    d, R = rng.normal(size=3), rotation(rng)
    other_order = extended_translation(R.T @ d) @ extended_rotation(R.T)
    np.testing.assert_allclose(kinematic_operator(d, R), other_order, atol=1e-15)
    H, K = Pose(R, d), Pose(rotation(rng), rng.normal(size=3))
    both = compose_poses(H, K)
    product = kinematic_operator(K.p, K.R) @ kinematic_operator(H.p, H.R)
    np.testing.assert_allclose(kinematic_operator(both.p, both.R), product, atol=1e-14)
    back = inverse_pose(H)
    np.testing.assert_allclose(kinematic_operator(back.p, back.R) @ kinematic_operator(d, R), np.eye(6), atol=1e-14)


def test_rate_of_the_kinematic_operator_in_both_forms(rng):
    """Against central differences along a motion of constant twist."""
    H, twist, h = Pose(rotation(rng), rng.normal(size=3)), rng.normal(size=6), 1e-5
    ahead, behind = (compose_poses(H, exp_se3(sign * h * twist)) for sign in (1.0, -1.0))
    rate = (kinematic_operator(ahead.p, ahead.R) - kinematic_operator(behind.p, behind.R)) / (2.0 * h)
    np.testing.assert_allclose(-extended_cross(twist) @ kinematic_operator(H.p, H.R), rate, atol=1e-8)
    X = kinematic_operator(H.p, H.R)
    at_origin = np.linalg.solve(X, twist)  # the same twist at the fixed origin, in fixed axes
    np.testing.assert_allclose(-extended_cross(twist) @ X, -X @ extended_cross(at_origin), atol=1e-13)


def body(rng):
    points = rng.normal(size=(5, 3))
    masses = rng.uniform(0.5, 2.0, 5)
    com = masses @ points / masses.sum()
    J = sum(m * (np.dot(x, x) * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, points - com, strict=True))
    return masses, points, (masses.sum(), com, J)


def matrix(mass, com, J):
    return Inertia.of_body(mass, com, J).matrix().astype(float)


def test_spatial_inertia_is_the_kinetic_energy_of_its_points(rng):
    masses, points, (mass, com, J) = body(rng)
    twist = rng.normal(size=6)
    energy = 0.5 * sum(
        m * np.sum((twist[:3] + np.cross(twist[3:], x)) ** 2) for m, x in zip(masses, points, strict=True)
    )
    assert 0.5 * twist @ matrix(mass, com, J) @ twist == pytest.approx(energy, rel=1e-14)


def test_inertia_seen_from_another_frame_is_a_congruence(rng):
    _, _, (mass, com, J) = body(rng)
    H = Pose(rotation(rng), rng.normal(size=3))
    X = kinematic_operator(H.p, H.R)
    seen = Inertia.of_body(mass, com, J).seen_from(H.R, H.p).matrix().astype(float)
    np.testing.assert_allclose(seen, X.T @ matrix(mass, com, J) @ X, atol=1e-13)


def test_bias_of_a_body_is_that_of_kirchhoff(rng):
    _, _, (mass, com, J) = body(rng)
    twist = rng.normal(size=6)
    M = matrix(mass, com, J)
    bias = np.concatenate(body_bias(mass, com, J, twist[:3], twist[3:]))
    np.testing.assert_allclose(bias, -extended_cross(twist).T @ M @ twist, atol=1e-13)
    np.testing.assert_allclose(bias, -momentum_cross(M @ twist) @ twist, atol=1e-13)
    assert bias @ twist == pytest.approx(0.0, abs=1e-12)  # it does no work
