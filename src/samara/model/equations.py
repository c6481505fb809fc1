"""That every scalar state has an equation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from samara.model.element import Element
from samara.model.errors import ModelError
from samara.model.state import State


def check_states(model: str, states: Mapping[str, State], elements: Iterable[Element]) -> None:
    """Refuses a state that no element gives a balance for: it is only read, or not used at all."""
    governed: set[str] = set()
    readers: dict[str, list[str]] = {}
    for element in elements:
        given, own = element.states(), element.governed()
        governed.update(given[k].name for k in own)
        for state in element.readings():
            readers.setdefault(state.name, []).append(element.name)
    for name in states:
        if name in governed:
            continue
        if name in readers:
            who = ", ".join(map(repr, dict.fromkeys(readers[name])))
            raise ModelError(
                f"state {name!r} of model {model!r} has no equation: {who} only reads it; add an element that gives "
                "its balance, or a block whose output it is"
            )
        raise ModelError(f"state {name!r} of model {model!r} has no equation: add an element that uses it")
