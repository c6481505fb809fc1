"""Pendulums on a hinge, on two hinges and on a ball, in every way to take a step, against closed forms."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import samara as sm

G, STEP, END = 9.81, 2e-3, 1.0
MASS, LENGTH, INERTIA = 2.0, 0.8, 0.05  # kg, m, kg m^2 about the centre of mass
HINGED = INERTIA + MASS * LENGTH**2
RATE = np.sqrt(MASS * G * LENGTH / HINGED)  # of small swings [rad/s]


def pendulum(angle: float) -> sm.Model:
    """Let go at an angle from the vertical below its hinge."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", LENGTH * np.array([np.sin(angle), 0.0, -np.cos(angle)]))
    model.add("body", sm.Body(bob, mass=MASS, inertia=(INERTIA,) * 3))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, -1, 0)))
    return model


def test_a_pendulum_follows_the_elliptic_functions(way):
    """sin(theta / 2) = k cd(w t, k), k = sin(theta_0 / 2): angle, rate and the reaction of the hinge."""
    start = 2.0
    run = way.run(pendulum(start), END, STEP)
    k = np.sin(0.5 * start)
    sn, cn, _, _ = ellipj(ellipk(k * k) + RATE * run.time, k * k)
    angle, rate = 2.0 * np.arcsin(k * sn), 2.0 * RATE * k * cn
    allowed = way.error(RATE, STEP, END)
    np.testing.assert_allclose(np.unwrap(run["hinge.angle"]) + start, angle, atol=allowed)
    np.testing.assert_allclose(run["hinge.angle_rate"], rate, atol=RATE * allowed)
    second = -(RATE**2) * np.sin(angle)
    along = MASS * (G * np.cos(angle) + LENGTH * rate**2)
    across = MASS * (LENGTH * second + G * np.sin(angle))
    reaction = np.linalg.norm(run["hinge.force"], axis=1)
    # 2 m L rate per error of the rate, and m g per error of the angle: some two times the weight; begun by five steps
    np.testing.assert_allclose(reaction[5:], np.hypot(along, across)[5:], atol=2.0 * MASS * G * allowed)


def two_links() -> sm.Model:
    """Two such links in a row, let go in the horizontal."""
    model = sm.Model("double pendulum", gravity=(0, 0, -G))
    before, at, along = model.ground, np.zeros(3), np.array([LENGTH, 0.0, 0.0])
    for k in range(2):
        node = model.node(f"link{k}", at + along)
        model.add(f"body{k}", sm.Body(node, mass=MASS, inertia=(INERTIA,) * 3))
        model.add(f"hinge{k}", sm.Revolute(before, node, at=at, axis=(0, 1, 0)))
        before, at = node, node.position
    return model


def rates_of_two_links(t, y):
    """Lagrange's equations for the angles of both below the horizontal: M(y) y'' = f."""
    a, b, va, vb = y
    c, s = np.cos(a - b), np.sin(a - b)
    mass = MASS * LENGTH**2 * np.array([[2.0, c], [c, 1.0]]) + INERTIA * np.eye(2)
    force = MASS * LENGTH**2 * s * np.array([-(vb**2), va**2]) + MASS * G * LENGTH * np.array(
        [2.0 * np.cos(a), np.cos(b)]
    )
    return np.concatenate([[va, vb], np.linalg.solve(mass, force)])


def test_a_double_pendulum_follows_lagranges_equations(way, fine):
    run = way.run(two_links(), END, STEP)
    a, b, va, vb = fine(rates_of_two_links, END, np.zeros(4))(run.time)
    # it turns at 6 rad/s, and faster for a moment when the lower link swings through
    allowed = way.error(6.0, STEP, END, factor=2.0)
    np.testing.assert_allclose(run["hinge0.angle"], a, atol=allowed)
    np.testing.assert_allclose(run["hinge1.angle"], b - a, atol=allowed)
    np.testing.assert_allclose(run["hinge1.angle_rate"], vb - va, atol=6.0 * allowed)


def ball_pendulum(speed: float) -> sm.Model:
    """On a ball, in the horizontal at first, pushed along a circle."""
    model = sm.Model("spherical pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (LENGTH, 0, 0), velocity=(0, speed, 0), angular_velocity=(0, 0, speed / LENGTH))
    model.add("body", sm.Body(bob, mass=MASS, inertia=(INERTIA,) * 3))
    model.add("ball", sm.Spherical(model.ground, bob, at=(0, 0, 0)))
    return model


def test_a_spherical_pendulum_follows_its_direction(way, fine):
    """n'' = w^2 (e - n (n.e)) - |n'|^2 n of the direction n, with e down: no angle that could be singular.

    Vertical momentum and energy are constants of it.
    """
    speed, down = 1.5, np.array([0.0, 0.0, -1.0])

    def rates(t, y):
        n, v = y[:3], y[3:]
        return np.concatenate([v, RATE**2 * (down - n * (n @ down)) - (v @ v) * n])

    run = way.run(ball_pendulum(speed), END, STEP)
    start = np.array([1.0, 0.0, 0.0, 0.0, speed / LENGTH, 0.0])
    n = fine(rates, END, start)(run.time)[:3].T
    allowed = way.error(RATE, STEP, END)
    position, velocity = run["bob.position"], run["bob.velocity"]
    np.testing.assert_allclose(position / LENGTH, n, atol=allowed)
    momentum = position[:, 0] * velocity[:, 1] - position[:, 1] * velocity[:, 0]
    assert momentum == pytest.approx(np.full(len(run), LENGTH * speed), abs=5.0 * allowed * LENGTH * speed)
    energy = run["model.kinetic"] + run["model.potential"]
    assert np.ptp(energy) < 10.0 * allowed * MASS * G * LENGTH
