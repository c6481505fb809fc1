"""Locks and clutches that engage and release at a time or on a drive."""

import numpy as np
import pytest

import samara as sm

J1, J2, SPEED = 0.4, 0.1, 30.0
COMMON = J1 * SPEED / (J1 + J2)
PLACE = {"at": (0, 0, 0), "axis": (0, 0, 1)}


def shafts(coupling) -> sm.Model:
    """Two discs on one axis, the first spinning, with this between them."""
    model = sm.Model("two discs")
    first, second = model.node("first", angular_velocity=(0, 0, SPEED)), model.node("second", position=(0, 0, 1))
    for node, inertia in ((first, J1), (second, J2)):
        model.add(f"{node.name}_disc", sm.Body(node, mass=1.0, inertia=(0.3, 0.3, inertia)))
        model.add(f"{node.name}_bearing", sm.Revolute(model.ground, node, at=node.position, axis=(0, 0, 1)))
    model.add("clutch", coupling(first, second))
    return model


def spins(run) -> np.ndarray:
    return np.column_stack([run[f"{name}.angular_velocity"][:, 2] for name in ("first", "second")])


@pytest.mark.parametrize("time", [1e-4, 0.02])  # a tenth of the step, and many steps
def test_a_lock_engages_and_releases(time):
    """Angular momentum stays through engaging; both turn at the common speed; released, they turn freely again."""
    engaged = sm.Step(1.0, time=0.5) - sm.Step(1.0, time=1.5)
    model = shafts(lambda a, b: sm.Lock(a, b, engaged=engaged, time=time, **PLACE))
    brake = sm.Step(-1.0, time=1.7)
    model.add("brake", sm.RotaryActuator(model.ground, model["second"], torque=brake, **PLACE))
    run = sm.transient(model, 2.0, 1e-3, progress=False)
    t, w = run.time, spins(run)
    before, locked = t < 0.4995, (t > 0.9) & (t < 1.6995)
    np.testing.assert_allclose(w[before], [[SPEED, 0.0]] * before.sum(), atol=1e-9)
    np.testing.assert_allclose(w[locked], COMMON, rtol=1e-6)
    np.testing.assert_allclose(w[t < 1.6995] @ [J1, J2], J1 * SPEED, rtol=1e-9)  # internal forces: to rounding
    assert w[-1, 0] == pytest.approx(COMMON, rel=1e-6)
    assert w[-1, 1] == pytest.approx(COMMON - 0.3 / J2, rel=1e-2)  # the brake turns the second alone; 1 step of 300
    released = t > 1.5
    np.testing.assert_allclose(run["clutch.couple"][released], 0.0, atol=1e-9)
    # turned through the same angle while locked: it holds where it was closed
    angle = np.unwrap(run["clutch.rotation"][locked & (t < 1.49), 2])
    assert np.ptp(angle) < 1e-5


@pytest.mark.parametrize("time", [1e-4, 1e-2])
def test_error_control_passes_the_jumps(time):
    """The reaction jumps at both switches; the step is cut there and grows again."""
    engaged = sm.Step(1.0, time=0.5) - sm.Step(1.0, time=1.5)
    model = shafts(lambda a, b: sm.Lock(a, b, engaged=engaged, time=time, **PLACE))
    run = sm.transient(model, 2.0, accuracy=1e-6, progress=False)
    np.testing.assert_allclose(spins(run)[-1], COMMON, rtol=1e-5)
    assert len(run.time) < 1000


def test_engaging_takes_the_time_it_says():
    """The difference of the speeds dies away as exp(-t / time)."""
    model = shafts(lambda a, b: sm.Lock(a, b, engaged=sm.Step(1.0, time=0.1), time=0.05, **PLACE))
    run = sm.transient(model, 0.4, 5e-4, progress=False)
    slip = spins(run) @ [1.0, -1.0]
    later = run.time > 0.101
    expected = SPEED * np.exp(-(run.time - 0.1) / 0.05)
    assert np.abs(slip - expected)[later].max() < 0.02 * SPEED  # the drive jumps within a step: half a step of 50 ms
    lost = 0.5 * J1 * SPEED**2 - 0.5 * (J1 + J2) * COMMON**2
    taken = -np.sum(0.5 * np.diff(run.time) * (run["model.supplied"][1:] + run["model.supplied"][:-1]))
    assert taken == pytest.approx(lost, rel=0.02)


