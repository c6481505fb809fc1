"""Drives in native code: numbers where nothing changes, one kernel for all of a structure, whatever their count."""

import numpy as np
import pytest

import samara as sm
from samara.model import as_drive
from samara.solve.native.kernels import set_time
from samara.system.blocks import ETA
from samara.system.signals import is_fixed


def signal(system, drive):
    """Value, rate and second derivative as they lie in the state."""
    first = system.layout.signal(drive)
    return system.arrays.state[first : first + 3].copy()


def row(count, drives, prescribed=None):
    """Bodies in a row, each held by a deformable joint to the one before and pushed by drives of its own."""
    model = sm.Model("row")
    before = model.ground
    for k in range(count):
        node = model.node(f"n{k}", (k + 1.0, 0, 0))
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        law = sm.LinearLaw6(1e3 * np.eye(6))
        model.add(f"joint{k}", sm.DeformableJoint(before, node, law=law, rest_position=(1.0, 1e-3 * k, 0.0)))
        model.add(f"push{k}", sm.Force(node, force=drives(k)))
        if prescribed:
            model.prescribed(f"p{k}", prescribed(k), position=(k, 0.0, 0.0))
        before = node
    return model


GAIN = sm.Parameter("gain", 2.0)
ROWS = {
    "numbers": (lambda k: (1.0 * k, 0.5, -as_drive(0.1 * k)), None),
    "a parameter": (lambda k: (as_drive(GAIN), 0.1 * k * as_drive(GAIN), 0.0), None),
    "functions of time by kind": (
        lambda k: (sm.Sine(1.0 + k, 2.0), sm.Ramp(0.1 * k) + sm.Step(2.0, time=0.1 * k), 0.0),
        None,
    ),
    "inputs": (lambda k: (sm.Input(f"u{k}"), 0.5 * k * sm.Input(f"v{k}"), 0.0), None),
    "motions": (lambda k: (0.0, 0.0, 0.0), lambda k: sm.Motion(position=(sm.Sine(0.1 * k, 3.0), 0.0, 0.0))),
}


@pytest.mark.parametrize("name", ROWS)
def test_native_code_does_not_grow_with_the_number_of_drives(name):
    few, many = (sm.System(row(count, *ROWS[name])) for count in (3, 30))
    assert len(many.drives.all) > 5 * len(few.drives.all)
    assert [kernel.key for kernel in many.kernels] == [kernel.key for kernel in few.kernels]


def test_numbers_are_no_code_at_all():
    assert sm.System(row(3, ROWS["numbers"][0])).signals == []


@pytest.mark.parametrize(
    ("drive", "value"),
    [
        (sm.Constant(3.5), 3.5),
        (-sm.Constant(3.5), -3.5),
        (sm.Constant(2.0) + 1.5 - 4.0 * as_drive(0.25), 2.5),
        (sm.Product((sm.Constant(2.0), sm.Sum((sm.Constant(1.0), sm.Constant(0.5))))), 3.0),
    ],
)
def test_what_never_changes_is_there_from_the_start(drive, value):
    """Without any kernel; whatever became of it in the state, a reset brings it back."""
    system = sm.System(row(1, lambda k: (drive, 0.0, 0.0)))
    assert is_fixed(drive)
    assert signal(system, drive) == pytest.approx([value, 0.0, 0.0], rel=1e-15)
    system.arrays.state[:] = 0.0
    system.reset()
    assert signal(system, drive) == pytest.approx([value, 0.0, 0.0], rel=1e-15)


@pytest.mark.parametrize(
    "drive",
    [as_drive(GAIN), -as_drive(GAIN), sm.Constant(1.0) * sm.Input("u"), sm.Sine(1.0, 2.0) + 1.0, as_drive(lambda t: 2)],
)
def test_what_may_change_is_not_fixed(drive):
    assert not is_fixed(drive)


def test_many_of_a_kind_have_each_its_own_numbers():
    """x = c + a sin(w t), dx/dt = a w cos(w t) and the second derivative, for each."""
    drives = [sm.Sine(0.5 + k, 2.0 + 0.1 * k, offset=0.2 * k) for k in range(7)]
    sim = sm.Simulation(row(7, lambda k: (drives[k], 0.0, 0.0)))
    set_time(sim.machine, 0.3)
    for drive in drives:
        a, w = drive.amplitude, drive.frequency
        expected = drive.offset + a * np.sin(w * 0.3), a * w * np.cos(w * 0.3), -a * w * w * np.sin(w * 0.3)
        assert signal(sim.system, drive) == pytest.approx(expected, rel=1e-14)


