"""What keeps what flows into a junction."""

from __future__ import annotations

from typing import Any

from samara.elements.networks.element import NetworkElement
from samara.model import Connection, Contribution, Domain, Junction, ModelError, Output, Site, StateMotion, Way, state


class Storage(NetworkElement):
    """At one junction: keeps what flows into it.

        balance of n += d content / dt

    A subclass gives `content` and `stored`, its energy; the rate is derived. n: the junction.
    """

    n: Junction = state(kw_only=False)

    def junctions(self) -> list[Junction]:
        return [self.n]

    def join(self, name: str) -> None:
        super().join(name)
        self.n.note_store()

    def connections(self) -> list[Connection]:
        return [Connection(Way.STORES, self.n)]

    def content(self, n: StateMotion) -> Any:
        """What is in it, in the flow unit of the domain times s."""
        raise ModelError(f"{type(self).__name__}: give it a method content(n)")

    def stored(self, n: StateMotion) -> Any:
        """Energy [J]."""
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        n = site.states[0]
        content = site.measure(lambda *frames: [self.content(site.states[0])])
        flow = content.rate[0]
        unit = _content_unit(self.domain)
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * flow],
            potential=self.stored(n),
            outputs=[
                Output(self.domain.through, self.domain.flow_unit, flow, description="into it"),
                Output("content", unit, content.value[0]),
            ],
        )


def _content_unit(domain: Domain) -> str:
    return {"kg/s": "kg", "A": "C", "W": "J", "1": "s"}[domain.flow_unit]
