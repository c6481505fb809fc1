"""The ideal gimbal made of base joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import frame_about
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.spherical import Spherical
from samara.model import Model, Node, Placement
from samara.model.placement import as_vector


def add_gimbal_of_joints(
    model: Model,
    name: str,
    a: Node,
    b: Node,
    *,
    at: Any,
    axis: Any,
    axis_x: Any = None,
    size: float = 0.1,
    carries: bool = True,
) -> tuple[Node, Node]:
    """Adds a gimbal of two massless arms, two hinges and a ball; returns the arms. It moves exactly as a `Gimbal` does.

    An arm hinges on each shaft, a and b, at the same distance before and behind the centre, across the shaft; the two
    arms meet in a ball to the side (the linkage of Clemens). By symmetry the ball stays in the plane that halves the
    angle of the shafts, and one shaft is the mirror image of the other: the rotation vector of b against a stays
    across the shaft.

    The count of the real-time paper: 2 nodes (12 equations), a spherical (3) and two revolute joints (10), 25 in all,
    for one equation of `GimbalRotation`. `carries` adds the spherical joint at the centre that holds the shafts
    together.

    at, axis, axis_x: centre, shaft and side of the ball, in the world at the start. size: of the arms [m]; it changes
    the reactions inside only.
    """
    centre, R = as_vector(at, "at"), frame_about(axis, axis_x)
    world = Placement(centre, R)
    ball = world.point((size, 0.0, 0.0))
    w, v = b.angular_velocity, _velocity(b, ball)
    arm_a, arm_b = (
        model.node(f"{name}.{arm}", ball, R, static=True, velocity=v, angular_velocity=w) for arm in ("arm_a", "arm_b")
    )
    across = {"axis": R[:, 1], "axis_x": R[:, 0]}
    model.add(f"{name}.hinge_a", Revolute(a, arm_a, at=world.point((0.0, 0.0, -size)), **across))
    model.add(f"{name}.ball", Spherical(arm_a, arm_b, at=ball))
    model.add(f"{name}.hinge_b", Revolute(arm_b, b, at=world.point((0.0, 0.0, size)), **across))
    if carries:
        model.add(f"{name}.centre", Spherical(a, b, at=centre))
    return arm_a, arm_b


def _velocity(node: Node, point: np.ndarray) -> np.ndarray:
    """Of a point of a node at the start, world axes [m/s]."""
    return node.velocity + np.cross(node.angular_velocity, point - node.position)
