"""Proportional, integral and derivative control."""

from __future__ import annotations

from typing import Any

from samara.elements.control.law import ControlLaw
from samara.elements.control.rounded import beyond as beyond
from samara.elements.control.rounded import clamped
from samara.model import State, number


class PID(ControlLaw):
    """A sum of three terms within limits.

        v = proportional e + x + derivative de_f/dt,      u = clamp(v)
        dx/dt = integral e - (v - u) / tracking,          lag de_f/dt = e - e_f

    u: the output, algebraic; x: the integral, which starts such that the output starts at `start` when the error does
    at zero; e_f: the error behind a lag, whose rate stands for the rate of the error up to the frequency 1 / lag. It
    starts at the error of the start: no kick.
    proportional, integral [1/s], derivative [s]: in units of the output by those of the error; lag [s]; tracking: time
    in which an integral that has run past a limit comes back [s] (back-calculation; Astrom and Hagglund, Advanced PID
    Control, 2006, section 3.5).
    """

    proportional: float = number(default=0.0)
    integral: float = number(default=0.0)
    derivative: float = number(default=0.0)
    lag: float = number(default=0.01, unit="s", positive=True)
    tracking: float = number(default=0.1, unit="s", positive=True)

    def own_states(self, start, unit, scale):
        return {
            "output": State(0, value=start, unit=unit, scale=scale),
            "integral": State(1, value=start, unit=unit, scale=scale),
            "lagged": State(1, scale=1.0, settled=True),
        }

    def balances(self, states, error):
        u, x, lagged = states
        slope = (error - lagged.value) / self.lag
        asked = self.proportional * error + x.value + self.derivative * slope
        return [
            u.value - self.clamp(asked),
            x.rate - self.integral * error + (asked - self.clamp(asked)) / self.tracking,
            lagged.rate - slope,
        ]

    def clamp(self, u: Any) -> Any:
        """u within the limits."""
        return clamped(u, self.lower, self.upper, self.corner)
