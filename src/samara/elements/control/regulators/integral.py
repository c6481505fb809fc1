"""Integral control."""

from __future__ import annotations

from typing import Any

from samara.elements.control.regulators.control_law import ControlLaw
from samara.model import State, number
from samara.tracing import fmax, fmin, select


class Integral(ControlLaw):
    """The output is the integral of the error.

        du/dt = gain e room(u),     room: from 1 to 0 along a cubic over the last `corner` before the limit ahead

    Integration stops at a limit and starts again as soon as the error turns (conditional integration): the integral
    does not wind up. gain: [unit of the output / (unit of the error s)].
    """

    gain: float = number()

    def own_states(self, start, unit, scale):
        return {"output": State(1, value=start, unit=unit, scale=scale)}

    def balances(self, states, error):
        u, rate = states[0], self.gain * error
        ahead = select(rate > 0.0, self.upper - u.value, u.value - self.lower)
        return [u.rate - rate * _smooth(ahead / self.corner)]


def _smooth(x: Any) -> Any:
    """0 below 0, 1 above 1, a cubic between."""
    x = fmin(fmax(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)
