"""What all blocks of signals share."""

from __future__ import annotations

from samara.model import Defining, EnergyBooks, Output, State, setting


class SignalBlock(EnergyBooks, Defining):
    """From signals that come in to a signal that goes out, ``block.output``: a state that others take.

    A signal is a scalar state, and what goes into a block may also be anything that a drive can be: a number, a
    `Parameter`, a drive, an `Input` that is fed from outside, a function of t. A signal has a name and a unit, is
    recorded as ``block.output.value`` and belongs to the equations of a step: there is no delay of a step in a loop.

    unit, scale: of the output, scale a size that matters.
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
