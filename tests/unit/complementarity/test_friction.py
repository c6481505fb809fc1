"""Contacts with Coulomb friction: closed forms, laws, and the polygon against the circle."""

import numpy as np
import pytest

from samara.complementarity import (
    SOLVED,
    friction_work,
    polyhedral_work,
    solve_contact,
    solve_friction_cone,
    solve_friction_polyhedral,
    solve_lcp,
)
from samara.tracing.driver.driver_cache import driver

MASS, MU = 2.0, 0.4


@driver
def _by_cone(W, u, mu, P, v, status, residual, work, tolerance):
    for k in range(status.size):
        status[k] = solve_friction_cone(W[k], u[k], mu[k], P[k], v[k], work, 5000, tolerance)
        residual[k] = work.residual[0]


@driver
def _by_polyhedra(W, u, mu, P, v, status, work):
    for k in range(status.size):
        status[k] = solve_friction_polyhedral(W[k], u[k], mu[k], P[k], v[k], work, 5000)


def many_by_cone(W, u, mu, tolerance=1e-10):
    """Impulses, velocities, residuals; all are solved."""
    P, v, status, residual = np.zeros_like(u), np.zeros_like(u), np.full(len(u), -1), np.ones(len(u))
    _by_cone(W, u, mu, P, v, status, residual, friction_work(mu.shape[1]), tolerance)
    assert (status == SOLVED).all(), np.bincount(status)
    return P.reshape(len(u), -1, 3), v.reshape(len(u), -1, 3), residual


def many_by_polyhedra(W, u, mu, facets):
    P, v, status = np.zeros_like(u), np.zeros_like(u), np.full(len(u), -1)
    _by_polyhedra(W, u, mu, P, v, status, polyhedral_work(mu.shape[1], facets))
    assert (status == SOLVED).all(), np.bincount(status)
    return P.reshape(len(u), -1, 3), v.reshape(len(u), -1, 3)


