"""Constraints that repeat each other: counted, named with their directions, looked for in closed loops only."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_x
from samara.solve.constraints import redundancy as module
from samara.solve.constraints.redundancy import gradient, loops, redundancy
from samara.solve.constraints.redundancy_report import doubled
from samara.solve.start.assembly import close_joints

UPRIGHT = np.eye(3)


def closed(model: sm.Model) -> sm.Simulation:
    sim = sm.Simulation(model)
    close_joints(sim)
    return sim


def body(model: sm.Model, name: str, position) -> sm.Node:
    node = model.node(name, position)
    model.add(f"{name}_mass", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    return node


def door(upper, **options) -> sm.Model:
    model = sm.Model("door", **options)
    leaf = body(model, "leaf", (0.5, 0, 0))
    model.add("lower", sm.Revolute(model.ground, leaf, at=(0, 0, -1), axis=(0, 0, 1)))
    model.add("upper", upper(model.ground, leaf, at=(0, 0, 1), axis=(0, 0, 1)))
    return model


def linkage(last, R=UPRIGHT) -> sm.Model:
    """A planar loop of hinges about y, in axes R."""
    model = sm.Model("linkage")
    corners = np.array([(0, 0, 0), (0, 0, 0.3), (1, 0, 0.8), (1, 0, 0)]) @ R.T
    nodes = [model.ground, *(body(model, f"bar{k}", (corners[k] + corners[k + 1]) / 2) for k in range(3)), model.ground]
    for k, joint in enumerate((sm.Revolute, sm.Revolute, sm.Revolute, last)):
        axis = {} if joint is sm.Spherical else {"axis": R @ np.array([0, 1, 0])}
        model.add(f"joint{k}", joint(nodes[k], nodes[k + 1], at=corners[k], **axis))
    return model


def table() -> sm.Model:
    """A plate on four legs, guided sideways."""
    model = sm.Model("table")
    top = body(model, "top", (0, 0, 1))
    for k, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        model.add(f"leg{k}", sm.InPlane(model.ground, top, at=(x, y, 0), axis=(0, 0, 1)))
    hold = {"hold_position": (True, True, False), "hold_rotation": (False, False, True)}
    model.add("guide", sm.TotalJoint(model.ground, top, place_a=(0, 0, 1), **hold))
    return model


REMOVE, LINE = "that is all it holds: remove it", "InLine in its place would hold the rest"
LOOP = "joints 'joint0', 'joint1' and 'joint2' hold"


@pytest.mark.parametrize(
    ("model", "joint", "others", "directions", "remedy"),
    [
        (
            door(sm.Revolute),
            "'upper' (Revolute)",
            "joint 'lower' holds",
            "translation along x, y and z and rotation about x and y at (0, 0, 1) m",
            REMOVE,
        ),
        (
            door(sm.InLine),
            "'upper' (InLine)",
            "joint 'lower' holds",
            "translation along x and y at (0, 0, 1) m",
            REMOVE,
        ),
        (
            linkage(sm.Revolute),
            "'joint3' (Revolute)",
            LOOP,
            "translation along y and rotation about x and z at (1, 0, 0) m",
            LINE,
        ),
        (
            linkage(sm.Spherical, rotation_x(0.5)),
            "'joint3' (Spherical)",
            LOOP,
            "translation along (0, 0.878, 0.479) at (1, 0, 0) m",
            LINE,
        ),
        (
            table(),
            "'leg3' (InPlane)",
            "joints 'leg0', 'leg1' and 'leg2' hold",
            "translation along z at (1, -1, 0) m",
            REMOVE,
        ),
    ],
    ids=["two hinges", "hinge and line", "planar loop", "tilted loop", "four legs"],
)
def test_the_doubled_directions_are_named(model, joint, others, directions, remedy):
    words = f"joint {joint} holds what {others} already: {directions}; {remedy}"
    assert [str(one) for one in sm.redundant_constraints(model)] == [words]
    with pytest.raises(sm.SingularModel) as refused:
        sm.assemble(sm.Simulation(model))
    assert words in str(refused.value) and "redundant='least-squares'" in str(refused.value)


def test_the_joint_that_is_proposed_closes_the_loop():
    sm.assemble(closed(linkage(sm.InLine)))


@pytest.mark.parametrize("model", [door(sm.Revolute), linkage(sm.Revolute), linkage(sm.InLine), table()])
def test_self_stress_cancels_at_every_body(model):
    """As many states as the rank says, and each of them without force on any node."""
    sim = closed(model)
    found, G = redundancy(sim), gradient(sim).toarray()
    assert found.count == G.shape[0] - np.linalg.matrix_rank(G, 1e-8)
    multipliers = found.stress / found.size[:, None]
    assert np.abs(multipliers.T @ G[found.rows]).max(initial=0.0) < 1e-12


def test_two_loops_are_told_apart():
    model = door(sm.Revolute)
    other = body(model, "shutter", (3, 0, 0))
    for name, z in (("bottom", -1), ("top", 1)):
        model.add(name, sm.Spherical(model.ground, other, at=(3, 0, z)))
    sim = closed(model)
    first, second = (str(one) for one in doubled(sim, redundancy(sim)))
    assert "joint 'top' (Spherical) holds what joint 'bottom' holds already: translation along z" in first
    assert "joint 'upper'" in second and "'bottom'" not in second


def test_trees_have_no_loops():
    model = linkage(sm.InLine)
    arm = body(model, "arm", (2, 0, 0))
    model.add("wrist", sm.Revolute(model.nodes["bar2"], arm, at=(1, 0, 0.4), axis=(1, 0, 0)))
    sim = closed(model)
    assert loops(sim, gradient(sim)).size == 17  # those of the linkage
    model.add("motor", sm.PrescribedAngle(model.nodes["bar2"], arm, at=(1, 0, 0.4), axis=(1, 0, 0), angle=0.0))
    sim = closed(model)
    assert loops(sim, gradient(sim)).size == 17  # a driven joint is none


def test_many_loops_are_not_looked_at(monkeypatch):
    monkeypatch.setattr(module, "MOST_LOOP_ROWS", 5)
    found = redundancy(closed(linkage(sm.Revolute)))
    assert not found.examined and found.loops == 20 and found.count == 0
    with pytest.raises(sm.SolveError, match="20 constraints in closed loops: too many"):
        sm.redundant_constraints(linkage(sm.Revolute))
