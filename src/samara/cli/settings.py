"""Command-line options: value types, and options generated from the fields of a record."""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any

from samara.method import fields as kinds
from samara.method.method import Method
from samara.method.timeline import Timeline


def add_fields(parser: argparse.ArgumentParser, kind: type, without: Iterable[str] = ()) -> None:
    """Adds a group with one option per field of a record; options not given are None."""
    title = kind.__name__.lower()
    group = parser.add_argument_group(title, f"defaults are the model's own; see samara.{kind.__name__}")
    for field in dataclasses.fields(kind):
        if field.name not in without:
            group.add_argument(f"--{field.name}", help=field.metadata["help"], **_how(field))


def given(args: argparse.Namespace, kind: type) -> dict[str, Any]:
    """The fields of a record that were given as options."""
    found = {f.name: getattr(args, f.name, None) for f in dataclasses.fields(kind)}
    return {name: value for name, value in found.items() if value is not None}


def run_fields(args: argparse.Namespace) -> dict[str, Any]:
    """The fields of method and timeline that were given as options."""
    return {**given(args, Method), **given(args, Timeline)}


def words(args: argparse.Namespace, names: Iterable[str]) -> list[str]:
    """The options among these that were given, as written on the command line."""
    return [f"--{name.replace('_', '-')}" for name in names if getattr(args, name) is not None]


def _how(field: dataclasses.Field[Any]) -> dict[str, Any]:
    """Keyword arguments of `add_argument` for a field."""
    meta = field.metadata
    metavar = {"metavar": meta["metavar"]} if meta["metavar"] else {}
    match meta["kind"]:
        case kinds.FLAG:
            return {"action": argparse.BooleanOptionalAction}
        case kinds.CHOICE:
            return {"choices": meta["of"]}
        case kinds.NAMES | kinds.PATTERNS:
            return {"nargs": "+", "action": "extend", **metavar}
        case kinds.POSITIVE | kinds.FRACTION:
            return {"type": positive, **metavar}
        case kinds.COUNT:
            return {"type": count, **metavar}
    return {"type": _text, **metavar}


def _text(word: str) -> str | int:
    """What the record itself understands: a name, or how many."""
    return int(word) if word.isdecimal() else word


def speeds(text: str) -> tuple[float, float, int]:
    """From A to B, so many."""
    first, last, number = text.split(":")
    if int(number) < 1 or not (math.isfinite(float(first)) and math.isfinite(float(last))):
        raise ValueError
    if int(number) > 1_000_000:
        raise argparse.ArgumentTypeError(f"must have at most a million values, got {text}")
    return float(first), float(last), int(number)


speeds.__name__ = "A:B:N"


def _number(text: str, holds: Callable[[float], bool], words: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and holds(value)):
        raise argparse.ArgumentTypeError(f"{words}, got {text}")
    return value


def finite(text: str) -> float:
    """A finite number."""
    return _number(text, lambda value: True, "must be a finite number")


def positive(text: str) -> float:
    """A positive number."""
    return _number(text, lambda value: value > 0.0, "must be a positive number")


def not_negative(text: str) -> float:
    """A number from zero on."""
    return _number(text, lambda value: value >= 0.0, "must not be negative")


for one in (finite, positive, not_negative):
    one.__name__ = "number"


def whole_between(minimum: int, maximum: int) -> Callable[[str], int]:
    """A whole number, ends included."""

    def number(text: str) -> int:
        value = int(text)
        if not minimum <= value <= maximum:
            raise argparse.ArgumentTypeError(f"must be from {minimum} to {maximum}, got {text}")
        return value

    number.__name__ = "whole number"
    return number


def count(text: str) -> int:
    """A whole number from one on."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {text}")
    return value


count.__name__ = "whole number"