def test_motions_of_one_structure_that_share_drives_within():
    """One drive three times in a motion, three drives in another: p = p0 + x(t), v = dx/dt."""
    shared, apart = sm.Sine(0.1, 2.0), [sm.Sine(0.1 * k, 2.0 + k) for k in (1, 2, 3)]
    motions = [sm.Motion(position=(shared,) * 3), sm.Motion(position=apart)]
    sim = sm.Simulation(row(2, lambda k: (0.0, 0.0, 0.0), lambda k: motions[k]))
    assert sum(len(group.kind.instances) == 2 for group in sim.system.signals) == 1
    t = 0.4
    set_time(sim.machine, t)
    for k, motion in enumerate(motions):
        node = sim.model.nodes[f"p{k}"]
        place = np.array([k, 0.0, 0.0]) + [d.amplitude * np.sin(d.frequency * t) for d in motion.position]
        speed = [d.amplitude * d.frequency * np.cos(d.frequency * t) for d in motion.position]
        assert sim.state.pose(node).p == pytest.approx(place, rel=1e-14)
        assert sim.state.read(node, ETA, 3) == pytest.approx(speed, rel=1e-14)


def pushed(force) -> sm.Model:
    """A free mass under a force."""
    model = sm.Model("pushed")
    node = model.node("mass")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("push", sm.Force(node, force=force))
    return model


def test_a_parameter_changed_in_a_run_acts_in_every_drive_that_holds_it():
    p = sm.Parameter("p", 2.0)
    stepper = sm.Stepper(pushed((as_drive(p), 1.0 - as_drive(p), 3.0 * as_drive(p) * p)), step=1e-2)
    stepper.advance(3)
    assert [stepper.measure(f"push.force.{x}") for x in "xyz"] == pytest.approx([2.0, -1.0, 12.0])
    stepper.sim.system.set_parameter("p", 5.0)
    stepper.advance(3)
    assert [stepper.measure(f"push.force.{x}") for x in "xyz"] == pytest.approx([5.0, -4.0, 75.0])


def test_a_restored_run_has_the_parameters_of_now_and_the_numbers_of_the_model(tmp_path):
    """The state of a checkpoint is from before the change."""
    model = pushed((as_drive(p := sm.Parameter("p", 2.0)), 1.0 - as_drive(p), -sm.Constant(7.0)))
    sim = sm.Simulation(model)
    sm.transient(sim, 0.1, 1e-2, progress=False, checkpoint=tmp_path / "state.npz")
    sim.system.set_parameter("p", 5.0)
    results = sm.transient(sim, 0.2, 1e-2, progress=False, resume=tmp_path / "state.npz")
    assert results["push.force"][-1] == pytest.approx([5.0, -4.0, -7.0])


@pytest.mark.parametrize(
    ("angle", "turned"),
    [
        (lambda stick: 2.0 * stick, {False: 0.8, True: 0.2}),
        (lambda stick: 0.3 - as_drive(0.1), {False: 0.2, True: 0.2}),
    ],
)
def test_a_reset_places_nodes_by_fed_inputs_and_by_numbers(angle, turned):
    """A bearing with a start takes the angle of the motor beside it: the arm of 1 m stands at (cos, sin)."""
    model = sm.Model("motor")
    arm = model.node("arm", (1.0, 0, 0))
    model.add("body", sm.Body(arm, mass=1.0, inertia=(1, 1, 1)))
    axis = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    stick = sm.Input("stick", initial=0.1)
    model.add("bearing", sm.Revolute(model.ground, arm, **axis, start={}))
    model.add("motor", sm.PrescribedAngle(model.ground, arm, **axis, angle=angle(stick)))
    model.add("push", sm.Force(arm, force=(stick, 0, 0)))
    system = sm.System(model)
    system.set_input("stick", 0.4)
    for inputs in (False, True):
        system.reset(inputs=inputs)
        expected = np.cos(turned[inputs]), np.sin(turned[inputs]), 0.0
        assert system.state.pose(arm).p == pytest.approx(expected, abs=1e-14)


def test_loads_are_whole_again_after_a_static_solution_in_parts():
    """x = F / k for each part of the load, and the motion that follows starts in balance."""
    model = sm.Model("hanging")
    bob = model.node("bob")
    model.add("body", sm.Body(bob, mass=2.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, bob, axis=(1, 0, 0)))
    model.add("spring", sm.Axial(model.ground, bob, axis=(1, 0, 0), law=sm.LinearLaw(100.0)))
    model.add("push", sm.Force(bob, force=(20.0, 0, 0)))
    sim = sm.Simulation(model)
    run = sm.static(sim, steps=4)
    assert run["bob.position"][:, 0] == pytest.approx([0.05, 0.1, 0.15, 0.2], abs=1e-9)
    after = sm.transient(sim, 0.1, 1e-2, progress=False)
    assert after["bob.position"][:, 0] == pytest.approx(0.2, abs=1e-9)
