"""Bodies on more points than they need: singular problems with many ties, in polygons of any number and in cones.

The law is checked by what it says: normals are complementary, and friction is what takes most energy of all that its
polygon or its circle allows.
"""

import numpy as np
import pytest

from samara.complementarity import LCPStatus, solve_contact


def box_on_points(points, rng, mass=3.0, half=(0.2, 0.15, 0.1)):
    """Rows of G and W of a box, its axes turned at random so that rounding errors are everywhere."""
    half = np.array(half)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    inertia = Q @ np.diag(mass / 3 * ((half**2).sum() - half**2)) @ Q.T
    answer = np.zeros((6, 6))
    answer[:3, :3], answer[3:, 3:] = np.eye(3) / mass, np.linalg.inv(inertia)
    axes = Q @ np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], float)  # normal z, tangents x and y
    G = np.array([np.r_[axis, np.cross(Q @ p, axis)] for p in points for axis in axes.T])
    return G, G @ answer @ G.T, Q


def problems(points, rng, count):
    """Boxes that rest, slide along and across, turn on the spot and tip, faster and slower."""
    for k in range(count):
        G, W, Q = box_on_points(points, rng)
        speed = 10.0 ** rng.uniform(-18, 1)
        v, w = speed * rng.normal(size=3) * (k % 4 > 0), speed * rng.normal(size=3) * (k % 4 > 1)
        if k % 4 == 1:
            v[1:] = 0.0
        v[2] = -9.81e-3
        yield W, G @ np.r_[Q @ v, Q @ w], np.full(len(points), rng.choice([0.1, 0.3, 1.0]))


def check(found, mu, directions, scale):
    """directions: corners of the polygon; none for a circle. scale: speeds that nothing is left of."""
    P, v = found.impulses, found.velocities
    assert P[:, 0].min() >= 0.0 and v[:, 0].min() >= -1e-7 * scale
    assert np.abs(P[:, 0] * v[:, 0]).max() <= 1e-7 * scale * max(P[:, 0].max(), 1e-300)
    slip = np.linalg.norm(v[:, 1:], axis=1) if directions is None else (-v[:, 1:] @ directions.T).max(axis=1)
    most = mu * P[:, 0] * np.maximum(slip, 0.0)
    assert np.abs((P[:, 1:] * v[:, 1:]).sum(axis=1) + most).max() <= 1e-7 * scale * max(P[:, 0].max(), 1e-300)


FACE = [(x, y, -0.1) for x in (-0.2, 0.2) for y in (-0.15, 0.15)]
GRID = [(x, y, -0.1) for x in (-0.2, 0.0, 0.2) for y in (-0.15, 0.0, 0.15)]
LINE = [(x, 0.15, -0.1) for x in np.linspace(-0.2, 0.2, 5)]


@pytest.mark.parametrize("points", [FACE, GRID, LINE], ids=["face", "grid", "line"])
@pytest.mark.parametrize("facets", [3, 4, 5, 6, 7, 8, 0])
def test_a_box_on_many_points(points, facets, rng):
    angles = 2.0 * np.pi * np.arange(facets) / max(facets, 1)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1) if facets else None
    for W, u, mu in problems(points, rng, 120):
        method = {"method": "polyhedral", "facets": facets} if facets else {"method": "cone"}
        found = solve_contact(W, u, mu, **method, check=False)
        assert found.status == LCPStatus.SOLVED
        check(found, mu, directions, np.abs(u).max())


@pytest.mark.parametrize("facets", [3, 4, 8])
def test_contradictions_are_still_told_from_rounding(facets, rng):
    """The same boxes between two planes that close: no impulses help, and none are made up."""
    points = [*FACE, *((x, y, 0.1) for x, y, _ in FACE)]
    for _ in range(20):
        G, W, Q = box_on_points(points, rng)
        turn = np.ones(24)
        turn[12::3] = -1.0  # the upper plane pushes down
        W = turn[:, None] * W * turn
        u = turn * (G @ np.r_[Q @ [0.1, 0.0, -0.01], np.zeros(3)])
        u[12::3] -= 1.0
        found = solve_contact(W, u, 0.3, method="polyhedral", facets=facets, check=False)
        assert found.status == LCPStatus.RAY
