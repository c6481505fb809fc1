"""Eigenvalues of an instant are offered where they mean something, and refused by name where they do not."""

import numpy as np
import pytest
from scipy.optimize import brentq

import samara as sm
from samara.solve.linear_systems.operator_distance import difference

GRAVITY = 9.81


def pendulum(**options) -> sm.Model:
    """A point mass a metre below a hinge."""
    model = sm.Model("pendulum", gravity=options.pop("gravity", (0, 0, -GRAVITY)))
    bob = model.node("bob", (0, 0, -1))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    if "load" in options:
        model.add("load", sm.Force(bob, force=(0, 0, options["load"])))
    return model


def turned_hub(stiff: float = 0.0, speed: float = 10.0) -> sm.Model:
    """Two blades on lag hinges of a hub that turns on a mast, which slides along x alone."""
    model = sm.Model("whirl")
    mast = model.node("mast")
    model.add("mast.body", sm.Body(mast, mass=5.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, mast, axis=(1, 0, 0)))
    model.add("spring", sm.Axial(model.ground, mast, axis=(1, 0, 0), law=sm.LinearLaw(500.0, damping=1.0)))
    hub = model.node("hub", angular_velocity=(0, 0, speed))
    model.add("hub.body", sm.Body(hub, mass=1.0, inertia=(1, 1, 1)))
    model.add("bearing", sm.Revolute(mast, hub, axis=(0, 0, 1)))
    model.add("shaft", sm.PrescribedAngle(mast, hub, axis=(0, 0, 1), angle=lambda t: speed * t))
    for k, side in enumerate((1, -1)):
        blade = model.node(f"blade_{k}", (side, 0, 0), velocity=(0, side * speed, 0), angular_velocity=(0, 0, speed))
        model.add(f"blade_{k}.body", sm.Body(blade, mass=1.0, inertia=(0.01, 0.01, 0.01)))
        about = {"at": (0.2 * side, 0, 0), "axis": (0, 0, 1)}
        model.add(f"blade_{k}.lag", sm.Revolute(hub, blade, **about))
        model.add(f"blade_{k}.spring", sm.Torsion(hub, blade, law=sm.LinearLaw(5.0, damping=0.1), **about))
    if stiff:
        other = model.node("other", (0, 3, 0))
        model.add("other.body", sm.Body(other, mass=1.0, inertia=(1, 1, 1)))
        model.add("other.rail", sm.Prismatic(model.ground, other, at=(0, 3, 0), axis=(1, 0, 0)))
        model.add("other.spring", sm.Axial(model.ground, other, at=(0, 3, 0), axis=(1, 0, 0), law=sm.LinearLaw(stiff)))
    return model


@pytest.mark.parametrize("stiff", [0.0, 1e7, 1e10])
def test_a_stiff_part_hides_nothing(stiff):
    sim = sm.Simulation(turned_hub(stiff))
    sm.assemble(sim)
    with pytest.raises(sm.SolveError, match="model 'whirl' has fixed and rotating parts"):
        sm.modes(sim)


def test_a_change_is_felt_by_the_mode_that_it_changes():
    """Of a soft and a stiff oscillator the soft one changes by a part in a hundred; and equations in other units."""
    A = np.zeros((4, 4))
    A[:2, 2:], A[2:, :2] = np.eye(2), np.diag([-1.0, -1e12])
    B = A.copy()
    B[2, 0] *= 1.01
    assert 0.004 < difference(A, B) < 0.05
    units = np.diag([1.0, 1e3, 1e-3, 1.0])
    assert difference(units @ A @ np.linalg.inv(units), units @ B @ np.linalg.inv(units)) > 0.004
    double = np.array([[0.0, 1.0], [0.0, 0.0]])  # too few vectors
    assert difference(double, double) == 0.0
    assert difference(double, np.array([[0.0, 1.0], [-1.0, 0.0]])) > 0.5


@pytest.mark.parametrize("find", [sm.modes, sm.state_space])
def test_a_drive_that_changes_the_equations_at_rest(find):
    """A pendulum under a load that pulses hangs at rest, and is unstable where that excites it (Mathieu)."""
    model = pendulum(load=sm.Sine(3.0, frequency=2 * np.sqrt(GRAVITY)))
    for given in (model, sm.Simulation(model)):
        with pytest.raises(sm.SolveError, match="model 'pendulum' is at rest, but its linearised equations vary"):
            find(given)
    find(model, frozen=True)


