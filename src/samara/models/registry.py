"""A ready model: a builder whose arguments have units and descriptions, with default run settings."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from samara.arguments import positive
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Model, ModelError
from samara.models.meanings import describe_parameters
from samara.models.quantity import Argument, Quantity, Value, arguments_of, checked

__all__ = [
    "Argument", "Quantity", "ReadyModel", "Value", "arguments_of", "checked", "from_text", "load_steps", "look_up",
    "set_parameters",
]  # fmt: skip

if TYPE_CHECKING:
    from samara.results import Results

E = TypeVar("E")
#: How steps are taken unless a model says otherwise.
USUAL = Method()


@dataclass(frozen=True)
class ReadyModel:
    """A ready model.

    build:      makes the model; its keyword arguments are annotated ``Annotated[float, Quantity("m", "length")]``, a
                control ``Annotated[Controllable, Quantity(...)]`` (`samara.models.controls`); unannotated ones, such as
                a list of gusts, can only be given from Python; `checked` by these annotations
    source:     where the numbers come from
    timeline:   default end and step of a run
    method:     default method of the steps
    plot:       channels that show the motion
    analysis:   "transient", or "static": the load is applied in equal increments, the timeline's step, up to 1
    """

    name: str
    build: Callable[..., Model]
    description: str
    source: str
    timeline: Timeline
    plot: tuple[str, ...]
    method: Method = USUAL
    analysis: Literal["transient", "static"] = "transient"

    def __post_init__(self) -> None:
        if not hasattr(self.build, "machine"):
            object.__setattr__(self, "build", checked(self.name)(self.build))

    @functools.cached_property
    def arguments(self) -> dict[str, Argument]:
        """The arguments of `build`, by name."""
        return arguments_of(self.build, self.name)

    @functools.cached_property
    def python_only(self) -> tuple[str, ...]:
        """Names of arguments of `build` that are neither numbers nor text, so that the command line cannot set them."""
        return tuple(name for name in inspect.signature(self.build).parameters if name not in self.arguments)

    def make(self, **settings: Any) -> Model:
        """Builds the model with these arguments; a name unknown to `build` may be a named parameter of the model."""
        values = {name: value for name, value in settings.items() if name in self.arguments}
        alone = (name for name in self.python_only if name in settings)
        values |= {name: _not_text(f"{self.name}: {name}", settings[name]) for name in alone}
        model = self.build(**values)
        model.description = model.description or self.description
        describe_parameters(model, {name: argument.meaning for name, argument in self.arguments.items()})
        set_parameters(model, {n: v for n, v in settings.items() if n not in values}, also=tuple(self.arguments))
        return model

    def values(self, **settings: Any) -> dict[str, tuple[float, str]]:
        """Numerical settings of a run, {name: (value, unit)}; texts and drives are omitted."""
        found: dict[str, tuple[float, str]] = {}
        for name, argument in self.arguments.items():
            value = argument.check(settings.get(name, argument.default))
            several = isinstance(value, tuple)
            parts = {f"{name}_{a}": v for a, v in zip("xyz", value, strict=True)} if several else {name: value}
            plain = {n: v for n, v in parts.items() if isinstance(v, (float, int))}
            found |= {n: (float(v), argument.unit or "1") for n, v in plain.items()}
        return found

    def run(
        self, end: float | None = None, step: float | None = None, *, progress: bool | None = False, **given: Any
    ) -> Results:
        """Builds the model and runs it with its default timeline and method.

        given: arguments of `build`, and fields of a `Method` or a `Timeline` that `build` has no argument for.
        """
        from samara.solve import static, transient

        names = {f.name for record in (Method, Timeline) for f in fields(record)} - set(self.arguments)
        chosen = {"end": end, "step": step, **{name: given.pop(name) for name in names & given.keys()}}
        timeline, method = self.timeline.with_fields(chosen), self.method.with_fields(chosen)
        model = self.make(**given)
        if self.analysis == "static":
            return static(model, steps=load_steps(timeline.step), tolerance=method.tolerance, outputs=timeline.outputs)
        return transient(model, method=method, timeline=timeline, progress=progress)


def load_steps(step: float | None) -> int:
    """How many load steps there are when each is about that part of the whole load."""
    step = positive("step, a part of the whole load,", step)
    if step > 1.0:
        raise ArgumentError(f"step = {step:g} is more than the whole load, 1")
    return max(1, round(1.0 / step))


def look_up(entries: Mapping[str, E], name: str, what: str) -> E:
    """The entry of that name; an unknown name is answered with those near it."""
    if name not in entries:
        near = difflib.get_close_matches(name, entries, n=2)
        known = f"choose from {', '.join(entries)}" if entries else "there are none"
        hint = f"did you mean {' or '.join(near)}?" if near else known
        raise ModelError(f"there is no {what} {name!r}; {hint}")
    return entries[name]


def set_parameters(model: Model, settings: dict[str, Any], also: tuple[str, ...] = ()) -> None:
    """Sets named parameters of a model; `also` are names to propose when one is not known."""
    parameters = model.parameters if settings else {}
    for name, value in settings.items():
        if name not in parameters:
            raise ModelError(f"model {model.name!r} has no parameter {name!r}{_hint(name, [*also, *parameters])}")
        parameters[name].value = from_text(value)


def from_text(value: Any) -> Any:
    """A number that the command line gave as text; what is none is left to the parameter to refuse."""
    with contextlib.suppress(ValueError):
        return float(value) if isinstance(value, str) else value
    return value


def _not_text(what: str, value: Any) -> Any:
    if isinstance(value, str):
        raise ModelError(f"{what} is not a number or text: it can only be given from Python, got {value!r}")
    return value


def _hint(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3)
    if near:
        return f"; did you mean {', '.join(near)}?"
    return f"; it has {', '.join(dict.fromkeys(known))}" if known else "; it has none"
