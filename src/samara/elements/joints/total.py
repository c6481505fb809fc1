"""Total joint."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samara.elements.families import XYZ, Joint, settle_held_axes
from samara.elements.geometry.alignment import same_rotation, turned_by
from samara.elements.geometry.freedoms import ball, slide, turn
from samara.elements.still import ZERO_DRIVES, is_zero
from samara.model import driven, option
from samara.rotations import exp_so3, log_so3

ALL = (True, True, True)


class TotalJoint(Joint):
    """Constrains any of the six relative coordinates of b and a, each fixed or following a drive.

    Positions: the held components, in axes of a, of

        p_AB - position(t) = 0 [m]                 (all three held: the same in axes of b)

    Rotations: let D be frame a rotated by the rotation vector `rotation`(t) (its held components, in axes of a; of any
    magnitude); the held components of the rotation vector of R_DB are zero [rad]. Depending on how many are held:

        three: B has the axes of D, 2 tan(x / 2) e = 0      regular up to half a turn of B relative to D
        two:   the free axis k is shared, k_D . i_B = k_D . j_B = 0     unlimited rotation about k
        one:   no rotation about the held axis i, 2 tan(x / 2) = 0      regular until axis i of b is reversed
        none:  nothing

    hold_position, hold_rotation: three booleans each. position [m], rotation [rad]: three drives each, zero for free
    coordinates. The reported motion is p_AB in axes of a and the rotation vector of R_AB, of magnitude 0 to pi.
    """

    returning = True

    hold_position: Sequence[bool] = option(default=ALL)
    hold_rotation: Sequence[bool] = option(default=ALL)
    position: Any = driven(default=ZERO_DRIVES, unit="m", size=3)
    rotation: Any = driven(default=ZERO_DRIVES, unit="rad", size=3)

    #: whether the rotation is driven at all: if not, the equations are shorter
    _turned = True

    def prepare(self) -> None:
        super().prepare()
        settle_held_axes(self, "joint")

    def examine(self) -> None:
        for name, hold in (("position", self.hold_position), ("rotation", self.hold_rotation)):
            for axis, drive, held in zip(XYZ, getattr(self, name), hold, strict=True):
                if not held and not is_zero(drive):
                    raise ValueError(f"{name} {axis} has a drive but hold_{name} leaves it free")
        self._turned = not all(map(is_zero, self.rotation))

    def structure(self) -> tuple:
        return (*super().structure(), self._turned)

    def constraint(self, a, b):
        return [*self._positions(a, b), *self._rotations(a.R.T @ b.R)]

    def freedoms(self):
        slides = [
            slide(f"position.{x}", i, drive=drive if held else None)
            for i, (x, drive, held) in enumerate(zip(XYZ, self.position, self.hold_position, strict=True))
            if not (held and is_zero(drive))
        ]
        free = [i for i in range(3) if not self.hold_rotation[i]]
        driven = [i for i in range(3) if not is_zero(self.rotation[i])]
        if len(free) == 3:
            return (*slides, ball())
        if len(free) == 2 or len(free) + len(driven) > 1:
            return None  # what it leaves free, or follows, is no product of elementary motions
        turns = [turn(f"rotation.{XYZ[i]}", i, drive=self.rotation[i] if driven else None) for i in (*free, *driven)]
        return (*slides, *turns)

    def motion(self, a, b):
        return {"position": (a.see(b.p), "m"), "rotation": (log_so3(a.R.T @ b.R), "rad")}

    def _positions(self, a, b):
        if all(self.hold_position):
            return -b.see(a.point(self.position))
        gap = a.see(b.p) - self.position
        return [gap[i] for i in range(3) if self.hold_position[i]]

    def _rotations(self, R_AB):
        held = [i for i in range(3) if self.hold_rotation[i]]
        if len(held) == 1:
            return [turned_by(R_AB, self.rotation[held[0]] if self._turned else 0.0, held[0])]
        R_DB = R_AB
        if self._turned:
            R_AD = exp_so3([self.rotation[i] if i in held else 0.0 for i in range(3)])
            R_DB = R_AD.T @ R_AB
        if len(held) == 2:
            free = 3 - sum(held)
            return [R_DB[free, i] for i in held]
        return same_rotation(R_DB) if held else []
