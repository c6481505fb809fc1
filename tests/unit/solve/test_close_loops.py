"""Loops that are followed from the reference pose to a start far away."""

import numpy as np
import pytest

import samara as sm
from samara.solve.adjusted import motion
from samara.solve.held_starts import HeldStarts
from samara.system.blocks import POSITION

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
        places.append([sim.system.read(node, POSITION, 3) for node in sim.system.free])
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
    assert abs(sim.system.read(nut, POSITION, 3)[2]) == pytest.approx(1.5 * 0.05, abs=1e-9)
