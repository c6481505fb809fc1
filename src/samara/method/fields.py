"""Fields of a record that are also command-line options: help text and permitted values."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

#: Kinds of values; each is checked by `check`, and read from the command line by `samara.cli.settings`.
POSITIVE, FRACTION, COUNT, FLAG, CHOICE, NAMES, PATTERNS = (
    "positive", "fraction", "count", "flag", "choice", "names", "patterns",
)  # fmt: skip
#: Checked by the record itself: texts on the command line.
OWN = "own"


def setting(default: Any, kind: str, text: str, *, metavar: str = "", choices: tuple[str, ...] = ()) -> Any:
    """A field with its default; text: for `--help`, metavar: what stands for its value there."""
    return dataclasses.field(default=default, metadata={"kind": kind, "help": text, "metavar": metavar, "of": choices})


def check(record: Any, who: str) -> None:
    """Validates the fields and converts them to plain values; `who` names the caller in messages.

    None is kept where it is the default.
    """
    from samara import arguments

    checks: dict[str, Callable[[str, Any], Any]] = {
        POSITIVE: arguments.positive,
        FRACTION: arguments.fraction,
        COUNT: arguments.whole,
        FLAG: arguments.yes_or_no,
        PATTERNS: arguments.outputs,
    }
    for field in dataclasses.fields(record):
        kind, value, what = field.metadata["kind"], getattr(record, field.name), f"{who}: {field.name}"
        if kind == OWN or (value is None and field.default is None):
            continue
        if kind == CHOICE:
            value = arguments.one_of(what, value, field.metadata["of"])
        elif kind == NAMES:
            nothing = isinstance(value, (tuple, list)) and not value
            value = () if nothing else arguments.names(what, value, "give at least one, or omit it")
        else:
            value = checks[kind](what, value)
        object.__setattr__(record, field.name, value)


def fields_of(kind: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the values that are fields of this kind of record, without None."""
    return {f.name: given[f.name] for f in dataclasses.fields(kind) if given.get(f.name) is not None}
