"""What is done to each variant of a sweep: make the model, set its parameters, run it, measure."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Model, ModelError
from samara.model.changes import ParameterChanges
from samara.sweep.named import NamedModel
from samara.sweep.variants import RESERVED, Value, Variants


@dataclass(frozen=True)
class RunSettings:
    """How a variant is run before it is measured: see `samara.transient`. Without an end it is not run."""

    method: Method = field(default_factory=Method)
    timeline: Timeline = field(default_factory=Timeline)
    analysis: Literal["transient", "static"] = "transient"


@dataclass(frozen=True)
class Study:
    """Make, run and measure; `given` are the names that go to `make`, all others are parameters of the model."""

    make: Callable[..., Any]
    measure: Callable[[Any], Any]
    run: RunSettings
    given: frozenset[str]
    names: tuple[str, ...]

    def split(self, values: Mapping[str, Value]) -> tuple[dict[str, Value], dict[str, Value]]:
        """What is given to `make`, and what is set in the model that it makes."""
        made = {name: value for name, value in values.items() if name in self.given}
        return made, {name: value for name, value in values.items() if name not in self.given}


def make_study(make: Callable[..., Any], measure: Callable[[Any], Any], run: RunSettings, variants: Variants) -> Study:
    """The study, if `make` can be called with what the variants give; a name that fits nothing is refused."""
    for what, function in (("make", make), ("measure", measure)):
        if not callable(function):
            raise ArgumentError(f"sweep: {what} must be a function, got {function!r}")
    if isinstance(make, NamedModel):
        for name, value in make.settings:
            if name in variants.names:
                raise ArgumentError(f"sweep: {name} varies, and the settings of {make.name} say {value}: leave one out")
    given = _accepted(make, variants.names)
    study = Study(make, measure, run, given, variants.names)
    if not isinstance(make, NamedModel):
        first, _ = study.split(next(iter(variants)))
        try:
            inspect.signature(make).bind(**first)
        except TypeError as error:
            raise ArgumentError(
                f"sweep: make does not fit the variants ({error}): vary it, or give it a default"
            ) from None
    return study


def _accepted(make: Callable[..., Any], names: Iterable[str]) -> frozenset[str]:
    """Those of the names that `make` takes; all of them if it takes any keyword, or does not say."""
    known = arguments_of_make(make)
    return frozenset(names) if known is None else frozenset(names) & frozenset(known)


def arguments_of_make(make: Callable[..., Any]) -> tuple[str, ...] | None:
    """What `make` can be given by name; None for anything."""
    if isinstance(make, NamedModel):
        return make.accepted
    try:
        parameters = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # a builtin
        return None
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return None
    return tuple(p.name for p in parameters if p.kind is not p.POSITIONAL_ONLY)


def learnt_units(study: Study, variants: Variants) -> dict[str, str]:
    """Units of the parameters as far as they are known; refuses names that the model has no parameter for.

    A model that cannot be made for the first variant tells nothing: that is recorded when its turn comes.
    """
    units = dict(study.make.units) if isinstance(study.make, NamedModel) else {}
    made, named = study.split(next(iter(variants)))
    if named:
        try:
            model = study.make(**made)
        except Exception:
            return {name: unit for name, unit in units.items() if name in variants.names}
        if not isinstance(model, Model):
            raise ArgumentError(
                f"sweep: make takes no {next(iter(named))!r}, and returns {type(model).__name__}, which has no "
                "parameters: let it take the name, or return a Model with a Parameter of that name"
            )
        known = ParameterChanges(model).parameters
        for name in named:
            if name not in known:
                have = [*(arguments_of_make(study.make) or ()), *known]
                near = difflib.get_close_matches(name, have, n=3)
                hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(have) or 'none'}"
                raise ModelError(
                    f"sweep: {name!r} is neither an argument of make nor a parameter of model {model.name!r}; {hint}"
                )
            units[name] = known[name].unit
    return {name: unit for name, unit in units.items() if name in variants.names and unit}


@dataclass(frozen=True)
class Finished:
    """A variant that is done: what was measured, or why not.

    measures: numbers, or lists of numbers, by name; units: of those that are known.
    cause:    why it failed, "ValueError: ..."; empty where it did not. trace: where, for whoever looks into the store.
    seconds:  wall clock.
    """

    measures: dict[str, Any] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    cause: str = ""
    trace: str = ""
    seconds: float = 0.0


def require_measure_names(names: Iterable[Any], parameters: Iterable[str]) -> None:
    """Refuses names of measures that cannot stand beside the parameters in an array of results."""
    taken = {*parameters, *RESERVED}
    for name in names:
        if not isinstance(name, str) or not name.strip() or "/" in name:
            raise ArgumentError(f"measure gives {name!r}, which is no name: give a text without '/'")
        if name in taken:
            raise ArgumentError(f"measure gives {name!r}, which results have already: give it another name")
