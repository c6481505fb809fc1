"""Words, switches, names, files and objects as arguments."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from samara.arguments.errors import ArgumentError, ModelError, refused

#: So many names are listed where another one is asked for.
MOST_LISTED = 12


def named(who: str, kind: str, name: Any, there: Collection[str], error: type[Exception] = ModelError) -> str:
    """The name, if it is one of those known; `who` owns them, such as "model 'rotor'", and `kind` says "
    "what they are."""
    if isinstance(name, str) and name in there:
        return name
    known = list(there)
    near = difflib.get_close_matches(str(name), known, n=3)
    some = known[:MOST_LISTED] + ["..."] * (len(known) > MOST_LISTED) or ["none"]
    listed = f" (it has: {', '.join(some)})" if len(known) <= MOST_LISTED or not near else ""
    hint = f"; did you mean {', '.join(map(repr, near))}?" if near else ""
    said = f"{who} has no {kind} {name!r}{listed}{hint}"
    raise error(said, culprit=who, argument=str(name)) if issubclass(error, ArgumentError) else error(said)


def text(what: str, value: Any) -> str:
    """A non-empty string."""
    if isinstance(value, str) and value.strip():
        return value
    raise refused(what, "a non-empty string", value)


def one_of(what: str, value: Any, choices: Iterable[str]) -> str:
    """One of several words."""
    known = tuple(choices)
    if isinstance(value, str) and value in known:
        return value
    raise refused(what, f"one of {', '.join(map(repr, known))}", value)


def yes_or_no(what: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise refused(what, "True or False", value)


def file_path(what: str, value: Any) -> Path:
    """The path of a file, as a text or a `Path`."""
    if isinstance(value, (str, os.PathLike)) and str(value):
        return Path(value)
    raise refused(what, "the name of a file", value)


def names(what: str, value: Any, remedy: str) -> tuple[str, ...]:
    """One or more names or patterns; a single one may be a plain string. `remedy` ends the message about none."""
    if isinstance(value, str):
        return (value,)
    given = tuple(value) if isinstance(value, Iterable) else (value,)
    for name in given:
        if not isinstance(name, str):
            raise refused(what, "a name or pattern, or several", name)
    if not given:
        raise ArgumentError(what, f"is empty: {remedy}")
    return given


def outputs(what: str, value: Any) -> tuple[str, ...]:
    """Patterns of the channels to record, one or more."""
    return names(what, value, 'give at least one channel, such as "*.position", or omit it to record all')


def several(what: str, value: Any) -> list:
    """A sequence: a list, a tuple or an array, but not a string."""
    if (
        isinstance(value, Iterable)
        and not isinstance(value, (str, bytes, Mapping))
        and (not isinstance(value, np.ndarray) or value.ndim)
    ):
        return list(value)
    raise refused(what, "a sequence, such as a list", value)


def instance(what: str, value: Any, kind: type, remedy: str = "") -> Any:
    """An instance of a class; `remedy` ends the message about anything else."""
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise refused(what, f"{article} {kind.__name__}", value, remedy)
