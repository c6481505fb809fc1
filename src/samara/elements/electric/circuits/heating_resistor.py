"""Resistor with heat output."""

from __future__ import annotations

from samara.blocks.corners import beyond
from samara.elements.networks.element import NetworkElement
from samara.model import ELECTRIC, THERMAL, Connection, Contribution, Junction, Output, Site, Way, number, state

#: Part of the resistance that is left in the deepest cold.
LEAST = 0.01


class HeatingResistor(NetworkElement):
    """A resistor that heats a thermal junction and whose resistance depends on the temperature there.

        i = (v_a - v_b) / R,     R = resistance max(1 + coefficient (T - reference), 0.01),     heat into t = R i^2

    a, b: electric junctions; t: thermal junction. resistance [ohm] at the temperature `reference` [K]; coefficient:
    [1/K], 0.0039 for copper. In series with a motor of low resistance it represents the winding. The corner of R,
    far below all temperatures at which the linear law is useful, is rounded over a width of 0.01.
    """

    domain = ELECTRIC

    a: Junction = state(kw_only=False)
    b: Junction = state(kw_only=False)
    t: Junction = state(kw_only=False)
    resistance: float = number(unit="ohm", positive=True)
    coefficient: float = number(default=0.0, unit="1/K", nonnegative=True)
    reference: float = number(default=293.15, unit="K", positive=True)

    def junctions(self) -> list[Junction]:
        return [self.a, self.b]

    def examine(self) -> None:
        super().examine()
        if self.a is self.b:
            raise ValueError(f"both ends are at junction {self.a.name!r}: nothing would flow")
        if not isinstance(self.t, Junction) or self.t.domain is not THERMAL:
            raise ValueError(f"t must be a thermal junction, what model.temperature(...) returned, got {self.t!r}")

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.a, self.b), Connection(Way.FLOWS, self.t)]

    def formulate(self, site: Site) -> Contribution:
        a, b, t = (s.value for s in site.states)
        factor = 1.0 + self.coefficient * (t - self.reference)
        resistance = self.resistance * (LEAST + beyond(factor - LEAST, 0.5 * LEAST))
        i = (a - b) / resistance
        heat = (a - b) * i
        return Contribution(
            wrenches=[],
            balances=[ELECTRIC.weight * i, -ELECTRIC.weight * i, -THERMAL.weight * heat],
            outputs=[
                Output("current", "A", i, description="from a to b"),
                Output("voltage", "V", a - b, description="of a over b"),
                Output("resistance", "ohm", resistance),
                Output("heat", "W", heat, description="into t"),
            ],
        )
