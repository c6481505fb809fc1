"""Servo with limits."""

from __future__ import annotations

from typing import Any

from samara.arguments import several
from samara.blocks.corners import clamped
from samara.elements.control.servos.limits import Limited
from samara.model import Contribution, Output, Site, State, number, setting, signal

#: Part of the largest rate over which the rate bends into it.
BEND = 0.2


class LimitedServo(Limited):
    """A first-order servo with limits on position and rate.

        dx/dt = clamp((c - x) / time, -rate, rate),     c = clamp(command(t) + gain (sum of y), lower, upper)

    Neither limit is ever exceeded: c is rounded into its limits over `corner`, the rate over the last fifth of `rate`;
    otherwise the servo is a first-order lag.

    command: a signal, in `unit`: the pilot's input. y: states added to it, such as ``[regulator.output]``; gain: factor
    on their sum. time: time constant [s]; rate: maximum rate [unit/s]; lower, upper: limits of the value. start, scale:
    initial value, from lower to upper, and its typical size. The state is
    ``servo.output``, channel ``servo.output.value``.
    """

    command: Any = signal()
    time: float = number(unit="s", positive=True)
    rate: float = number(positive=True)
    corner: float = number(default=0.01, positive=True)
    y: Any = setting(default=())
    gain: float = number(default=1.0)

    def prepare(self) -> None:
        super().prepare()
        self.y = tuple(several("y", self.y))

    def own_states(self) -> dict[str, State]:
        return {"output": State(1, **self.about())}

    def readings(self) -> list[State]:
        return [*super().readings(), *self.y]

    def structure(self) -> tuple:
        return (*super().structure(), len(self.y))

    def unit_of(self, output: Output) -> str:
        return self.unit

    def formulate(self, site: Site) -> Contribution:
        *others, x = site.states
        added = others[len(others) - len(self.y) :]
        asked = self.received(site, "command") + self.gain * sum(s.value for s in added)
        within = self.within(asked)
        rate = clamped((within - x.value) / self.time, -self.rate, self.rate, BEND * self.rate)
        return Contribution(
            wrenches=[],
            balances=[x.rate - rate],
            outputs=[Output("command", "1", asked, description="commanded value before the limits")],
        )