def test_a_drive_that_only_pushes_does_not_matter():
    model = pendulum()
    model.add("push", sm.Force(model.nodes["bob"], force=(sm.Sine(0.1, frequency=3.0), 0, 0)))
    assert sm.modes(model).frequencies[0] == pytest.approx(np.sqrt(GRAVITY), rel=1e-6)


@pytest.mark.parametrize("drive", [GRAVITY, sm.Expression(lambda t: GRAVITY + 0.0 * t), sm.Input("g", initial=GRAVITY)])
def test_drives_count_from_the_start(drive):
    """Weight by a drive of any sort, in a simulation that has not run."""
    model = pendulum(gravity=(0, 0, 0))
    model.add("weight", sm.Force(model.nodes["bob"], force=(0, 0, -1.0 * drive)))
    found = sm.modes(sm.Simulation(model))
    assert found.frequencies[0] == pytest.approx(np.sqrt(GRAVITY), rel=1e-6)


def lagged() -> sm.Model:
    """A hanging mass whose rod is pulled by a servo that follows a lag."""
    model = pendulum()
    lag = model.add("lag", sm.Lag(command=sm.Step(1.0, time=0.0), time=0.5))
    servo = {"x": [lag.output], "gains": [-1.0], "length": 3.0, "ends": ((0, 0, 2.0), (0, 0, -1))}
    model.add("servo", sm.LinearServo(model.ground, model.nodes["bob"], **servo, stiffness=20.0, damping=0.1))
    return model


def test_a_state_on_its_way_is_no_rest():
    sim = sm.Simulation(lagged())
    sm.transient(sim, 0.3, 1e-2, progress=False)
    with pytest.raises(sm.SolveError, match=r"rest, but state 'lag\.output' still changes"):
        sm.modes(sim)
    sm.transient(sim, 12.0, 1e-2, progress=False)
    settled = np.sort_complex(sm.modes(sim).eigenvalues)  # of a pair s, -s either may come first
    assert settled == pytest.approx(np.sort_complex(sm.modes(lagged()).eigenvalues), rel=1e-4)


def test_a_lock_that_carries_a_load_is_rest():
    """The impulse that it passes on grows all the while."""
    model = pendulum()
    model.add("lock", sm.Lock(model.ground, model.nodes["bob"], at=(0, 0, 0), axis=(0, 1, 0), engaged=1.0))
    sim = sm.Simulation(model)
    sim.state.place(
        model.nodes["bob"], sm.rotations.Pose(sm.rotations.rotation_y(0.5), np.array([-np.sin(0.5), 0, -np.cos(0.5)]))
    )
    sm.transient(sim, 1.0, 1e-3, progress=False)
    assert np.abs(sm.modes(sim).eigenvalues).min() < 1e-3  # nothing brings it back


@pytest.mark.parametrize("spin", [1.0, 300.0])
def test_a_fast_wheel_does_not_hide_what_swings(spin):
    model = pendulum()
    wheel = model.node("wheel", (0, 3, 0), angular_velocity=(0, 0, spin))
    model.add("wheel.body", sm.Body(wheel, mass=100.0, inertia=(100.0, 100.0, 100.0)))
    model.add("bearing", sm.Revolute(model.ground, wheel, at=(0, 3, 0), axis=(0, 0, 1)))
    sim = sm.Simulation(model)
    sim.state.set_twist(model.nodes["bob"], np.array([-1.0, 0, 0, 0, 1.0, 0]))
    sm.transient(sim, 0.3, 1e-3, progress=False)
    with pytest.raises(sm.SolveError, match="node 'bob'"):
        sm.modes(sim)


