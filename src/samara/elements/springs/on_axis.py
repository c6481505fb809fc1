"""Elements that act on the free coordinate of a joint."""

from __future__ import annotations

from samara.elements.families import Coupling
from samara.elements.laws.law import Law
from samara.elements.springs.rod import check_law
from samara.model import record


class OnAxis(Coupling):
    """A law of one relative coordinate of two joint frames; a subclass defines `coordinates`."""

    law: Law = record(of=Law, such_as="LinearLaw(stiffness, damping)")

    def examine(self) -> None:
        super().examine()
        check_law(self.law, angular=self.units[0] == "rad")

    def effort(self, q, q_rate):
        return [self.law(q[0], q_rate[0])]

    def potential(self, q):
        return self.law.potential(q[0])

    def dissipation(self, q, q_rate):
        return self.law.dissipation(q[0], q_rate[0])
