"""What a law of several coordinates is, and the sum of such laws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from samara.model import ModelError, Record, records
from samara.rotations import dot


class VectorLaw(Record):
    """Base of laws of several coordinates: the restoring efforts from q and its rate, 3 or 6 of them.

        effort(q, rate) = elastic(q) + viscous(q, rate),     elastic = dV/dq,     viscous . rate >= 0

    Three displacements [m] have forces [N], three rotations [rad] couples [N m], six (displacements first) both. A
    subclass defines `elastic` with its `potential` V [J], and `viscous`. Laws of equal size can be added.
    """

    #: how many coordinates
    size: ClassVar[int] = 0

    def elastic(self, q) -> Any:
        """The conservative part of the efforts."""
        return np.zeros(self.size)

    def potential(self, q) -> Any:
        """Stored energy V [J], zero at q = 0."""
        return 0.0

    def viscous(self, q, rate) -> Any:
        """The dissipative part of the efforts."""
        return np.zeros(self.size)

    def __call__(self, q, rate):
        return self.elastic(q) + self.viscous(q, rate)

    def dissipation(self, q, rate) -> Any:
        """Dissipated power [W], never negative."""
        return dot(self.viscous(q, rate), rate)

    def __add__(self, other: VectorLaw) -> VectorLaw:
        if not isinstance(other, VectorLaw):
            return NotImplemented
        return SumVectorLaw((*_terms(self), *_terms(other)))


class SumVectorLaw(VectorLaw):
    """Laws in parallel on the same coordinates: efforts, energies and losses add up. terms: the laws."""

    terms: Sequence[VectorLaw] = records()

    @property
    def size(self) -> int:  # type: ignore[override]
        return self.terms[0].size

    def validate(self) -> None:
        super().validate()
        sizes = [term.size for term in self.terms]
        if len(set(sizes)) != 1:
            raise ModelError(f"SumVectorLaw: laws of {sizes} coordinates cannot be added")

    def elastic(self, q):
        return np.sum([term.elastic(q) for term in self.terms], axis=0)

    def potential(self, q):
        return sum(term.potential(q) for term in self.terms)

    def viscous(self, q, rate):
        return np.sum([term.viscous(q, rate) for term in self.terms], axis=0)

    def dissipation(self, q, rate):
        return sum(term.dissipation(q, rate) for term in self.terms)


def _terms(law: VectorLaw) -> Sequence[VectorLaw]:
    return law.terms if isinstance(law, SumVectorLaw) else (law,)
