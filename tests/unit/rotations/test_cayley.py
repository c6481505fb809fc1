"""Gibbs-Rodrigues parameters. 1e-15: a few units in the last place of numbers of size one."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from samara.rotations import (
    cayley_body_map,
    cayley_from_rotation,
    cayley_spatial_map,
    half_cayley,
    inverse_cayley_body_map,
    inverse_cayley_spatial_map,
    rotation_from_cayley,
    skew,
    unskew,
)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.1, 1.0, 2.0, 3.0])
def test_parameters_are_twice_the_tangent_of_half_the_angle(rng, angle):
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    g = 2.0 * np.tan(angle / 2.0) * axis
    R = Rotation.from_rotvec(angle * axis).as_matrix()
    np.testing.assert_allclose(rotation_from_cayley(g), R, atol=2e-15)
    # g grows as 4 / (pi - angle), and an error of R is multiplied by its square.
    np.testing.assert_allclose(cayley_from_rotation(R), g, atol=1e-15 * (1.0 + g @ g))


def test_half_a_rotation_twice_is_the_whole(rng):
    g = 3.0 * rng.normal(size=3)
    half = rotation_from_cayley(half_cayley(g))
    np.testing.assert_allclose(half @ half, rotation_from_cayley(g), atol=2e-15)


def test_formula_of_the_papers(rng):
    g = rng.normal(size=3)
    S = skew(g)
    np.testing.assert_allclose(rotation_from_cayley(g), np.eye(3) + 4.0 / (4.0 + g @ g) * (S + S @ S / 2.0), atol=1e-15)


def test_result_is_orthogonal_however_large_the_parameters():
    R = rotation_from_cayley([1e8, -2e8, 3e8])
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-15)


@pytest.mark.parametrize("size", [0.0, 1e-9, 0.3, 2.0, 10.0])
def test_maps_are_the_derivative(rng, complex_step, size):
    g = size * rng.normal(size=3)
    R = rotation_from_cayley(g)
    dR = complex_step(rotation_from_cayley, g)
    body = np.stack([unskew(R.T @ dR[..., k]) for k in range(3)], axis=1)
    spatial = np.stack([unskew(dR[..., k] @ R.T) for k in range(3)], axis=1)
    np.testing.assert_allclose(cayley_body_map(g), body, atol=2e-15)
    np.testing.assert_allclose(cayley_spatial_map(g), spatial, atol=2e-15)
    # The inverse has entries of g g^T / 4, up to a hundred here.
    tolerance = 1e-15 * (1.0 + g @ g)
    np.testing.assert_allclose(inverse_cayley_body_map(g) @ cayley_body_map(g), np.eye(3), atol=tolerance)
    np.testing.assert_allclose(inverse_cayley_spatial_map(g) @ cayley_spatial_map(g), np.eye(3), atol=tolerance)


def test_round_trip(rng):
    for g in rng.normal(size=(50, 3)):
        np.testing.assert_allclose(cayley_from_rotation(rotation_from_cayley(g)), g, atol=1e-15 * (2.0 + g @ g))


def test_maps_run_traced_without_waste(rng, trace):
    g = rng.normal(size=3)
    for function in (rotation_from_cayley, cayley_body_map, cayley_spatial_map, inverse_cayley_body_map):
        np.testing.assert_array_equal(trace.values(function(trace(g))), function(g))
    R = rotation_from_cayley(g)
    np.testing.assert_array_equal(trace.values(cayley_from_rotation(trace(R))), cayley_from_rotation(R))
    assert trace.wasted() == 0