def shaft(drive: str) -> sm.Model:
    """A mass on springs of 100 N/m, that turns at 14 rad/s: 10 rad/s at rest, 4 and 24 as the mass feels them."""
    model = sm.Model("shaft")
    if drive == "prescribed":
        hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: 14.0 * t)))
    else:
        hub = model.node("hub", angular_velocity=(0, 0, 14.0))
        model.add("hub.body", sm.Body(hub, mass=1.0, inertia=(1, 1, 1)))
        model.add("bearing", sm.Revolute(model.ground, hub, axis=(0, 0, 1)))
    if drive == "joint":
        model.add("motor", sm.PrescribedAngle(model.ground, hub, axis=(0, 0, 1), angle=lambda t: 14.0 * t))
    if drive == "rate":
        model.add("motor", sm.PrescribedRate(model.ground, hub, axis=(0, 0, 1), rate=14.0))
    disc = model.node("disc", angular_velocity=(0, 0, 14.0))
    model.add("disc.body", sm.Body(disc, mass=1.0, inertia=(1, 1, 1)))
    for name, axis in zip("xyz", np.eye(3), strict=True):
        model.add(f"spring_{name}", sm.Axial(hub, disc, axis=axis, law=sm.LinearLaw(100.0)))
        model.add(f"twist_{name}", sm.Torsion(hub, disc, axis=axis, law=sm.LinearLaw(1e4)))
    return model


@pytest.mark.parametrize(
    ("drive", "what"),
    [
        ("prescribed", "node 'hub' has a prescribed motion"),
        ("joint", "joint 'motor' has a prescribed motion"),
        ("", "starts in a steady motion"),
    ],
)
@pytest.mark.parametrize("find", [sm.modes, sm.state_space])
def test_a_model_that_turns_is_not_stopped_without_a_word(find, drive, what):
    with pytest.raises(sm.SolveError, match=f"model 'shaft'.*{what}.*frozen=True"):
        find(shaft(drive))


@pytest.mark.parametrize(("drive", "who"), [("prescribed", "node 'hub'"), ("joint", "joint 'm"), ("rate", "joint 'm")])
@pytest.mark.parametrize(
    "find", [sm.modes, lambda sim: sm.modes(sim, 2), sm.state_space], ids=["modes", "few", "state_space"]
)
def test_a_standstill_of_what_turns_is_no_motion_of_it(monkeypatch, find, drive, who):
    """`static` stops drives: 10 rad/s is felt there, 4 and 24 in the rotation."""
    monkeypatch.setattr("samara.analysis.modal.modes.is_few", lambda sim, count: count == 2)
    sim = sm.Simulation(shaft(drive))
    sm.static(sim, stable=False)
    with pytest.raises(sm.NotConstant, match=rf"model 'shaft' .*{who}.*static.*steady_rotation.*periodic.*frozen"):
        find(sim)
    assert np.isclose(sm.modes(sim, frozen=True).frequencies, 10.0).sum() == 3
    for one in (4.0, 24.0):
        assert np.abs(sm.modes(sm.steady_rotation(sim, 14.0)).frequencies - one).min() < 1e-9


@pytest.mark.parametrize("spin", [0.0, 3.0])
def test_what_turns_beside_it_does_not_hide_a_standstill(spin):
    """A wheel that spins freely, and a motor that is told to turn and stands; a start that nobody has set moving."""
    model = shaft("rate")
    wheel = model.node("wheel", (0, 3, 0))
    model.add("wheel.body", sm.Body(wheel, mass=1.0, inertia=(1, 1, 1)))
    model.add("wheel.bearing", sm.Revolute(model.ground, wheel, at=(0, 3, 0), axis=(0, 0, 1)))
    sim = sm.Simulation(model)
    for name in ("hub", "disc"):
        sim.state.set_twist(model.nodes[name], np.zeros(6))
    sim.state.set_twist(wheel, np.array([0, 0, 0, 0, 0, spin]))
    with pytest.raises(sm.NotConstant, match="inconsistent with its prescribed motion at joint 'motor'"):
        sm.modes(sim)


