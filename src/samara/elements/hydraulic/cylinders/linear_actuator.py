"""Hydraulic cylinder."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from samara.elements.hydraulic.cylinders.chambers import Chambers
from samara.elements.hydraulic.fluids.filling import check_kept, fill, unknown
from samara.elements.hydraulic.fluids.fluid import ATMOSPHERE, Fluid
from samara.elements.laws.free import FreeLaw
from samara.elements.laws.law import Law
from samara.elements.networks.element import NetworkElement
from samara.elements.networks.storage import check_steady, content_size, parted
from samara.elements.springs.line import COINCIDENT, Line
from samara.model import (
    HYDRAULIC,
    Connection,
    Contribution,
    Doubting,
    Element,
    Junction,
    Output,
    Site,
    State,
    Surveying,
    Way,
    number,
    option,
    record,
    setting,
    state,
)


class LinearActuator(Line, NetworkElement, Doubting, Surveying):
    """A cylinder along the line between two points, with a chamber on one or both sides of the piston.

        F = p_1 A_1 - p_2 A_2 - p_air (A_1 - A_2) - seal(x, dx/dt) - stops(x, dx/dt)   pushes the points apart [N]
        flow into chamber 1 = d/dt [rho(p_1) V_1],     V_1 = volume_1 + A_1 x
        flow into chamber 2 = d/dt [rho(p_2) V_2],     V_2 = volume_2 - A_2 x,      x = |p_PQ| - length

    x: stroke [m], measured from the distance `length`, by default that in the reference pose. Pressures are absolute;
    air acts on the difference of the areas, the rod, and on the whole piston of a single-chamber cylinder. The gap
    around the piston leaks leakage (p_1 - p_2) [kg/s].

    p1: junction of chamber 1, which extends the cylinder; p2: that of chamber 2, None for a single-chamber cylinder.
    fluid: a `Fluid`. area_1, area_2 [m^2]; volume_1, volume_2: of the chambers at x = 0, including their lines [m^3];
    leakage [kg/(s Pa)]; air: ambient pressure [Pa]. seal: a `Law` of stroke and speed: ``DamperLaw`` for viscous
    friction, ``FrictionLaw`` for Stribeck friction, or their sum; `SealFriction` is a model with memory. stops: a `Law`
    of the stroke, such as ``StopLaw(LinearLaw(1e8, 1e5), lower=-0.2, upper=0.2)``: without stops the piston may leave
    its cylinder.

    States ``amount_1``, ``amount_2``: the masses rho V [kg], tied to pressures and stroke, so that mass is conserved.
    An `IncompressibleFluid` has none; the flow then depends on the speed alone. See `Line` for the ways to
    give the points.
    """

    domain = HYDRAULIC

    p1: Junction = state(kw_only=False)
    p2: Any = setting(default=None)
    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")
    area_1: float = number(unit="m^2", positive=True)
    volume_1: float = number(unit="m^3", positive=True)
    area_2: float = number(default=None, unit="m^2", nonnegative=True)
    volume_2: float = number(default=None, unit="m^3", nonnegative=True)
    length: float = number(default=None, unit="m", positive=True)
    leakage: float = number(default=0.0, unit="kg/(s Pa)", nonnegative=True)
    air: float = number(default=ATMOSPHERE, unit="Pa", nonnegative=True)
    seal: Law = record(default=None, of=Law, such_as="DamperLaw(...)")
    stops: Law = record(default=None, of=Law, such_as="StopLaw(...)")
    held: tuple = option(default=(False, False), init=False)

    def prepare(self) -> None:
        super().prepare()
        if self.p2 is None and any(x is not None for x in (self.area_2, self.volume_2)):
            raise ValueError("area_2 and volume_2 belong to a second chamber: give its junction, p2")
        self.area_2 = (self.area_1 if self.p2 is not None else 0.0) if self.area_2 is None else self.area_2
        self.volume_2 = (self.volume_1 if self.p2 is not None else 0.0) if self.volume_2 is None else self.volume_2
        self.length = self.reference_distance() if self.length is None else self.length
        self.seal = FreeLaw() if self.seal is None else self.seal
        self.stops = FreeLaw() if self.stops is None else self.stops

    def examine(self) -> None:
        super().examine()
        if self.p1 is self.p2:
            raise ValueError(f"both chambers are at junction {self.p1.name!r}")
        x = self.reference_distance() - float(self.length)
        if self.reference_distance() < COINCIDENT:
            raise ValueError("its ends coincide in the reference pose, so it has no direction: move one end")
        numbers = [self.area_1, self.area_2, self.volume_1, self.volume_2]
        areas, volumes = np.split(np.array([float(value) for value in numbers]), 2)
        count = len(self.junctions())
        for k, room in enumerate(Chambers(self.fluid, [*areas[:count]], [*volumes[:count]]).rooms(x), 1):
            if not float(room) > 0.0:
                raise ValueError(
                    f"chamber {k} has no volume in the reference pose ({float(room):g} m^3): give a larger volume_{k}, "
                    "or another length"
                )

    def junctions(self) -> list[Junction]:
        return [self.p1] if self.p2 is None else [self.p1, self.p2]

    def states(self) -> list[State]:
        return [*self.junctions(), *self.owned.values()]

    def own_states(self) -> dict[str, State]:
        if not self.fluid.compressible:
            return {}
        x = self.reference_distance() - float(self.length)

        def size(k: int, junction: Junction) -> float:
            return content_size(self, junction, lambda e, n: e.fluid.density(n.value) * e.chambers().rooms(x)[k])

        return {
            f"amount_{k + 1}": State(
                1, unit="kg", scale=size(k, junction), tied=True, description=f"liquid in chamber {k + 1}"
            )
            for k, junction in enumerate(self.junctions())
        }

    def structure(self) -> tuple:
        return (*super().structure(), self.p2 is None)

    def join(self, name: str) -> None:
        super().join(name)
        fill(self.junctions(), self.fluid, name)
        if self.fluid.compressible:
            for junction in self.junctions():
                junction.note_store()

    def connections(self) -> list[Connection]:
        if self.fluid.compressible:
            return [Connection(Way.STORES, junction) for junction in self.junctions()]
        return [Connection(Way.FLOWS, *self.junctions())]

    def survey(self, elements: Iterable[Element]) -> None:
        check_steady(self.junctions(), elements)
        check_kept(self.junctions(), self.fluid)
        object.__setattr__(self, "held", tuple(junction.held for junction in self.junctions()))

    def doubts(self, results: Any) -> list[str]:
        found = [] if any(self.held) else parted(results, self.name, list(self.owned), "kg")
        found += unknown(results, self.junctions(), self.fluid, self.name)
        for k in range(1, len(self.junctions()) + 1):
            name = f"{self.name}.volume_{k}"
            if name in results.channels and float(np.min(results[name])) <= 0.0:
                found.append(
                    f"its piston left chamber {k}: from there on it is wrong; give it stops, or a larger volume_{k}"
                )
        return found

    def chambers(self) -> Chambers:
        """The liquid chambers."""
        count = len(self.junctions())
        return Chambers(self.fluid, [self.area_1, self.area_2][:count], [self.volume_1, self.volume_2][:count])

    def stroke(self, a, b):
        """x [m]."""
        return self.coordinates(a.at(self.place_a), b.at(self.place_b))[0] - self.length

    def formulate(self, site: Site) -> Contribution:
        chambers = self.chambers()
        q = site.measure(lambda a, b: [self.stroke(a, b)])
        count = len(self.junctions())
        x, rate, p = q.value[0], q.rate[0], [s.value for s in site.states[:count]]

        m = site.measure(lambda a, b: chambers.masses([s.value for s in site.states[:count]], self.stroke(a, b)))
        v = site.measure(lambda a, b: chambers.rooms(self.stroke(a, b)))
        # a pressure that a source holds has no rate
        rates = [self.fluid.density(p[k]) * v.rate[k] if self.held[k] else m.rate[k] for k in range(count)]
        kept = site.states[count:]  # none of an incompressible fluid
        flows = [rates[k] if self.held[k] or not kept else kept[k].rate for k in range(count)]
        tied = [site.tied(s, m.value[k], rates[k]) for k, s in enumerate(kept)]
        push = chambers.push([*p]) - self.air * (self.area_1 - self.area_2)
        seal, stop = self.seal(x, rate), self.stops(x, rate)
        leak, heat = self._leak(p)
        lost = self.seal.dissipation(x, rate) + self.stops.dissipation(x, rate) + heat
        return Contribution(
            wrenches=q.wrenches([seal + stop - push]),
            balances=[self.domain.weight * y for y in (*(a + b for a, b in zip(flows, leak, strict=True)), *tied)],
            potential=chambers.energy(p, x) + self.air * (self.area_1 - self.area_2) * x
            + self.seal.potential(x) + self.stops.potential(x),
            dissipated=lost,
            outputs=self._report(x, rate, push, seal, stop, flows, v.value, m.value),
        )  # fmt: skip

    def _leak(self, p: list) -> tuple[list, Any]:
        """Leakage past the piston out of each chamber [kg/s], and its heat [W]."""
        if len(p) == 1:
            return [0.0], 0.0
        leak = self.leakage * (p[0] - p[1])
        return [leak, -leak], leak * self.fluid.enthalpy_drop(p[0], p[1])

    def _report(self, x, rate, push, seal, stop, flows, rooms, masses) -> list[Output]:
        mass_flows = [
            Output(f"mass_flow_{k}", "kg/s", flow, description=f"into chamber {k}") for k, flow in enumerate(flows, 1)
        ]
        volumes = [Output(f"volume_{k}", "m^3", room, description=f"of chamber {k}") for k, room in enumerate(rooms, 1)]
        return [
            Output("stroke", "m", x),
            Output("stroke_rate", "m/s", rate),
            Output("push", "N", push, description="of the pressures, apart"),
            Output("friction", "N", seal, description="of the seals, against the motion"),
            Output("stop", "N", stop, description="of the end stops, together"),
            *mass_flows,
            *volumes,
            Output("content", "kg", sum(masses), description="of all chambers"),
        ]
