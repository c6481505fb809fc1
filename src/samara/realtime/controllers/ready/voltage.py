"""Conversion of torques to motor voltages, for controllers of direct-current motors."""

from __future__ import annotations

from collections.abc import Iterable

from samara.realtime.controllers.tunable import tunable


class ByVoltage:
    """Mixin for a controller: the motor voltage for a torque T at a given rate.

        V = resistance T / constant + constant rate

    The inductance is neglected: the current lags by inductance / resistance.
    """

    resistance = tunable(1.0, "ohm", lower=1e-6, description="of the armatures")
    constant = tunable(2.0, "N m/A", lower=1e-6, description="torque per ampere, of motor and gear")

    def voltages(self, torques: Iterable[float], rates: Iterable[float]) -> list[float]:
        """One a motor [V], from torques [N m] and rates [rad/s]."""
        R, k = self.resistance, self.constant
        return [R * T / k + k * rate for T, rate in zip(torques, rates, strict=True)]
