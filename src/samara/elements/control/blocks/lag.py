"""First-order lag."""

from __future__ import annotations

from typing import Any

from samara.model import Contribution, EnergyBooks, Output, Site, State, number, setting, signal


class Lag(EnergyBooks):
    """A first-order lag: an actuator between a command and the servos that use its state.

        time dx/dt + x = command

    command: a signal, in `unit`: a number, a `Parameter`, a drive, an input or a state. time: time constant [s]. start,
    scale: initial value of the state, and its typical size. The state is ``lag.output``, channel ``lag.output.value``:
    pass it to a `RotaryServo` or a `ServoMotor`.
    """

    command: Any = signal()
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
        x, command = site.states[-1], self.received(site, "command")
        return Contribution(
            wrenches=[],
            balances=[self.time * x.rate + x.value - command],
            outputs=[Output("command", "1", command)],
        )
