"""Arguments as a user gives them: checked at the door, and converted to the types that native code is compiled for.

A native loop is compiled once for each combination of the types of its arguments, which takes a minute. An int where a
float is meant, a float32 or a NumPy integer would be a new combination, so they are converted before they get there.
"""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from samara.model.errors import ArgumentError, CallError

#: The largest whole number that is taken for a count: native code has room for no more than 2^63.
LARGEST_COUNT = 10**18


def finite(what: str, value: Any) -> float:
    """A finite number; `what` names the argument, such as "static: time"."""
    return _real(what, value, "a finite number", math.isfinite)


def positive(what: str, value: Any) -> float:
    """A finite number above zero."""
    return _real(what, value, "a positive number", lambda x: x > 0.0)


def fraction(what: str, value: Any) -> float:
    """A number above zero and below one."""
    return _real(what, value, "a positive number below 1", lambda x: 0.0 < x < 1.0)


def not_negative(what: str, value: Any) -> float:
    """A finite number, zero or more."""
    return _real(what, value, "a number that is not negative", lambda x: x >= 0.0)


def _real(what: str, value: Any, kind: str, fits) -> float:
    plain = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(plain, numbers.Real) and not isinstance(plain, (bool, np.bool_)):
        try:
            number = float(plain)
        except OverflowError:  # a whole number of more than 308 digits
            raise ArgumentError(f"{what} must be {kind}, got one that is too large") from None
        if math.isfinite(number) and fits(number):
            return number
    raise ArgumentError(f"{what} must be {kind}, got {value!r}")


def whole(what: str, value: Any, least: int = 1, most: int = LARGEST_COUNT) -> int:
    """A whole number of at least `least` and at most `most`; 2.0 is one, 2.5 is not."""
    number = _whole(value)
    if number is None:
        raise ArgumentError(f"{what} must be a whole number, got {value!r}")
    if number < least:
        raise ArgumentError(f"{what} must be at least {least}, got {value!r}")
    if number > most:
        raise ArgumentError(f"{what} must be at most {most:g}, got {value!r}")
    return number


def _whole(value: Any) -> int | None:
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (float, np.floating)):
        return int(value) if float(value).is_integer() else None
    try:
        return operator.index(value)
    except TypeError:
        return None


def text(what: str, value: Any) -> str:
    """A text that is not empty."""
    if isinstance(value, str) and value.strip():
        return value
    raise ArgumentError(f"{what} must be a text that is not empty, got {value!r}")


def one_of(what: str, value: Any, choices: Iterable[str]) -> str:
    """One of several words."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise ArgumentError(f"{what} must be one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def file_path(what: str, value: Any) -> Path:
    """The path of a file, as a text or a `Path`."""
    if isinstance(value, (str, os.PathLike)) and str(value):
        return Path(value)
    raise ArgumentError(f"{what} must be the name of a file, got {value!r}")


def yes_or_no(what: str, value: Any) -> bool:
    """True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise ArgumentError(f"{what} must be True or False, got {value!r}")


def names(what: str, value: Any, remedy: str) -> tuple[str, ...]:
    """One or more names or patterns, of which a single one may stand by itself; `remedy` ends what is said of none."""
    if isinstance(value, str):
        return (value,)
    given = tuple(value) if isinstance(value, Iterable) else (value,)
    wrong = [name for name in given if not isinstance(name, str)]
    if wrong:
        raise ArgumentError(f"{what} must be names or patterns of names, got {wrong[0]!r}")
    if not given:
        raise ArgumentError(f"{what} is empty: {remedy}")
    return given


def outputs(what: str, value: Any) -> tuple[str, ...]:
    """Patterns of the channels to record, one or more."""
    return names(what, value, 'name one channel or more, such as "*.position", or leave it out to record all of them')


def several(what: str, value: Any) -> list:
    """Several of something, in order: a list, a tuple, an array; no text."""
    if (
        isinstance(value, Iterable)
        and not isinstance(value, (str, bytes, Mapping))
        and (not isinstance(value, np.ndarray) or value.ndim)
    ):
        return list(value)
    raise ArgumentError(f"{what} must be several, such as a list, got {value!r}")


def real_numbers(what: str, value: Any, shape: tuple[int, ...] | None = None) -> np.ndarray:
    """Real numbers as an array, of any shape unless one is given."""
    try:
        if isinstance(value, str) or value is None:
            raise TypeError
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ArgumentError(f"{what} must be real numbers, got {value!r}") from None
    if shape is not None and array.shape != shape:
        raise ArgumentError(f"{what} must have the shape {shape}, got {array.shape}")
    return array


def instance(what: str, value: Any, kind: type, remedy: str = "") -> Any:
    """An object of a class; `remedy` ends what is said of another one."""
    if isinstance(value, kind):
        return value
    article = "an" if kind.__name__[0] in "AEIOU" else "a"
    raise ArgumentError(f"{what} must be {article} {kind.__name__}, got {value!r}{remedy}")


def known(what: str, given: Iterable[str], names: Iterable[str]) -> None:
    """Refuses names that are not there; `what` asks for them, such as "RealTime"."""
    there = list(names)
    for name in given:
        if name not in there:
            near = difflib.get_close_matches(name, there, 1)
            hint = f"did you mean {near[0]!r}? There are" if near else "there are"
            raise CallError(f"{what}: there is no argument {name!r}; {hint} {', '.join(there)}")


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
    if twice := filled & set(given):
        raise CallError(f"{what}: {', '.join(sorted(twice))} is given twice, by place and by name")
    missing = [p.name for p in parameters if p.default is p.empty and p.name not in filled | set(given)]
    if missing:
        call = ", ".join(p.name if p.default is p.empty else f"{p.name}=..." for p in parameters)
        raise CallError(f"{what}: give {', '.join(missing)} too: {what}({call})")
