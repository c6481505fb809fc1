"""What keeps what flows into a junction."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from samara.elements.networks.element import NetworkElement
from samara.elements.networks.hold import Hold
from samara.model import (
    Connection,
    Contribution,
    Element,
    Junction,
    ModelError,
    Output,
    Site,
    StateMotion,
    Way,
    option,
    state,
)


class Storage(NetworkElement):
    """At one junction: keeps what flows into it.

        balance of n += d content / dt

    A subclass gives `content` and `stored`, its energy; the rate is derived. n: the junction. Where a source holds the
    junction it takes nothing up; the source must not change.
    """

    n: Junction = state(kw_only=False)
    held: bool = option(default=False, init=False)

    def junctions(self) -> list[Junction]:
        return [self.n]

    def join(self, name: str) -> None:
        super().join(name)
        self.n.note_store()

    def connections(self) -> list[Connection]:
        return [Connection(Way.STORES, self.n)]

    def survey(self, elements: Iterable[Element]) -> None:
        check_steady([self.n], elements)
        object.__setattr__(self, "held", self.n.held)

    def content(self, n: StateMotion) -> Any:
        """What is in it, in the flow unit of the domain times s."""
        raise ModelError(f"{type(self).__name__}: give it a method content(n)")

    def stored(self, n: StateMotion) -> Any:
        """Energy [J]."""
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        n = site.states[0]
        content = site.measure(lambda *frames: [self.content(site.states[0])])
        flow = 0.0 if self.held else content.rate[0]
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * flow],
            potential=self.stored(n),
            outputs=[
                Output(self.domain.through, self.domain.flow_unit, flow, description="into it"),
                Output("content", self.domain.content_unit, content.value[0]),
            ],
        )


def check_steady(junctions: list[Junction], elements: Iterable[Element]) -> None:
    """Refuses a store where a source makes the value change: how fast it does is not known to the equations."""
    held = [junction for junction in junctions if junction.held]
    if not held:
        return
    for element in elements:
        for c in element.connections():
            if c.way is Way.HOLDS and c.a in held and not (isinstance(element, Hold) and element.steady):
                raise ValueError(
                    f"junction {c.a.name!r} is held by {element.name!r}, whose {c.a.domain.across} may change: what is "
                    f"stored there would flow at once; put {c.a.domain.resistance} between the two"
                )
