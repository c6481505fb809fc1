"""Switch."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.networks.branch import Branch
from samara.model import ELECTRIC, Contribution, Site, number, signal
from samara.tracing import fmax, fmin


class Switch(Branch):
    """A resistance that a signal switches smoothly between a low and a high value.

        i = (v_a - v_b) / R [A],     ln R = (1 - s) ln open + s ln resistance
        s = x^2 (3 - 2 x),           x: `closed` limited to 0..1

    closed: 0 for open, 1 for closed: a number, a drive, an input or a state. A `Step` switches at once and is an event;
    a `Cosine` switches gradually. resistance: of the closed switch [ohm]; open: of the open switch [ohm], finite, so
    that whatever it disconnects keeps a defined potential. In between, ln R is interpolated.
    """

    domain = ELECTRIC

    closed: Any = signal()
    resistance: float = number(default=1e-3, unit="ohm", positive=True)
    open: float = number(default=1e9, unit="ohm", positive=True)

    def examine(self) -> None:
        super().examine()
        if float(self.open) <= float(self.resistance):
            raise ValueError(
                f"open ({float(self.open):g} ohm) must be more than resistance ({float(self.resistance):g})"
            )

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        x = fmin(fmax(self.received(site, "closed"), 0.0), 1.0)
        s = x * x * (3.0 - 2.0 * x)
        i = (a.value - b.value) * np.exp(-(1.0 - s) * np.log(self.open) - s * np.log(self.resistance))
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * i, -self.domain.weight * i],
            dissipated=self.power(a, b, i),
            outputs=self.report(a, b, i),
        )
