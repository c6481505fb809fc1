"""What a control law is to a regulator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samara.elements.control.blocks.smooth_corners import check_limits
from samara.model import KeywordRecord, ModelError, State, StateMotion, number

#: A limit that is never reached.
NO_LIMIT = 1e12


class ControlLaw(KeywordRecord):
    """From an error, set point less measured value, to an output u between two limits.

    lower, upper: limits of the output, in its unit; none by default.
    corner: width over which the output bends into a limit, in its unit: smooth, and exact away from there.
            Newton's method likes it wider than what the output changes by in a few steps. Not wider than from lower
            to upper.
    """

    lower: float = number(default=-NO_LIMIT)
    upper: float = number(default=NO_LIMIT)
    corner: float = number(default=0.01, positive=True)

    def validate(self) -> None:
        super().validate()
        try:
            check_limits(self.lower, self.upper, self.corner)
        except ValueError as error:
            raise ModelError(f"{type(self).__name__}: {error}") from None

    def own_states(self, start: float, unit: str, scale: float) -> dict[str, State]:
        """States of the law, one of them called ``output``; `start`: the output at the start."""
        raise NotImplementedError

    def balances(self, states: list[StateMotion], error: Any) -> list:
        """One expression a state that vanishes."""
        raise NotImplementedError

    def respond(
        self, states: list[StateMotion], error: Any, target: Any, difference: Callable[[Any, Any], Any]
    ) -> list:
        """The same for a law that looks at the target too; by default it does not.

        difference: (from, to) of two errors; of an angle, the short way round.
        """
        return self.balances(states, error)
