"""What numbers of blocks are checked by; an error names the block and the number."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.arguments import shown
from samara.blocks.block import BlockError

#: A count for which there is room in memory.
LARGEST_COUNT = 10**8


#: What helps where something else than a plain number is given.
PLAIN = "give a plain number: parameters of a controller are changed by its own methods, such as `tune` and `tunable`"


def plain_number(who: str, name: str, value: Any) -> float:
    """A real number as a float. A `Parameter` would be frozen; a bool or a text is no number: they are refused."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise BlockError(f"{who}: {name} must be a number, got {shown(value)}; {PLAIN}")
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 308 digits
        raise BlockError(f"{who}: {name} must be a finite number, got one that is too large") from None


def plain_numbers(who: str, name: str, value: Any) -> np.ndarray:
    """A number, a sequence or a matrix of real numbers, as a new array of floats; see `plain_number`."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        return np.array(value, float)
    try:
        entries = np.asarray(value, object)
        for entry in entries.ravel():
            plain_number(who, name, entry)
        return np.array(value, float)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BlockError):
            raise
        raise BlockError(f"{who}: {name} must be numbers in rows of the same length, got {shown(value)}") from None


def finite_number(who: str, name: str, value: Any) -> float:
    """A number that is finite; see `plain_number`."""
    if type(value) is float and math.isfinite(value):  # the usual case, and quick
        return value
    number = plain_number(who, name, value)
    if not math.isfinite(number):
        raise BlockError(f"{who}: {name} must be a finite number, got {number}")
    return number


def finite_numbers(who: str, name: str, value: Any) -> np.ndarray:
    """Numbers that are finite, as a new array; see `plain_numbers`."""
    found = plain_numbers(who, name, value)
    if not np.isfinite(found).all():
        raise BlockError(f"{who}: {name} must be finite, got {shown(value)}")
    return found


def matrix(who: str, name: str, value: Any) -> np.ndarray:
    """A matrix of finite numbers, not empty; a number or a row stands for one."""
    found = np.atleast_2d(finite_numbers(who, name, value))
    if found.ndim != 2 or not found.size:
        raise BlockError(f"{who}: {name} must be a matrix with rows and columns, got shape {found.shape}")
    return np.ascontiguousarray(found)


def one_of(who: str, name: str, value: Any, choices: Sequence[str]) -> str:
    """One of several words."""
    if not isinstance(value, str) or value not in choices:
        raise BlockError(f"{who}: {name} must be one of {', '.join(choices)}, got {shown(value)}")
    return value


def whole_number(who: str, name: str, value: Any, least: int) -> int:
    """A whole number, not below the least; no bool."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise BlockError(f"{who}: {name} must be a whole number of at least {least}, got {shown(value)}")
    if value > LARGEST_COUNT:
        raise BlockError(f"{who}: {name} must be at most {LARGEST_COUNT:.0e}, got one that is larger")
    return int(value)


def switch(who: str, name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise BlockError(f"{who}: {name} must be True or False, got {shown(value)}")
    return bool(value)


class ChannelChecks:
    """Checks of a law with several channels, whose errors name it."""

    def refuse(self, message: str) -> BlockError:
        """An error that names the block."""
        return BlockError(f"{type(self).__name__}: {message}")

    def numbers(self, name: str, value: Any) -> np.ndarray:
        """A number, a sequence or a matrix of numbers, as a new array of floats."""
        return plain_numbers(type(self).__name__, name, value)

    def per_channel(self, name: str, value: Any, size: int) -> np.ndarray:
        """A number for all channels, or one each, as an array; it may be infinite."""
        found = self._spread(name, value, size)
        if found is None or np.isnan(found).any():
            raise self.refuse(f"{name} must be a number or {size} numbers, got {shown(value)}")
        return found

    def scales(self, name: str, value: Any, size: int) -> np.ndarray:
        """A positive number for all channels, or one each, as an array."""
        found = self._spread(name, value, size)
        if found is None or not np.isfinite(found).all() or (found <= 0.0).any():
            raise self.refuse(f"{name} must be a positive number or {size} of them, got {shown(value)}")
        return found

    def weights(self, name: str, value: Any, size: int) -> np.ndarray:
        """A number for all channels, or one each, none negative, as an array."""
        found = self._spread(name, value, size)
        if found is None or not np.isfinite(found).all() or (found < 0.0).any():
            raise self.refuse(f"{name} must be a number or {size} numbers, none negative, got {shown(value)}")
        return found

    def _spread(self, name: str, value: Any, size: int) -> np.ndarray | None:
        found = self.numbers(name, value)
        return np.array(np.broadcast_to(found, (size,))) if found.shape in ((), (1,), (size,)) else None

    def kind(self, name: str, value: Any, wanted: type) -> None:
        """Refuses what is not of that class."""
        if not isinstance(value, wanted):
            raise self.refuse(f"{name} must be made by {wanted.__name__}(...), got {shown(value)}")
