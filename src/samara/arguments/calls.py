"""Calls with missing, surplus, repeated or unknown arguments."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from samara.arguments.errors import CallError


def known(what: str, given: Iterable[str], names: Iterable[str]) -> None:
    """Rejects unknown argument names; `what` is the caller, such as "RealTime"."""
    there = list(names)
    for name in given:
        if name not in there:
            near = difflib.get_close_matches(name, there, 1)
            hint = f"did you mean {near[0]!r}? Arguments:" if near else "the arguments are"
            said = f"{what}: unknown argument {name!r}; {hint} {', '.join(there)}"
            raise CallError(said, culprit=what, argument=name)


def require_fit(what: str, function: Callable, args: tuple, given: Mapping[str, Any]) -> None:
    """Rejects a call whose arguments do not match the signature, and names the arguments expected."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return
    places = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    if len(args) > len(places):
        words = f"at most {len(places)} allowed" + (f" ({', '.join(places)})" if places else "")
        raise CallError(f"{what}: {len(args)} positional arguments given, {words}; give the others by keyword")
    known(what, given, (p.name for p in parameters))
    filled = set(places[: len(args)])
    if twice := sorted(filled & set(given)):
        said = f"{what}: {', '.join(twice)} is given twice, by position and by keyword"
        raise CallError(said, culprit=what, argument=twice[0])
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in filled | set(given)]
    if missing:
        call = ", ".join(p.name if p.default is p.empty else f"{p.name}=..." for p in parameters)
        said = f"{what}: missing {', '.join(missing)}: call it as {what}({call})"
        raise CallError(said, culprit=what, argument=missing[0])
