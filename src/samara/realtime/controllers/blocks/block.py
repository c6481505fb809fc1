"""What all discrete blocks share."""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from samara.blocks.block import BlockError

#: A limit that is never reached.
NO_LIMIT = math.inf
#: A count for which there is room in memory.
LARGEST_COUNT = 10**8


#: What helps where something else than a plain number is given.
PLAIN = "give a plain number: a controller's numbers are changed by its own means, such as `tune` and `tunable`"


def plain_number(who: str, name: str, value: Any) -> float:
    """A real number as a float. A `Parameter` would be frozen; a bool or a text is no number: they are refused."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise BlockError(f"{who}: {name} must be a number, got {_shown(value)}; {PLAIN}")
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
        raise BlockError(f"{who}: {name} must be numbers in rows of the same length, got {_shown(value)}") from None


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
        raise BlockError(f"{who}: {name} must be finite, got {_shown(value)}")
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
        raise BlockError(f"{who}: {name} must be one of {', '.join(choices)}, got {_shown(value)}")
    return value


def whole_number(who: str, name: str, value: Any, least: int) -> int:
    """A whole number, not below the least; no bool."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise BlockError(f"{who}: {name} must be a whole number of {least} or more, got {_shown(value)}")
    if value > LARGEST_COUNT:
        raise BlockError(f"{who}: {name} must be at most {LARGEST_COUNT:.0e}, got one that is larger")
    return int(value)


def switch(who: str, name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise BlockError(f"{who}: {name} must be True or False, got {_shown(value)}")
    return bool(value)


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) < 60 else f"{text[:57]}..."


