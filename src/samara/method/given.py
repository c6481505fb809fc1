"""Records from the arguments of a function: given as records, as keywords, or both."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from samara.method.fields import fields_of
from samara.method.integrators import Scheme
from samara.method.method import Method
from samara.method.timeline import Timeline


class SimulationFields(TypedDict, total=False):
    """Fields of a `Method` as keywords, for editors and type checkers; the integrator is an argument by itself."""

    formulation: str | None
    tolerance: float | None
    ceiling: float | None
    iterations: int | None
    sweeps: int | None
    substeps: int | None
    stabilise: bool | None
    cut: Sequence[str] | str
    partition: Any
    backend: str | None
    threads: int | None
    lanes: int | None


class MethodFields(SimulationFields, total=False):
    """All fields of a `Method`."""

    integrator: Scheme | str | None


class RunFields(MethodFields, total=False):
    """With those of a `Timeline` but its end and step, which are arguments by themselves."""

    accuracy: float | None
    every: int
    outputs: str | Sequence[str]


class StepperFields(RunFields, total=False):
    """With its end, too."""

    end: float


class AllFields(StepperFields, total=False):
    """All fields of both."""

    step: float | None


def records(
    function: Callable[..., Any], method: Method | None, timeline: Timeline | None, given: Mapping[str, Any]
) -> tuple[Method | None, Timeline]:
    """The records that a function was given, with those fields replaced that it was given by name.

    No method where it was given none and no field of it either: what has one already keeps it then.
    """
    _require_known(function, given, Method, Timeline)
    return _method(function.__name__, method, given), _made(function.__name__, timeline, given, Timeline)


def method_of(function: Callable[..., Any], method: Method | None, given: Mapping[str, Any]) -> Method | None:
    """The same for a function that takes no timeline."""
    _require_known(function, given, Method)
    return _method(function.__name__, method, given)


def _method(who: str, method: Method | None, given: Mapping[str, Any]) -> Method | None:
    names = {f.name for f in dataclasses.fields(Method)}
    chosen = any(value is not None and not _none(value) for name, value in given.items() if name in names)
    return _made(who, method, given, Method) if chosen or method is not None else None


def _none(value: Any) -> bool:
    """Whether it names nothing."""
    return isinstance(value, (tuple, list)) and not value


def _made(who: str, record: Any, given: Mapping[str, Any], kind: Any) -> Any:
    from samara.arguments import ArgumentError

    if record is not None and not isinstance(record, kind):
        word = kind.__name__
        raise ArgumentError(f"{who}: {word.lower()} must be a {word}, such as {word}(), got {record!r}")
    values = fields_of(kind, given)
    return dataclasses.replace(record, who=who, **values) if record is not None else kind(who=who, **values)


def _require_known(function: Callable[..., Any], given: Mapping[str, Any], *kinds: Any) -> None:
    """Refuses names that neither the function nor a field of its records has."""
    fields = [f.name for kind in kinds for f in dataclasses.fields(kind)]
    if not given.keys() <= set(fields):
        from samara.arguments import known

        own = [p.name for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        known(function.__name__, given, dict.fromkeys([*own, *fields]))
