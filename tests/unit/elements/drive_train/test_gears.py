"""Gears: ratios, power, reactions, vibrations and play against closed forms."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, rotation_from_axes

TILTED = (1.0, 2.0, -0.5)


def geared(shafts, casing=None, ratio=-2.5, **more):
    """A motor torque on a, a brake torque on b that is speed dependent, axes across each other."""
    train = shafts(casing)
    a = train.wheel("a", 0.3, speed=5.0, position=(0.2, 0.0, 0.0))
    b = train.wheel("b", 1.1, speed=5.0 / ratio, axis=TILTED, position=(0.0, 0.4, 0.1))
    train.model.add("gear", sm.Gear(a, b, train.casing, ratio=ratio, axis_b=TILTED, **more))
    train.model.add("motor", sm.RotaryActuator(train.casing, a, axis=(0, 0, 1), torque=4.0))
    train.model.add("load", sm.Torsion(train.casing, b, axis=TILTED, law=sm.DamperLaw(0.8)))
    return train.model


def test_ratio_and_power(shafts):
    """J w' = C - c w / r^2, seen at a with J = J_a + J_b / r^2: 1e-6 is the order of a step, (h c / J)^2 / 12."""
    ratio = -2.5
    results = sm.transient(geared(shafts), 2.0, 1e-3, progress=False)
    t, inertia, damping = results.time, 0.3 + 1.1 / ratio**2, 0.8 / ratio**2
    expected = 4.0 / damping + (5.0 - 4.0 / damping) * np.exp(-damping / inertia * t)
    np.testing.assert_allclose(results["gear.speed_a"], expected, rtol=1e-6)
    np.testing.assert_allclose(results["gear.speed_b"], expected / ratio, rtol=1e-6)
    power = results["gear.torque_a"] * results["gear.speed_a"] + results["gear.torque_b"] * results["gear.speed_b"]
    assert np.abs(power).max() < 1e-9 * np.abs(results["gear.power"]).max()
    # torque on b: what its inertia and its load take
    taken = 1.1 * np.gradient(results["gear.speed_b"], t) + 0.8 * results["gear.speed_b"]
    np.testing.assert_allclose(results["gear.torque_b"][2:-2], taken[2:-2], rtol=1e-4)


def test_angles_keep_the_ratio(shafts):
    """After some 35 turns the angles are still geared: only rounding, 1e-10 rad."""
    model = geared(shafts)
    results = sm.transient(model, 10.0, 5e-3, progress=False)
    turned = [np.unwrap(results[f"{name}.bearing.angle"]) for name in ("a", "b")]
    assert turned[0][-1] > 35 * 2 * np.pi
    off = (turned[0] - turned[0][0]) + 2.5 * (turned[1] - turned[1][0])
    assert np.abs(off).max() < 1e-8


