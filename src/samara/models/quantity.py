"""Arguments of builders: their annotations give unit, meaning and range, and one check uses them."""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import reprlib
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np

from samara.model import Drive, ModelError, Parameter
from samara.model.quantities.units import spaced
from samara.models.controls import INSIDE, control, scale

Value = float | int | bool | str | tuple[Any, ...]
P = ParamSpec("P")
R = TypeVar("R")
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
_KINDS = {
    float: "a number",
    int: "a whole number",
    str: "a text",
    bool: "true or false",
    tuple: "three components along x, y and z, each a number",
}
_CONTROL = "a Parameter, a drive such as Cosine(...) or a function of time"
_AXES = ("x", "y", "z")
#: How far beyond an end of its range a drive may start, by that end: degrees go through radians and back.
ROUNDING = 1e-12
_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 80


@dataclass(frozen=True)
class Quantity:
    """Unit, meaning and range of a builder's argument; stands in its annotation.

    positive: zero and less are refused. lower, upper: ends of the range, which are in it. why: of the range, such as
    "where trim is known". choices: words that are taken, of a text. needs: an argument without which this one does
    nothing, and its values with which it does: ("ground", True); another value than the default is then refused.
    """

    unit: str
    meaning: str
    positive: bool = False
    lower: float = -math.inf
    upper: float = math.inf
    why: str = ""
    choices: tuple[str, ...] = ()
    needs: tuple[Any, ...] = ()

    @property
    def range(self) -> str:
        """In words, with the unit: "from -90 to 90 deg", "above 0 kg", "one of rigid, elastic"; "" for none."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        unit = spaced(self.unit)
        least = f"above 0{unit}" if self.positive else f"{self.lower:g}{unit} or more"
        if self.upper < math.inf:
            least = "above 0" if self.positive else f"from {self.lower:g}"
            return f"{least} {'and up ' if self.positive else ''}to {self.upper:g}{unit}"
        return least if self.positive or self.lower > -math.inf else ""

    def refusal(self, value: float, slack: float = 0.0) -> str:
        """What is wrong with a number, as in "x must be positive"; "" where nothing is."""
        margin = slack * abs(value)
        high_enough = value > 0.0 if self.positive else value >= self.lower - margin
        if high_enough and value <= self.upper + margin:
            return ""
        if self.upper == math.inf and (self.positive or self.lower == 0.0):
            return "must be positive" if self.positive else "must not be negative"
        return f"must be {self.range}"


#: Angles of a blade's pitch, and angles all around.
PITCH: Mapping[str, Any] = {"lower": -90.0, "upper": 90.0}
AROUND: Mapping[str, Any] = {"lower": -360.0, "upper": 360.0}


@dataclass(frozen=True)
class Argument:
    """An argument of a builder, as a user of the command line sees it.

    type:    float, int, bool, str; tuple, three components; object, what Python alone can give
    also:    what Python may give besides, such as a `Drive` for a control; it goes to the builder as it is
    machine: the ready model, for messages
    """

    name: str
    type: type
    default: Any
    quantity: Quantity
    also: tuple[Any, ...] = ()
    machine: str = ""

    @property
    def unit(self) -> str:
        return self.quantity.unit

    @property
    def meaning(self) -> str:
        return self.quantity.meaning

    @property
    def is_control(self) -> bool:
        """Whether it may be a drive, or three of them."""
        return Drive in self.also

    def takes(self, value: Any) -> bool:
        """Whether a value is one of those that only Python can give. A `Parameter` may stand for any drive."""
        if isinstance(value, Parameter):
            return self.is_control
        return not isinstance(value, (bool, str)) and isinstance(value, self.also)

    def check(self, value: Any) -> Any:
        """The value in the argument's own type, from a value or from text; a `ModelError` names the argument.

        A drive stays as it is, but where it starts must be in the range too.
        """
        if self.type is object:
            return self._objects(value)
        several = _several(value)
        if several is not None and (self.type is tuple or Sequence in self.also):
            return self._components(several, value)
        if self.type is tuple:
            raise self._unlike(value)
        if self.takes(value):
            self._check_start(value)
            return value
        self._refuse_drives(value)
        found = self._converted(value)
        if isinstance(found, float) and not math.isfinite(found):
            raise self._error(f"must be a finite number, got {found}{self._range()}")
        if not isinstance(found, (str, bool)):
            self._check_range(found)
        return found

    def _error(self, words: str) -> ModelError:
        return ModelError(f"{self.machine}: {self.name} {words}" if self.machine else f"{self.name} {words}")

    def _range(self) -> str:
        return f": {self.quantity.range}" if self.quantity.range else ""

    def _unlike(self, value: Any) -> ModelError:
        """The error for a value of another kind."""
        kind = self.quantity.range if self.quantity.choices else _KINDS[self.type]
        if self.is_control:
            kind = f"{kind}, three of them, {_CONTROL}" if Sequence in self.also else f"{kind}, {_CONTROL}"
        words = " or ".join([kind, *(_named(other) for other in self.also if not self.is_control)])
        return self._error(f"must be {words}, got {_SHORT.repr(value)}{'' if self.quantity.choices else self._range()}")

    def _check_range(self, number: float, at: str = "", slack: float = 0.0) -> None:
        wrong = self.quantity.refusal(number, slack)
        if wrong:
            why = f", {self.quantity.why}" if self.quantity.why else ""
            raise self._error(f"{wrong}{why}, got {number:g}{spaced(self.unit)}{at}")

    def _check_start(self, value: Any) -> None:
        if not self.is_control:
            return
        unit = INSIDE.get(self.unit, self.unit)
        given = self.unit if unit != self.unit else ""
        full = f"{self.machine}: {self.name}" if self.machine else self.name
        start = control(self.name, value, unit, given=given, argument=full).start / scale(given, unit)
        self._check_range(start, " at the start", ROUNDING)

    def _refuse_drives(self, value: Any) -> None:
        """A drive or a parameter where only a number is taken would be frozen at its value, or worse."""
        if isinstance(value, (Drive, Parameter)) and self.type is not str:
            what = "a Parameter" if isinstance(value, Parameter) else "a drive"
            raise self._error(f"must be {_KINDS[self.type]}, not {what}: it is not a control")

    def _converted(self, value: Any) -> float | int | bool | str:
        found: Any = None
        if self.type is bool:
            plain = isinstance(value, (str, bool, np.bool_)) or isinstance(value, numbers.Integral)
            found = _WORDS.get(str(value).strip().lower()) if plain else None
        elif self.type is str:
            found = value if isinstance(value, str) and value in (self.quantity.choices or (value,)) else None
        else:
            found = _whole(value) if self.type is int else _number(value)
        if found is None:
            raise self._unlike(value)
        return found

    def _components(self, values: Sequence[Any], given: Any) -> tuple[Any, ...]:
        """Three numbers or drives."""
        if len(values) != len(_AXES):
            raise self._error(f"must have three components along x, y and z, got {_SHORT.repr(given)}")
        one = tuple(kind for kind in self.also if kind is not Sequence)
        return tuple(
            Argument(f"{self.name} along {axis}", float, 0.0, self.quantity, one, self.machine).check(value)
            for axis, value in zip(_AXES, values, strict=True)
        )

    def _objects(self, value: Any) -> Any:
        """One object, or several if that is allowed."""
        kinds = tuple(kind for kind in self.also if kind is not Sequence)
        if isinstance(value, str):
            raise self._error(f"is not a number or text: it can only be given from Python, got {_SHORT.repr(value)}")
        several = isinstance(value, (tuple, list)) and Sequence in self.also
        if not all(isinstance(one, kinds) for one in (value if several else (value,))):
            listed = ", or several in a list" if Sequence in self.also else ""
            raise self._error(f"must be {' or '.join(map(_named, kinds))}{listed}, got {_SHORT.repr(value)}")
        return value


def _named(kind: type) -> str:
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def _number(value: Any) -> float | None:
    """A plain number, from text too; None for anything else."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (str, numbers.Real)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _whole(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None


