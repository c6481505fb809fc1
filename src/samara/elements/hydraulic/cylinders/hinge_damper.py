"""Hydraulic damper in a hinge."""

from __future__ import annotations

from samara.elements.geometry.alignment import hinge_angle
from samara.elements.hydraulic.cylinders.damper_chambers import DamperChambers
from samara.model import number


class HydraulicHingeDamper(DamperChambers):
    """A damper about the z axis that two frames share: the lag damper of a rotor blade.

        x = angle of b against a - rest,     C = (p_2 - p_1) displacement turns b back [N m]

    Its equations are those of `DamperChambers`, with displacement [m^3/rad], piston area times lever, in the place of
    an area; those of `HydraulicDamper` are the other numbers. rest: angle at which both chambers have `volume` [rad].
    Put it where the hinge is, with the same frames; the angle is known within half a turn of rest.
    """

    names = ("angle", "rad")
    force_unit = "N m"

    displacement: float = number(unit="m^3/rad", positive=True)
    rest: float = number(default=0.0, unit="rad")

    def lever(self):
        return self.displacement

    def position(self, a, b):
        return hinge_angle(a, b, self.rest)
