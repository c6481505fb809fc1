"""Law scaled by a drive."""

from __future__ import annotations

from typing import Any

from samara.elements.laws.law import Law
from samara.model import ModelError, driven, record


class DrivenLaw(Law):
    """A dissipative law multiplied by a drive: a clutch or brake that engages and releases.

        effort = factor(t) law(q, rate)

    law:    without a spring: `DamperLaw` for a viscous clutch, `FrictionLaw` for a slipping one. Scaling down a spring
            would destroy its stored energy.
    factor: a non-negative drive, 0 (released) to 1 (engaged) or more: ``Cosine(1, duration=0.5, start=2)``.
    """

    law: Law = record(of=Law, such_as="DamperLaw(damping)")
    factor: Any = driven()

    def validate(self) -> None:
        super().validate()
        if type(self.law).potential is not Law.potential:
            raise ModelError(f"DrivenLaw: law must not store energy, but {type(self.law).__name__} does")

    def viscous(self, q, rate):
        return self.factor * self.law(q, rate)
