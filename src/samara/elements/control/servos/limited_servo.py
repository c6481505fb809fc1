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
    """A state that follows a command with a lag, within limits of its value and of its rate.

        dx/dt = clamp((c - x) / time, -rate, rate),     c = clamp(command(t) + gain (sum of y), lower, upper)

    Both limits are never passed: c bends into its own over `corner`, the rate over the last fifth of `rate`; away from
    there the servo is a lag of first order.

    command: a signal, in `unit`: the pilot. y: states that are added, such as
    ``[regulator.output]``; gain: on their sum. time: of the lag [s]; rate: the largest [unit/s]; lower, upper: of the
    value. start, scale: value at the start, from lower to upper, and a size of it that matters. The state is
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
            outputs=[Output("command", "1", asked, description="what is asked for, before the limits")],
        )
