"""Joints with an explicit map: what the map leaves free is what the constraint leaves free, and by the same names."""

from __future__ import annotations

import numpy as np
import pytest
from row import Row, all_rows

from samara.elements.families import Held, Starting
from samara.elements.geometry.freedoms import pose_of
from samara.model import Drive, Frame, Model, Parameter
from samara.recursive.dynamics.recursion import own_twist
from samara.recursive.tree import IDENTITY, Segment
from samara.rotations import Pose, adjoint_times, compose_poses, exp_se3, inverse_pose, log_so3

ZERO = np.zeros(3)


def joint_of(row: Row) -> Held | None:
    """The row's element with numbers for its drives, if it is a joint with an explicit map."""
    model = Model(row.name)
    nodes = [model.node(f"n{i}", position=(i, 0, 0), static=True) for i in range(row.nodes)]
    made = row.make(nodes, np.random.default_rng(1), np.asarray)
    element = made[-1] if isinstance(made, tuple) else made
    if not isinstance(element, Starting):
        return None
    element = model.add("element", element)
    return element if element.freedoms() is not None else None


ROWS = [row for row in all_rows() if joint_of(row) is not None]
every_joint = pytest.mark.parametrize("row", ROWS, ids=repr)


def plain(joint: Held) -> Held:
    """The joint with values instead of drives and parameters."""
    leaves = [leaf(0.0) if isinstance(leaf, Drive) else leaf for leaf in joint.leaves()]
    return joint.rebuild(iter(float(leaf) if isinstance(leaf, Parameter) else leaf for leaf in leaves))


def random_coordinates(joint: Held, rng: np.random.Generator) -> list[np.ndarray]:
    """Of all freedoms, those that follow a drive by it."""
    found = []
    for freedom in joint.freedoms():
        if freedom.kind == "ball":
            q = rng.normal(size=4)
            found.append(q / np.linalg.norm(q))
        else:
            value = rng.uniform(-1.4, 1.4) if freedom.drive is None else freedom.drive(0.0)
            found.append(np.array([value]))
    return found


def frames(H: Pose, twist=None) -> tuple[Frame, Frame]:
    """Frame A at rest, frame B at a pose H seen from it, with a twist in its own axes."""
    twist = np.zeros(6) if twist is None else twist
    return (
        Frame(np.eye(3), ZERO, ZERO, ZERO, ZERO, ZERO),
        Frame(np.asarray(H.R, float), np.asarray(H.p, float), twist[:3], twist[3:], ZERO, ZERO),
    )


@every_joint
def test_the_map_satisfies_the_constraint(row: Row):
    joint, rng = joint_of(row), np.random.default_rng(5)
    for _ in range(5):
        H = pose_of(joint.freedoms(), random_coordinates(joint, rng))
        np.testing.assert_allclose(plain(joint).constraint(*frames(H)), 0.0, atol=1e-13)


@every_joint
def test_the_map_leaves_free_all_that_the_constraint_does(row: Row):
    joint = joint_of(row)
    free = sum(f.speeds for f in joint.freedoms() if f.drive is None)
    assert free == 6 - len(plain(joint).constraint(*frames(IDENTITY)))


@every_joint
def test_coordinates_have_the_names_and_values_of_the_motion(row: Row):
    joint, rng = joint_of(row), np.random.default_rng(6)
    q = random_coordinates(joint, rng)
    motion = plain(joint).motion(*frames(pose_of(joint.freedoms(), q)))
    for freedom, value in zip(joint.freedoms(), q, strict=True):
        name, _, axis = freedom.name.partition(".")
        given, unit = motion[name]
        if freedom.kind == "ball":
            np.testing.assert_allclose(given, log_so3(freedom.pose(value).R), atol=1e-12)
        elif not (axis and name == "rotation" and any(f.kind == "ball" for f in joint.freedoms())):
            np.testing.assert_allclose(given["xyz".index(axis)] if axis else given, value[0], atol=1e-12)
            assert unit == freedom.unit


@every_joint
def test_the_twist_of_a_freedom_is_the_rate_of_its_pose(row: Row):
    """By central differences of the poses; a ball is turned on by a small rotation in its outer axes."""
    joint, rng, h = joint_of(row), np.random.default_rng(7), 1e-5
    for freedom in joint.freedoms():
        segment = Segment(0, -1, joint.a, IDENTITY, freedom, joint, joint.b)
        q = rng.normal(size=freedom.coordinates)
        q = q / np.linalg.norm(q) if freedom.kind == "ball" else q
        for unit in np.eye(freedom.speeds):
            here, twist = freedom.pose(q), np.concatenate(own_twist(segment, unit)).astype(float)
            if freedom.kind == "ball":
                np.testing.assert_array_equal(twist, [0, 0, 0, *unit])
                continue
            ahead, behind = freedom.pose(q + h * unit), freedom.pose(q - h * unit)
            moved = compose_poses(here, exp_se3(h * twist))
            np.testing.assert_allclose(moved.R, ahead.R, atol=1e-12)
            np.testing.assert_allclose(moved.p, ahead.p, atol=1e-12)
            back = compose_poses(inverse_pose(here), behind)
            np.testing.assert_allclose(back.p, -h * adjoint_times(back, twist)[:3], atol=1e-9)
