"""Two-sided stop."""

from __future__ import annotations

from samara.elements.laws.contact_laws.one_sided import OneSidedLaw
from samara.elements.laws.law import Law
from samara.model import ModelError, number, record


class StopLaw(Law):
    """A stop at each end of a free range: droop and flap stop, lag stops, the play of a joint.

        effort = -law(lower - q) below `lower`, law(q - upper) above `upper`, none between; never pulling

    law:   of the indentation, the same at both ends: `FloresLaw`, `HuntCrossleyLaw`, `LinearLaw`, ... For different
           ends add two `OneSidedLaw`.
    lower, upper: ends of the free range [m or rad].
    onset: distance of a smooth onset [m or rad] >= 0, see `OneSidedLaw`; a Hertzian law sets in smoothly by itself.
    """

    law: Law = record(of=Law, such_as="FloresLaw(...)")
    lower: float = number(unit="m or rad")
    upper: float = number(unit="m or rad")
    onset: float = number(default=0.0, unit="m or rad", nonnegative=True)

    def validate(self) -> None:
        super().validate()
        if float(self.upper) < float(self.lower):
            raise ModelError(f"StopLaw: upper ({float(self.upper):g}) is below lower ({float(self.lower):g})")

    def _ends(self) -> tuple[OneSidedLaw, OneSidedLaw]:
        return (
            OneSidedLaw(self.law, self.lower, "compression", self.onset),
            OneSidedLaw(self.law, self.upper, "tension", self.onset),
        )

    def elastic(self, q):
        return sum(end.elastic(q) for end in self._ends())

    def potential(self, q):
        return sum(end.potential(q) for end in self._ends())

    def viscous(self, q, rate):
        return sum(end.viscous(q, rate) for end in self._ends())

    def __call__(self, q, rate):
        return sum(end(q, rate) for end in self._ends())
