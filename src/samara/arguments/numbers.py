"""Numbers as arguments: what passes is a plain float or int."""

from __future__ import annotations

import math
import numbers
import operator
from typing import Any

import numpy as np

from samara.arguments.errors import refused

#: The largest whole number that is taken for a count: native code has room for no more than 2^63.
LARGEST_COUNT = 10**18


def finite(what: str, value: Any, unit: str = "") -> float:
    """A finite number; `what` names the argument, such as "static: time"."""
    return _number(what, value, "a finite number", unit, -math.inf, math.inf)


def positive(what: str, value: Any, unit: str = "") -> float:
    """A finite number above zero."""
    return _number(what, value, "a positive number", unit, 0.0, math.inf)


def not_negative(what: str, value: Any, unit: str = "") -> float:
    """A finite number, zero or more."""
    return _number(what, value, "a number that is not negative", unit, -math.ulp(0.0), math.inf)


def fraction(what: str, value: Any, most: float = 1.0) -> float:
    """A number above zero and below one, or `most`."""
    return _number(what, value, f"a positive number below {most:g}", "", 0.0, most)


def _number(what: str, value: Any, wanted: str, unit: str, above: float, below: float) -> float:
    found = as_real(value)
    if found is None or not above < found < below:
        raise refused(what, f"{wanted} [{unit}]" if unit else wanted, value)
    return found


def as_real(value: Any) -> float | None:
    """A real number as a float, and None for all else: no switch, no text, nothing that only stands for a number."""
    if type(value) is float:
        return value
    plain = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if not isinstance(plain, numbers.Real) or isinstance(plain, (bool, np.bool_)):
        return None
    try:
        return float(plain)
    except OverflowError:  # a whole number of more than 308 digits
        return math.inf


def whole(what: str, value: Any, least: int = 1, most: int = LARGEST_COUNT) -> int:
    """A whole number of at least `least` and at most `most`; 2.0 is one, 2.5 is not."""
    found = as_whole(value)
    if found is None:
        raise refused(what, "a whole number", value)
    if found < least:
        raise refused(what, f"at least {least}", value)
    if found > most:
        raise refused(what, f"at most {most:g}", value)
    return found


def as_whole(value: Any) -> int | None:
    """A whole number as an int, and None for all else."""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (float, np.floating)):
        return int(value) if float(value).is_integer() else None
    try:
        return operator.index(value)
    except TypeError:
        return None
