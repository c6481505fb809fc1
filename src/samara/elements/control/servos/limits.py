"""A value between two limits."""

from __future__ import annotations

from typing import Any

from samara.blocks.corners import check_limits, check_start, clamped
from samara.model import EnergyBooks, State, number, setting


class Limited(EnergyBooks):
    """Has an output between limits, into which it bends over `corner`.

    lower, upper: limits, in `unit`. start: of the output, from lower to upper; scale: a size of it that matters. A
    family owns the state "output".
    """

    lower: float = number()
    upper: float = number()
    corner: float = number(positive=True)
    start: float = number(default=0.0, plain=True)
    unit: str = setting(default="1")
    scale: float = setting(default=1.0)

    def examine(self) -> None:
        super().examine()
        check_limits(self.lower, self.upper, self.corner)
        if not self.name:  # limits that move later leave the start behind
            check_start(self.start, self.lower, self.upper)

    @property
    def output(self) -> State:
        """The state between the limits."""
        return self.owned["output"]

    def about(self) -> dict[str, Any]:
        """Start, unit and scale of the output, as a state has them."""
        return {"value": self.start, "unit": self.unit, "scale": self.scale}

    def within(self, asked: Any) -> Any:
        """What is asked for, between the limits."""
        return clamped(asked, self.lower, self.upper, self.corner)