def test_the_casing_feels_the_difference(shafts):
    """Free in space, momentum of rotation about the centre stays: what the gear does to the casing is its reaction."""
    model = geared(shafts, casing=(4.0, 4.0, 4.0))
    results = sm.transient(model, 1.0, 1e-3, progress=False)
    total = 0.0
    for name, mass, inertia in (("a", 2.0, 0.3), ("b", 2.0, 1.1), ("casing", 50.0, 4.0)):  # all alike about any axis
        p, v, w = (np.asarray(results[f"{name}.{what}"]) for what in ("position", "velocity", "angular_velocity"))
        total = total + mass * np.cross(p, v) + inertia * w
    assert np.abs(total - total[0]).max() < 1e-5 * np.abs(total[0]).max()  # h^2, the scheme's
    assert np.abs(results["casing.angular_velocity"]).max() > 0.05  # it does turn
    net = results["model.supplied"] - results["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(0.5e-3 * (net[1:] + net[:-1]))])
    assert results["model.kinetic"] - results["model.kinetic"][0] == pytest.approx(work, abs=2e-5 * work.max())


def test_two_casings(shafts):
    """Each carrier feels the torque of its own wheel: both held, the clamps say so."""
    model = sm.Model("two")
    nodes, speeds = {}, {"a": 5.0, "b": -2.0}
    for k, name in enumerate("ab"):
        casing = model.node(f"casing_{name}", (k, 0, 0), static=True)
        model.add(f"clamp_{name}", sm.Clamp(model.ground, casing))
        wheel = model.node(name, (k, 0, 0), angular_velocity=(0, 0, speeds[name]))
        model.add(f"{name}.body", sm.Body(wheel, mass=1.0, inertia=(1.0, 1.0, 1.0)))
        model.add(f"{name}.bearing", sm.Revolute(casing, wheel, axis=(0, 0, 1)))
        nodes[name] = wheel, casing
    (a, casing_a), (b, casing_b) = nodes["a"], nodes["b"]
    model.add("gear", sm.Gear(a, b, casing_a, carrier_b=casing_b, ratio=-2.5))
    model.add("motor", sm.Couple(a, couple=(0.0, 0.0, 3.0)))
    results = sm.transient(model, 0.2, 1e-3, progress=False)
    for name in "ab":
        np.testing.assert_allclose(
            results[f"clamp_{name}.couple"][:, 2], results[f"gear.torque_{name}"], rtol=1e-8, atol=1e-10
        )


def test_a_planetary_gear(shafts):
    """Willis: speed of the sun = (1 + R / S) that of the arm where the ring stands, and torques 1 : R / S."""
    teeth = 30.0, 72.0
    k = teeth[1] / teeth[0]
    train = shafts()
    sun = train.wheel("sun", 0.1, speed=(1 + k) * 4.0)
    arm = train.wheel("arm", 0.5, speed=4.0)
    ring = train.model.node("ring")
    train.model.add("ring.body", sm.Body(ring, mass=1.0, inertia=(1, 1, 1)))
    train.model.add("ring.held", sm.Clamp(train.model.ground, ring))
    train.model.add("planets", sm.Gear(sun, ring, arm, ratio=-k))
    train.model.add("motor", sm.RotaryActuator(train.model.ground, sun, axis=(0, 0, 1), torque=2.0))
    results = sm.transient(train.model, 1.0, 1e-3, progress=False)
    speed = results["sun.bearing.angle_rate"]
    np.testing.assert_allclose(speed, (1 + k) * results["arm.bearing.angle_rate"], rtol=1e-9)
    # J = J_sun + J_arm / (1 + k)^2 at the sun, a constant torque: exact for the scheme
    slope = 2.0 / (0.1 + 0.5 / (1 + k) ** 2)
    np.testing.assert_allclose(speed, (1 + k) * 4.0 + slope * results.time, rtol=1e-8)
    np.testing.assert_allclose(results["planets.torque_b"], k * results["planets.torque_a"], rtol=1e-8)
    np.testing.assert_allclose(results["ring.held.couple"][:, 2], -results["planets.torque_b"], rtol=1e-6)


def test_modes_see_gears(shafts):
    """The same frequency as an eigenvalue; and through a rigid gear, on a spring at b: k / (J_b + r^2 J_a)."""
    j_a, j_b, k, ratio = 0.4, 2.0, 900.0, -3.0
    for elastic in (True, False):
        train = shafts()
        a, b = train.wheel("a", j_a), train.wheel("b", j_b, axis=TILTED)
        if elastic:
            gear = sm.ElasticGear(a, b, train.casing, ratio=ratio, axis_b=TILTED, law=sm.LinearLaw(k))
            omega = np.sqrt(k * (1.0 / j_a + ratio**2 / j_b))
        else:
            gear = sm.Gear(a, b, train.casing, ratio=ratio, axis_b=TILTED)
            train.model.add("spring", sm.Torsion(train.casing, b, axis=TILTED, law=sm.LinearLaw(k)))
            omega = np.sqrt(k / (j_b + ratio**2 * j_a))
        train.model.add("gear", gear)
        found = np.abs(sm.modes(train.model).eigenvalues.imag).max()
        assert found == pytest.approx(omega, rel=1e-9)


@pytest.mark.parametrize("ratio", [-3.0, 0.5])
def test_torsional_frequency_through_a_gear(shafts, ratio):
    """Two inertias, a spring at a: w^2 = k (1 / J_a + r^2 / J_b). The scheme's error in a period is (w h)^2 / 12."""
    j_a, j_b, k = 0.4, 2.0, 900.0
    train = shafts()
    a = train.wheel("a", j_a)
    b = train.wheel("b", j_b, axis=TILTED)
    law = sm.LinearLaw(k)
    train.model.add("gear", sm.ElasticGear(a, b, train.casing, ratio=ratio, axis_b=TILTED, law=law, start=0.01))
    omega = np.sqrt(k * (1.0 / j_a + ratio**2 / j_b))
    step = 2 * np.pi / omega / 400
    results = sm.transient(train.model, 4 * 2 * np.pi / omega, step, integrator=sm.TwoStep(1.0), progress=False)
    expected = 0.01 * np.cos(omega * results.time)
    # after four periods the phase is off by some 4 2 pi (w h)^2 / 12 = 5e-4
    np.testing.assert_allclose(results["gear.windup.value"], expected, atol=2e-3 * 0.01)
    energy = results["model.kinetic"] + results["model.potential"]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-3)


