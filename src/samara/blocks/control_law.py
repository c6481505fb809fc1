"""What a control law is to a regulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samara.blocks.block import Block
from samara.blocks.corners import NO_LIMIT, require_limits
from samara.model import KeywordRecord, State, StateMotion, number


class ControlLaw(Block, KeywordRecord):
    """From an error, set point less measured value, to an output u between two limits.

    lower, upper: limits of the output, in its unit; none by default.
    corner: in continuous time, the width over which the output bends into a limit, in its unit: smooth, and exact away
            from there. Newton's method likes it wider than what the output changes by in a few steps. Not wider than
            from lower to upper.
    """

    lower: float = number(default=-NO_LIMIT)
    upper: float = number(default=NO_LIMIT)
    corner: float = number(default=0.01, positive=True)

    def validate(self) -> None:
        super().validate()
        require_limits(self)

    def require_continuous(self) -> None:
        super().require_continuous()
        require_limits(self, self.corner)

    def own_states(self, start: float, unit: str, scale: float) -> dict[str, State]:
        """States of the law, one of them called ``output``; `start`: the output at the start."""
        raise NotImplementedError

    def answers(
        self, states: list[StateMotion], error: Any, target: Any, difference: Callable[[Any, Any], Any]
    ) -> list:
        """One expression a state that vanishes. difference: (from, to) of two errors; of an angle, the short way."""
        raise NotImplementedError