def test_a_lock_on_an_input_and_engaged_from_the_start():
    """Closed at the start it holds at once; opened from outside it lets go."""
    model = shafts(lambda a, b: sm.Lock(a, b, engaged=sm.Input("closed", initial=1.0), **PLACE))
    model.add("motor", sm.RotaryActuator(model.ground, model["first"], torque=2.0, **PLACE))
    for name in ("first", "second"):
        model[name].begin(angular_velocity=(0, 0, 5.0))
    run = sm.transient(model, 0.2, 1e-3, progress=False)
    np.testing.assert_allclose(spins(run)[-1], 5.0 + 2.0 * 0.2 / (J1 + J2), rtol=1e-6)
    couple = J2 * 2.0 / (J1 + J2)
    np.testing.assert_allclose(run["clutch.couple"][:, 2], couple, rtol=1e-6)


def test_a_lag_lock_holds_a_blade_where_it_is():
    """A swinging pendulum is locked at 0.3 s and stays there under its weight; released it swings on, energy kept."""
    model = sm.Model("locked pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(1, 0, 0))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    place = {"at": (0, 0, 0), "axis": (0, 1, 0)}
    model.add("hinge", sm.Revolute(model.ground, bob, **place))
    closed = sm.Step(1.0, time=0.3) - sm.Step(1.0, time=0.8)
    model.add("lock", sm.Lock(model.ground, bob, engaged=closed, time=2e-3, **place))
    run = sm.transient(model, 1.3, 1e-3, progress=False)
    t, angle = run.time, run["hinge.angle"]
    held = (t > 0.33) & (t < 0.7995)
    assert np.ptp(angle[held]) < 1e-5
    np.testing.assert_allclose(run["lock.couple"][held, 1 + 1], -2.0 * 9.81 * np.cos(angle[held]), rtol=1e-4)
    energy = run["model.kinetic"] + run["model.potential"]
    assert np.ptp(energy[t > 0.8005]) < 1e-3 * np.ptp(energy)


@pytest.mark.parametrize(
    ("law", "time"),
    [(sm.DamperLaw(2.0), J1 * J2 / (J1 + J2) / 2.0), (sm.FrictionLaw(6.0, 0.05), SPEED * J1 * J2 / (J1 + J2) / 6.0)],
    ids=["viscous", "slipping"],
)
def test_a_clutch_brings_the_discs_to_the_common_speed(law, time):
    """Viscous: the slip dies away with the time constant J / c; slipping: on a straight line, in w J / T."""
    factor = sm.Step(1.0, time=0.1)
    model = shafts(lambda a, b: sm.Torsion(a, b, law=sm.DrivenLaw(law, factor), **PLACE))
    run = sm.transient(model, 1.0, 1e-3, progress=False)
    w = spins(run)
    slip = w @ [1.0, -1.0]
    np.testing.assert_allclose(w @ [J1, J2], J1 * SPEED, rtol=1e-9)
    np.testing.assert_allclose(w[-1], COMMON, rtol=1e-3)
    half = np.interp(0.1 + 0.5 * time, run.time, slip) / SPEED
    expected = np.exp(-0.5) if isinstance(law, sm.DamperLaw) else 0.5
    assert half == pytest.approx(expected, rel=0.05)
    lost = 0.5 * J1 * SPEED**2 - 0.5 * (J1 + J2) * COMMON**2
    assert np.trapezoid(run["model.dissipated"], run.time) == pytest.approx(lost, rel=0.03)


def test_a_lock_that_is_engaged_holds_at_rest():
    """Where it is: the spring is not strained, and the lock carries the weight, m g x."""
    model = sm.Model("hanging", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.3, 0, -0.9))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    place = {"at": (0, 0, 0), "axis": (0, 1, 0)}
    model.add("hinge", sm.Revolute(model.ground, bob, **place))
    model.add("spring", sm.Torsion(model.ground, bob, law=sm.LinearLaw(5.0), **place))
    model.add("lock", sm.Lock(model.ground, bob, engaged=1.0, **place))
    rest = sm.static(model)
    assert rest["bob.position"][-1] == pytest.approx([0.3, 0, -0.9], abs=1e-12)
    assert abs(rest["lock.couple"][-1, 2]) == pytest.approx(2.0 * 9.81 * 0.3, rel=1e-9)
