"""Loops that are followed from the reference pose to a start far away."""

import numpy as np
import pytest

import samara as sm
from samara.solve.start import loops as close_loops
from samara.solve.start.held_starts import HeldStarts, bordered
from samara.solve.start_report import motion

AXIS = {"at": (0, 0, 0), "axis": (0, 0, 1)}


def bodied(model: sm.Model, name: str, position=(0, 0, 0)) -> sm.Node:
    node = model.node(name, position)
    model.add(f"{name}_body", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    return node


def four_bar(angle: float) -> sm.Simulation:
    model = sm.Model("four-bar linkage")
    corners = np.array([(0, 0, 0), (0, 0, 0.5), (1.2, 0, 0.9), (1.0, 0, 0)])
    bars = [bodied(model, f"bar_{k}", (corners[k] + corners[k + 1]) / 2) for k in range(3)]
    ends = [model.ground, *bars, model.ground]
    for k, joint in enumerate([sm.Revolute] * 3 + [sm.InLine]):
        start = {"start": {"angle": angle}} if k == 0 else {}
        model.add(f"joint_{k}", joint(ends[k], ends[k + 1], at=corners[k], axis=(0, 1, 0), **start))
    return sm.Simulation(model)


def test_whole_turns_are_not_gone():
    """A linkage is as it was after a whole turn: a start 300 turns on is no farther than half a turn."""
    places = []
    for turns in (0, 300):
        sim = four_bar(0.7 + turns * 2.0 * np.pi)
        assert HeldStarts(sim, motion(sim.system)).way() == pytest.approx(0.7, abs=1e-9)
        sm.assemble(sim)
        places.append([sim.state.pose(node).p for node in sim.system.layout.free])
    np.testing.assert_allclose(*places, atol=1e-9)  # rounding of 1900 rad


def test_whole_turns_of_a_screw_count():
    """A turn and a half of the spindle takes a nut that cannot turn that far along."""
    model = sm.Model("spindle")
    spindle, nut = bodied(model, "spindle"), bodied(model, "nut")
    model.add("bearing", sm.Revolute(model.ground, spindle, **AXIS, start={"angle": 2.0 * np.pi * 1.5}))
    model.add("thread", sm.Screw(spindle, nut, **AXIS, lead=0.05))
    held = {"hold_position": (False,) * 3, "hold_rotation": (False, False, True)}
    model.add("guide", sm.TotalJoint(model.ground, nut, **AXIS, **held))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    assert abs(sim.state.pose(nut).p[2]) == pytest.approx(1.5 * 0.05, abs=1e-9)


def craft(start: dict, at=(0.0, 0.0, 0.0), velocity=(40.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)) -> sm.Model:
    """A fuselage of 2 t that flies, with a hub and a sleeve that scissors take along: a loop.

    All nodes are given the velocities of one rigid body.
    """
    model, at, velocity, spin = sm.Model("craft"), np.array(at), np.array(velocity), np.array(spin)
    ways = {"fuselage": np.zeros(3), "hub": np.array([0.0, 0.0, 1.0]), "sleeve": np.array([0.0, 0.0, 0.5])}
    nodes = [
        model.node(name, at + way, velocity=velocity + np.cross(spin, way), angular_velocity=spin)
        for name, way in ways.items()
    ]
    for node, mass in zip(nodes, (2000.0, 50.0, 5.0), strict=True):
        model.add(f"{node.name}_body", sm.Body(node, mass=mass, inertia=(mass, mass, mass)))
    fuselage, hub, sleeve = nodes
    model.add("mast", sm.Revolute(fuselage, hub, at=at + ways["hub"], axis=(0, 0, 1), start=start))
    low = {"at": at + ways["sleeve"], "axis": (0, 0, 1)}
    model.add("bearing", sm.Revolute(fuselage, sleeve, **low))
    model.add("scissors", sm.PrescribedAngle(hub, sleeve, **low, angle=0.0))
    return model


@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_a_loop_in_flight_closes_without_moving_the_craft(angle):
    run = sm.transient(craft({"angle": angle, "angle_rate": 25.0}), 0.02, 1e-3, progress=False)
    for name, spin in (("fuselage", 0.0), ("hub", 25.0), ("sleeve", 25.0)):
        np.testing.assert_allclose(run[f"{name}.angular_velocity"][0], (0, 0, spin), atol=1e-12)
        np.testing.assert_allclose(run[f"{name}.velocity"][0], (40, 0, 0), atol=1e-12)
    np.testing.assert_allclose(run["fuselage.position"][:, 1:], 0.0, atol=1e-9)
    assert run.attrs.notes == ()


@pytest.mark.parametrize("at", [(0.0, 0.0, 0.0), (3e3, -1e3, 500.0)])
def test_nor_does_it_move_a_craft_that_turns(at):
    """The hub turns against it at 25 rad/s about its mast."""
    v, w = np.array([40.0, 3.0, -2.0]), np.array([0.3, -0.2, 0.1])
    sim = sm.Simulation(craft({"angle_rate": 25.0}, at, v, w))
    sm.assemble(sim)
    for name, spin in (("fuselage", 0.0), ("hub", 25.0), ("sleeve", 25.0)):
        node = sim.model.nodes[name]
        expected = np.concatenate([v + np.cross(w, node.position - at), w + np.array([0.0, 0.0, spin])])
        np.testing.assert_allclose(sim.state.twist(node), expected, atol=1e-9)  # places are known to 5e-13 m
        np.testing.assert_allclose(sim.state.pose(node).p, node.position, atol=1e-9)
    assert not sim.adjusted.notes()


def test_a_linkage_on_a_craft_is_as_on_the_ground():
    """Poses and rates of the bars, seen from the fuselage, which stays as it was described."""
    found = []
    for free in (False, True):
        model = sm.Model("linkage")
        base, velocity = model.ground, (0.0, 0.0, 0.0)
        if free:
            velocity = (50.0, 0.0, 0.0)
            base = model.node("fuselage", velocity=velocity)
            model.add("body", sm.Body(base, mass=1000.0, inertia=(1e3, 1e3, 1e3)))
        corners = np.array([(0, 0, 0), (0, 0, 0.5), (1.2, 0, 0.9), (1.0, 0, 0)])
        bars = [model.node(f"bar_{k}", (corners[k] + corners[k + 1]) / 2, velocity=velocity) for k in range(3)]
        for bar in bars:
            model.add(f"{bar.name}_body", sm.Body(bar, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        ends = [base, *bars, base]
        for k, joint in enumerate([sm.Revolute] * 3 + [sm.InLine]):
            start = {"start": {"angle": 1.0, "angle_rate": 5.0}} if k == 0 else {}
            model.add(f"joint_{k}", joint(ends[k], ends[k + 1], at=corners[k], axis=(0, 1, 0), **start))
        run = sm.transient(model, 1e-3, 1e-3, progress=False)
        assert run.attrs.notes == ()
        places = [run[f"{bar.name}.position"][0] for bar in bars]
        rates = [[run[f"{bar.name}.velocity"][0] - velocity, run[f"{bar.name}.angular_velocity"][0]] for bar in bars]
        found.append(np.concatenate([np.ravel(places), np.ravel(rates)]))
    np.testing.assert_allclose(*found, atol=1e-9)


@pytest.mark.parametrize("at", [(0, 0, 0), (123.4, -56.7, 8.9), (1e4, -2e4, 3e3)])
def test_velocities_that_fit_are_not_warned_of_far_away(at):
    model, spin, arm = sm.Model("pair"), np.array([0.4, 0.1, 0.5]), np.array([0.1, 0.2, 0.5])
    velocity = np.array([250.0, -30.0, 10.0])
    a = model.node("a", at, velocity=velocity, angular_velocity=spin)
    b = model.node("b", at + arm, velocity=velocity + np.cross(spin, arm))
    for node in (a, b):
        model.add(f"{node.name}_body", sm.Body(node, mass=2.0, inertia=(1.0, 1.0, 1.0)))
    model.add("hinge", sm.Revolute(a, b, at=at + arm, axis=(0, 0, 1), start={"angle_rate": 40.0}))
    assert sm.transient(model, 1e-3, 1e-3, progress=False).attrs.notes == ()


def linkages(count: int) -> sm.Model:
    """Four bars in a ring, that float, and as many such as are asked for."""
    model = sm.Model("linkages")
    for k in range(count):
        corners = np.array([(0, 0, 0), (0, 0, 0.5), (1.2, 0, 0.9), (1.0, 0, 0)]) + np.array([3.0 * k, 0, 0])
        bars = [bodied(model, f"bar_{k}_{i}", (corners[i] + corners[(i + 1) % 4]) / 2) for i in range(4)]
        for i, joint in enumerate([sm.Revolute] * 3 + [sm.InLine]):
            start = {"start": {"angle": 0.1}} if i == 0 else {}
            ends = bars[i], bars[(i + 1) % 4]
            model.add(f"joint_{k}_{i}", joint(*ends, at=corners[(i + 1) % 4], axis=(0, 1, 0), **start))
    return model


def test_loops_of_parts_that_nothing_ties_are_closed_side_by_side(monkeypatch):
    """As many solutions are needed for five linkages as for one, and each closes as it does alone."""
    solved, places = {}, {}
    for count in (1, 5):
        solutions = solved[count] = []

        def counted(sim, apply, rows, left, H, solutions=solutions):
            return bordered(sim, lambda b: solutions.append(1) or apply(b), rows, left, H)

        monkeypatch.setattr(close_loops, "bordered", counted)
        sim = sm.Simulation(linkages(count))
        sm.assemble(sim)
        last = sim.model.nodes[f"bar_{count - 1}_2"]
        places[count] = sim.state.pose(last).p - (3.0 * (count - 1), 0, 0)
    assert len(solved[5]) == len(solved[1]) > 0
    np.testing.assert_allclose(places[5], places[1], atol=1e-10)  # gaps are closed to 1e-12 of a larger size
