"""One-dimensional laws and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samara.model import Record, records
from samara.model.quantities.returned_values import one_number


class Law(Record):
    """Base of one-dimensional laws: the restoring effort, positive towards smaller q, from a coordinate q and its rate.

        effort(q, rate) = elastic(q) + viscous(q, rate),     elastic = dV/dq,     viscous * rate >= 0

    For a length q [m] the effort is a force [N], tension positive; for an angle [rad] it is a couple [N m]. A subclass
    defines `elastic` with its `potential` V [J], V(0) = 0, and `viscous`; effort and dissipated power follow. Laws can
    be added: ``CubicLaw(k, k3) + DamperLaw(c)``. The functions accept plain and traced numbers.
    """

    def elastic(self, q) -> Any:
        """The conservative part of the effort."""
        return 0.0

    def potential(self, q) -> Any:
        """Stored energy V [J], zero at q = 0."""
        return 0.0

    def viscous(self, q, rate) -> Any:
        """The dissipative part of the effort."""
        return 0.0

    def __call__(self, q, rate):
        return one_number(self, "elastic", self.elastic(q)) + one_number(self, "viscous", self.viscous(q, rate))

    def dissipation(self, q, rate) -> Any:
        """Dissipated power [W], never negative."""
        return self.viscous(q, rate) * rate

    def __add__(self, other: Law) -> Law:
        if not isinstance(other, Law):
            return NotImplemented
        return SumLaw((*_terms(self), *_terms(other)))


class SumLaw(Law):
    """Laws in parallel on one coordinate: efforts, energies and losses add up. terms: the laws."""

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
