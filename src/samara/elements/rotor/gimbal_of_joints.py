"""The ideal gimbal made of base joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import positive
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.spherical import Spherical
from samara.model import Model, ModelError, Node, as_placement
from samara.model.model import require_model


def add_gimbal_of_joints(
    model: Model,
    name: str,
    a: Node,
    b: Node,
    *,
    place_a: Any = None,
    place_b: Any = None,
    size: float = 0.1,
    carries: bool = True,
) -> tuple[Node, Node]:
    """Adds a gimbal of two massless arms, two hinges and a ball joint; returns the arms. Kinematically equal to
    `Gimbal`.

    An arm is hinged to each shaft, a and b, about the y axis, at equal distances on either side of the centre; the two
    arms meet in a ball joint off the axis, along x (the Clemens linkage). By symmetry the ball stays in the plane that
    bisects the angle of the shafts, and one shaft is the mirror image of the other: the rotation vector of b relative
    to a stays perpendicular to the shaft.

    As counted in the real-time paper: 2 nodes (12 equations), a spherical (3) and two revolute joints (10), 25 in all,
    compared with one equation of `GimbalRotation`. `carries` adds the spherical joint at the centre that connects the
    shafts.

    place_a, place_b: centre and axes on each node, z along the shaft, or a point [m]; in the reference pose the centres
    coincide and the relative rotation vector is perpendicular to z. size: of the arms [m]; it only affects the internal
    reactions. The initial motion of the arms follows from a and b.
    """
    require_model("add_gimbal_of_joints", model)
    what, size = f"gimbal {name!r}", positive("add_gimbal_of_joints: size", size)
    A = model.member(a, f"{what}: a").place @ as_placement(place_a, f"{what}: place_a")
    B = model.member(b, f"{what}: b").place @ as_placement(place_b, f"{what}: place_b")
    R = A.rotation.T @ B.rotation
    if abs(R[1, 0] - R[0, 1]) > 1e-9 or np.linalg.norm(A.position - B.position) > 1e-9 * max(size, 1.0):
        raise ModelError(
            f"{what}: in the reference pose the two centres must coincide, and the rotation of b "
            f"relative to a must be perpendicular to z"
        )
    z_a, z_b = A.rotation[:, 2], B.rotation[:, 2]
    ball = A.position + _side(z_a, z_b, A.rotation[:, 1], size)
    hinges = (A.position - size * z_a, B.position + size * z_b)
    motions = _motions((a, b), (A.rotation[:, 1], B.rotation[:, 1]), hinges, ball)
    arms = []
    for label, frame, (w, v) in zip("ab", (A, B), motions, strict=True):
        arms.append(
            model.node(f"{name}.arm_{label}", ball, frame.rotation, static=True, velocity=v, angular_velocity=w)
        )
    arm_a, arm_b = arms
    for label, pair, frame, at in zip("ab", ((a, arm_a), (arm_b, b)), (A, B), hinges, strict=True):
        axes = {"axis": frame.rotation[:, 1], "axis_x": frame.rotation[:, 0]}
        model.add(f"{name}.hinge_{label}", Revolute(*pair, at=at, **axes))
    model.add(f"{name}.ball", Spherical(arm_a, arm_b, at=ball))
    if carries:
        model.add(f"{name}.centre", Spherical(a, b, at=A.position))
    return arm_a, arm_b


def _side(z_a: np.ndarray, z_b: np.ndarray, y_a: np.ndarray, size: float) -> np.ndarray:
    """Where the ball is from the centre: in the halving plane, across y_a, sqrt(2) size from both hinges."""
    s = np.cross(y_a, z_a + z_b)
    s /= np.linalg.norm(s)
    lean = s @ z_a
    return size * (np.sqrt(1.0 + lean**2) - lean) * s


def _motions(shafts, axes, hinges, ball) -> list[tuple[np.ndarray, np.ndarray]]:
    """(angular velocity, velocity of the ball) of each arm at the start: of the shafts, and a turn in each hinge.

    The two turns are those for which the arms agree on the velocity of the ball.
    """
    # how a prescribed node moves its drives know, not its description: it then follows the other one
    known = [node if node.kind != "prescribed" else other for node, other in zip(shafts, shafts[::-1], strict=True)]
    carried = [n.velocity_at(ball) for n in known]
    swing = [np.cross(y, ball - hinge) for y, hinge in zip(axes, hinges, strict=True)]
    rates = np.linalg.lstsq(np.column_stack([swing[0], -swing[1]]), carried[1] - carried[0], rcond=None)[0]
    return [
        (n.angular_velocity + r * y, v + r * s)
        for n, r, y, v, s in zip(known, rates, axes, carried, swing, strict=True)
    ]
