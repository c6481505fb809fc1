"""Chambers whose volume a piston changes."""

from __future__ import annotations

from typing import Any

from samara.elements.hydraulic.fluids.fluid import Fluid


class Chambers:
    """Liquid on one or both sides of a piston at x: V_1 = V_10 + A_1 x, V_2 = V_20 - A_2 x.

    fluid; areas: A_1, A_2 [m^2, or m^3/rad about a hinge]; volumes: V_10, V_20 at x = 0 [m^3]. For a single
    chamber, one number of each.
    """

    def __init__(self, fluid: Fluid, areas: list, volumes: list) -> None:
        self.fluid = fluid
        self.signed_areas = [area if k == 0 else -area for k, area in enumerate(areas)]
        self.rest = volumes

    def rooms(self, x: Any) -> list:
        """Volumes [m^3]."""
        return [v + area * x for v, area in zip(self.rest, self.signed_areas, strict=True)]

    def masses(self, pressures: list, x: Any) -> list:
        """Of the liquid [kg]."""
        return [self.fluid.density(p) * v for p, v in zip(pressures, self.rooms(x), strict=True)]

    def push(self, pressures: list) -> Any:
        """Force towards larger x, p_1 A_1 - p_2 A_2 [N or N m]."""
        return sum(p * area for p, area in zip(pressures, self.signed_areas, strict=True))

    def energy(self, pressures: list, x: Any) -> Any:
        """Of the liquid, m h - p V in each [J]."""
        return sum(self.fluid.held_energy(p, v) for p, v in zip(pressures, self.rooms(x), strict=True))
