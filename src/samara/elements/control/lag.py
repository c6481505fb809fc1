"""Actuator that follows a command with a lag."""

from __future__ import annotations

from typing import Any

from samara.model import Contribution, Element, Output, Site, State, driven, number, setting


class Lag(Element):
    """A state that follows a drive: an actuator between a command from outside and the servos that take its state.

        time dx/dt + x = command(t)

    command: a number, a `Parameter`, a drive or an input, in `unit`. time: of the lag [s]. start, scale: value of the
    state at the start, and a size of it that matters. The state is ``lag.output``, channel ``lag.output.value``: give
    it to a `RotaryServo` or a `ServoMotor`.
    """

    command: Any = driven()
    time: float = number(unit="s", positive=True)
    start: float = number(default=0.0, plain=True)
    unit: str = setting(default="1")
    scale: float = setting(default=1.0)

    @property
    def output(self) -> State:
        """The state that follows the command."""
        return self.owned["output"]

    def own_states(self) -> dict[str, State]:
        return {"output": State(1, value=self.start, unit=self.unit, scale=self.scale)}

    def unit_of(self, output: Output) -> str:
        return self.unit

    def formulate(self, site: Site) -> Contribution:
        x = site.states[0]
        return Contribution(
            wrenches=[],
            balances=[self.time * x.rate + x.value - self.command],
            outputs=[Output("command", "1", self.command)],
        )
