"""Regulator of a signal."""

from __future__ import annotations

from typing import Any

from samara.elements.control.regulators.regulator import Regulator
from samara.model import Output, Site, setting, signal


class SignalRegulator(Regulator):
    """A control law between two signals: a `PID` as a block, with its limits and anti-windup.

        e = target - u,     law(e) -> output

    u: the measured signal, by default zero: then the target is the error. measured_unit: of both, for the recorded
    channels. See `Regulator` for the other arguments. A `SampledBlock` accepts the same laws.
    """

    u: Any = signal(default=0.0)
    measured_unit: str = setting(default="1")

    def examine(self) -> None:
        super().examine()
        if not isinstance(self.measured_unit, str) or not self.measured_unit.strip():
            raise ValueError(f"measured_unit must be a string such as 'm', got {self.measured_unit!r}")

    def measured(self, site: Site) -> Any:
        return self.received(site, "u")

    def unit_of(self, output: Output) -> str:
        return self.measured_unit
