"""What a control law is to a regulator."""

from __future__ import annotations

from typing import Any

from samara.model import ModelError, Record, State, StateMotion, number
from samara.tracing import select

#: A limit that is never reached.
FAR = 1e12


class ControlLaw(Record):
    """From an error, set point less measured value, to an output u between two limits.

    lower, upper: limits of the output, in its unit; none by default.
    corner: half the width over which the output bends into a limit, in its unit: smooth, and exact away from there.
    tracking: time in which an integral that has run past a limit comes back [s] (back-calculation; Astrom and
            Hagglund, Advanced PID Control, 2006, section 3.5).
    """

    _keywords_only = True

    lower: float = number(-FAR)
    upper: float = number(FAR)
    corner: float = number(1e-3, positive=True)
    tracking: float = number(0.1, unit="s", positive=True)

    def validate(self) -> None:
        super().validate()
        if not float(self.lower) < float(self.upper):
            raise ModelError(
                f"{type(self).__name__}: lower ({float(self.lower):g}) must be less than upper ({float(self.upper):g})"
            )

    def own_states(self, start: float, unit: str, scale: float) -> dict[str, State]:
        """States of the law, one of them called ``output``; `start`: the output at the start."""
        raise NotImplementedError

    def balances(self, states: list[StateMotion], error: Any) -> list:
        """One expression a state that vanishes."""
        raise NotImplementedError

    def clamp(self, u: Any) -> Any:
        """u within the limits."""
        return u - beyond(u - self.upper, self.corner) + beyond(self.lower - u, self.corner)


def beyond(x: Any, corner: Any) -> Any:
    """max(x, 0) with its corner rounded by a parabola over -corner .. corner."""
    near = select(x > -corner, select(x < corner, x, corner), -corner)
    return select(x > corner, x, (near + corner) ** 2 / (4.0 * corner))
