"""Locks that hold again what joints or other locks hold: refused, noted, listed."""

import numpy as np
import pytest

import samara as sm
from samara.cli.check import examine
from samara.solve.constraints.lock_rows import lock_rows
from samara.solve.start.assembly import close_joints

NOTHING = (False, False, False)
HINGE = {"at": (0, 0, 0), "axis": (0, 1, 0)}


def body(model: sm.Model, name: str, position) -> sm.Node:
    node = model.node(name, position)
    model.add(f"{name}_mass", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    return node


def pendulum(engaged=1.0, **held) -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = body(model, "bob", (1, 0, 0))
    model.add("lock", sm.Lock(model.ground, bob, **HINGE, engaged=engaged, **held))  # before the joint
    model.add("hinge", sm.Revolute(model.ground, bob, **HINGE))
    return model


def linkage(engaged: dict[int, object], **options) -> sm.Model:
    """A planar loop of one freedom, with locks at some of its hinges."""
    model = sm.Model("linkage", **options)
    corners = np.array([(0, 0, 0), (0, 0, 0.5), (1.2, 0, 0.9), (1, 0, 0)])
    bars = [body(model, f"bar{k}", (corners[k] + corners[k + 1]) / 2) for k in range(3)]
    ends = [model.ground, *bars, model.ground]
    for k, joint in enumerate([sm.Revolute] * 3 + [sm.Revolute if options else sm.InLine]):
        model.add(f"hinge{k}", joint(ends[k], ends[k + 1], at=corners[k], axis=(0, 1, 0)))
    for k, drive in engaged.items():
        model.add(f"lock{k}", sm.Lock(ends[k], ends[k + 1], at=corners[k], axis=(0, 1, 0), engaged=drive))
    return model


def run(model: sm.Model) -> sm.Results:
    return sm.transient(model, 0.01, 1e-3, progress=False)


@pytest.mark.parametrize(
    ("held", "count", "words"),
    [
        ({"hold_position": (True, False, False), "hold_rotation": NOTHING}, 1, "translation along x at"),
        ({"hold_position": (True, True, True)}, 3, "translation along x, y and z at"),
        ({"hold_rotation": (True, False, True)}, 1, "rotation about x at"),
    ],
)
def test_a_lock_that_holds_what_a_joint_holds_is_refused(held, count, words):
    said = (
        f"has {count} redundant .*lock 'lock', while it is engaged, holds what element 'hinge' holds already: {words}"
    )
    with pytest.raises(sm.SingularModel, match=said):
        run(pendulum(**held))
    with pytest.raises(sm.SingularModel, match="not engaged at the start"):
        run(pendulum(engaged=sm.Step(1.0, time=5.0), **held))
    (found,) = sm.redundant_constraints(pendulum(**held))
    assert found.joint.name == "lock" and found.count == count and found.others == ("hinge",)
    report, _ = examine(sm.Simulation(pendulum(**held)))
    assert words in report["redundant"][0] and "by its locks" in report["error"]
    assert report["degrees_of_freedom"] == 1  # those that the joints leave


def test_a_lock_of_what_is_free_is_not_refused():
    held = run(pendulum())
    assert held["bob.position"][-1] == pytest.approx([1, 0, 0], abs=1e-9)
    assert held.attrs.notes == () and sm.redundant_constraints(pendulum()) == []
    alone = run(linkage({1: 1.0}, redundant="least-squares"))  # joints that repeat each other are another matter
    assert alone.attrs.status == "completed"


def test_locks_that_repeat_each_other_count_where_they_are_engaged_together():
    for options in ({}, {"redundant": "least-squares"}):
        with pytest.raises(sm.SingularModel, match=r"lock 'lock1'.* and 'lock0' hold already: rotation about y"):
            run(linkage({0: 1.0, 1: 1.0}, **options))
    apart = run(linkage({0: 1.0, 1: sm.Step(1.0, time=5.0)}))
    assert len(apart.attrs.notes) == 1 and "if all locks are engaged together, lock 'lock1'" in apart.attrs.notes[0]
    assert [one.joint.name for one in sm.redundant_constraints(linkage({0: 0.0, 1: 0.0}))] == ["lock1"]


def test_rows_are_the_relative_velocities():
    """Of frame B against the body of a, with both nodes turned and moved."""
    rng = np.random.default_rng(3)
    model = sm.Model("pair")
    a, b = body(model, "a", rng.normal(size=3)), body(model, "b", rng.normal(size=3))
    for node in (a, b):
        R = sm.rotations.exp_so3(rng.normal(size=3))
        node.begin(sm.Placement(node.position, R))
    places = [sm.Placement(rng.normal(size=3), sm.rotations.exp_so3(rng.normal(size=3))) for _ in range(2)]
    every = {"hold_position": (True, True, True), "hold_rotation": (True, True, True)}
    lock = model.add("lock", sm.Lock(a, b, place_a=places[0], place_b=places[1], engaged=0.0, **every))
    sim = sm.Simulation(model)
    close_joints(sim)
    eta = rng.normal(size=12)
    (R_a, R_b), (p_a, p_b) = ([getattr(n.start, what) for n in (a, b)] for what in ("rotation", "position"))
    p = p_b + R_b @ places[1].position
    v = R_b @ eta[6:9] + np.cross(R_b @ eta[9:], p - p_b) - R_a @ eta[:3] - np.cross(R_a @ eta[3:6], p - p_a)
    w = R_b @ eta[9:] - R_a @ eta[3:6]
    R_WB = R_b @ places[1].rotation
    assert lock_rows(sim, lock)[:, :12] @ eta == pytest.approx(np.concatenate([R_WB.T @ v, R_WB.T @ w]), abs=1e-12)
