"""Algebraic loops: states of order zero that depend on each other at the same instant."""

from __future__ import annotations

from samara.model import Element, Model, State
from samara.model.equations import governed


def loop_through(model: Model, state: State) -> list[str]:
    """Names of the elements whose equations make a loop of states of order zero through this one, or from which it
    follows; those of its own equation, where there is none.

    A state follows from all states of the elements that give its balance.
    """
    makers: dict[str, list[Element]] = {}
    for element in model.elements.values():
        states = element.states()
        for k in governed(element):
            if states[k].order == 0:
                makers.setdefault(states[k].name, []).append(element)
    needs = {
        name: {s.name for element in found for s in element.states() if s.name in makers and s.name != name}
        for name, found in makers.items()
    }
    reached = {name: _reached(needs, name) for name in (state.name, *_reached(needs, state.name))}
    looped = next((name for name, found in reached.items() if name in found), state.name)
    around = [name for name in makers if name == looped or (name in reached[looped] and looped in reached[name])]
    return list(dict.fromkeys(element.name for name in around for element in makers[name]))


def _reached(needs: dict[str, set[str]], start: str) -> set[str]:
    """All that a state follows from, at any distance."""
    found: set[str] = set()
    waiting = list(needs.get(start, ()))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += needs.get(name, ())
    return found


def in_words(model: Model, state: State) -> str:
    """The loop, or the element, that a state of order zero has its value from."""
    names = ", ".join(map(repr, loop_through(model, state)))
    if names.count(", ") == 0:
        return f"no solution of the equations of {names or 'its elements'} was found for it; start nearer to one"
    return (
        f"no solution of the algebraic loop of {names} was found; put a Lag or another block with a memory into it, "
        "change its gains, or start nearer to a solution; elements whose sizes are many decades apart, such as 1e-9 "
        "ohm beside 1 ohm, may be the reason"
    )