def test_backlash(shafts):
    """Within the play nothing is felt: a wheel that starts alone hits after play / speed, and not before."""
    train = shafts()
    a, b = train.wheel("a", 1.0, speed=2.0), train.wheel("b", 1.0)
    law = sm.StopLaw(sm.LinearLaw(4e4, 20.0), lower=-0.05, upper=0.05)
    train.model.add("gear", sm.ElasticGear(a, b, train.casing, ratio=-1.0, law=law))
    results = sm.transient(train.model, 0.2, 1e-4, progress=False)
    hit = 0.05 / 2.0
    # in touch for half a period of the mesh, pi / sqrt(2 k / J) = 11 ms
    before, after = results.time < hit - 2e-4, np.abs(results.time - hit - 0.03) < 0.015
    assert np.abs(results["gear.torque_a"][before]).max() == 0.0
    np.testing.assert_allclose(results["a.bearing.angle_rate"][before], 2.0, rtol=1e-12)
    assert (results["b.bearing.angle_rate"][after] < -0.5).all()  # pushed the other way
    # equal inertias, the sum of momenta along the mesh stays: w_a - w_b = 2
    both = results["a.bearing.angle_rate"] - results["b.bearing.angle_rate"]
    np.testing.assert_allclose(both, 2.0, rtol=1e-9)


def test_a_shaft_of_many_turns(shafts):
    """Half a turn is no limit: a soft shaft between equal wheels winds up by 2 w / sqrt(2 k / J) = 20 rad."""
    train = shafts()
    a, b = train.wheel("a", 1.0, speed=-10.0), train.wheel("b", 1.0, speed=10.0)
    train.model.add("shaft", sm.FlexibleShaft(a, b, axis=(0, 0, 1), law=sm.LinearLaw(0.5)))
    results = sm.transient(train.model, 3.0, 1e-3, progress=False)
    np.testing.assert_allclose(results["shaft.windup.value"], 20.0 * np.sin(results.time), atol=1e-4)


