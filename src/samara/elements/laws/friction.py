"""Dry-friction law."""

from __future__ import annotations

import numpy as np

from samara.elements.laws.law import Law
from samara.elements.laws.stribeck import check_peak, stribeck
from samara.model import number
from samara.tracing import fmax, select


class FrictionLaw(Law):
    """Dry friction of given magnitude, with a Stribeck peak, regularised near zero rate: friction damper, slipping
    clutch.

        effort = (sliding + (breakaway - sliding) exp(-(r / stribeck)^2)) s(r / transition),     r: the rate
        s(u) = u (3 - u^2) / 2 for |u| < 1, the sign of u beyond

    sliding:    friction while sliding [N or N m] >= 0. breakaway: friction near rest, by default the same, never less.
    stribeck:   rate scale of the transition between the two [m/s or rad/s].
    transition: rate below which the effort is regularised [m/s or rad/s]; instead of sticking, the element creeps below
    this rate. For friction that depends on a joint's reaction, see `Friction`.
    """

    sliding: float = number(unit="N or N m", nonnegative=True)
    transition: float = number(unit="m/s or rad/s", positive=True)
    breakaway: float = number(default=None, unit="N or N m", nonnegative=True)
    stribeck: float = number(default=1.0, unit="m/s or rad/s", positive=True)

    def __post_init__(self) -> None:
        if self.breakaway is None:
            self.breakaway = self.sliding

    def validate(self) -> None:
        super().validate()
        check_peak(self, "sliding", "breakaway")

    def viscous(self, q, rate):
        size, _ = stribeck(self.sliding, self.breakaway, rate * rate, self.stribeck)
        return size * smooth_direction(rate * rate, self.transition) * rate


def smooth_direction(v2, transition):
    """s(u) / |v| of the squared speed, u = |v| / transition: 1 / |v| beyond the transition, and no root below it."""
    limit = transition**2
    return select(v2 < limit, (3.0 - v2 / limit) / (2.0 * transition), 1.0 / np.sqrt(fmax(v2, limit)))
