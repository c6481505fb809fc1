"""Base of signal blocks."""

from __future__ import annotations

from samara.model import Defining, EnergyBooks, Output, State, setting


class SignalBlock(EnergyBooks, Defining):
    """Base of blocks: from input signals to an output signal, ``block.output``, a state that other elements use.

    A signal is a scalar state; inputs of a block may also be a number, a `Parameter`, a drive, an `Input` or a function
    of t. A signal has a name and a unit, is recorded as ``block.output.value`` and is part of the equations of a step:
    loops have no delay.

    unit, scale: of the output, scale its typical size.
    """

    unit: str = setting(default="1")
    scale: float = setting(default=1.0)

    @property
    def output(self) -> State:
        """The signal that goes out."""
        return self.owned["output"]

    def own_states(self) -> dict[str, State]:
        return {"output": self.new_output()}

    def defines(self) -> list[State]:
        return list(self.owned.values())

    def new_output(self, order: int = 0, value: float = 0.0, settled: bool = False) -> State:
        """A state for a signal that goes out."""
        return State(order, value=value, unit=self.unit, scale=self.scale, settled=settled)  # type: ignore[arg-type]

    def unit_of(self, output: Output) -> str:
        return self.unit
