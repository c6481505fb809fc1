"""Lag dampers of rotors: a linear one, and a hydraulic one with relief valves, equivalent for small motion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.hydraulic.cylinders.hinge_damper import HydraulicHingeDamper
from samara.elements.hydraulic.fluids.linear_fluid import LinearFluid
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.elements.hydraulic.valves.valve import unit_clamp
from samara.model import Node

KINDS = ("linear", "hydraulic")
STAND_IN = "sizes of the hydraulic lag dampers"


@dataclass(frozen=True)
class HydraulicLagDamper:
    """A piston in oil with a small orifice and relief valves; all numbers except the damping are stand-ins.

    For slow motion the flow through the orifice is laminar, and the moment is that of a linear damper,

        M = damping rate,     damping = displacement^2 / G,     G = 2 Cd^2 A D / (Re mu) + bleed / (2 rho)

    G: volume flow per pressure drop [m^3/(s Pa)] of the orifice (`throttle`) and the bleed, from which `diameter`
    follows. Above the moment `limit` the relief valves open, and the moment hardly increases with speed. For motion
    of frequency omega and an amplitude X far above limit / (damping omega), the moment is practically
    limit sign(rate), with the

        equivalent viscous damping = 4 limit / (pi omega X)

    which dissipates the same energy in a period. The oil is a spring of the given `stiffness` in series: at a frequency
    omega it reduces the damping by the fraction (damping omega / stiffness)^2, about 0.01 at 28 rad/s.

    The valves open in proportion to the pressure drop over a wide range, of which they use little: if they were fully
    open shortly above the cracking pressure, Newton's method would cycle between open and closed at a step rate of
    400 Hz.

    damping: for small motion [N m s/rad]; displacement: piston area times lever [m^3/rad]; volume: of a chamber at
    mid-stroke [m^3]; opening, full: pressure drops at which the valves start to open and are fully open [Pa];
    relief_area [m^2]; charge [Pa, absolute]; viscosity [Pa s]; transition: Reynolds number up to which the flow is
    laminar, that of a long hole.
    """

    damping: float
    displacement: float = 2.4e-4
    volume: float = 1.1e-4
    opening: float = 7.5e6
    full: float = 38e6
    relief_area: float = 1.5e-4
    charge: float = 9e6
    density: float = 870.0
    bulk_modulus: float = 1.7e9
    viscosity: float = 0.07
    discharge: float = 0.6
    transition: float = 2000.0
    bleed: float = 1e-11

    @property
    def limit(self) -> float:
        """Moment at which the valves start to open [N m]."""
        return self.displacement * self.opening

    @property
    def stiffness(self) -> float:
        """Stiffness of the oil in both chambers, in series with the damper [N m/rad]."""
        return 2.0 * self.bulk_modulus * self.displacement**2 / self.volume

    @property
    def diameter(self) -> float:
        """Orifice diameter [m]: pi/4 D^3 = A D follows from the damping."""
        conductance = self.displacement**2 / self.damping - 0.5 * self.bleed / self.density
        return float(np.cbrt(2.0 * conductance * self.transition * self.viscosity / (np.pi * self.discharge**2)))

    def rate(self, moment: Any) -> Any:
        """Constant hinge rate [rad/s] resisted by this moment [N m], from the laws of orifice and valves."""
        drop = np.asarray(moment, float) / self.displacement
        laminar = transition_drop(self.transition, self.diameter, self.discharge, self.density, self.viscosity)
        lift = unit_clamp((np.abs(drop) - self.opening) / (self.full - self.opening))
        area = 0.25 * np.pi * self.diameter**2 + lift * self.relief_area
        through = throttle(drop, area, self.discharge, self.density, laminar) + 0.5 * self.bleed * drop
        return through / (self.density * self.displacement)

    def equivalent(self, amplitude: float, omega: float) -> float:
        """Equivalent viscous damping in harmonic motion of this amplitude [rad] and frequency [rad/s] [N m s/rad].

        From the steady moment M(rate), without the oil spring:  1 / (pi X) integral of M(omega X cos) cos.
        """
        moment = np.linspace(0.0, self.displacement * self.full, 20001)
        angle = 0.5 * np.pi * (np.arange(2000) + 0.5) / 2000
        resisted = np.interp(omega * amplitude * np.cos(angle), self.rate(moment), moment)
        return float(2.0 * np.mean(resisted * np.cos(angle)) / (omega * amplitude))

    def coulomb(self, amplitude: float, omega: float) -> float:
        """The same for a moment of `limit` at any speed: 4 limit / (pi omega X) [N m s/rad]."""
        return 4.0 * self.limit / (np.pi * omega * amplitude)

    def element(self, a: Node, b: Node, **frames: Any) -> HydraulicHingeDamper:
        """The element between two nodes, about the z axis of the frames."""
        fluid = LinearFluid(reference_density=self.density, bulk_modulus=self.bulk_modulus, viscosity=self.viscosity)
        return HydraulicHingeDamper(
            a, b, fluid=fluid, displacement=self.displacement, volume=self.volume, diameter=self.diameter,
            opening=self.opening, full=self.full, relief_area=self.relief_area, charge=self.charge, bleed=self.bleed,
            discharge=self.discharge, transition=self.transition, **frames,
        )  # fmt: skip