def bodies(rng, cases, contacts, mu_max):
    """Rigid bodies that fall, turning and sliding, with points on their bottom: beyond two, the load is not unique."""
    at = np.stack([*rng.uniform(-1.0, 1.0, (2, cases, contacts)), np.full((cases, contacts), -0.3)], axis=-1)
    G = np.zeros((cases, contacts, 3, 6))
    for row, axis in enumerate(np.eye(3)[[2, 0, 1]]):
        G[:, :, row, :3], G[:, :, row, 3:] = axis, np.cross(at, axis)
    G = G.reshape(cases, 3 * contacts, 6)
    inverse = 1.0 / np.concatenate([np.ones((cases, 3)), rng.uniform(0.1, 0.5, (cases, 3))], axis=1)
    twist = rng.normal(size=(cases, 6)) - [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    W = (G * inverse[:, None, :]) @ G.transpose(0, 2, 1)
    return W, (G @ twist[:, :, None])[:, :, 0], rng.uniform(0.0, mu_max, (cases, contacts))


def separate(rng, cases, contacts, mu_max):
    """Contacts between many bodies: W has full rank."""
    G = rng.normal(size=(cases, 3 * contacts, 3 * contacts + 2))
    u, mu = rng.normal(size=(cases, 3 * contacts)), rng.uniform(0.0, mu_max, (cases, contacts))
    return G @ G.transpose(0, 2, 1) / contacts, u, mu


@pytest.mark.parametrize("method", ["cone", "polyhedral"])
def test_one_point_sticks_or_slips(method):
    """W = 1 / m: P = -m u inside of the cone; otherwise P_n = -m u_n and mu P_n against the slip."""
    for u in ([-1.0, 0.3, 0.0], [-1.0, 0.0, -0.399], [-1.0, 0.0, 0.0]):
        found = solve_contact(np.eye(3) / MASS, u, MU, method)
        np.testing.assert_allclose(found.impulses[0], -MASS * np.array(u), atol=1e-13)
        np.testing.assert_allclose(found.velocities, 0.0, atol=1e-13)
    for u in ([-1.0, 3.0, 0.0], [-2.0, 0.0, -5.0], [-1.0, -0.5, 0.5]):  # along directions that eight facets have
        found, slip = solve_contact(np.eye(3) / MASS, u, MU, method), np.array(u[1:]) / np.hypot(*u[1:])
        np.testing.assert_allclose(found.impulses[0], -MASS * u[0] * np.array([1.0, *(-MU * slip)]), atol=1e-14)
        np.testing.assert_allclose(found.velocities[0, 1:], np.array(u[1:]) + MU * u[0] * slip, atol=1e-14)
    assert not solve_contact(np.eye(3) / MASS, [0.5, 3.0, 1.0], MU, method).impulses.any()


@pytest.mark.parametrize("method", ["cone", "polyhedral"])
@pytest.mark.parametrize("angle", [0.1, 0.37, 0.39, 0.9])
def test_block_on_an_incline(method, angle):
    """From rest over h under gravity: it stays below atan(mu), else v = g h (sin - mu cos)."""
    gh = 9.81 * 1e-3
    found = solve_contact(np.eye(3) / MASS, [-gh * np.cos(angle), gh * np.sin(angle), 0.0], MU, method)
    assert found.velocities[0, 0] == pytest.approx(0.0, abs=1e-16)
    speed = gh * max(np.sin(angle) - MU * np.cos(angle), 0.0)
    assert found.velocities[0, 1] == pytest.approx(speed, rel=1e-12, abs=1e-16)


def test_restitution_is_in_the_normal():
    """A ball at -2 m/s with e = 0.5: u_n = -2 + 0.5 (-2), so that u_n + W P = 0 means v_n = 1 m/s."""
    found = solve_contact(np.eye(3) / MASS, [-2.0 - 1.0, 0.0, 0.0], MU)
    assert -2.0 + found.impulses[0, 0] / MASS == pytest.approx(1.0, rel=1e-14)


def test_units_do_not_matter(rng):
    W, u, mu = (part[0] for part in bodies(rng, 1, 3, 0.8))
    plain = solve_contact(W, u, mu)
    other = solve_contact(W * 1e9, u * 1e-6, mu)
    assert other.iterations == plain.iterations
    np.testing.assert_allclose(other.impulses * 1e15, plain.impulses, rtol=1e-9)


@pytest.mark.parametrize(("make", "mu_max"), [(bodies, 1.0), (separate, 1.5)])
@pytest.mark.parametrize("contacts", [1, 2, 3, 4, 8])
def test_the_law_holds(make, mu_max, contacts, rng):
    W, u, mu = make(rng, 400, contacts, mu_max)
    P, v, residual = many_by_cone(W, u, mu)
    speed = np.abs(u).max(axis=1)[:, None]
    load = np.abs(P).max(axis=(1, 2))[:, None] + 1e-12
    assert residual.max() < 1e-10
    sliding, friction = np.linalg.norm(v[:, :, 1:], axis=-1), np.linalg.norm(P[:, :, 1:], axis=-1)
    assert (v[:, :, 0] / speed).min() > -1e-8 and P[:, :, 0].min() >= 0.0
    assert (np.abs(v[:, :, 0] * P[:, :, 0]) / speed / load).max() < 1e-7
    assert ((friction - mu * P[:, :, 0]) / load).max() < 1e-8
    power = (P[:, :, 1:] * v[:, :, 1:]).sum(axis=-1)
    assert (power / speed / load).max() < 1e-8  # friction takes energy
    assert (np.abs(power + mu * P[:, :, 0] * sliding) / speed / load).max() < 1e-6  # as much as it can
    energy = 0.5 * (P.reshape(u.shape) * (v.reshape(u.shape) + u)).sum(axis=1)
    assert energy.max() < 1e-9


@pytest.mark.parametrize("contacts", [1, 2, 4])
def test_the_cone_has_no_favourite_direction(contacts, rng):
    W, u, mu = separate(rng, 100, contacts, 0.8)
    P, _, _ = many_by_cone(W, u, mu, 1e-13)
    Q = np.zeros((3 * contacts, 3 * contacts))
    for i, a in enumerate(rng.uniform(0.0, 6.0, contacts)):
        c, s, k = np.cos(a), np.sin(a), 3 * i
        Q[k : k + 3, k : k + 3] = [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
    turned, _, _ = many_by_cone(Q @ W @ Q.T, u @ Q.T, mu, 1e-13)
    np.testing.assert_allclose(turned.reshape(u.shape), P.reshape(u.shape) @ Q.T, atol=1e-9 * np.abs(P).max())


@pytest.mark.parametrize("method", ["cone", "polyhedral", "frictionless"])
def test_without_friction_only_normals_remain(method, rng):
    W, u, _ = (part[0] for part in separate(rng, 1, 5, 1.0))
    found, normals = solve_contact(W, u, 0.0, method, tolerance=1e-13), solve_lcp(W[::3, ::3], u[::3])
    np.testing.assert_allclose(found.impulses[:, 0], normals.z, atol=1e-12)
    assert not found.impulses[:, 1:].any()


def test_polygons_approach_the_circle(rng):
    """Friction falls short by 1 - cos(pi / m) at most and dissipation by O(1 / m^2); its direction is O(1 / m) off."""
    W, u, mu = separate(rng, 400, 2, 0.6)
    exact, _, _ = many_by_cone(W, u, mu, 1e-12)
    errors, losses = [], []
    for facets in (8, 16, 32, 64):
        P, v = many_by_polyhedra(W, u, mu, facets)
        slips = (np.linalg.norm(v[:, :, 1:], axis=-1) > 1e-6) & (mu * P[:, :, 0] > 1e-6)
        ratio = np.linalg.norm(P[:, :, 1:], axis=-1)[slips] / (mu * P[:, :, 0])[slips]
        assert ratio.max() < 1.0 + 1e-9 and ratio.min() > np.cos(np.pi / facets) - 1e-9
        losses.append(1.0 - ratio.min())
        errors.append(np.sqrt(((P - exact) ** 2).mean()))
    halved, quartered = np.array(errors[:-1]) / errors[1:], np.array(losses[:-1]) / losses[1:]
    assert (halved > 1.6).all() and errors[0] / errors[-1] > 6.0
    assert (quartered > 3.0).all()


def test_energy_of_polygons_is_of_second_order(rng):
    """One sliding point, W = 1 / m: the loss of energy is off by the angle squared."""
    angles = rng.uniform(0.0, 2.0 * np.pi, 200)
    u = np.stack([-np.ones(200), 3.0 * np.cos(angles), 3.0 * np.sin(angles)], axis=1)
    W, mu = np.broadcast_to(np.eye(3), (200, 3, 3)).copy(), np.full((200, 1), MU)
    exact = (many_by_cone(W, u, mu)[1] ** 2).sum(axis=(1, 2))
    off = [np.abs((many_by_polyhedra(W, u, mu, m)[1] ** 2).sum(axis=(1, 2)) - exact).max() for m in (8, 16, 32)]
    assert off[0] / off[1] == pytest.approx(4.0, rel=0.2) and off[1] / off[2] == pytest.approx(4.0, rel=0.2)


def wedge(half_angle, mu):
    """A point pushed down between two planes; normals lean to each other by the half angle from the horizontal."""
    c, s = np.cos(half_angle), np.sin(half_angle)
    G = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c], [-c, 0, s], [0, 1, 0], [s, 0, c]])
    return G, solve_contact(G @ G.T, G @ [0.0, 0.0, -1.0], mu)


