"""Orifice."""

from __future__ import annotations

import numpy as np

from samara.elements.hydraulic.pipes.branch import HydraulicBranch
from samara.elements.hydraulic.pipes.throttle import throttle, transition_drop
from samara.model import number


class Orifice(HydraulicBranch):
    """A sharp-edged orifice between a and b: turbulent flow with the root of the pressure drop, laminar at low flow.

        w = Cd A sqrt(2 rho) dp / (dp^2 + dp_t^2)^(1/4),     dp_t = (Re_t mu / (Cd D))^2 / (2 rho)

    w: mass flow [kg/s], dp = p_a - p_b, A = pi D^2 / 4. Far above dp_t it is Q = Cd A sqrt(2 dp / rho), far below
    Q = 2 (Cd^2 / Re_t) D A dp / mu, Merritt's laminar orifice with Re_t = (Cd / delta)^2; smooth in between.

    diameter: D [m]; discharge: Cd; transition: Re_t, the Reynolds number Q D / (A nu) of the transition. Source of the
    two regimes: Merritt, Hydraulic Control Systems, 1967, section 3.4.
    """

    diameter: float = number(unit="m", positive=True)
    discharge: float = number(default=0.6, positive=True)
    transition: float = number(default=10.0, positive=True)

    def flow(self, a, b):
        rho = self.density(a, b)
        limit = transition_drop(self.transition, self.diameter, self.discharge, rho, self.fluid.shear_viscosity())
        return throttle(a.value - b.value, 0.25 * np.pi * self.diameter**2, self.discharge, rho, limit)