def arm(angle) -> sm.Model:
    """An arm at an angle, as told, and a pendulum of 1 m on it with a spring between them."""
    model = sm.Model("arm", gravity=(0, 0, -GRAVITY))
    arm, bob = model.node("arm", (0, 0, -1)), model.node("bob", (0, 0, -2))
    for node in (arm, bob):
        model.add(f"{node.name}.body", sm.Body(node, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    root, elbow = ({"at": (0, 0, z), "axis": (0, 1, 0)} for z in (0, -1))
    model.add("root", sm.Revolute(model.ground, arm, **root))
    model.add("drive", sm.PrescribedAngle(model.ground, arm, angle=angle, **root))
    model.add("elbow", sm.Revolute(arm, bob, **elbow))
    model.add("spring", sm.Torsion(arm, bob, law=sm.LinearLaw(5.0), **elbow))
    return model


def test_a_drive_in_mid_swing_is_no_rest():
    sim = sm.Simulation(arm(sm.Sine(0.1, 3.0)))
    sm.static(sim)
    with pytest.raises(sm.NotConstant, match="inconsistent with its prescribed motion at joint 'drive'"):
        sm.modes(sim)


def test_a_drive_that_has_ended_is_rest():
    """At 5 s the arm is level: s^2 = -(5 + 9.81 cos a), in balance where 5 (pi/2 - a) = 9.81 sin a."""
    sim = sm.Simulation(arm(sm.Cosine(0.5 * np.pi, 1.0, start=1.0)))
    sm.static(sim, time=5.0)
    a = brentq(lambda a: 5.0 * (0.5 * np.pi - a) - GRAVITY * np.sin(a), 0.0, 1.0)
    assert sm.modes(sim).frequencies[0] == pytest.approx(np.sqrt(5.0 + GRAVITY * np.cos(a)), rel=1e-6)


def test_joints_that_do_not_fit():
    """What is told to be elsewhere, by a parameter that was changed since."""
    model = arm(sm.Parameter("told", 0.0, unit="rad"))
    sim = sm.Simulation(model)
    sm.static(sim)
    sm.modes(sim)
    sim.system.set_parameter("told", 0.1)
    with pytest.raises(sm.NotConstant, match=r"joint 'drive' does not fit, by 0\.1 "):
        sm.modes(sim)
    sm.static(sim)
    sm.modes(sim)


def test_what_it_offers_instead_is_right():
    """Closed form: the mass feels 10 +- 14 rad/s."""
    turning = sm.modes(sm.steady_rotation(shaft("prescribed"), 14.0)).frequencies
    for one in (4.0, 24.0):
        assert np.abs(turning - one).min() < 1e-9
    assert np.isclose(sm.modes(shaft("prescribed"), frozen=True).frequencies, 10.0).sum() == 3  # x, y and z


@pytest.mark.parametrize("speed", [1e-3, 0.1, 2.0, 50.0])
@pytest.mark.parametrize("stiffness", [1e4, 1e9])
def test_steady_rotation_slow_and_stiff(speed, stiffness):
    """A disc on a shaft that turns with it: I s^2 + ... with the tilt in turning axes, k_t = 600 N m/rad."""
    model = sm.Model("disc")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(speed))))
    disc = model.node("disc")
    model.add("body", sm.Body(disc, mass=2.0, inertia=(0.3, 0.3, 0.5)))
    for name, axis in zip("xyz", np.eye(3), strict=True):
        model.add(f"way_{name}", sm.Axial(hub, disc, axis=axis, law=sm.LinearLaw(stiffness)))
        k = 600.0 if name != "z" else stiffness
        model.add(f"tilt_{name}", sm.Torsion(hub, disc, axis=axis, law=sm.LinearLaw(k)))
    found = sm.modes(sm.steady_rotation(model, speed)).frequencies
    tilt = np.abs((np.roots([0.3, -1j * 0.5 * speed, 600.0]) / 1j).real - speed)
    for one in tilt:
        assert np.abs(found - one).min() < 1e-6 * one


def test_a_gear_without_mass_does_not_make_a_mechanism_large():
    """Its inertia of 800 kg m^2 with 1e-9 kg would be that of a body of 900 km."""
    model = pendulum()
    plain = sm.Simulation(model).length
    model.add("gear", sm.Body(model.nodes["bob"], mass=1e-9, inertia=(800.0, 800.0, 800.0)))
    assert sm.Simulation(model).length < 1e3 * plain


def test_a_model_without_freedom():
    model = sm.Model("clamped")
    model.add("clamp", sm.Clamp(model.ground, node := model.node("n", (1, 0, 0)), at=(0, 0, 0)))
    model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    for call in (lambda: sm.modes(model), lambda: sm.floquet(model, 1.0, 0.1)):
        with pytest.raises(sm.SolveError, match="model 'clamped' has no degrees of freedom"):
            call()