def test_a_shaft_in_pieces(shafts):
    """Inertia along a shaft: n pieces, one end held, w_j = 2 sqrt(k / J) sin((2 j - 1) pi / (2 (2 n + 1)))."""
    n, inertia, stiffness = 6, 0.2, 300.0
    train = shafts()
    before = train.casing
    for k in range(n):
        wheel = train.wheel(f"w{k}", inertia)
        shaft = sm.FlexibleShaft(before, wheel, axis=(0, 0, 1), law=sm.LinearLaw(stiffness))
        train.model.add(f"s{k}", shaft)
        before = wheel
    found = np.sort(sm.modes(train.model).eigenvalues.imag)[-n:]
    j = np.arange(1, n + 1)
    expected = 2.0 * np.sqrt(stiffness / inertia) * np.sin((2 * j - 1) * np.pi / (2 * (2 * n + 1)))
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_the_same_train_elsewhere(shafts):
    """A free train moved, turned and boosted has the same speeds, torques and windups; a mirrored one too.

    To 1e-7: Newton's method stops at 1e-10 of each correction, and 500 steps follow each other.
    """

    def run(turn, shift, boost, mirror=1.0):
        model = sm.Model("train")
        flip = np.diag([1.0, 1.0, mirror])  # the plane across z

        def node(name, position, axis, speed, inertia):
            z = turn @ flip @ np.asarray(axis, float)
            z /= np.linalg.norm(z)
            spin = mirror * speed * z  # in the mirror a wheel turns the other way about its axis
            p = turn @ flip @ np.asarray(position, float)
            made = model.node(name, p + shift, frame(z), velocity=boost, angular_velocity=spin)
            model.add(f"{name}.body", sm.Body(made, mass=2.0, inertia=(inertia,) * 3))
            return made, z

        casing, _ = node("casing", (0, 0, 0), (0, 0, 1), 0.0, 3.0)
        a, z_a = node("a", (0.1, 0.2, 0.0), (0, 0, 1), 4.0, 0.3)
        b, z_b = node("b", (0.0, -0.2, 0.3), TILTED, -2.0, 0.5)
        for name, wheel, z in (("a", a, z_a), ("b", b, z_b)):
            model.add(f"{name}.bearing", sm.Revolute(casing, wheel, axis=z))
        law = sm.LinearLaw(50.0, 0.2)
        model.add("gear", sm.ElasticGear(a, b, casing, ratio=-2.0, axis_a=z_a, axis_b=z_b, law=law, start=0.2 * mirror))
        brake = {"applied": 1.0, "capacity": 0.5, "transition": 0.5}
        model.add("brake", sm.Brake(casing, b, axis=z_b, **brake))
        return sm.transient(model, 0.5, 1e-3, progress=False)

    here = run(np.eye(3), np.zeros(3), np.zeros(3))
    turned = exp_so3(np.array([0.3, -1.2, 0.7]))
    there = run(turned, np.array([5.0, -3.0, 2.0]), np.array([20.0, 0.0, -7.0]))
    other = run(np.eye(3), np.zeros(3), np.zeros(3), mirror=-1.0)
    for name in ("gear.speed_a", "gear.torque_b", "gear.windup.value", "brake.torque", "model.dissipated"):
        np.testing.assert_allclose(there[name], here[name], rtol=0, atol=1e-7 * np.abs(here[name]).max())
        sign = 1.0 if name == "model.dissipated" else -1.0
        np.testing.assert_allclose(sign * other[name], here[name], rtol=0, atol=1e-7 * np.abs(here[name]).max())


def frame(z):
    """Axes with this z axis."""
    return rotation_from_axes(z=z, x=np.eye(3)[int(np.argmin(np.abs(z)))])


@pytest.mark.parametrize(("axis", "angle"), [((1, 0, 0), "90"), ((1, 0, 1), "45")])
def test_a_shaft_that_is_not_that_of_its_bearing_is_refused(shafts, axis, angle):
    train = shafts()
    a, b = train.wheel("a", 1.0), train.wheel("b", 1.0, position=(1.0, 0.0, 0.0))
    train.model.add("gear", sm.Gear(a, b, train.casing, ratio=2.0, axis_b=axis))
    with pytest.raises(sm.ModelError, match=f"'gear'.*wheel b, node 'b', is {angle} degrees off.*'b.bearing'"):
        sm.transient(train.model, 0.01, 1e-3, progress=False)
