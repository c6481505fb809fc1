"""Hydraulic damper along a line."""

from __future__ import annotations

from samara.elements.hydraulic.cylinders.damper_chambers import DamperChambers
from samara.elements.springs.line import Line
from samara.model import number


class HydraulicDamper(DamperChambers, Line):
    """A damper along the line between two points: a piston in liquid, with an orifice and relief valves.

        x = |p_PQ| - length,     F = (p_2 - p_1) area pulls the points together [N]

    For rotor lag dampers, landing gears and shock absorbers; see `DamperChambers` for the equations. area: of the
    piston [m^2], with a rod on both sides; length: at which the chambers are equal [m], by default that in the
    reference pose. See `Line` for the ways to give the points.
    """

    area: float = number(unit="m^2", positive=True)
    length: float = number(default=None, unit="m", positive=True)

    def prepare(self) -> None:
        super().prepare()
        if self.length is None:
            self.length = self.reference_distance()

    def examine(self) -> None:
        super().examine()
        x = self.reference_distance() - float(self.length)
        if not float(self.volume) > float(self.area) * abs(x):
            raise ValueError(f"a chamber has no volume in the reference pose, where the stroke is {x:g} m: see length")

    def lever(self):
        return self.area

    def position(self, a, b):
        return self.coordinates(a, b)[0] - self.length
