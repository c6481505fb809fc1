"""Aerofoil with a linear lift curve."""

from __future__ import annotations

from typing import Literal

import numpy as np

from samara.arguments.plausible import doubt
from samara.elements.aero.aerofoils.aerofoil import Aerofoil, flat_plate
from samara.model import number, option
from samara.rotations import wrapped
from samara.tracing import absolute, fmax, fmin

#: angle over which the straight lift curve gives way to a plate in separated flow [rad]
GIVING_WAY = np.radians(15.0)
#: Mach number beyond which the compressibility factor does not grow
LARGEST_MACH = 0.85
#: Slopes that are doubted: those of aerofoils are 0.08 to 0.12 a degree [1/rad].
PER_DEGREE = (0.05, 0.2)


class ThinAerofoil(Aerofoil):
    """The textbook section: cl exactly linear in alpha up to the stall, as closed-form solutions assume.

        cl = slope (alpha - alpha_0),   cd = cd_0 + cd_2 (alpha - alpha_0)^2,   cm = cm_0

    for |alpha| <= stall; over the next 15 degrees a cubic blends into a flat plate in separated flow (with cd_0 added
    to its drag), so that values and slopes are continuous around the circle.

    slope:    lift curve slope [1/rad]. alpha_0: angle of zero lift [rad]. stall: end of the linear range [rad].
    cd_0, cd_2 [1/rad^2]; cm_0: about the quarter chord.
    compressible: "prandtl_glauert" divides slope and cm_0 by sqrt(1 - M^2), with M limited to 0.85; "no": no
                  correction.
    """

    slope: float = number(default=2.0 * np.pi, unit="1/rad")
    alpha_0: float = number(default=0.0, unit="rad")
    cd_0: float = number(default=0.0, nonnegative=True)
    cd_2: float = number(default=0.0, unit="1/rad^2", nonnegative=True)
    cm_0: float = number(default=0.0)
    stall: float = number(default=np.radians(30.0), unit="rad", positive=True)
    compressible: Literal["no", "prandtl_glauert"] = option(default="no", choices=("no", "prandtl_glauert"))

    def validate(self) -> None:
        super().validate()
        if isinstance(self.slope, float) and PER_DEGREE[0] < self.slope < PER_DEGREE[1]:
            per_radian = float(np.degrees(self.slope))
            doubt(
                f"ThinAerofoil: slope = {self.slope:g} per radian is very flat; {self.slope:g} per degree are "
                f"{per_radian:.3g} per radian"
            )

    def coefficients(self, alpha, mach):
        a = wrapped(alpha)
        s = fmin(fmax((absolute(a) - self.stall) / GIVING_WAY, 0.0), 1.0)
        separated = s * s * (3.0 - 2.0 * s)
        attached = 1.0 - separated
        lift, drag, moment = flat_plate(a)
        b = a - self.alpha_0
        factor = self._compressibility(mach)
        return (
            attached * factor * self.slope * b + separated * lift,
            self.cd_0 + attached * self.cd_2 * b * b + separated * drag,
            attached * factor * self.cm_0 + separated * moment,
        )

    def _compressibility(self, mach):
        if self.compressible == "no":
            return 1.0
        m = fmin(mach, LARGEST_MACH)
        return 1.0 / np.sqrt(1.0 - m * m)
