"""Base of regulators."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.control_law import ControlLaw
from samara.model import Contribution, EnergyBooks, Output, Site, State, number, record, setting, signal


class Regulator(EnergyBooks):
    """Base of regulators: a control law of the difference of a set point and a measured quantity, `measured`.

        e = target - measured,     law(e) -> output

    target: a signal, in the unit of what is measured: a number, a `Parameter`, a drive, an input, or the output of
            another block or regulator.
    law:    `Integral(...)` or `PID(...)`.
    start:  initial output, within the limits of the law; unit, scale: of the output, scale its typical size.

    The output is a state of the regulator, `regulator.output`, channel ``regulator.output.value``: pass it to a
    `RotaryServo`, a `ServoMotor` or a user-defined element.
    """

    law: ControlLaw = record()
    target: Any = signal()
    start: float = number(default=0.0, plain=True)
    unit: str = setting(default="1")
    scale: float = setting(default=1.0)

    def prepare(self) -> None:
        super().prepare()
        if not isinstance(self.law, ControlLaw):
            raise ValueError(f"law must be a control law such as PID(...), got {self.law!r}")
        self.law.require_continuous()

    @property
    def output(self) -> State:
        """The state that follows the law; its value is the answer of the regulator."""
        return self.owned["output"]

    def own_states(self) -> dict[str, State]:
        return self.law.own_states(self.start, self.unit, self.scale)

    def measured(self, site: Site) -> Any:
        """The quantity to be regulated."""
        raise NotImplementedError

    def error(self, measured: Any, target: Any) -> Any:
        """Target less measured; of an angle that goes round, the short way."""
        return target - measured

    def formulate(self, site: Site) -> Contribution:
        measured = self.measured(site)
        target = self.received(site, "target")
        error = self.error(measured, target)
        own = site.states[len(site.states) - len(self.owned) :]
        return Contribution(
            wrenches=[np.zeros(6) for _ in site.frames],
            balances=self.law.answers(own, error, target, self.error),
            outputs=[
                Output("measured", "1", measured),
                Output("error", "1", error, description="target less measured"),
            ],
        )