def _several(value: Any) -> Sequence[Any] | None:
    """What components are given by, "5,1,0" too; None for a single one."""
    if isinstance(value, str):
        return value.strip().strip("()[]").split(",") if "," in value else None
    return list(value) if isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim) else None


def every_argument(function: Callable[..., Any], machine: str = "") -> dict[str, Argument]:
    """Arguments of a function that are annotated ``Annotated[float, Quantity("m", "length")]``, by name.

    The first of several types, ``Annotated[float | Drive, ...]``, is that of the command line. Three components are
    ``Sequence[Controllable]``; other classes, such as ``Gust | Sequence[Gust]``, are for Python alone.
    """
    hints = typing.get_type_hints(function, include_extras=True)
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if typing.get_origin(hints[name]) is not typing.Annotated:
            continue
        kind, quantity = typing.get_args(hints[name])
        members = _members(kind)
        first = typing.get_origin(members[0]) or members[0]
        also = [typing.get_origin(other) or other for other in members[1:]]
        if first is Sequence:
            first, also = (
                tuple,
                [*also, *(typing.get_origin(one) or one for one in _members(*typing.get_args(members[0])))],
            )
            also.remove(float)
        elif first not in _KINDS:
            first, also = object, [first, *also]
        found[name] = Argument(name, first, parameter.default, quantity, tuple(also), machine)
    return found


def arguments_of(function: Callable[..., Any], machine: str = "") -> dict[str, Argument]:
    """Of `every_argument`, those that the command line can give."""
    return {name: a for name, a in every_argument(function, machine).items() if a.type is not object}


def _members(kind: Any) -> tuple[Any, ...]:
    is_union = typing.get_origin(kind) in (types.UnionType, typing.Union)
    return typing.get_args(kind) if is_union else (kind,)


def checked(machine: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A builder whose arguments are checked by their annotations before it is called, from wherever it is called.

        @checked("pendulum")
        def build(length: Annotated[float, Quantity("m", "of the rod", positive=True)] = 1.0) -> Model:

    machine: the ready model, for messages. Signature and docstring stay as they are.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(function)
        arguments = functools.cache(lambda: every_argument(function, machine))

        @functools.wraps(function)
        def build(*given: P.args, **named: P.kwargs) -> R:
            bound = signature.bind(*given, **named)
            for name in bound.arguments:
                if name in arguments():
                    bound.arguments[name] = arguments()[name].check(bound.arguments[name])
            _check_needs(arguments(), bound.arguments)
            return function(*bound.args, **bound.kwargs)

        vars(build)["machine"] = machine
        return build

    return decorated


def _check_needs(arguments: Mapping[str, Argument], given: Mapping[str, Any]) -> None:
    """Refuses a number that would do nothing."""
    for name, value in given.items():
        argument = arguments.get(name)
        if argument is None or not argument.quantity.needs or _same(value, argument.default):
            continue
        other, *wanted = argument.quantity.needs
        if not any(_same(given.get(other, arguments[other].default), one) for one in wanted):
            words = " or ".join(f"{other}={one}" for one in wanted)
            raise argument._error(
                f"has no effect without {words}: give that too, or omit {name}, got {_SHORT.repr(value)}"
            )


def _same(one: Any, other: Any) -> bool:
    return one is other or (
        isinstance(one, (str, numbers.Real)) and isinstance(other, (str, numbers.Real)) and one == other
    )
