"""Hydraulic damper in a hinge."""

from __future__ import annotations

from samara.elements.geometry.alignment import hinge_angle
from samara.elements.hydraulic.cylinders.damper_chambers import DamperChambers
from samara.model import number


class HydraulicHingeDamper(DamperChambers):
    """A damper about the common z axis of two frames, such as the lag damper of a rotor blade.

        x = angle of b relative to a - rest,     C = (p_2 - p_1) displacement turns b back [N m]

    The equations are those of `DamperChambers`, with displacement [m^3/rad], piston area times lever, instead of
    an area; the other numbers are as in `HydraulicDamper`. rest: angle at which both chambers have `volume` [rad].
    Place it at the hinge, with the same frames; the angle must stay within half a turn of rest.
    """

    names = ("angle", "rad")
    force_unit = "N m"

    displacement: float = number(unit="m^3/rad", positive=True)
    rest: float = number(default=0.0, unit="rad")

    def lever(self):
        return self.displacement

    def position(self, a, b):
        return hinge_angle(a, b, self.rest)
