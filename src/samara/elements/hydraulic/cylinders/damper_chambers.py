"""Common part of hydraulic dampers: two chambers, an orifice between them, and relief valves."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import Placed
from samara.elements.hydraulic.cylinders.chambers import Chambers
from samara.elements.hydraulic.fluids.filling import check_boiling, fill, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.elements.hydraulic.valves.valve import unit_clamp
from samara.elements.networks.storage import content_size, parted
from samara.model import HYDRAULIC, Contribution, Doubting, Grip, Output, Site, State, number, record
from samara.tracing import absolute


class DamperChambers(Placed, Doubting):
    """Two closed chambers on either side of a piston at x, V_1 = volume + area x and V_2 = volume - area x.

        F = (p_2 - p_1) area                                   resists x
        d/dt [rho(p_1) V_1] = -w - b_1,   d/dt [rho(p_2) V_2] = w - b_2,   w = w_orifice + w_relief, from 1 to 2
        b_k = bleed (p_k - charge)                             to a reservoir

    p_1, p_2: states [Pa, absolute], initially `charge`; ``amount_1``, ``amount_2``: the masses rho V [kg], tied
    to the pressures and to x, so that mass is conserved. w_orifice is that of an `Orifice`; the relief valves, one for
    each direction and without inertia, open to relief_area as |p_1 - p_2| goes from opening to full. The force is
    linear in slow motion and grows with the square of the speed in fast motion until the valves open; beyond that it
    hardly exceeds opening times area. The compressible liquid acts as a spring in series. The reservoir slowly restores
    the mean pressure, completely at rest.

    fluid: a compressible `Fluid`. volume: of each chamber at x = 0 [m^3]. diameter: of the orifice [m];
    discharge: its coefficient; transition: its transition Reynolds number. opening, full [Pa]; relief_area [m^2];
    charge: initial pressure, and that of the reservoir [Pa, absolute], high enough to prevent boiling; bleed:
    conductance to the reservoir [kg/(s Pa)], too small to affect the motion.
    """

    grip = Grip.FORCE

    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    volume: float = number(unit="m^3", positive=True)
    diameter: float = number(unit="m", positive=True)
    opening: float = number(unit="Pa", positive=True)
    full: float = number(unit="Pa", positive=True)
    relief_area: float = number(unit="m^2", positive=True)
    charge: float = number(default=1e6, unit="Pa", positive=True, plain=True)
    bleed: float = number(default=1e-11, unit="kg/(s Pa)", nonnegative=True)
    discharge: float = number(default=0.6, positive=True)
    transition: float = number(default=10.0, positive=True)

    def examine(self) -> None:
        super().examine()
        check_boiling("charge", self.charge, self.fluid)
        if not self.fluid.compressible:
            raise ValueError("its pressures follow from the compression of the liquid: give it a LinearFluid")
        if not float(self.opening) < float(self.full):
            raise ValueError(f"opening ({float(self.opening):g} Pa) must be less than full ({float(self.full):g} Pa)")

    def own_states(self) -> dict[str, State]:
        pressures = {
            f"pressure_{k}": State(1, value=self.charge, unit="Pa", scale=HYDRAULIC.scale, description="absolute")
            for k in (1, 2)
        }
        size = content_size(self, pressures["pressure_1"], lambda twin, p: twin.fluid.density(p.value) * twin.volume)
        amounts = {
            f"amount_{k}": State(1, unit="kg", scale=size, tied=True, description=f"liquid in chamber {k}")
            for k in (1, 2)
        }
        return pressures | amounts

    def join(self, name: str) -> None:
        super().join(name)
        fill([self.owned["pressure_1"], self.owned["pressure_2"]], self.fluid, name)

    def doubts(self, results: Any) -> list[str]:
        pressures = [self.owned["pressure_1"], self.owned["pressure_2"]]
        found = unknown(results, pressures, self.fluid, self.name)
        return [*found, *parted(results, self.name, ["amount_1", "amount_2"], "kg")]

    def position(self, a: Any, b: Any) -> Any:
        """x, from the frames of the element [m or rad]."""
        raise NotImplementedError

    def lever(self) -> Any:
        """Derivative of the volume with respect to x [m^2 or m^3/rad]."""
        raise NotImplementedError

    def passed(self, p: Any, q: Any) -> Any:
        """Mass flow from pressure p to q through orifice and valves [kg/s]."""
        rho, mu, drop = self.fluid.density(0.5 * (p + q)), self.fluid.shear_viscosity(), p - q
        area = 0.25 * np.pi * self.diameter**2
        limit = transition_drop(self.transition, self.diameter, self.discharge, rho, mu)
        lift = unit_clamp((absolute(drop) - self.opening) / (self.full - self.opening))
        return throttle(drop, area + lift * self.relief_area, self.discharge, rho, limit)

    def formulate(self, site: Site) -> Contribution:
        chambers = Chambers(self.fluid, [self.lever()] * 2, [self.volume] * 2)

        def position(a, b):
            return self.position(a.at(self.place_a), b.at(self.place_b))

        q = site.measure(lambda a, b: [position(a, b)])
        m = site.measure(lambda a, b: chambers.masses([s.value for s in site.states[:2]], position(a, b)))
        x, rate, p, kept = q.value[0], q.rate[0], [s.value for s in site.states[:2]], site.states[2:4]
        flow, effort = self.passed(*p), -chambers.push(p)
        bled, weight = [self.bleed * (pressure - self.charge) for pressure in p], HYDRAULIC.weight
        drops = [self.fluid.enthalpy_drop(pressure, self.charge) for pressure in p]
        return Contribution(
            wrenches=q.wrenches([effort]),
            balances=[
                weight * (kept[0].rate + flow + bled[0]),
                weight * (kept[1].rate - flow + bled[1]),
                *(weight * site.tied(kept[k], m.value[k], m.rate[k]) for k in (0, 1)),
            ],
            potential=chambers.energy(p, x),
            dissipated=flow * self.fluid.enthalpy_drop(*p) + bled[0] * drops[0] + bled[1] * drops[1],
            supplied=-sum(bled) * self.fluid.enthalpy(self.charge),
            outputs=self._report(x, rate, effort, flow, p, sum(m.value)),
        )

    def _report(self, x, rate, effort, flow, p, mass) -> list[Output]:
        (name, unit), force = self.names, self.force_unit
        return [
            Output(name, unit, x),
            Output(f"{name}_rate", f"{unit}/s", rate),
            Output("effort", force, effort, description="against the motion"),
            Output("drop", "Pa", p[1] - p[0], description="of chamber 2 over chamber 1"),
            Output("mass_flow", "kg/s", flow, description="from chamber 1 to chamber 2"),
            Output("content", "kg", mass, description="of both chambers"),
        ]

    #: name and unit of x, and unit of its effort
    names = ("stroke", "m")
    force_unit = "N"
