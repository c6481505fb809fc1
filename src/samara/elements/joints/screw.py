"""Screw joint."""

from __future__ import annotations

import numpy as np

from samara.elements.families import Joint
from samara.elements.geometry.alignment import same_axis, turned_by
from samara.elements.geometry.freedoms import JointFreedom
from samara.model import ModelError, Parameter, number


class Screw(Joint):
    """Makes two frames share the z axis and b advance by `lead` per turn: a nut (b) on a screw (a).

        x_B . p_BA = 0,   y_B . p_BA = 0,   z_A . x_B = 0,   z_A . y_B = 0
        lead / (2 pi) 2 tan((x - 2 pi s / lead) / 2) = 0     [m], along the thread

    s: displacement of b relative to a along z [m]; x: its angle about z [rad]. lead [m]: positive for a right-handed
    thread, negative for a left-handed one, not zero. The reported angle includes full turns; it is zero where s is.
    Positions one lead apart are equivalent: a nut that starts more than half a lead off assembles on the next thread.
    """

    lead: float = number(unit="m")

    def examine(self) -> None:
        if float(self.lead) == 0.0:
            raise ValueError("lead must not be zero: use a Revolute for a nut that does not advance")

    def constraint(self, a, b):
        x, y, _ = b.see(a.p)
        return [x, y, *same_axis(a, b), self.lead / (2.0 * np.pi) * self._slip(a, b)]

    def freedoms(self):
        if isinstance(self.lead, Parameter):
            raise ModelError(
                "the recursive formulation needs a constant lead: give a number, or use the redundant formulation"
            )
        return (JointFreedom("screw", "angle", pitch=self.lead / (2.0 * np.pi)),)

    def motion(self, a, b):
        turn = self._advance(a, b) + 2.0 * np.arctan(0.5 * self._slip(a, b))
        return {"displacement": (-b.see(a.p)[2], "m"), "angle": (turn, "rad")}

    def _advance(self, a, b):
        """The angle that belongs to the displacement [rad]."""
        return -b.see(a.p)[2] * (2.0 * np.pi) / self.lead

    def _slip(self, a, b):
        return turned_by(a.R.T @ b.R, self._advance(a, b))
