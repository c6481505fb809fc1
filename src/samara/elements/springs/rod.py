"""Rod: any law along the line of two points."""

from __future__ import annotations

import dataclasses

from samara.elements.laws.law import Law
from samara.elements.springs.line import Elastic
from samara.model import Parameter, record


class Rod(Elastic):
    """A massless rod between two points whose force is a one-dimensional law of its elongation.

        F = law(|p_PQ| - length, d|p_PQ|/dt) [N], tension positive: pulls the points P and Q together

    law:    a `Law`: ``LinearLaw(...)``, ``OneSidedLaw(LinearLaw(...), side="tension")`` for a cable, a sum of laws.
    length: natural length [m]; by default the distance in the reference pose. With length = 0 the law acts on the
            distance itself.

    See `Line` for how to give the points, and for coincident points.
    """

    law: Law = record(of=Law, such_as="LinearLaw(stiffness, damping)")

    def examine(self) -> None:
        super().examine()
        check_law(self.law)

    def characteristic(self):
        return self.law


def check_law(law, angular: bool = False) -> None:
    """Refuses parameters of a law in units of another coordinate.

    angular: whether it is a law of an angle; else of a length.
    """
    for name, spec in law.specs().items():
        value, units = getattr(law, name), spec.unit.split(" or ")
        if isinstance(value, Parameter) and len(units) == 2:
            try:
                dataclasses.replace(spec, unit=units[angular]).check(value)
            except ValueError as error:
                raise ValueError(f"{type(law).__name__}: {name} {error}") from None
        for part in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(part, Law):
                check_law(part, angular)
