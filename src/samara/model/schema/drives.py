"""Drives: functions of time, traced like everything else, with their first and second derivatives derived.

A drive is called with plain or traced time. Drives add and multiply: ``Ramp(...) + 0.1 * Sine(...)``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import numpy as np

from samara.arguments import ModelError
from samara.model.quantities.parameters import Parameter
from samara.model.quantities.units import UNSAID, Stated, multiplied
from samara.model.schema.fields import number, option, records, table
from samara.model.schema.record import Record
from samara.tracing import Curve, Expr, Graph, fmax, fmin, select

#: Units of fields that are in the unit of the drive's value, whatever it is, or in that per second.
VALUE, VALUE_RATE = "value", "value/s"


class Drive(Record):
    """Base of drives: a function of time [s]. Subclasses define `__call__`.

    A field in the unit of the drive's value is declared ``number(unit=VALUE)``, its rate per second with `VALUE_RATE`.
    """

    def __call__(self, t):
        raise NotImplementedError

    def stated_units(self) -> list[Stated]:
        """Units that its value is said to be in, by the parameters in its fields and the drives inside."""
        found = []
        for name, spec in self.specs().items():
            given = getattr(self, name)
            if isinstance(given, Parameter) and given.unit and spec.unit in (VALUE, VALUE_RATE):
                said = Stated(given.unit, repr(given))
                found.append(said if spec.unit == VALUE else multiplied((said, Stated("s", "time"))))
        return found

    def jumps(self) -> list[float]:
        """Times at which it is known to jump [s]."""
        return []

    def bends(self) -> list[float]:
        """Times at which it is known that its first or second derivative jumps [s]."""
        return []

    def is_watched(self) -> bool:
        """Whether steps look for its jumps; not where a value is told ahead for the end of a step."""
        return True

    def shortest_wave(self) -> float:
        """Of what it is made of [s]; infinite where nothing is said of it. Steps must resolve it."""
        return math.inf

    def __add__(self, other):
        return Sum((self, as_drive(other)))

    __radd__ = __add__

    def __mul__(self, other):
        return Product((self, as_drive(other)))

    __rmul__ = __mul__

    def __neg__(self):
        return Product((Constant(-1.0), self))

    def __sub__(self, other):
        return self + (-as_drive(other))

    def __rsub__(self, other):
        return as_drive(other) + (-self)


def _known(*times: float) -> list[float]:
    """Times that are numbers: a parameter may change, and what is infinitely far away never comes [s]."""
    return [float(time) for time in times if not isinstance(time, Parameter) and abs(float(time)) < 1e29]


class Constant(Drive):
    """A constant. value: in the unit of the quantity driven."""

    value: float = number(unit=VALUE)

    def __call__(self, t):
        return self.value + 0.0 * t


class Ramp(Drive):
    """A ramp: starts at `initial` and rises by `slope` per second between `start` and `end`; constant before and after.

    Its rate jumps at both ends, which requires an impulse if it prescribes a position; use `Cosine` there.
    """

    slope: float = number(unit=VALUE_RATE)
    start: float = number(default=0.0, unit="s")
    end: float = number(default=1e30, unit="s")
    initial: float = number(default=0.0, unit=VALUE)

    def validate(self) -> None:
        super().validate()
        if float(self.end) < float(self.start):
            raise ModelError(f"Ramp: end ({float(self.end):g} s) is before start ({float(self.start):g} s)")

    def bends(self) -> list[float]:
        return _known(self.start, self.end)

    def __call__(self, t):
        return self.initial + self.slope * (fmin(fmax(t, self.start), self.end) - self.start)


class Step(Drive):
    """A step: `before` until `time`, `after` from then on.

    Its rates are taken as zero, also at the jump: suitable for forces and set points, not for prescribed positions.
    """

    after: float = number(unit=VALUE)
    time: float = number(default=0.0, unit="s")
    before: float = number(default=0.0, unit=VALUE)

    def jumps(self) -> list[float]:
        return _known(self.time)

    def __call__(self, t):
        return select(t < self.time, self.before, self.after)


class Sine(Drive):
    """A sine: offset + amplitude sin(frequency (t - start) + phase) from `start` on; constant before.

    Without `start` it applies at all times: offset + amplitude sin(frequency t + phase).

    amplitude, offset: in the unit of the quantity driven. frequency [rad/s], phase [rad], start [s].
    """

    amplitude: float = number(unit=VALUE)
    frequency: float = number(unit="rad/s")
    phase: float = number(default=0.0, unit="rad")
    offset: float = number(default=0.0, unit=VALUE)
    start: float = number(default=-1e30, unit="s")

    def bends(self) -> list[float]:
        return _known(self.start)

    def __call__(self, t):
        since = select(self.start < -1e29, t, fmax(t - self.start, 0.0))
        return self.offset + self.amplitude * np.sin(self.frequency * since + self.phase)


class Cosine(Drive):
    """A smooth change from `initial` by `amplitude`, half a cosine wave between `start` and `start + duration`.

    initial + amplitude (1 - cos(pi s)) / 2 with s the elapsed fraction, limited to [0, 1]. start, duration: [s].
    """

    amplitude: float = number(unit=VALUE)
    duration: float = number(unit="s", positive=True)
    start: float = number(default=0.0, unit="s")
    initial: float = number(default=0.0, unit=VALUE)

    def bends(self) -> list[float]:
        ends = _known(self.start, self.duration)
        return [ends[0], sum(ends)] if len(ends) == 2 else []

    def __call__(self, t):
        s = fmin(fmax((t - self.start) / self.duration, 0.0), 1.0)
        return self.initial + self.amplitude * 0.5 * (1.0 - np.cos(np.pi * s))


class Tabulated(Drive):
    """A table over time. curve: a `samara.Curve` over t [s], which also defines the interpolation."""

    curve: Curve = table()

    def __call__(self, t):
        return self.curve(t)


class Sum(Drive):
    """The sum of drives. terms: the drives."""

    terms: Sequence[Drive] = records()

    def validate(self) -> None:
        super().validate()
        _check_drives(self, self.terms)

    def stated_units(self) -> list[Stated]:
        return [stated for term in self.terms for stated in term.stated_units()]

    def jumps(self) -> list[float]:
        return [time for term in self.terms for time in term.jumps()]

    def bends(self) -> list[float]:
        return [time for term in self.terms for time in term.bends()]

    def shortest_wave(self) -> float:
        return min(term.shortest_wave() for term in self.terms)

    def __call__(self, t):
        total = self.terms[0](t)
        for term in self.terms[1:]:
            total = total + term(t)
        return total


class Product(Drive):
    """The product of drives. factors: the drives."""

    factors: Sequence[Drive] = records()

    def validate(self) -> None:
        super().validate()
        _check_drives(self, self.factors)

    def stated_units(self) -> list[Stated]:
        each = [factor.stated_units() or [UNSAID] for factor in self.factors if not _sign(factor)]
        one_per_unit = [{stated.unit: stated for stated in choices}.values() for choices in each]
        return [multiplied(factors) for factors in itertools.product(*one_per_unit)]

    def jumps(self) -> list[float]:
        return [time for factor in self.factors for time in factor.jumps()]

    def bends(self) -> list[float]:
        return [time for factor in self.factors for time in factor.bends()]

    def shortest_wave(self) -> float:
        return min(factor.shortest_wave() for factor in self.factors)

    def __call__(self, t):
        total = self.factors[0](t)
        for factor in self.factors[1:]:
            total = total * factor(t)
        return total


class Expression(Drive):
    """Any function of t, written with NumPy: ``Expression(lambda t: np.exp(-t) * np.sin(3 * t))``.

    function: of t [s]. It is traced, like an element: instead of branching on t, write ``select(t > 1, a, b)``.
    """

    function: Callable = option()

    def validate(self) -> None:
        super().validate()
        if not callable(self.function):
            raise ModelError(f"Expression: function must be a function of t, got {self.function!r}")
        scratch = Graph()
        try:
            self(Expr(scratch, scratch.input("t")))
        except (ValueError, TypeError):  # which elements and drives go on from, with their names
            raise
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise ModelError(f"Expression: the function cannot be called, {why}{_where(self.function)}") from error

    def __call__(self, t):
        value = self.function(t)
        if not isinstance(value, (Expr, float, int, np.floating, np.integer, np.bool_)):
            raise ModelError(
                f"a drive expression must return one number, got {type(value).__name__}{_where(self.function)}; "
                "for a vector give one expression per component"
            )
        return value + 0.0 * t


class Input(Drive):
    """An input: set from outside during a run, by name; holds `initial` until the first value arrives.

    name: identifies the input. unit: of its values, as text. Its rates of change are taken as zero, so use it for
    quantities that act by their value (force, torque, voltage, set point).
    """

    name: str = option()
    initial: float = number(default=0.0, unit=VALUE, plain=True)
    unit: str = option(default="")

    def validate(self) -> None:
        super().validate()
        if not isinstance(self.name, str) or not self.name:
            raise ModelError(f"Input: name must be a non-empty string, got {self.name!r}")

    def stated_units(self) -> list[Stated]:
        return [Stated(self.unit, repr(self)), *super().stated_units()]

    def __call__(self, t):
        return self.initial + 0.0 * t

    def structure(self) -> tuple:
        return (type(self),)  # which input it is, is data

    def leaves(self) -> list:
        return [self]

    def objects(self) -> list:
        return [self]

    def rebuild(self, leaves):
        return Constant(next(leaves))


def as_drive(value) -> Drive:
    """A drive from a drive, a number, a `Parameter` or a function of t; its fields are checked."""
    if isinstance(value, Drive):
        drive = value
    elif isinstance(value, (Parameter, int, float, np.floating, np.integer)) and not isinstance(value, bool):
        drive = Constant(value)  # type: ignore[arg-type]
    elif callable(value):
        drive = Expression(value)
    else:
        raise ModelError(f"{value!r} is not a drive: give a number, a Parameter, a drive or a function of t")
    if not drive.settled:
        drive.validate()
    return drive


def as_drives(values, unit: str, what: str) -> tuple[Drive, ...]:
    """Drives of one unit; a parameter or an input that says another is refused. `what` names them in the error."""
    drives = tuple(as_drive(value) for value in values)
    try:
        for stated in (stated for drive in drives for stated in drive.stated_units()):
            stated.require(unit)
    except ValueError as error:
        raise ModelError(f"{what} {error}") from None
    return drives


def _check_drives(owner: Drive, members: Sequence[Drive]) -> None:
    """Sums and products are of drives, one or more."""
    for member in members:
        if not isinstance(member, Drive):
            raise ModelError(f"{type(owner).__name__}: {member!r} is not a drive")
    if not members:
        raise ModelError(f"{type(owner).__name__}: needs at least one drive")


def _sign(factor: Drive) -> bool:
    """Whether a factor is 1 or -1, which no unit hides in."""
    return isinstance(factor, Constant) and not isinstance(factor.value, Parameter) and abs(factor.value) == 1.0


def _where(function: Callable) -> str:
    """Where a function was written, for messages."""
    code = getattr(function, "__code__", None)
    return f" ({code.co_filename}, line {code.co_firstlineno})" if code else ""
