"""Pump or motor on a shaft."""

from __future__ import annotations

from typing import Any

from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.elements.hydraulic.fluids.filling import fill, pressed, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.networks.element import NetworkElement
from samara.model import (
    HYDRAULIC,
    Connection,
    Contribution,
    Doubting,
    Junction,
    Output,
    Site,
    Way,
    number,
    record,
    state,
)


class ShaftPump(Placed, NetworkElement, Doubting):
    """A displacement pump, or a hydraulic motor, whose shaft is node b and whose housing is node a.

        w = rho(p_in) displacement dq/dt - leakage (p_out - p_in),     from the inlet to the outlet
        C = rho(p_in) displacement (h(p_out) - h(p_in)) + drag dq/dt   turns b back [N m]

    q: angle of b relative to a about the common z axis of their frames [rad]. C is displacement (p_out - p_in) apart
    from the compression of the liquid. With the opposite pressure difference it is a motor. inlet, outlet: junctions
    with the pressures p_in and p_out; fluid: a `Fluid`; displacement [m^3/rad]; leakage [kg/(s Pa)]; drag: viscous
    [N m s/rad]. Place it at the shaft's hinge, with the same frames.
    """

    domain = HYDRAULIC

    inlet: Junction = state(kw_only=False)
    outlet: Junction = state(kw_only=False)
    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    displacement: float = number(unit="m^3/rad", positive=True)
    leakage: float = number(default=0.0, unit="kg/(s Pa)", nonnegative=True)
    drag: float = number(default=0.0, unit="N m s/rad", nonnegative=True)

    def junctions(self) -> list[Junction]:
        return [self.inlet, self.outlet]

    def examine(self) -> None:
        super().examine()
        if self.inlet is self.outlet:
            raise ValueError(f"inlet and outlet are both at junction {self.inlet.name!r}")

    def join(self, name: str) -> None:
        super().join(name)
        fill(self.junctions(), self.fluid, name)

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS if float(self.leakage) > 0.0 else Way.FLOWS, self.inlet, self.outlet)]

    def doubts(self, results: Any) -> list[str]:
        found = pressed(results, self.junctions(), self.fluid)
        return [*found, *unknown(results, self.junctions(), self.fluid, self.name)]

    def formulate(self, site: Site) -> Contribution:
        q = site.measure(lambda a, b: [hinge_angle(a.at(self.place_a), b.at(self.place_b))])
        p_in, p_out = (s.value for s in site.states[:2])
        rate, rise = q.rate[0], self.fluid.enthalpy_drop(p_out, p_in)
        per_angle = self.fluid.density(p_in) * self.displacement
        back = self.leakage * (p_out - p_in)
        flow, torque = per_angle * rate - back, per_angle * rise
        weight = self.domain.weight
        return Contribution(
            wrenches=q.wrenches([torque + self.drag * rate]),
            balances=[weight * flow, -weight * flow],
            dissipated=back * rise + self.drag * rate**2,
            outputs=[
                Output("speed", "rad/s", rate, description="of b against a"),
                Output("torque", "N m", torque + self.drag * rate, description="turns b back"),
                Output("mass_flow", "kg/s", flow, description="from inlet to outlet"),
                Output("rise", "Pa", p_out - p_in, description="of the outlet over the inlet"),
            ],
        )
