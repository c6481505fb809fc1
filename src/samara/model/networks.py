"""What a network must have before it is solved: something that says where its values are, and ways for what flows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from samara.arguments import ModelError
from samara.model.element import Element
from samara.model.junction import Connection, Junction, Way
from samara.model.roles.network import connections

#: Names in a message at most.
MOST_NAMES = 6


class _Sets:
    """Junctions that hang together, the reference of all networks among them."""

    REFERENCE = "(reference)"

    def __init__(self) -> None:
        self._above: dict[str, str] = {}

    def top(self, name: str) -> str:
        while self._above.get(name, name) != name:
            name = self._above[name]
        return name

    def join(self, a: str, b: str) -> bool:
        """Whether they were apart."""
        a, b = self.top(a), self.top(b)
        self._above[a] = b
        return a != b


def check_networks(model: str, elements: Iterable[Element]) -> None:
    """Refuses networks without a solution, or with many: floating, open, or with sources that contradict each other."""
    found = [(element.name, c) for element, c in connections(elements)]
    if not found:
        return
    _check_loops(model, found)
    _check_held(model, found)


def _ends(connection: Connection) -> tuple[str, str]:
    return connection.a.name, connection.b.name if connection.b is not None else _Sets.REFERENCE


def _check_loops(model: str, found: list[tuple[str, Connection]]) -> None:
    """Differences that are given one after the other around a loop contradict each other, or say the same."""
    sets, given = _Sets(), [(name, c) for name, c in found if c.way in (Way.DIFFERS, Way.HOLDS)]
    for name, c in given:
        a, b = _ends(c)
        if not sets.join(a, b):
            others = [n for n, d in given if n != name and sets.top(d.a.name) == sets.top(a)]
            raise ModelError(
                f"model {model!r}: {name!r} closes a loop with {_listed(others)}, each of which "
                f"prescribes a {c.a.domain.across} difference: put a resistance in series with one, or remove one"
            )


def _check_held(model: str, found: list[tuple[str, Connection]]) -> None:
    """All junctions must hang on what gives their value: a source that holds one, or a store.

    A flow that is given, or that has a memory of its own, leads nowhere: it does not tell the value at its ends.
    """
    sets = _Sets()
    for _, c in found:
        if c.way in (Way.HOLDS, Way.STORES):
            sets.join(c.a.name, _Sets.REFERENCE)
        elif c.way in (Way.CONDUCTS, Way.DIFFERS):
            sets.join(*_ends(c))
    for group in _groups(sets, found):
        names = [junction.name for junction in group]
        touching = [(n, c) for n, c in found if c.a in group or c.b in group]
        flows = [n for n, c in touching if c.way is Way.FLOWS]
        domain = group[0].domain
        if flows:
            raise ModelError(
                f"model {model!r}: an open circuit at {_listed(names)}: {_listed(flows)} forces a flow "
                f"into it, which has nowhere to go: add a {domain.store} there, or connect it"
            )
        raise ModelError(
            f"model {model!r}: the network of {_listed(names)} is floating: its {domain.across} is "
            f"undetermined; fix one of its junctions with {domain.holder}"
        )


def _groups(sets: _Sets, found: list[tuple[str, Connection]]) -> Iterator[list[Junction]]:
    """Junctions that do not hang on the reference, those that hang together at a time."""
    junctions = {j.name: j for _, c in found for j in (c.a, c.b) if j is not None}
    loose: dict[str, list[Junction]] = {}
    for name, junction in junctions.items():
        if sets.top(name) != sets.top(_Sets.REFERENCE):
            loose.setdefault(sets.top(name), []).append(junction)
    yield from loose.values()


def _listed(names: Iterable[str]) -> str:
    names = list(dict.fromkeys(names))
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(map(repr, names[:MOST_NAMES])) + more
