"""Hertzian contact with losses: the laws of Hunt and Crossley, of Lankarani and Nikravesh, and of Flores."""

from __future__ import annotations

import math
from typing import Any

from samara.elements.laws.law import Law
from samara.model import ModelError, number, option
from samara.tracing import fmax


class _Hertzian(Law):
    """effort = K d^n max(1 + chi rate, 0) for an indentation d = q > 0, zero for q <= 0; a subclass defines chi."""

    stiffness: float = number(unit="N/m^n", positive=True)

    exponent = 1.5  # a field of the subclasses, after those without a default

    def chi(self) -> Any:
        """Loss factor [s/m]."""
        raise NotImplementedError

    def validate(self) -> None:
        super().validate()
        n = self.exponent
        if not isinstance(n, (int, float)) or isinstance(n, bool) or not 1 <= n < 10:
            raise ModelError(f"{type(self).__name__}: exponent must be at least 1, got {n!r}")

    def _spring(self, q):
        return self.stiffness * fmax(q, 0.0) ** self.exponent

    def elastic(self, q):
        return self._spring(q)

    def potential(self, q):
        return self._spring(q) * fmax(q, 0.0) / (self.exponent + 1.0)

    def viscous(self, q, rate):
        return self._spring(q) * (fmax(1.0 + self.chi() * rate, 0.0) - 1.0)

    def __call__(self, q, rate):
        return self._spring(q) * fmax(1.0 + self.chi() * rate, 0.0)

    def restitution_at(self, speed: float) -> float:
        """Coefficient of restitution of an impact of two free bodies at this speed [m/s].

        With v dv = -(K / m) d^n (1 + chi v) dd both ways, mass and stiffness drop out: x = chi v leaves as e x,
        x - ln(1 + x) = -e x - ln(1 - e x), for every exponent.
        """
        x = float(self.chi()) * speed
        return 1.0 if x < 1e-9 else _bisection(lambda e: _imbalance(x, e), 0.0, min(1.0, 1.0 / x))


class ContactLaw(_Hertzian):
    """Contact with a loss factor: effort = K d^n (1 + chi dd/dt), never pulling, for an indentation d = q > 0.

    stiffness: K [N/m^n or N m/rad^n]. exponent: n, 3/2 for two spheres (Hertz); a constant of the kernel.
    damping:   chi [s/m or s/rad] >= 0.

    `ContactLaw.restoring(stiffness, restitution, speed)` computes the chi that yields exactly this coefficient of
    restitution.
    """

    damping: float = number(default=0.0, unit="s/m or s/rad", nonnegative=True)
    exponent: float = option(default=1.5)

    def chi(self):
        return self.damping

    @classmethod
    def restoring(cls, stiffness: Any, restitution: float, speed: float, exponent: float = 1.5) -> ContactLaw:
        """The law whose `restitution_at(speed)` equals `restitution`, from 0 (excluded) to 1."""
        if not 0 < restitution <= 1 or not speed > 0:
            raise ModelError(
                f"ContactLaw: restitution must be above 0 and at most 1, speed positive: got {restitution}, {speed}"
            )
        if 1 - restitution < 1e-9:
            return cls(stiffness, 0.0, exponent)
        x = _bisection(lambda x: _imbalance(x, restitution), 1e-8, 1.0 / restitution)
        return cls(stiffness, x / speed, exponent)


class _Restoring(_Hertzian):
    """One whose loss factor follows from a coefficient of restitution at an impact speed."""

    restitution: float = number(nonnegative=True)
    speed: float = number(unit="m/s or rad/s", positive=True)
    exponent: float = option(default=1.5)

    def validate(self) -> None:
        super().validate()
        e = float(self.restitution)
        if e > 1:
            raise ModelError(f"{type(self).__name__}: restitution must not be more than 1, got {e:g}")


class HuntCrossleyLaw(_Restoring):
    """Hunt-Crossley contact: reproduces a coefficient of restitution e to first order in 1 - e.

        effort = K d^n (1 + chi dd/dt), never pulling,     chi = 3 (1 - e) / (2 v0),     d = q > 0

    stiffness:   K [N/m^n or N m/rad^n]. exponent: n, 3/2 for two spheres (Hertz); a constant of the kernel.
    restitution: nominal e, 0 to 1. The actual value is higher: 0.909 for 0.9, 0.833 for 0.8, 0.663 for 0.5; see
                 `restitution_at`.
    speed:       impact speed v0 to which e applies [m/s or rad/s] > 0. It is an input, not detected, so the law has no
                 memory and no threshold. Slower impacts are more elastic, as in reality.

    Source: Hunt and Crossley, Coefficient of restitution interpreted as damping in vibroimpact, J. Applied Mechanics
    42(2), 1975.
    """

    def chi(self):
        return 1.5 * (1.0 - self.restitution) / self.speed


class LankaraniNikraveshLaw(_Restoring):
    """Lankarani-Nikravesh contact: reproduces a coefficient of restitution e close to 1.

        effort = K d^n (1 + chi dd/dt), never pulling,     chi = 3 (1 - e^2) / (4 v0),     d = q > 0

    stiffness: K [N/m^n or N m/rad^n]; restitution: e, 0 to 1; speed: v0, of the approach [m/s or rad/s]; exponent: n, a
    constant of the kernel. Based on an energy balance with equal compression and expansion paths; for small e the
    actual restitution is much too high: 0.847 for 0.8, 0.725 for 0.5; see `restitution_at`.

    Source: Lankarani and Nikravesh, A contact force model with hysteresis damping for impact analysis of multibody
    systems, J. Mechanical Design 112(3), 1990.
    """

    def chi(self):
        return 0.75 * (1.0 - self.restitution**2) / self.speed


class FloresLaw(_Restoring):
    """Flores contact: suited to all coefficients of restitution e, including small ones.

        effort = K d^n (1 + chi dd/dt), never pulling,     chi = 8 (1 - e) / (5 e v0),     d = q > 0

    stiffness: K [N/m^n]; restitution: e > 0; speed: v0, of the approach [m/s or rad/s]; exponent: n. The actual
    restitution is slightly lower: 0.788539 for a nominal 0.8, 0.470445 for 0.5 (the source claims e);
    `ContactLaw.restoring` yields e exactly.

    Source: Flores, Machado, Silva and Martins, On the continuous contact force models for soft materials in multibody
    dynamics, Multibody System Dynamics 25(3), 2011; equation 8 of the paper on nonsmooth contact of rotor blades.
    """

    def validate(self) -> None:
        super().validate()
        if not float(self.restitution) > 0.0:
            raise ModelError(f"FloresLaw: restitution must be positive, got {float(self.restitution):g}")

    def chi(self):
        return 1.6 * (1.0 - self.restitution) / (self.restitution * self.speed)


def _imbalance(x: float, e: float) -> float:
    """What the compression takes less what the return takes, times chi^2: zero for the e that belongs to x."""
    if e * x >= 1.0:
        return -math.inf
    return (x - math.log1p(x)) + (e * x + math.log1p(-e * x))


def _bisection(f, low: float, high: float) -> float:
    """Zero of a function that falls from low to high."""
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return 0.5 * (low + high)
