"""That every scalar state has an equation, and one alone where an element says what it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from samara.arguments import ModelError
from samara.model.element import Element
from samara.model.quantities.state import State
from samara.model.roles.signals import Defining


def governed(element: Element) -> list[int]:
    """Places among the states of an element of those that it gives a balance for."""
    read = {id(state) for state in element.readings()}
    return [k for k, state in enumerate(element.states()) if id(state) not in read]


def check_states(model: str, states: Mapping[str, State], elements: Iterable[Element]) -> None:
    """Refuses a state that no element gives a balance for, or more than one where one says what it is."""
    makers: dict[str, list[str]] = {}
    defined: dict[str, str] = {}
    readers: dict[str, list[str]] = {}
    for element in elements:
        given = element.states()
        for k in governed(element):
            makers.setdefault(given[k].name, []).append(element.name)
        if isinstance(element, Defining):
            defined |= {state.name: element.name for state in element.defines()}
        for state in element.readings():
            readers.setdefault(state.name, []).append(element.name)
    for name, by in defined.items():
        for other in makers.get(name, ()):
            if other != by:
                raise ModelError(
                    f"state {name!r} of model {model!r} has two equations: {other!r} and {by!r} both "
                    f"define it; remove one, or add their signals in a SignalSum"
                )
    for name in states:
        if name in makers:
            continue
        if name in readers:
            who = ", ".join(map(repr, dict.fromkeys(readers[name])))
            raise ModelError(
                f"state {name!r} of model {model!r} has no equation: {who} only reads it; add an "
                f"element that contributes to its balance, or a block that outputs it"
            )
        raise ModelError(f"state {name!r} of model {model!r} has no equation: add an element that uses it")
