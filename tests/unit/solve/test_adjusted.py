"""What assembly changes of a start is told: which node, by how much, and whether it was asked for otherwise."""

import os

import numpy as np
import pytest

import samara as sm
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.solve.start_report import Adjusted
from samara.system.memory.blocks import POSITION


def pendulum(**motion) -> sm.Model:
    """A bob 1 m from a hinge about y."""
    model = sm.Model("pendulum")
    bob = model.node("bob", (1.0, 0, 0), **motion)
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def assembled(model: sm.Model) -> sm.Simulation:
    sim = sm.Simulation(model)
    sm.assemble(sim)
    return sim


def test_a_velocity_that_contradicts_a_joint_is_listed_with_its_change():
    """2 m/s along the arm must vanish; the spin of 3 rad/s without the velocity that goes with it is shared.

    v = w r with (v^2 + L^2 (w - 3)^2) least: w = 3 L^2 / (1 + L^2), L the size of the mechanism.
    """
    sim = assembled(pendulum(velocity=(2.0, 0, 0), angular_velocity=(0, 3.0, 0)))
    (change,) = sim.adjusted.nodes
    w = 3.0 * sim.length**2 / (1.0 + sim.length**2)
    assert change.node == "bob" and change.contradicts
    assert change.velocity == pytest.approx(np.hypot(2.0, w), rel=1e-12)
    assert change.angular_velocity == pytest.approx(3.0 - w, rel=1e-12)
    assert (change.position, change.rotation) == (0.0, 0.0)


def test_a_start_that_fits_is_not_listed():
    sim = assembled(pendulum(velocity=(0, 0, -3.0), angular_velocity=(0, 3.0, 0)))
    assert sim.adjusted == Adjusted()


def test_what_was_left_at_zero_and_is_dragged_along_is_listed_without_complaint():
    model = pendulum()
    model.add("motor", sm.PrescribedRate(model.ground, model.nodes["bob"], at=(0, 0, 0), axis=(0, 1, 0), rate=4.0))
    sim = assembled(model)
    (change,) = sim.adjusted.nodes
    assert (change.velocity, change.angular_velocity) == pytest.approx((4.0, 4.0), rel=1e-12)
    assert not change.contradicts and not sim.adjusted.note()
    assert sm.transient(model, 1e-3, 1e-3, progress=False).attrs.notes == ()  # a warning would be an error here


def test_a_node_that_was_moved_is_listed():
    model = sm.Model("gap")
    bob = model.node("bob", (1.1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(1, 1, 1)))
    model.add("ball", sm.Spherical(model.ground, bob, place_b=(-1, 0, 0)))
    sim = assembled(model)
    (change,) = sim.adjusted.nodes
    assert change.position == pytest.approx(0.1, abs=1e-12) and not change.contradicts


