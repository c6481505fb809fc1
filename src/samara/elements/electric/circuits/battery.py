"""Battery."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, Contribution, Doubting, Output, Site, State, number, table

#: State of charge from which on a battery is said to be overcharged: what is below is noise.
OVERFULL = 1.0 + 1e-6


class Battery(Branch, Doubting):
    """A voltage that depends on the state of charge, behind a resistance; a is the positive pole, b the negative.

        v_a - v_b = voltage(x) + resistance i,     capacity dx/dt = i

    i: current from a to b through the battery [A], negative when it discharges. x: state of charge, 1 when full, the
    state ``battery.charge``. voltage: open-circuit voltage over x [V], a `Curve` from 0 to 1. capacity [C], 3600 C per
    ampere hour; resistance [ohm]; start: initial state of charge.

    The power it delivers, voltage(x) times the current, counts as external power. A run ends when the battery is empty.
    Above full charge the curve is extrapolated, and a warning reports the highest charge: only the circuit can stop
    the charging.
    """

    domain = ELECTRIC

    voltage: Any = table(unit="V")
    capacity: float = number(unit="C", positive=True)
    resistance: float = number(unit="ohm", positive=True)
    start: float = number(default=1.0, plain=True)

    @property
    def charge(self) -> State:
        """The state of charge."""
        return self.owned["charge"]

    def examine(self) -> None:
        super().examine()
        if not 0.0 <= float(self.start) <= 1.0:
            raise ValueError(f"start is a state of charge, from 0 to 1, got {float(self.start):g}")
        if self.voltage.x[0] > 0.0 or self.voltage.x[-1] < 1.0:
            raise ValueError("voltage must be given from state of charge 0, empty, to 1, full")
        if np.any(self.voltage.y < 0.0):
            raise ValueError(f"voltage must not be negative, got {self.voltage.y.min():g} V: a is the plus pole")

    def join(self, name: str) -> None:
        super().join(name)
        words = "the battery is empty: give it a larger capacity or start, or switch its load off before"
        self.charge.bound_below(0.0, words, name)

    def doubts(self, results: Any) -> list[str]:
        name = f"{self.name}.charge.value"
        most = float(np.max(results[name])) if name in results.channels else 0.0
        if most <= OVERFULL:
            return []
        return [f"its state of charge rose to {most:.3g}, beyond full: switch what charges it off before"]

    def own_states(self) -> dict[str, State]:
        return {"charge": State(1, value=self.start, scale=1.0, description="1 when full")}

    def formulate(self, site: Site) -> Contribution:
        a, b, x = site.states[:3]
        inner = self.voltage(x.value)
        i = (a.value - b.value - inner) / self.resistance
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * i, -self.domain.weight * i, self.capacity * x.rate - i],
            dissipated=self.resistance * i**2,
            supplied=-inner * i,
            outputs=[*self.report(a, b, i), Output("open_circuit", "V", inner)],
        )
