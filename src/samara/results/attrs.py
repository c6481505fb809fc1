"""What a run says about itself: model, parameters, integrator, counters, outcome."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import samara

Status = Literal["completed", "interrupted", "failed"]
Plain = bool | int | float | str | None


class Scene:
    """What there is to draw of a model, plain JSON, made when it is first asked for; see `samara.scene.scene`."""

    def __init__(self, make: Callable[[], dict[str, Any]]) -> None:
        self._make: Callable[[], dict[str, Any]] | None = make
        self._made: dict[str, Any] = {}

    @classmethod
    def made(cls, drawn: dict[str, Any]) -> Scene:
        """One that is drawn already."""
        return cls(lambda: drawn)

    def __call__(self) -> dict[str, Any]:
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Scene], tuple[dict[str, Any]]]:
        return Scene.made, (self(),)


@dataclass(frozen=True, slots=True)
class RunAttrs:
    """Provenance of results. Everything here travels in the file.

    model        name of the model
    parameters   {name: (value, unit)}, scalars in SI units; a matrix goes entry by entry
    integrator   name of the integration scheme
    method       how steps were taken, `samara.Method(**attrs.method)` again: plain numbers, booleans, text, lists of it
    options      how finely and on what: plain numbers, booleans, text
    counters     work done: steps, iterations, jacobians, factorisations, ... and times in seconds if any
    analyses     what was run, in order: ("assemble", "transient")
    status       completed, interrupted (stopped early on request) or failed (the solver gave up)
    message      why, in a sentence, unless completed
    stability    of a static solution: stable, neutral, unstable or not examined; empty otherwise
    notes        what else there is to know of the run, a sentence each: a start that had to change
    stand_in     not empty when inputs replace data that could not be had; printed on every plot
    version      version of Samara that made the run
    scene        what there is to draw of the model, if that is known
    """

    model: str = ""
    parameters: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    integrator: str = ""
    method: Mapping[str, Plain | list[str]] = field(default_factory=dict)
    options: Mapping[str, Plain] = field(default_factory=dict)
    counters: Mapping[str, int | float] = field(default_factory=dict)
    analyses: tuple[str, ...] = ()
    status: Status = "completed"
    message: str = ""
    stability: str = ""
    notes: tuple[str, ...] = ()
    stand_in: str = ""
    version: str = samara.__version__
    scene: Scene | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.status not in get_args(Status):
            raise ValueError(f"status {self.status!r} is none of {', '.join(get_args(Status))}")
        put = object.__setattr__
        put(self, "parameters", {name: _parameter(name, pair) for name, pair in self.parameters.items()})
        put(self, "method", {name: _setting(name, value) for name, value in self.method.items()})
        put(self, "options", {name: _plain("option", name, value) for name, value in self.options.items()})
        put(self, "counters", {name: _count(name, value) for name, value in self.counters.items()})
        put(self, "analyses", tuple(self.analyses))
        put(self, "notes", tuple(self.notes))

    @property
    def abscissa(self) -> tuple[str, str]:
        """Name and unit of what the samples are taken along: time, or the load factor of a static run in steps."""
        if self.options.get("along") == "loads" and self.options.get("steps") != 1:
            return "load factor", "1"
        return "time", "s"


def _parameter(name: str, pair: tuple[float, str]) -> tuple[float, str]:
    if not name or "/" in name:
        raise ValueError(f"parameter name {name!r}: it must not be empty nor contain '/'")
    try:
        value, unit = pair
        return float(value), str(unit)
    except (TypeError, ValueError):
        raise ValueError(f"parameter {name!r} = {pair!r}: give (number, unit)") from None


def _plain(kind: str, name: str, value: object) -> Plain:
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()  # type: ignore[attr-defined]
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)
    raise ValueError(f"{kind} {name!r} = {value!r}: give a number, a boolean or text")


def _setting(name: str, value: object) -> Plain | list[str]:
    """One of a method: several names, or a plain value."""
    return [str(one) for one in value] if isinstance(value, (list, tuple)) else _plain("method", name, value)


def _count(name: str, value: object) -> int | float:
    number = _plain("counter", name, value)
    if number is None or isinstance(number, bool | str):
        raise ValueError(f"counter {name!r} = {value!r}: give a number")
    return number
