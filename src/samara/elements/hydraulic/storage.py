"""What keeps liquid at a junction."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from samara.elements.hydraulic.filling import fill
from samara.elements.hydraulic.fluid import Fluid, check_fluid
from samara.elements.networks.storage import Storage
from samara.model import HYDRAULIC, Contribution, Element, Junction, Site, Way, option, record


class HydraulicStorage(Storage):
    """Keeps liquid at one junction; a subclass gives `content` [kg] and `stored`, the energy [J].

    At a junction whose pressure a source holds it takes nothing up. fluid: a `Fluid`.
    """

    domain = HYDRAULIC

    fluid: Fluid = record()
    held: bool = option(default=False, init=False)

    def examine(self) -> None:
        super().examine()
        check_fluid(self.fluid)

    def survey(self, elements: Iterable[Element]) -> None:
        check_steady([self.n], elements)
        object.__setattr__(self, "held", self.n.held)

    def join(self, name: str) -> None:
        super().join(name)
        fill([self.n], self.fluid, name)

    def formulate(self, site: Site) -> Contribution:
        made = super().formulate(site)
        if self.held:
            made.balances = [0.0]
            made.outputs[0] = dataclasses.replace(made.outputs[0], value=0.0)
        return made


def check_steady(junctions: list[Junction], elements: Iterable[Element]) -> None:
    """Refuses a store where a source makes the pressure change: how fast it does is not known to the equations."""
    held = [junction for junction in junctions if junction.held]
    if not held:
        return
    for element in elements:
        for c in element.connections():
            if c.way is Way.HOLDS and c.a in held and not getattr(element, "steady", False):
                raise ValueError(
                    f"junction {c.a.name!r} is held by {element.name!r}, whose pressure may change: what is stored "
                    "there would flow at once; put an Orifice or a Pipe between the two"
                )
