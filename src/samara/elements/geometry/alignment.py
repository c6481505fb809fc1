"""Ways to say that two frames are turned alike, without spurious solutions near by.

Rows are functions of the relative rotation only, of unit slope (rad) where they vanish.
"""

from __future__ import annotations

import numpy as np

from samara.model import Frame
from samara.rotations import arctan2, cayley_from_rotation, dot
from samara.rotations.scalars import Matrix, Scalar


def same_axis(a: Frame, b: Frame) -> list:
    """z_A . x_B = 0, z_A . y_B = 0: the z axes are parallel, whatever the angle about them.

    The sine of the tilt: axes that start more than 90 degrees apart become opposed.
    """
    return [dot(a.z, b.x), dot(a.z, b.y)]


def same_rotation(R_AB: Matrix) -> list:
    """2 tan(x / 2) e = 0, x and e angle and axis of R_AB: both frames have the same axes.

    Unlike the skew part of R_AB (sin x e) it has no second zero at half a turn, and Newton's method reaches x = 0 from
    any x below; at exactly half a turn it is infinite.
    """
    return [*cayley_from_rotation(R_AB)]


def hinge_angle(a: Frame, b: Frame, rest: Scalar | None = None) -> Scalar:
    """atan2(y_A . x_B, x_A . x_B) - rest, within (-pi, pi] [rad]: how far b is turned against a about z.

    Where the z axes part, it is the angle of b's x axis projected on a's plane across z. `twist` treats both alike.
    """
    sine, cosine = dot(a.y, b.x), dot(a.x, b.x)
    if rest is not None:
        # the difference of two angles before the arc tangent: its jump is then opposite to rest
        s, c = np.sin(rest), np.cos(rest)
        sine, cosine = sine * c - cosine * s, cosine * c + sine * s
    return arctan2(sine, cosine)


def twist(R_AB: Matrix, axis: int = 2) -> tuple[Scalar, Scalar]:
    """(1 + c) sin(x), (1 + c) cos(x): x is the part of the rotation about an axis that is tilted by acos(c).

    The rotation is a tilt of the axis followed or preceded by a turn about it; x is that turn, the same both ways.
    It is undefined only where the axis is upside down, c = -1.
    """
    i, j = (axis + 1) % 3, (axis + 2) % 3
    return R_AB[j, i] - R_AB[i, j], R_AB[i, i] + R_AB[j, j]


def turned_by(R_AB: Matrix, angle: Scalar, axis: int = 2) -> Scalar:
    """2 tan((x - angle) / 2), x the `twist`: vanishes where x equals the angle, any number of turns included.

    Its one zero a turn has unit slope; it is infinite half a turn away from it. Smooth in the angle, which never has to
    be brought back to one turn.
    """
    sine, cosine = twist(R_AB, axis)
    s, c = np.sin(angle), np.cos(angle)
    return 2.0 * (sine * c - cosine * s) / (1.0 + R_AB[axis, axis] + cosine * c + sine * s)
