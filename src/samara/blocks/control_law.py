"""Base of control laws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samara.blocks.block import Block
from samara.blocks.corners import NO_LIMIT, require_limits
from samara.model import KeywordRecord, State, StateMotion, number


class ControlLaw(Block, KeywordRecord):
    """Base of control laws: from an error, set point minus measured value, to an output u between two limits.

    lower, upper: limits of the output, in its unit; none by default.
    corner: in continuous time, the width over which the corner at a limit is rounded, in the unit of the output. For
            convergence of Newton's method it should exceed the change of the output in a few steps; at most the
            distance of the limits.
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
