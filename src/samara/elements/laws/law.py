"""What a one-dimensional law is, and the sum of laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samara.model import Record, records
from samara.model.quantities.returned_values import one_number


class Law(Record):
    """The effort that pulls a coordinate q back (positive: towards smaller q), from q and its rate.

        effort(q, rate) = elastic(q) + viscous(q, rate),     elastic = dV/dq,     viscous * rate >= 0

    For a length q [m] the effort is a force [N], tension positive; for an angle [rad] it is a couple [N m]. A subclass
    gives `elastic` with its `potential` V [J], V(0) = 0, and `viscous`; effort and dissipated power follow. Laws add:
    ``CubicLaw(k, k3) + DamperLaw(c)``. The functions run on plain and on traced numbers.
    """

    def elastic(self, q) -> Any:
        """The part of the effort that stores energy."""
        return 0.0

    def potential(self, q) -> Any:
        """Stored energy V [J], zero at q = 0."""
        return 0.0

    def viscous(self, q, rate) -> Any:
        """The part of the effort that turns energy into heat."""
        return 0.0

    def __call__(self, q, rate):
        return one_number(self, "elastic", self.elastic(q)) + one_number(self, "viscous", self.viscous(q, rate))

    def dissipation(self, q, rate) -> Any:
        """Power turned into heat [W], never negative."""
        return self.viscous(q, rate) * rate

    def __add__(self, other: Law) -> Law:
        if not isinstance(other, Law):
            return NotImplemented
        return SumLaw((*_terms(self), *_terms(other)))


class SumLaw(Law):
    """Laws side by side on one coordinate: efforts, energies and losses add. terms: the laws."""

    terms: Sequence[Law] = records()

    def elastic(self, q):
        return sum(term.elastic(q) for term in self.terms)

    def potential(self, q):
        return sum(term.potential(q) for term in self.terms)

    def viscous(self, q, rate):
        return sum(term.viscous(q, rate) for term in self.terms)

    def __call__(self, q, rate):
        return sum(term(q, rate) for term in self.terms)


def _terms(law: Law) -> Sequence[Law]:
    return law.terms if isinstance(law, SumLaw) else (law,)
