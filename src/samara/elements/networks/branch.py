"""The families that make an element of a network a few lines: a flow from values, a difference from a flow, a store."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.model import (
    ABSTRACT,
    Connection,
    Contribution,
    Domain,
    Element,
    Junction,
    ModelError,
    Output,
    Site,
    State,
    StateMotion,
    Way,
    state,
)


class NetworkElement(Element):
    """What meets at junctions of one domain. Those who give balances weigh them as the junctions do."""

    domain: ClassVar[Domain] = ABSTRACT

    def junctions(self) -> list[Junction]:
        """The junctions in order."""
        raise ModelError(f"{type(self).__name__} has no junctions")

    def examine(self) -> None:
        super().examine()
        for junction in self.junctions():
            if not isinstance(junction, Junction):
                raise ValueError(f"{junction!r} is not a junction: use what model.{_MAKERS[self.domain.name]} returned")
            if junction.domain is not self.domain:
                raise ValueError(
                    f"junction {junction.name!r} is {junction.domain.name}, and this is an element of "
                    f"{self.domain.name} networks"
                )


_MAKERS = {
    "hydraulic": "pressure(...)",
    "electric": "potential(...)",
    "thermal": "temperature(...)",
    "abstract": "junction(...)",
}


class Branch(NetworkElement):
    """Between two junctions a and b: what flows from a to b follows from their values.

        balance of a += flow,     balance of b -= flow

    A subclass gives `flow`, and `stored` and `lost` for energy and heat. a, b: junctions.
    """

    a: Junction = state(kw_only=False)
    b: Junction = state(kw_only=False)

    def junctions(self) -> list[Junction]:
        return [self.a, self.b]

    def examine(self) -> None:
        super().examine()
        if self.a is self.b:
            raise ValueError(f"both ends are at junction {self.a.name!r}: nothing would flow")

    def connections(self) -> list[Connection]:
        return [Connection(Way.CONDUCTS, self.a, self.b)]

    def flow(self, a: StateMotion, b: StateMotion) -> Any:
        """What flows from a to b, in the flow unit of the domain."""
        raise ModelError(f"{type(self).__name__}: give it a method flow(a, b)")

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """Power turned into heat [W]; all that goes in and does not come out, by default."""
        return self.power(a, b, flow)

    def supplied(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """Power from outside [W]."""
        return 0.0

    def power(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        """What the flow brings in at a and does not take out at b [W]."""
        return (a.value - b.value) * flow

    def formulate(self, site: Site) -> Contribution:
        a, b = site.states[:2]
        flow = self.flow(a, b)
        return Contribution(
            wrenches=[],
            balances=[self.domain.weight * flow, -self.domain.weight * flow],
            dissipated=self.lost(a, b, flow),
            supplied=self.supplied(a, b, flow),
            outputs=self.report(a, b, flow),
        )

    def report(self, a: StateMotion, b: StateMotion, flow: Any) -> list[Output]:
        """What is recorded: the flow, and the difference of the values."""
        return [
            Output(self.domain.through, self.domain.flow_unit, flow, description="from a to b"),
            Output(DIFFERENCES[self.domain.name], self.domain.unit, a.value - b.value, description="of a over b"),
        ]


#: How a difference of across variables is called.
DIFFERENCES = {"hydraulic": "drop", "electric": "voltage", "thermal": "difference", "abstract": "difference"}


class FlowBranch(Branch):
    """A branch whose flow is a state of its own: it has inertia, or is whatever a given difference takes.

        value of a - value of b = difference(flow, its rate)

    A subclass gives `difference`, and `stored` for its energy. start: flow at the start; order: 1 where the rate of the
    flow counts, 0 where it does not.
    """

    order: ClassVar[int] = 1

    def own_states(self) -> dict[str, State]:
        unit = self.domain.flow_unit
        return {self.domain.through: State(self.order, value=self.started(), unit=unit, scale=self.size())}  # type: ignore[arg-type]

    def started(self) -> float:
        """The flow at the start."""
        return 0.0

    def size(self) -> float:
        """A size of the flow that matters."""
        return 1.0

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS if self.order else Way.DIFFERS, self.a, self.b)]

    def difference(self, a: StateMotion, b: StateMotion, flow: StateMotion) -> Any:
        """Of the value of a over that of b, with that flow."""
        raise ModelError(f"{type(self).__name__}: give it a method difference(a, b, flow)")

    def stored(self, flow: StateMotion) -> Any:
        """Energy of the flow [J]."""
        return 0.0

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        a, b, flow = site.states[:3]
        weight = self.domain.weight * flow.value
        return Contribution(
            wrenches=[],
            balances=[weight, -weight, self.difference(a, b, flow) - (a.value - b.value)],
            potential=self.stored(flow),
            dissipated=self.lost(a, b, flow.value),
            supplied=self.supplied(a, b, flow.value),
            outputs=self.report(a, b, flow.value),
        )

    def report(self, a: StateMotion, b: StateMotion, flow: Any) -> list[Output]:
        return super().report(a, b, flow)[1:]  # the flow is recorded as a state


class DifferenceBranch(Branch):
    """A branch whose difference is a state of its own: a capacitor between two junctions.

        u = value of a - value of b,     what flows follows from u and its rate

    A subclass gives `flow_of`, and `stored` for its energy.
    """

    #: name of the state
    kept: ClassVar[str] = "voltage"

    def own_states(self) -> dict[str, State]:
        return {self.kept: State(1, value=self.started(), unit=self.domain.unit, scale=self.domain.scale)}

    def started(self) -> float:
        """The difference at the start."""
        return 0.0

    def connections(self) -> list[Connection]:
        return [Connection(Way.DIFFERS, self.a, self.b)]

    def flow_of(self, u: StateMotion) -> Any:
        """What flows from a to b."""
        raise ModelError(f"{type(self).__name__}: give it a method flow_of(u)")

    def stored(self, u: StateMotion) -> Any:
        """Energy [J]."""
        return 0.0

    def lost(self, a: StateMotion, b: StateMotion, flow: Any) -> Any:
        return 0.0

    def formulate(self, site: Site) -> Contribution:
        a, b, u = site.states[:3]
        flow = self.flow_of(u)
        weight = self.domain.weight * flow
        return Contribution(
            wrenches=[],
            balances=[weight, -weight, u.value - (a.value - b.value)],
            potential=self.stored(u),
            dissipated=self.lost(a, b, flow),
            outputs=[Output(self.domain.through, self.domain.flow_unit, flow, description="from a to b")],
        )


class Store(NetworkElement):
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


class Hold(NetworkElement):
    """Holds the value of one junction; what flows in for that comes from outside.

        value of n = given

    A subclass gives `given`. n: the junction. State ``inflow``: what flows from outside into the junction.
    """

    n: Junction = state(kw_only=False)

    def junctions(self) -> list[Junction]:
        return [self.n]

    def join(self, name: str) -> None:
        super().join(name)
        self.n.note_source(name)

    def connections(self) -> list[Connection]:
        return [Connection(Way.HOLDS, self.n)]

    def own_states(self) -> dict[str, State]:
        return {"inflow": State(0, unit=self.domain.flow_unit, scale=1.0, description="from outside")}

    def given(self) -> Any:
        """The value of the junction."""
        raise ModelError(f"{type(self).__name__}: give it a method given()")

    def brought(self, n: StateMotion, inflow: Any) -> Any:
        """Power that the inflow brings [W]."""
        return n.value * inflow

    def formulate(self, site: Site) -> Contribution:
        n, inflow = site.states[:2]
        return Contribution(
            wrenches=[],
            balances=[-self.domain.weight * inflow.value, n.value - self.given()],
            supplied=self.brought(n, inflow.value),
        )
