"""Friction in joints against closed forms and an independent integration."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_z

G = 9.81


def block(friction, velocity=0.0, push=0.0, mass=2.0):
    """A block on a straight guide along x, pressed on by its weight."""
    model = sm.Model("block", gravity=(0, 0, -G))
    node = model.node("block", velocity=(velocity, 0, 0))
    model.add("mass", sm.Body(node, mass=mass, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, node, axis=(1, 0, 0), friction=friction))
    model.add("push", sm.Force(node, force=(push, 0, 0)))
    return model


def test_a_block_slides_to_rest():
    """It stops after v / (mu g) at v^2 / (2 mu g); the heat is its kinetic energy.

    The transition of 1e-3 of the speed lets it come to rest a little later: 1e-3 of time and distance.
    """
    mu, v, h = 0.3, 2.0, 1e-4
    run = sm.transient(block(sm.Friction(mu, transition=1e-3), v), 1.0, h, integrator=sm.TwoStep(0.6), progress=False)
    x, time, speed = run["guide.displacement"], run.time, run["block.velocity"][:, 0]
    stop = v / (mu * G)
    assert x[-1] == pytest.approx(v**2 / (2 * mu * G), rel=1e-3)
    assert time[np.argmax(speed < 1e-3 * v)] == pytest.approx(stop, rel=3e-3)
    sliding = (time > 0.1 * stop) & (time < 0.9 * stop)
    np.testing.assert_allclose(run["guide.friction"][sliding], mu * 2.0 * G, rtol=1e-9)
    heat = np.sum(0.5 * h * (run["model.dissipated"][1:] + run["model.dissipated"][:-1]))
    assert heat == pytest.approx(0.5 * 2.0 * v**2, rel=1e-3)
    assert np.abs(speed[-100:]).max() < 1e-6


@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_what_sticks_creeps_as_the_transition_says(share):
    """Below the limit the block creeps at u (3 - u^2) / 2 = share, u = v / transition."""
    friction = sm.Friction(0.3, static=0.4, stribeck=0.1, transition=1e-4)
    run = sm.transient(block(friction, push=share * 0.4 * 2.0 * G), 5e-3, 1e-5, progress=False)
    u = np.roots([-0.5, 0.0, 1.5, -share])
    u = min(x.real for x in u if abs(x.imag) < 1e-9 and 0 < x.real < 1)
    # the peak of the friction is 1e-6 lower, (transition / stribeck)^2, at the end of the transition
    assert run["block.velocity"][-1, 0] == pytest.approx(u * 1e-4, rel=1e-4)


def test_beyond_the_limit_it_breaks_away():
    """a = F / m - mu g once it slides fast."""
    friction = sm.Friction(0.3, static=0.4, stribeck=1e-2, transition=1e-4)
    run = sm.transient(block(friction, push=1.05 * 0.4 * 2.0 * G), 0.5, 1e-3, progress=False)
    assert run["block.acceleration"][-1, 0] == pytest.approx((1.05 * 0.4 - 0.3) * G, rel=1e-6)


def test_stribeck_curve_at_steady_speed():
    """The couple of a bearing driven at steady speed is radius (mu(v) preload + viscous v)."""
    friction = sm.Friction(0.1, static=0.25, stribeck=0.05, transition=1e-4, viscous=20.0, preload=300.0)
    for speed in (0.02, 0.05, 0.1, 0.5):
        model = sm.Model("bearing")
        rotor = model.node("rotor", angular_velocity=(0, 0, speed / 0.02))
        model.add("mass", sm.Body(rotor, mass=1.0, inertia=(1, 1, 1)))
        model.add("hinge", sm.Revolute(model.ground, rotor, friction=friction, radius=0.02))
        model.add("motor", sm.PrescribedRate(model.ground, rotor, rate=speed / 0.02))
        run = sm.transient(model, 0.05, 1e-3, progress=False)
        force = (0.1 + 0.15 * np.exp(-((speed / 0.05) ** 2))) * 300.0 + 20.0 * speed
        assert run["motor.couple"][-1, 2] == pytest.approx(0.02 * force, rel=1e-9)
        assert run["hinge.couple"][-1, 2] == pytest.approx(-0.02 * force, rel=1e-9)


def test_a_torsional_oscillator_loses_the_same_amplitude_every_half_swing():
    """Constant friction couple T against a spring k: amplitudes fall by 2 T / k a half swing, on a straight line."""
    k, inertia, radius, press = 50.0, 0.2, 0.01, 100.0
    couple = 0.2 * radius * press
    model = sm.Model("oscillator")
    disc = model.node("disc", rotation=rotation_z(0.1))
    model.add("mass", sm.Body(disc, mass=1.0, inertia=(1, 1, inertia)))
    friction = sm.Friction(0.2, transition=1e-5, preload=press)
    model.add("hinge", sm.Revolute(model.ground, disc, place_a=(0, 0, 0), friction=friction, radius=radius))
    model.add("spring", sm.Torsion(model.ground, disc, place_a=(0, 0, 0), law=sm.LinearLaw(k)))
    period = 2 * np.pi * np.sqrt(inertia / k)
    run = sm.transient(model, 4 * period, period / 2000, integrator=sm.TwoStep(1.0), progress=False)
    angle = run["hinge.angle"]
    turns = np.flatnonzero(np.diff(np.sign(np.diff(angle)))) + 1
    peaks = np.abs(np.concatenate([[0.1], angle[turns]]))[:7]
    np.testing.assert_allclose(-np.diff(peaks), 2 * couple / k, rtol=5e-3)


def test_pendulum_with_a_rubbing_journal(fine):
    """The journal is pressed by the pendulum's own reaction: J x'' = -m g l sin x - mu r |F| sign x', F by hand."""
    m, length, inertia, mu, r = 2.0, 0.5, 0.1, 0.3, 0.02
    J = inertia + m * length**2

    def slope(t, y):
        x, w = y
        rub, alpha = 0.0, 0.0
        for _ in range(30):  # the reaction depends on the acceleration, which depends on the friction
            alpha = (-m * G * length * np.sin(x) - rub) / J
            radial = m * (G * np.cos(x) + length * w**2)
            tangential = m * (G * np.sin(x) + length * alpha)
            rub = mu * r * np.hypot(radial, tangential) * np.tanh(w / 1e-7)
        return [w, alpha]

    start = 0.8
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", position=(length * np.sin(start), 0, -length * np.cos(start)))
    model.add("mass", sm.Body(bob, mass=m, inertia=(inertia,) * 3))
    friction = sm.Friction(mu, transition=1e-6)
    model.add("pivot", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, -1, 0), friction=friction, radius=r))
    end = 0.7  # within the first half swing: friction does not change its sign
    run = sm.transient(model, end, 2e-4, integrator=sm.TwoStep(1.0), progress=False)
    expected = fine(slope, end, [start, 0.0])(run.time)[0]
    found = start + run["pivot.angle"]
    without = 0.8 - fine(lambda t, y: [y[1], -m * G * length / J * np.sin(y[0])], end, [start, 0.0])(run.time)[0]
    effect = np.abs(without - (0.8 - expected)).max()
    assert np.abs(found - expected).max() < 1e-3 * effect
    energy = run["model.kinetic"] + run["model.potential"]
    heat = np.concatenate([[0.0], np.cumsum(1e-4 * (run["model.dissipated"][1:] + run["model.dissipated"][:-1]))])
    assert np.abs(energy - energy[0] + heat).max() < 1e-3 * heat[-1]
