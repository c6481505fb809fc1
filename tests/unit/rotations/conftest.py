"""A stand-in for traced numbers: no truth values, operations counted, products by zero noticed."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest


class TracedTruth:
    """A comparison of traced numbers: it can select, it cannot branch."""

    def __init__(self, holds: bool, counts: Counter[str]) -> None:
        self._holds, self._counts = holds, counts

    def __bool__(self) -> bool:
        raise TypeError("a traced comparison has no truth value")

    def select(self, if_true: Any, if_false: Any) -> "Traced":
        self._counts["select"] += 1
        assert not isinstance(if_true, np.ndarray) and not isinstance(if_false, np.ndarray)
        for side in (if_true, if_false):
            assert np.isfinite(_value(side)), "the side that is not chosen must be finite too"
        return Traced(_value(if_true if self._holds else if_false), self._counts)


class Traced:
    """A float that behaves as a node of an expression graph would."""

    def __init__(self, value: float, counts: Counter[str]) -> None:
        self.value, self.counts = float(value), counts

    def __bool__(self) -> bool:
        raise TypeError("a traced number has no truth value")

    def _binary(self, name: str, value: float, other: Any = None) -> "Traced":
        self.counts[name] += 1
        if not isinstance(other, Traced) and other is not None:
            if name == "mul" and other in (0, 1):
                self.counts[f"times {other:g}"] += 1
            if name == "add" and other == 0:
                self.counts["plus 0"] += 1
        return Traced(value, self.counts)

    def __add__(self, other: Any) -> "Traced":
        return self._binary("add", self.value + _value(other), other)

    def __radd__(self, other: Any) -> "Traced":
        return self._binary("add", _value(other) + self.value, other)

    def __sub__(self, other: Any) -> "Traced":
        return self._binary("add", self.value - _value(other), other)

    def __rsub__(self, other: Any) -> "Traced":
        return self._binary("add", _value(other) - self.value)

    def __mul__(self, other: Any) -> "Traced":
        return self._binary("mul", self.value * _value(other), other)

    def __rmul__(self, other: Any) -> "Traced":
        return self._binary("mul", _value(other) * self.value, other)

    def __truediv__(self, other: Any) -> "Traced":
        return self._binary("div", self.value / _value(other))

    def __rtruediv__(self, other: Any) -> "Traced":
        return self._binary("div", _value(other) / self.value)

    def __neg__(self) -> "Traced":
        return self._binary("neg", -self.value)

    def __lt__(self, other: Any) -> TracedTruth:
        self.counts["compare"] += 1
        return TracedTruth(self.value < _value(other), self.counts)

    def __gt__(self, other: Any) -> TracedTruth:
        self.counts["compare"] += 1
        return TracedTruth(self.value > _value(other), self.counts)

    def sqrt(self) -> "Traced":
        return self._binary("sqrt", np.sqrt(self.value))

    def sin(self) -> "Traced":
        return self._binary("sin", np.sin(self.value))

    def cos(self) -> "Traced":
        return self._binary("cos", np.cos(self.value))

    def tan(self) -> "Traced":
        return self._binary("tan", np.tan(self.value))

    def arctan2(self, x: Any) -> "Traced":
        return self._binary("arctan2", np.arctan2(self.value, _value(x)))


def _value(x: Any) -> float:
    return x.value if isinstance(x, Traced) else float(x)


class Trace:
    """Turns arrays into traced ones and back, and keeps the count of operations."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def __call__(self, array: Any) -> np.ndarray[Any, Any]:
        return np.frompyfunc(lambda x: Traced(x, self.counts), 1, 1)(np.asarray(array, dtype=float))

    def values(self, array: Any) -> np.ndarray[Any, Any]:
        return np.vectorize(_value, otypes=[float])(array)

    def wasted(self) -> int:
        """Products by zero or one, sums with zero."""
        return sum(self.counts[name] for name in ("times 0", "times 1", "plus 0"))

    def operations(self) -> int:
        names = ("add", "mul", "div", "neg", "compare", "select", "sqrt", "sin", "cos", "tan", "arctan2")
        return sum(self.counts[name] for name in names)


@pytest.fixture
def trace() -> Trace:
    return Trace()


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240917)


@pytest.fixture
def complex_step() -> Callable[..., np.ndarray[Any, Any]]:
    """Jacobian of an analytic function by the complex step f'(x) = Im f(x + i h) / h: exact to round-off."""

    def jacobian(function: Callable[[Any], Any], x: Any, h: float = 1e-30) -> np.ndarray[Any, Any]:
        x = np.asarray(x, dtype=float)
        columns = []
        for k in range(x.size):
            step = x.astype(complex)
            step[k] += 1j * h
            columns.append(np.imag(function(step)) / h)
        return np.stack(columns, axis=-1)

    return jacobian
