"""Storage of liquid at a junction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from samara.elements.hydraulic.fluids.filling import check_kept, fill, unknown
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.networks.storage import Storage
from samara.model import HYDRAULIC, Element, record


class HydraulicStorage(Storage):
    """Stores liquid at one junction; subclasses define `content` [kg] and `stored`, the energy [J].

    fluid: a `Fluid`.
    """

    domain = HYDRAULIC

    fluid: Fluid = record(of=Fluid, such_as="LinearFluid(...)")

    def survey(self, elements: Iterable[Element]) -> None:
        super().survey(elements)
        check_kept([self.n], self.fluid)

    def join(self, name: str) -> None:
        super().join(name)
        fill([self.n], self.fluid, name)

    def doubts(self, results: Any) -> list[str]:
        return [*super().doubts(results), *unknown(results, [self.n], self.fluid, self.name)]