def test_wedged_contacts():
    """Both planes hold the point at once; friction helps or not, and the load between the planes is not unique."""
    for mu in (0.0, 0.2, 0.9):
        G, found = wedge(0.3, mu)
        np.testing.assert_allclose(found.velocities, 0.0, atol=1e-9)
        np.testing.assert_allclose(G.T @ found.impulses.ravel(), [0.0, 0.0, 1.0], atol=1e-9)


def test_point_slides_along_a_groove():
    """Two planes, pushed in by 1 and along by 3 m/s, no friction across: 1 / sin(a) mu is lost of the speed along."""
    a = 0.6
    G = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    G = np.vstack([G, G * [[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]])
    found = solve_contact(G @ G.T, G @ [0.0, 3.0, -1.0], 0.2)
    np.testing.assert_allclose(found.velocities[:, 1], 3.0 - 0.2 / np.sin(a), rtol=1e-9)


def test_last_impulses_are_a_good_start(rng):
    W, u, mu = (part[0] for part in bodies(rng, 1, 4, 0.6))
    cold = solve_contact(W, u, mu)
    warm = solve_contact(W, u, mu, start=cold.impulses)
    assert warm.iterations <= 2 and cold.iterations > 5


def test_planar_contact_needs_no_third_direction():
    """W without an entry for the second tangent, as in a plane model."""
    W = np.diag([1.0, 1.0, 0.0])
    np.testing.assert_allclose(solve_contact(W, [-1.0, 2.0, 0.0], 0.5).velocities[0], [0.0, 1.5, 0.0], atol=1e-12)
    np.testing.assert_allclose(solve_contact(W, [-1.0, 0.2, 0.0], 0.5).velocities[0], 0.0, atol=1e-12)
