"""Storage of what flows into a junction."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from samara.elements.networks.element import NetworkElement
from samara.elements.networks.hold import Hold
from samara.model import (
    Connection,
    Contribution,
    Doubting,
    Drive,
    Element,
    Junction,
    ModelError,
    Output,
    Site,
    State,
    StateMotion,
    Surveying,
    Way,
    option,
    state,
)
from samara.model.frames.starting_motion import value_at
from samara.model.roles.network import connections
from samara.tracing import Curve, Surface

#: Of the largest change of what a store keeps: by how much it may differ from what its value says; of it all: rounding.
PARTING, ROUNDING = 1e-3, 1e-9


class Storage(NetworkElement, Surveying, Doubting):
    """Stores what flows into one junction.

        content = function of the value of n,     balance of n += d content / dt

    Subclasses define `content` and `stored`, its energy; Samara derives the rate. State ``amount``: the content, tied
    to the value of n, so that it is conserved however nonlinear the function is. n: the junction. If a source
    prescribes the value of the junction, the store takes up no flow; that value must be constant.
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

    def own_states(self) -> dict[str, State]:
        unit, size = self.domain.content_unit, content_size(self, self.n, lambda twin, n: twin.content(n))
        return {"amount": State(1, unit=unit, scale=size, tied=True, description="the content")}

    def content(self, n: StateMotion) -> Any:
        """Content, in the flow unit of the domain times s."""
        raise ModelError(f"{type(self).__name__}: define a method content(n)")

    def gap(self, n: StateMotion, kept: Any) -> Any:
        """Zero when that amount is stored; override `kept - content` where the content is strongly nonlinear."""
        return kept - self.content(n)

    def stored(self, n: StateMotion) -> Any:
        """Energy [J]."""
        return 0.0

    def doubts(self, results: Any) -> list[str]:
        return [] if self.held else parted(results, self.name, ["amount"], self.domain.content_unit)

    def formulate(self, site: Site) -> Contribution:
        n, kept = site.states[0], site.states[-1]
        content = site.measure(lambda *frames: [self.content(site.states[0])])
        rate = 0.0 if self.held else content.rate[0]
        flow, weight = 0.0 if self.held else kept.rate, self.domain.weight
        return Contribution(
            wrenches=[],
            balances=[weight * flow, weight * site.tied(kept, content.value[0], rate, self.gap(n, kept.value))],
            potential=self.stored(n),
            outputs=[
                Output(self.domain.through, self.domain.flow_unit, flow, description="into it"),
                Output("content", self.domain.content_unit, content.value[0]),
            ],
        )


def parted(results: Any, name: str, amounts: list[str], unit: str) -> list[str]:
    """A message if the states `amounts` of a store and its content at the junction's value differ in a run.

    Minimal coordinates integrate the two separately.
    """
    content, states = f"{name}.content", [f"{name}.{amount}.value" for amount in amounts]
    if any(channel not in results.channels for channel in (content, *states)):
        return []
    kept = [np.asarray(results[channel]) for channel in states]
    if not kept or not kept[0].size:  # nothing kept, or nothing recorded
        return []
    apart = float(np.max(np.abs(results[content] - sum(kept))))
    change = max(float(np.ptp(amount)) for amount in kept)
    if not apart > max(PARTING * change, ROUNDING * float(np.max(np.abs(kept)))):
        return []
    sentence = (
        f"in minimal coordinates its step is too long: up to {apart:.3g} {unit} were made or lost; take a shorter "
        "step, a smaller accuracy=..., or the redundant formulation, also where a parameter of it changes in mid-run"
    )
    return [sentence]


def content_size(element: Element, n: State, content: Callable[[Any, StateMotion], Any]) -> float:
    """Change of an element's content when the value of its junction changes by a typical magnitude."""
    twin = element.rebuild(iter([_plain(leaf) for leaf in element.leaves()]))
    try:
        here, there = (float(content(twin, StateMotion(n.value + by, 0.0, 0.0))) for by in (0.0, n.scale))
    except (TypeError, ArithmeticError, ValueError):  # no number there: a start says so
        return 1.0
    size = abs(there - here)
    return size if 0.0 < size < math.inf else 1.0


def _plain(leaf: Any) -> Any:
    """Initial value of an element's number; tables unchanged."""
    if isinstance(leaf, Drive):
        return value_at(leaf, 0.0)
    return leaf if isinstance(leaf, (Curve, Surface)) else float(leaf)


def check_steady(junctions: list[Junction], elements: Iterable[Element]) -> None:
    """Rejects a store at a junction whose source varies: the equations do not contain the rate of that value."""
    held = [junction for junction in junctions if junction.held]
    if not held:
        return
    for element, c in connections(elements):
        if c.way is Way.HOLDS and c.a in held and not (isinstance(element, Hold) and element.steady):
            raise ValueError(
                f"junction {c.a.name!r} is held by {element.name!r}, whose {c.a.domain.across} may change: what is "
                f"stored there would flow at once; put {c.a.domain.resistance} between the two"
            )
