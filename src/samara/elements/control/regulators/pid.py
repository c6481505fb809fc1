"""Proportional, integral and derivative control."""

from __future__ import annotations

from typing import Any

from samara.elements.control.blocks.smooth_corners import beyond as beyond
from samara.elements.control.blocks.smooth_corners import clamped
from samara.elements.control.regulators.control_law import ControlLaw
from samara.model import State, number


class PID(ControlLaw):
    """A sum of three terms within limits.

        v = proportional (b r - y) + x + derivative de_f/dt,      u = clamp(v)
        dx/dt = integral (r - y) - (v - u) / tracking,            lag de_f/dt = (c r - y) - e_f

    r: the target, y: what is measured; with the weights b = c = 1 all three terms are of the error e = r - y. u: the
    output, algebraic; x: the integral, which starts at `start`: the output does so too where b r = y at the start; e_f:
    c r - y behind a lag, whose rate stands for its own up to the frequency 1 / lag. It starts settled: no kick.

    b, c: weights of the target. A jump of r by d goes through the derivative as a kick of
    c derivative d / lag exp(-t / lag): c = 0 takes the derivative of what is measured alone, and no jump of the target
    gets into it; b below 1 lets the output jump less, and makes less overshoot. Loads and noise are answered alike
    whatever they are, and so is the target in the end, as the integral sees all of it; without an integral the output
    settles at b r. The discrete one, `samara.realtime.controllers.DiscretePID`, has the same weights, its c being 0 by
    default. Of angles y and r differ by whole turns, and the rate of c r - y is taken the short way round; where b is
    not 1, let the target stay within half a turn.

    proportional, integral [1/s], derivative [s]: in units of the output by those of the error; lag [s]; tracking: time
    in which an integral that has run past a limit comes back [s] (back-calculation; Astrom and Hagglund, Advanced PID
    Control, 2006, section 3.5; weights of the set point: section 3.4).
    """

    proportional: float = number(default=0.0)
    integral: float = number(default=0.0)
    derivative: float = number(default=0.0)
    lag: float = number(default=0.01, unit="s", positive=True)
    tracking: float = number(default=0.1, unit="s", positive=True)
    b: float = number(default=1.0, nonnegative=True)
    c: float = number(default=1.0, nonnegative=True)

    def own_states(self, start, unit, scale):
        return {
            "output": State(0, value=start, unit=unit, scale=scale),
            "integral": State(1, value=start, unit=unit, scale=scale),
            "lagged": State(1, scale=1.0, settled=True),
        }

    def respond(self, states, error, target, difference):
        u, x, lagged = states
        slope = difference(lagged.value, error - (1.0 - self.c) * target) / self.lag
        asked = self.proportional * (error - (1.0 - self.b) * target) + x.value + self.derivative * slope
        return [
            u.value - self.clamp(asked),
            x.rate - self.integral * error + (asked - self.clamp(asked)) / self.tracking,
            lagged.rate - slope,
        ]

    def clamp(self, u: Any) -> Any:
        """u within the limits."""
        return clamped(u, self.lower, self.upper, self.corner)