class PythonBlock:
    """A function of sampled numbers with a memory, called once a sample.

    step:    sample time [s].
    reset(): forgets; the next call is the first.

    Blocks work on plain floats and allocate nothing that stays: a call takes about a microsecond.

    Bad samples: what is not a finite number is refused by name, with a `BlockError`, and the block stays as it was; so
    is a sample whose answer would not be finite. A memory never keeps what is not finite. A `Controller` then holds its
    last answer, or stops, as its `on_error` says. Predictive laws have a model that tells what a sample should have
    been: they go on without it, answer what they did last, and count it in `bad` (see `PredictiveLaw`).
    """

    step: float

    def reset(self) -> None:
        """Back to the state at the start."""
        raise NotImplementedError

    def refuse(self, message: str) -> BlockError:
        """An error that names the block."""
        return BlockError(f"{type(self).__name__}: {message}")

    def refuse_unknown(self, given: Iterable[str]) -> None:
        """An error that names what `tune` was given and does not know."""
        for name in given:
            takes = inspect.signature(getattr(self, "tune")).parameters.values()  # noqa: B009
            known = ", ".join(p.name for p in takes if p.kind != p.VAR_KEYWORD)
            raise self.refuse(f"tune does not know {name!r}, only {known}")

    def positive(self, name: str, value: float) -> float:
        """The number, which must be above zero."""
        value = self.finite(name, value)
        if value <= 0.0:
            raise self.refuse(f"{name} must be positive, got {value:g}")
        return value

    def nonnegative(self, name: str, value: float) -> float:
        """The number, which must not be below zero."""
        value = self.finite(name, value)
        if value < 0.0:
            raise self.refuse(f"{name} must not be negative, got {value:g}")
        return value

    def finite(self, name: str, value: float) -> float:
        """The number as a float, which must be finite."""
        return finite_number(type(self).__name__, name, value)

    def sampled(self, name: str, value: Any) -> float:
        """A sample: a finite number; see `Block`."""
        if type(value) is float and math.isfinite(value):
            return value
        return finite_number(type(self).__name__, name, value)

    def sampled_channels(self, name: str, value: Any, size: int) -> Sequence[float]:
        """A sample of several channels: as many finite numbers; one alone may stand by itself."""
        if isinstance(value, (tuple, list)) and len(value) == size:
            return [self.sampled(name, one) for one in value]
        if size == 1 and isinstance(value, float):
            return (self.sampled(name, value),)
        found = finite_numbers(type(self).__name__, name, value)
        if found.shape != (size,) and not (size == 1 and found.ndim == 0):
            raise self.refuse(f"{name} must be {size} number{'s' * (size != 1)}, got shape {found.shape}")
        return found.ravel().tolist()

    def answer(self, found: float) -> float:
        """An answer, which must be finite, before it is kept."""
        if not math.isfinite(found):
            raise self.refuse("the answer would not be finite: the sample is too large, or the block is not stable")
        return found

    def answers(self, found: np.ndarray) -> np.ndarray:
        """Answers, which must be finite, before they are kept."""
        if not np.isfinite(found).all():
            self.answer(math.nan)
        return found

    def as_matrix(self, name: str, value: Any) -> np.ndarray:
        """A matrix of finite numbers, not empty."""
        return matrix(type(self).__name__, name, value)

    def numbers(self, name: str, value: Any) -> np.ndarray:
        """A number, a sequence or a matrix of numbers, as a new array of floats."""
        return plain_numbers(type(self).__name__, name, value)

    def per_channel(self, name: str, value: Any, size: int) -> np.ndarray:
        """A number for all channels, or one each, as an array; it may be infinite."""
        found = self._spread(name, value, size)
        if found is None or np.isnan(found).any():
            raise self.refuse(f"{name} must be a number or {size} numbers, got {_shown(value)}")
        return found

    def scales(self, name: str, value: Any, size: int) -> np.ndarray:
        """A positive number for all channels, or one each, as an array."""
        found = self._spread(name, value, size)
        if found is None or not np.isfinite(found).all() or (found <= 0.0).any():
            raise self.refuse(f"{name} must be a positive number or {size} of them, got {_shown(value)}")
        return found

    def weights(self, name: str, value: Any, size: int) -> np.ndarray:
        """A number for all channels, or one each, none negative, as an array."""
        found = self._spread(name, value, size)
        if found is None or not np.isfinite(found).all() or (found < 0.0).any():
            raise self.refuse(f"{name} must be a number or {size} numbers, none negative, got {_shown(value)}")
        return found

    def _spread(self, name: str, value: Any, size: int) -> np.ndarray | None:
        found = self.numbers(name, value)
        return np.array(np.broadcast_to(found, (size,))) if found.shape in ((), (1,), (size,)) else None

    def kind(self, name: str, value: Any, wanted: type) -> None:
        """Refuses what is not of that class."""
        if not isinstance(value, wanted):
            raise self.refuse(f"{name} must be made by {wanted.__name__}(...), got {_shown(value)}")

    def switch(self, name: str, value: Any) -> bool:
        """True or False."""
        return switch(type(self).__name__, name, value)

    def one_of(self, name: str, value: Any, choices: Sequence[str]) -> str:
        """One of several words."""
        return one_of(type(self).__name__, name, value, choices)

    def whole(self, name: str, value: Any, least: int = 1) -> int:
        """A whole number, not below the least; 3.0 is one."""
        if isinstance(value, (float, np.floating)) and float(value).is_integer():
            value = int(value)
        return whole_number(type(self).__name__, name, value, least)

    def limits(self, lower: float, upper: float) -> tuple[float, float]:
        """Both limits; infinite ones are none."""
        who = type(self).__name__
        lower, upper = plain_number(who, "lower", lower), plain_number(who, "upper", upper)
        for name, limit in (("lower", lower), ("upper", upper)):
            if math.isnan(limit):
                raise self.refuse(f"{name} must be a number, or infinite for none, got nan")
        if not lower < upper:
            raise self.refuse(f"lower ({lower:g}) must be less than upper ({upper:g})")
        return lower, upper

    def below_half(self, frequency: float) -> float:
        """A frequency [Hz], which must lie below half the sample rate."""
        frequency = self.positive("frequency", frequency)
        if frequency >= 0.5 / self.step:
            raise self.refuse(f"{frequency:g} Hz must lie below half the sample rate, {0.5 / self.step:g} Hz")
        return frequency
