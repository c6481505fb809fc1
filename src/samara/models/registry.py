"""What a ready model is: a builder whose arguments have units and meanings, and how it is usually run."""

from __future__ import annotations

import contextlib
import difflib
import functools
import inspect
import math
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from samara.model import ArgumentError, Drive, Model, ModelError, Parameter
from samara.model.arguments import positive
from samara.model.units import spaced

if TYPE_CHECKING:
    from samara.results import Results
    from samara.solve import Integrator
    from samara.solve.tree.schemes import TreeIntegrator

Value = float | int | bool | str
E = TypeVar("E")
INTEGRATORS = ("two-step", "bdf2", "crank-nicolson")
#: Those of trees, in the recursive formulation.
TREE_INTEGRATORS = ("rk4", "dormand-prince", "semi-implicit", "moreau-jean")
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True)
class Quantity:
    """Unit, meaning and limit of a builder's argument; stands in its annotation.

    positive: zero and less are refused.
    """

    unit: str
    meaning: str
    positive: bool = False


@dataclass(frozen=True)
class Argument:
    """An argument of a builder, as a user of the command line sees it.

    also: what Python may give besides, such as a `Drive` for a control; it goes to the builder as it is.
    """

    name: str
    type: type
    default: Value
    quantity: Quantity
    also: tuple[Any, ...] = ()

    @property
    def unit(self) -> str:
        return self.quantity.unit

    @property
    def meaning(self) -> str:
        return self.quantity.meaning

    def takes(self, value: Any) -> bool:
        """Whether a value is one of those that only Python can give. A `Parameter` may stand for any drive."""
        if isinstance(value, Parameter):
            return Drive in self.also
        return not isinstance(value, (bool, str)) and isinstance(value, self.also)

    def check(self, value: Any) -> Any:
        """The value in the argument's own type, from a value or from text; a `ModelError` names the argument.

        What `takes` says yes to is left as it is: the builder looks at it.
        """
        if self.takes(value):
            return value
        self._refuse_objects(value)
        found = self._converted(value)
        if isinstance(found, float) and not math.isfinite(found):
            raise ModelError(f"{self.name} must be a finite number, got {value}")
        if self.quantity.positive and not isinstance(found, str) and found <= 0:
            raise ModelError(f"{self.name} must be positive, got {value}{spaced(self.unit)}")
        return found

    def _refuse_objects(self, value: Any) -> None:
        """A drive or a parameter where only a number is taken would be frozen at its value, or worse."""
        if isinstance(value, (Drive, Parameter)) and self.type is not str:
            what = "a Parameter" if isinstance(value, Parameter) else "a drive"
            raise ModelError(f"{self.name} must be {_KINDS[self.type]}, and cannot be {what}: it is no control")

    def _converted(self, value: Any) -> Value:
        if self.type is bool:
            word = str(value).strip().lower()
            if word not in _WORDS:
                raise ModelError(f"{self.name} must be true or false, got {value!r}")
            return _WORDS[word]
        try:
            number = None if isinstance(value, bool) else self.type(value)
        except (TypeError, ValueError):
            number = None
        if number is None or (self.type is int and not isinstance(value, str) and number != value):
            raise ModelError(f"{self.name} must be {_KINDS[self.type]}, got {value!r}")
        return number


_KINDS = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}


