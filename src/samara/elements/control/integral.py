"""Integral control."""

from __future__ import annotations

from samara.elements.control.law import ControlLaw
from samara.model import State, number


class Integral(ControlLaw):
    """The output is the integral of the error.

        du/dt = gain e - (u - clamp(u)) / tracking

    The second term acts beyond a limit alone: there the output rests gain e tracking past it and comes back at once
    when the error turns. gain: [unit of the output / (unit of the error s)].
    """

    gain: float = number()

    def own_states(self, start, unit, scale):
        return {"output": State(1, value=start, unit=unit, scale=scale)}

    def balances(self, states, error):
        u = states[0]
        return [u.rate - self.gain * error + (u.value - self.clamp(u.value)) / self.tracking]
