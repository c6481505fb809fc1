"""Integral control."""

from __future__ import annotations

from typing import Any

from samara.blocks.block import Inlet
from samara.blocks.control_law import ControlLaw
from samara.blocks.corners import within
from samara.model import State, number
from samara.tracing import fmax, fmin, select


class Integral(ControlLaw):
    """Integral control with conditional integration at the limits.

        du/dt = gain e room(u),     room: from 1 to 0 along a cubic over the last `corner` before the limit ahead

    Integration stops at a limit and resumes when the error changes sign (conditional integration), which prevents
    windup. Sampled, u_k = u_{k-1} + h (du/dt)_{k-1}, within the limits, starting at `initial`.
    gain: [unit of the output / (unit of the error s)].
    """

    gain: float = number()
    initial: float = number(default=0.0)

    def _rate(self, u: Any, error: Any) -> Any:
        rate = self.gain * error
        ahead = select(rate > 0.0, self.upper - u, u - self.lower)
        return rate * _smooth(ahead / self.corner)

    def own_states(self, start, unit, scale):
        return {"output": State(1, value=start, unit=unit, scale=scale)}

    def answers(self, states, error, target, difference):
        return [states[0].rate - self._rate(states[0].value, error)]

    def ports(self):
        return {"r": Inlet(), "y": Inlet()}

    def start(self, u):
        """The output and its rate."""
        return [self.initial, 0.0]

    def output(self, x, u, h):
        return [within(x[0] + h * x[1], self.lower, self.upper)]

    def next(self, x, u, h):
        (y,) = self.output(x, u, h)
        return [y, self._rate(y, u[0] - u[1])]


def _smooth(x: Any) -> Any:
    """0 below 0, 1 above 1, a cubic between."""
    x = fmin(fmax(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)