def arguments_of(function: Callable[..., Any]) -> dict[str, Argument]:
    """Arguments of a function that are annotated ``Annotated[float, Quantity("m", "length")]``, by name.

    The first of several types, ``Annotated[float | Drive, ...]``, is that of the command line. What is not annotated so
    is for Python alone.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if typing.get_origin(hints[name]) is not typing.Annotated:
            continue
        kind, quantity = typing.get_args(hints[name])
        first, *also = typing.get_args(kind) or (kind,)
        others = tuple(typing.get_origin(other) or other for other in also)
        found[name] = Argument(name, first, parameter.default, quantity, others)
    return found


@dataclass(frozen=True)
class ReadyModel:
    """A machine ready to run.

    build:      makes the model; its keyword arguments are annotated ``Annotated[float, Quantity("m", "length")]``, a
                control ``Annotated[Controllable, Quantity(...)]`` (`samara.models.controls`); those that are not, such
                as a list of gusts, can be given from Python alone
    source:     where the numbers come from
    duration, step: what `samara run` takes unless told otherwise [s]
    analysis:   "transient", or "static": the whole load in equal parts, of which each is `step`, and `duration` is 1
    integrator: "two-step" (with its spectral radius), "bdf2" or "crank-nicolson"; of the recursive formulation "rk4",
                "dormand-prince", "semi-implicit", or, of trees with contacts, "moreau-jean"
    formulation: "redundant", or "recursive" for a tree of rigid bodies
    tolerance:  of Newton's method, see `samara.Simulation`
    plot:       channels that show the motion
    """

    name: str
    build: Callable[..., Model]
    description: str
    source: str
    duration: float
    step: float
    plot: tuple[str, ...]
    integrator: str = "two-step"
    radius: float = 0.6
    tolerance: float = 1e-10
    formulation: Literal["redundant", "recursive"] = "redundant"
    analysis: Literal["transient", "static"] = "transient"

    @functools.cached_property
    def arguments(self) -> dict[str, Argument]:
        """What `build` may be given, by name."""
        return arguments_of(self.build)

    @functools.cached_property
    def python_only(self) -> tuple[str, ...]:
        """Names of arguments of `build` that are no numbers or texts, so that the command line cannot give them."""
        return tuple(name for name in inspect.signature(self.build).parameters if name not in self.arguments)

    def make(self, **settings: Any) -> Model:
        """The model with these arguments; a name that `build` does not know may be a named parameter of the model."""
        known = {name: value for name, value in settings.items() if name in self.arguments}
        values = {name: self.arguments[name].check(value) for name, value in known.items()}
        values |= {name: _not_text(name, settings[name]) for name in self.python_only if name in settings}
        model = self.build(**values)
        model.description = model.description or self.description
        set_parameters(model, {n: v for n, v in settings.items() if n not in values}, also=tuple(self.arguments))
        return model

    def values(self, **settings: Any) -> dict[str, tuple[float, str]]:
        """Numbers that a run with these settings is made of, {name: (value, unit)}: texts and drives are left out."""
        found = {}
        for name, argument in self.arguments.items():
            value = argument.check(settings.get(name, argument.default))
            if not isinstance(value, str) and not argument.takes(value):
                found[name] = (float(value), argument.unit or "1")
        return found

    def run(
        self, end: float | None = None, step: float | None = None, *, progress: bool | None = False, **settings: Any
    ) -> Results:
        """Builds the model with `settings` and runs it, for as long and as finely as it usually is."""
        from samara.solve import static, transient

        if self.analysis == "static":
            return static(self.make(**settings), steps=load_steps(self.step if step is None else step))
        return transient(
            self.make(**settings),
            self.duration if end is None else end,
            self.step if step is None else step,
            integrator=make_integrator(self.integrator, self.radius),
            tolerance=self.tolerance,
            formulation=self.formulation,
            progress=progress,
        )


def load_steps(step: float) -> int:
    """How many load steps there are when each is about that part of the whole load."""
    if positive("step, a part of the whole load,", step) > 1.0:
        raise ArgumentError(f"step = {step:g} is more than the whole load, 1")
    return max(1, round(1.0 / step))


def look_up(entries: Mapping[str, E], name: str, what: str) -> E:
    """The entry of that name; an unknown name is answered with those near it."""
    if name not in entries:
        near = difflib.get_close_matches(name, entries, n=2)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(entries) or 'none'}"
        raise ModelError(f"no {what} is called {name!r}; {hint}")
    return entries[name]


def make_integrator(name: str, radius: float | None = None) -> Integrator | TreeIntegrator:
    """The integrator of that name; `radius` (rho_inf) belongs to "two-step" alone."""
    from samara.solve import BDF2, CrankNicolson, TwoStep
    from samara.solve.tree.schemes import DormandPrince, MoreauJean, RungeKutta4, SemiImplicitEuler

    if name == "two-step":
        return TwoStep(0.6 if radius is None else radius)
    made: dict[str, Callable[[], Integrator | TreeIntegrator]] = {
        "bdf2": BDF2,
        "crank-nicolson": CrankNicolson,
        "rk4": RungeKutta4,
        "dormand-prince": DormandPrince,
        "semi-implicit": SemiImplicitEuler,
        "moreau-jean": MoreauJean,
    }
    if name not in made:
        known = ", ".join((*INTEGRATORS, *TREE_INTEGRATORS))
        raise ArgumentError(f"no integrator is called {name!r}; there are {known}")
    return made[name]()


def usual_integrator(formulation: str, given: str, accuracy: float | None = None) -> str:
    """The integrator that a run takes in a formulation, where it was described for another."""
    names = TREE_INTEGRATORS if formulation == "recursive" else INTEGRATORS
    if given in names and not (given == "rk4" and accuracy is not None):
        return given
    return ("dormand-prince" if accuracy is not None else "rk4") if formulation == "recursive" else "two-step"


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


def _not_text(name: str, value: Any) -> Any:
    if isinstance(value, str):
        raise ModelError(f"{name} is no number or text: it can be given from Python alone, got {value!r}")
    return value


def _hint(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=3)
    if near:
        return f"; did you mean {', '.join(near)}?"
    return f"; it has {', '.join(dict.fromkeys(known))}" if known else "; it has none"
