"""Base class of network elements: junctions of one domain."""

from __future__ import annotations

from typing import ClassVar

from samara.model import ABSTRACT, Domain, EnergyBooks, Junction, ModelError, Networked
from samara.model.membership import argument


class NetworkElement(Networked, EnergyBooks):
    """An element on junctions of one domain. Balances that elements return are scaled as those of the junctions."""

    domain: ClassVar[Domain] = ABSTRACT

    def junctions(self) -> list[Junction]:
        """The junctions in order."""
        raise ModelError(f"{type(self).__name__} has no junctions")

    def examine(self) -> None:
        super().examine()
        for junction in self.junctions():
            if not isinstance(junction, Junction):
                raise ValueError(
                    f"{argument(self, junction)}{junction!r} is not a junction: use what "
                    f"model.{self.domain.made_by} returned"
                )
            if junction.domain is not self.domain:
                raise ValueError(
                    f"{argument(self, junction)}junction {junction.name!r} is {junction.domain.name}, and this is an "
                    f"element of {self.domain.name} networks"
                )
