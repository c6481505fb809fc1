"""Calls the formulas of a scheme once with plain numbers before compilation, so that errors are reported by name."""

from __future__ import annotations

import inspect
import numbers
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from samara.arguments import finite, text, whole
from samara.model import ArgumentError
from samara.tracing.expressions.expr import TracingError

if TYPE_CHECKING:
    from samara.solve.integrators.integrator import Integrator

#: Numbers that a scheme may have: they have room in the settings of a run.
MOST_NUMBERS = 4
#: How closely conditions of a formula are met, relative to its terms: weights written with ten digits do.
CONDITION_TOLERANCE = 1e-9


def refuse(scheme: Integrator, words: str) -> NoReturn:
    """The error, with the name of the scheme."""
    raise ArgumentError(f"integrator {scheme.name!r}: {words}")


def check_attributes(scheme: Integrator) -> None:
    """Name, radius, order and numbers, as `Integrator` says what they are."""
    kind = type(scheme).__name__
    for attribute, example in (("name", '"mine"'), ("radius", "0.0")):
        if not hasattr(scheme, attribute):
            raise ArgumentError(f"integrator {kind} has no {attribute}: define {attribute} = {example} in its class")
    who = f"integrator {text(f'integrator {kind}: name', scheme.name)!r}"
    radius = finite(f"{who}: radius", scheme.radius)
    if not 0.0 <= radius <= 1.0:
        raise ArgumentError(f"{who}: radius must be from 0 to 1, got {radius:g}")
    whole(f"{who}: order", scheme.order)
    if not isinstance(scheme.numbers, (tuple, list, np.ndarray)):
        raise ArgumentError(f"{who}: numbers must be a tuple of numbers, got {scheme.numbers!r}")
    if len(scheme.numbers) > MOST_NUMBERS:
        raise ArgumentError(f"{who} has {len(scheme.numbers)} numbers: give at most {MOST_NUMBERS}")
    for k, number in enumerate(scheme.numbers):
        finite(f"{who}: numbers[{k}]", number)
    try:
        hash(scheme)
    except TypeError:
        refuse(scheme, "it cannot be hashed: make its class a dataclass(frozen=True), or none at all")


class Flat(np.ndarray):
    """Numbers as native code has them: single items, from index 0. Native code would read garbage at any other."""

    def __getitem__(self, k: Any) -> Any:
        """One number."""
        return super().__getitem__(_within(k, self.size))

    def __setitem__(self, k: Any, value: Any) -> None:
        """Sets one number."""
        super().__setitem__(_within(k, self.size), value)


def _within(k: Any, size: int) -> int:
    if not isinstance(k, (int, np.integer)) or not 0 <= k < size:
        raise IndexError(f"there is no [{k}] among {size} numbers, which are taken one by one from 0 on")
    return int(k)


def numbers_as_given(scheme: Integrator) -> np.ndarray:
    """The numbers of a scheme, and none behind them: a formula that looks for more is told so."""
    return np.array(scheme.numbers, float).view(Flat)


def require_function(scheme: Integrator, method: str, signature: str) -> Callable[..., Any]:
    """A method that is compiled: a function that does not know the scheme."""
    function = getattr(scheme, method)
    if inspect.ismethod(function) or not callable(function):
        refuse(scheme, f"{method} must be a function by itself: write @staticmethod above def {signature}")
    return plain(function)


def plain(function: Any) -> Any:
    """What was written, where it is compiled already."""
    return getattr(function, "py_func", function)


def call(scheme: Integrator, signature: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a formula gives for numbers; signature: as it is to be written. A division by zero gives inf or nan."""
    try:
        with np.errstate(all="ignore"):
            return function(*arguments)
    except ArgumentError:
        raise
    except Exception as error:
        remedy = "write it with these arguments, in plain arithmetic"
        if isinstance(error, IndexError):
            remedy = "keep to the numbers that the scheme has, and to the coefficients that there are"
        refuse(scheme, f"{signature} fails on plain numbers ({type(error).__name__}: {error}): {remedy}")


@contextmanager
def traced(scheme: Integrator) -> Iterator[None]:
    """Names the scheme where its formulas work on numbers, but cannot be traced."""
    try:
        yield
    except Exception as error:
        remedy = "" if isinstance(error, TracingError) else "; let them return arithmetic of their arguments alone"
        refuse(scheme, f"its formulas on nodes and states cannot be traced: {error}{remedy}")


def several(scheme: Integrator, signature: str, found: Any, names: str) -> tuple[float, ...]:
    """A tuple of finite numbers, as many as there are names."""
    expected = names.split(", ")
    if not isinstance(found, tuple) or len(found) != len(expected):
        refuse(scheme, f"{signature} must return ({names}), a tuple of {len(expected)} numbers, got {shown(found)}")
    for name, value in zip(expected, found, strict=True):
        if not is_finite(value):
            refuse(scheme, f"{signature} must return finite numbers, got {name} = {shown(value)}")
    return tuple(float(value) for value in found)


def is_finite(value: Any) -> bool:
    """Whether it is a real number that is finite."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool) and bool(np.isfinite(float(value)))


def shown(value: Any) -> str:
    """As an error shows it: numbers without their types, nothing at length."""
    if isinstance(value, numbers.Real):
        return f"{float(value):.10g}"
    if isinstance(value, tuple) and all(isinstance(v, numbers.Real) for v in value):
        return f"({', '.join(map(shown, value))})"
    words = repr(value)
    return words if len(words) <= 60 else f"{words[:57]}..."
