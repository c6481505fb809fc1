"""Calls: arguments that are missing, too many, given twice, or of names that are not there."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from samara.arguments.errors import CallError


def known(what: str, given: Iterable[str], names: Iterable[str]) -> None:
    """Refuses names that are not there; `what` asks for them, such as "RealTime"."""
    there = list(names)
    for name in given:
        if name not in there:
            near = difflib.get_close_matches(name, there, 1)
            hint = f"did you mean {near[0]!r}? There are" if near else "there are"
            said = f"{what}: there is no argument {name!r}; {hint} {', '.join(there)}"
            raise CallError(said, culprit=what, argument=name)


def require_fit(what: str, function: Callable, args: tuple, given: Mapping[str, Any]) -> None:
    """Refuses a call of a function, or of a class, whose arguments do not fit, and says which are meant."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return
    places = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    if len(args) > len(places):
        words = f"takes {len(places)} without a name" + (f" ({', '.join(places)})" if places else "")
        raise CallError(f"{what}: {len(args)} arguments are given, and it {words}; give the others by name")
    known(what, given, (p.name for p in parameters))
    filled = set(places[: len(args)])
    if twice := sorted(filled & set(given)):
        said = f"{what}: {', '.join(twice)} is given twice, by place and by name"
        raise CallError(said, culprit=what, argument=twice[0])
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in filled | set(given)]
    if missing:
        call = ", ".join(p.name if p.default is p.empty else f"{p.name}=..." for p in parameters)
        said = f"{what}: give {', '.join(missing)} too: {what}({call})"
        raise CallError(said, culprit=what, argument=missing[0])