def drawn_open(model: sm.Model, name: str, joint: type, **fields) -> sm.Node:
    """A body 1 m from the origin, held by a joint to the ground."""
    node = model.node(name, (1.0, 0, 0))
    model.add(f"{name}.body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add(f"{name}.joint", joint(model.ground, node, **fields))
    return node


def test_nodes_that_joints_draw_away_are_noted_by_a_run_in_one_line():
    """A clamp 1 m further, a rod that is 0.4 m too long: no warning, for a drawing need not be exact."""
    model = sm.Model("rough")
    drawn_open(model, "block", sm.Clamp, place_a=(2.0, 0, 0))
    drawn_open(model, "bob", sm.Distance, length=1.4)
    notes = sm.transient(model, 1e-3, 1e-3, progress=False).attrs.notes
    assert notes == ("assembly moved node 'block' by 1 m to close element 'block.joint'; and 1 more",)
    assert assembled(model).adjusted.closed[1] == "node 'bob' by 0.4 m to close element 'bob.joint'"


def test_an_elastic_part_that_follows_its_root_is_one_joint():
    model = sm.Model("blade")
    span = sm.Span(station=[0.0, 1.0], mass=1.0, EA=1e5, GA_y=1e5, GA_z=1e5, GJ=10, EI_y=10, EI_z=10, inertia_x=0.01)
    root = model.node("root")
    model.add("root.body", sm.Body(root, mass=1.0, inertia=(1, 1, 1)))
    sm.add_beam(model, "beam", span, root=root, elements=2)
    model.add("clamp", sm.Clamp(model.ground, root, place_a=(0, 0, 0.2)))
    sim = assembled(model)
    assert len(sim.adjusted.nodes) == 5
    assert sim.adjusted.notes() == ("assembly moved node 'root' by 0.2 m to close element 'clamp'",)


def test_what_drives_and_starts_ask_for_is_no_news():
    """A motor that starts at 0.3 rad, a base that starts elsewhere, and a start of a joint move their nodes."""
    model = sm.Model("asked")
    axis = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    drawn_open(model, "driven", sm.Revolute, **axis)
    motor = sm.PrescribedAngle(model.ground, model.nodes["driven"], angle=lambda t: 0.3 + t, **axis)
    model.add("motor", motor)
    base = model.prescribed("base", sm.Motion(position=(lambda t: 0.5 + t, 0.0, 0.0)))
    rider = model.node("rider", (1.0, 0, 0))
    model.add("rider.body", sm.Body(rider, mass=1.0, inertia=(1, 1, 1)))
    model.add("clamp", sm.Clamp(base, rider, at=(1.0, 0, 0)))
    sim = assembled(model)
    assert {change.node for change in sim.adjusted.nodes} == {"driven", "rider"} and sim.adjusted.notes() == ()
    drawn_open(model, "started", sm.Revolute, start={"angle": 0.8}, **axis)
    assert assembled(model).adjusted.notes() == ()


def test_a_run_warns_once_and_keeps_it_in_its_results(tmp_path):
    model = pendulum(velocity=(2.0, 0, -3.0), angular_velocity=(0, 3.0, 0))  # 2 m/s along the arm
    words = r"'pendulum': .* node 'bob': velocity by 2 m/s \(give"
    with pytest.warns(sm.ChangedStart, match=words) as warned:
        run = sm.transient(model, 1e-2, 1e-3, progress=False, save=tmp_path / "run.nc")
    assert len(warned) == 1 and warned[0].filename == __file__
    (note,) = run.attrs.notes
    assert "node 'bob': velocity by 2 m/s" in note and note in run.summary()
    assert sm.Results.load(tmp_path / "run.nc").attrs.notes == run.attrs.notes


def test_real_time_warns_too():
    with pytest.warns(sm.ChangedStart, match="node 'bob': velocity by 2 m/s"):
        RealTime(pendulum(velocity=(2.0, 0, 0)), 1000.0, session=f"test-start-{os.getpid()}", clock=made_up()).close()


def test_real_time_starts_where_joints_say():
    model = sm.Model("pendulum")
    bob = model.node("bob", (1.0, 0, 0))
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    start = {"angle": 0.5, "angle_rate": 3.0}
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 0, 1), start=start))
    with RealTime(model, 1000.0, session=f"test-placed-{os.getpid()}", clock=made_up()) as runner:
        at = runner.sim.system.state.read(bob, POSITION, 3)
        runner.run(0.1)
        later = runner.sim.system.state.read(bob, POSITION, 3)
    assert at == pytest.approx([np.cos(0.5), np.sin(0.5), 0.0], abs=1e-14)
    assert later == pytest.approx([np.cos(0.8), np.sin(0.8), 0.0], abs=1e-9)  # no gravity: a steady turn


def test_only_the_worst_are_named():
    model = sm.Model("many")
    for k in range(5):
        node = model.node(f"bob_{k}", (1.0, k, 0), velocity=(1.0 + k, 0, 0))
        model.add(f"body_{k}", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"hinge_{k}", sm.Revolute(model.ground, node, at=(0, k, 0), axis=(0, 1, 0)))
    note = assembled(model).adjusted.note()
    assert [f"'bob_{k}'" in note for k in range(5)] == [False, False, True, True, True]
    assert note.endswith("and 2 more")


def test_after_a_static_solution_the_start_of_a_joint_is_history():
    """The bob hangs then: that its hinge no longer has the angle given is no contradiction."""
    model = sm.Model("hanging", gravity=(0, 0, -9.81))
    bob = model.node("bob", (1.0, 0, 0))
    model.add("body", sm.Body(bob, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0), start={"angle": 1.0}))
    sim = sm.Simulation(model)
    sm.static(sim)
    run = sm.transient(sim, 1e-2, 1e-3, progress=False)  # a warning would be an error here
    assert run["hinge.angle"][0] == pytest.approx(np.pi / 2, abs=1e-9)


def test_a_node_that_assembly_turns_keeps_its_velocity_in_the_world():
    """A blade on a spinning hub is pitched by its joint: it goes on spinning about the shaft, not about its own z."""
    model = sm.Model("pitched", gravity=(0, 0, -9.81))
    motion = {"angular_velocity": (0, 0, 20.0)}
    hub, blade = model.node("hub", **motion), model.node("blade", (1.0, 0, 0), velocity=(0, 20.0, 0), **motion)
    for node in (hub, blade):
        model.add(f"{node.name}_body", sm.Body(node, mass=1.0, inertia=(0.1, 0.2, 0.3)))
    model.add("bearing", sm.Revolute(model.ground, hub, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("pitch", sm.TotalJoint(hub, blade, at=(1.0, 0, 0), rotation=(0.3, 0, 0)))
    sim = assembled(model)
    (change,) = sim.adjusted.nodes
    assert change.rotation == pytest.approx(0.3, abs=1e-9)
    assert (change.velocity, change.angular_velocity, change.contradicts) == (0.0, 0.0, False)
