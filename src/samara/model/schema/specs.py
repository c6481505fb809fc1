"""What the fields of a record may be: how each kind is checked, and taken apart into structure and numbers."""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from samara.arguments import as_real, finite, not_negative, positive, refused, shown
from samara.model.quantities.freezing import fixed
from samara.model.quantities.parameters import Parameter
from samara.model.quantities.placement import SAME, Placement
from samara.model.quantities.state import State
from samara.model.quantities.units import Stated
from samara.tracing import Curve, Expr, Surface, TracedCurve, TracedSurface


@dataclasses.dataclass(frozen=True)
class Spec:
    """How a field is checked, taken apart into leaves, and put together again from traced numbers.

    unit: of its numbers; several that are possible are joined by " or ", the usual one first.
    """

    unit: str = ""

    def check(self, value: Any) -> Any:
        """The value as it is kept; raises ValueError with what is wrong."""
        return value

    def structure(self, value: Any) -> Any:
        """The part of the value that a kernel depends on (hashable)."""
        return None

    def leaves(self, value: Any) -> list:
        """The numbers (floats, parameters, tables, drives) of the value."""
        return []

    def plain_numbers(self, value: Any) -> list[float]:
        """The leaves that are numbers."""
        return [float(leaf) for leaf in self.leaves(value) if isinstance(leaf, (int, float))]

    def objects(self, value: Any) -> list:
        """The leaves that are more than plain numbers: parameters, tables, drives."""
        return []

    def bounds(self, value: Any) -> list[tuple[Any, tuple[float, float]]]:
        """The leaves, each with the limits between which it must be, where zero may be excluded."""
        return [(leaf, (-math.inf, math.inf)) for leaf in self.leaves(value)]

    def rebuild(self, value: Any, leaves: Iterator) -> Any:
        """The value with its leaves replaced."""
        return value

    def freeze(self, value: Any, who: str) -> None:
        """Refuses changes of what the value is made of."""

    def check_unit(self, parameter: Parameter) -> None:
        """Refuses the unit of a parameter that is not the field's own; none may be given."""
        Stated(parameter.unit, repr(parameter)).require(self.unit)


@dataclasses.dataclass(frozen=True)
class Number(Spec):
    """A number or a `Parameter`; a plain one is a number alone."""

    positive: bool = False
    nonnegative: bool = False
    plain: bool = False

    def check(self, value):
        if isinstance(value, Expr):
            return value
        in_range = positive if self.positive else not_negative if self.nonnegative else finite
        if not isinstance(value, Parameter):
            return in_range("", value, self.unit)
        if self.plain:
            raise ValueError(f"must be a plain number, got {value!r}: initial values do not follow a Parameter")
        self.check_unit(value)
        in_range("", float(value), self.unit)
        return value

    def leaves(self, value):
        return [value]

    def objects(self, value):
        return [] if isinstance(value, (float, int)) else [value]

    def bounds(self, value):
        return [(value, (0.0 if self.positive or self.nonnegative else -math.inf, math.inf))]

    def rebuild(self, value, leaves):
        return next(leaves)


@dataclasses.dataclass(frozen=True)
class Array(Spec):
    """Numbers or parameters in a given shape."""

    shape: tuple[int, ...] = (3,)
    unit_length: bool = False
    symmetric: bool = False

    def check(self, value):
        array = _numbers(value)
        for entry in self.objects(array):
            if isinstance(entry, Parameter):
                self.check_unit(entry)
        if self.symmetric and array.shape == self.shape[:1]:
            array = fixed(np.diag(array), array.dtype)
        if array.shape != self.shape:
            raise ValueError(f"must have shape {self.shape}, got {array.shape}")
        plain = array.astype(float)
        if not np.isfinite(plain).all():
            raise ValueError(f"must be finite numbers, got {shown(value)}")
        if self.symmetric and not _is_symmetric(plain):
            raise ValueError("must be symmetric")
        if self.unit_length:
            if array.dtype == object:
                raise ValueError("is a direction: it cannot contain a Parameter")
            length = float(np.linalg.norm(plain))
            if length < 1e-12:
                raise ValueError("is a direction: it must not be zero")
            array = fixed(plain / length)
        return array

    def leaves(self, value):
        return list(np.asarray(value).ravel())

    def objects(self, value):
        return list(value.ravel()) if value.dtype == object else []

    def rebuild(self, value, leaves):
        size = math.prod(self.shape)
        flat = [next(leaves) for _ in range(size)]
        return np.array(flat, dtype=None if not _traced(flat) else object).reshape(self.shape)


@dataclasses.dataclass(frozen=True)
class Numbers(Spec):
    """Any array; its shape and its zeros are structure."""

    def check(self, value):
        array = _numbers(value, parameters=False)
        if not np.isfinite(array).all():
            raise ValueError(f"must be finite numbers, got {shown(value)}")
        return array

    def structure(self, value):
        return (value.shape, np.flatnonzero(value).tobytes())

    def leaves(self, value):
        return list(value[value != 0.0])

    def rebuild(self, value, leaves):
        flat = [next(leaves) if v != 0.0 else 0.0 for v in value.ravel()]
        result = np.empty(len(flat), dtype=object if _traced(flat) else float)
        result[:] = flat
        return result.reshape(value.shape)


@dataclasses.dataclass(frozen=True)
class _TracedPlacement:
    position: np.ndarray
    rotation: np.ndarray


@dataclasses.dataclass(frozen=True)
class PlacementSpec(Spec):
    """A pose in a node's frame."""

    def check(self, value):
        if value is None:
            return SAME
        if isinstance(value, Placement):
            return value
        return Placement(value)

    def leaves(self, value):
        return [*value.position, *value.rotation.ravel()]

    def rebuild(self, value, leaves):
        flat = np.array([next(leaves) for _ in range(12)])
        return _TracedPlacement(flat[:3], flat[3:].reshape(3, 3))


@dataclasses.dataclass(frozen=True)
class Table(Spec):
    """A table, whose numbers are data."""

    def check(self, value):
        if not isinstance(value, (Curve, Surface)):
            raise ValueError(f"must be a Curve or a Surface, got {type(value).__name__}")
        return value

    def structure(self, value):
        return "Curve" if isinstance(value, Curve) else ("Surface", *value.z.shape[2:])

    def leaves(self, value):
        return [value]

    def objects(self, value):
        return [value]

    def rebuild(self, value, leaves):
        leaf = next(leaves)
        if not isinstance(leaf, Expr):
            return leaf
        if isinstance(value, Curve):
            return TracedCurve(leaf)
        return TracedSurface(leaf, value.components, array=value.z.ndim == 3)


@dataclasses.dataclass(frozen=True)
class Driven(Spec):
    """One drive, or several."""

    shape: tuple[int, ...] = ()

    def check(self, value):
        if not self.shape:
            return self._drive(value)
        if not hasattr(value, "__len__") or isinstance(value, str) or len(value) != self.shape[0]:
            raise ValueError(
                f"must have {self.shape[0]} components, each a number, a Parameter, a drive or a function of t"
            )
        return tuple(self._drive(v) for v in value)

    def _drive(self, value):
        from samara.model.schema.drives import as_drive

        drive = as_drive(_bare(value))
        for stated in drive.stated_units():
            stated.require(self.unit)
        return drive

    def plain_numbers(self, value):
        from samara.model.schema.drives import Constant

        constant = [drive.value for drive in self.leaves(value) if type(drive) is Constant]
        return [float(number) for number in constant if isinstance(number, (int, float))]

    def freeze(self, value, who):
        for drive in self.leaves(value):
            drive.freeze(f"{type(drive).__name__} of {who}")

    def leaves(self, value):
        return list(value) if self.shape else [value]

    def objects(self, value):
        return self.leaves(value)

    def rebuild(self, value, leaves):
        if self.shape:
            return np.array([next(leaves) for _ in range(self.shape[0])])
        return next(leaves)


@dataclasses.dataclass(frozen=True)
class SignalSpec(Driven):
    """One signal, or many: states, which are structure, and drives, which are leaves."""

    many: bool = False

    def each(self, value) -> tuple:
        """The signals in order."""
        return value if self.many else (value,)

    def check(self, value):
        if not self.many:
            return self._signal(value)
        if not isinstance(value, (tuple, list)):
            raise ValueError(f"must be a list of signals, got {shown(value)}")
        return tuple(self._signal(v) for v in value)

    def _signal(self, value):
        from samara.model.schema.drives import Drive

        if isinstance(value, State):
            return value
        bare = _bare(value)
        if as_real(bare) is None and not isinstance(bare, (Drive, Parameter)) and not callable(bare):
            raise ValueError(
                f"must be a signal, got {shown(value)}: give a state such as block.output, a number, a Parameter, a "
                "drive or a function of t"
            )
        return self._drive(bare)  # what is wrong with a drive it says itself

    def structure(self, value):
        return tuple(isinstance(v, State) for v in self.each(value))

    def leaves(self, value):
        return [v for v in self.each(value) if not isinstance(v, State)]

    def rebuild(self, value, leaves):
        rebuilt = tuple(v if isinstance(v, State) else next(leaves) for v in self.each(value))
        return rebuilt if self.many else rebuilt[0]


@dataclasses.dataclass(frozen=True)
class Option(Spec):
    """A choice, which is structure."""

    choices: tuple = ()

    def check(self, value):
        bare = _bare(value)
        if not self.choices:
            return self._hashed(bare)
        for choice in self.choices:
            if _same(choice, bare):
                return choice
        raise ValueError(f"must be one of {', '.join(map(str, self.choices))}, got {shown(value)}")

    def _hashed(self, value):
        try:
            hash(value)
        except TypeError:
            raise ValueError(f"is an option and cannot be {shown(value)}: give a plain value or a tuple") from None
        return value

    def structure(self, value):
        return value


@dataclasses.dataclass(frozen=True)
class Records(Spec):
    """A record, such as a law, or several. of: what they are; such_as: one of them, as it is written."""

    many: bool = False
    of: type | None = None
    such_as: str = ""

    def _each(self, value) -> Sequence:
        return value if self.many else (value,)

    def check(self, value):
        from samara.model.schema.record import Record

        if self.many and not isinstance(value, (tuple, list)):
            raise ValueError(f"must be a list, got {shown(value)}")
        for record in self._each(value):
            if not isinstance(record, Record) or not isinstance(record, self.of or Record):
                if self.of is None:
                    raise ValueError(f"does not take {shown(record)}")
                raise refused("", f"a {self.of.__name__} such as {self.such_as}", record)
            if not record.settled:
                record.validate()
        return tuple(value) if self.many else value

    def freeze(self, value, who):
        for record in self._each(value):
            record.freeze(f"{type(record).__name__} of {who}")

    def structure(self, value):
        return tuple(record.kept_structure() for record in self._each(value))

    def leaves(self, value):
        return [leaf for record in self._each(value) for leaf in record.leaves()]

    def objects(self, value):
        return [leaf for record in self._each(value) for leaf in record.objects()]

    def bounds(self, value):
        return [pair for record in self._each(value) for pair in record.bounds()]

    def rebuild(self, value, leaves):
        rebuilt = tuple(record.rebuild(leaves) for record in self._each(value))
        return rebuilt if self.many else rebuilt[0]


def _bare(value):
    """The number in an array of no dimension; all else as it is."""
    return value.item() if isinstance(value, (np.ndarray, np.bool_)) and np.ndim(value) == 0 else value


def _same(choice, value) -> bool:
    """Whether a value is that choice: a number is no switch, and a switch no number."""
    if isinstance(choice, bool) or isinstance(value, bool):
        return choice is value
    if isinstance(choice, (int, float)):
        return isinstance(value, (int, float, np.integer, np.floating)) and value == choice
    return type(value) is type(choice) and value == choice


def _numbers(value, parameters: bool = True) -> np.ndarray:
    """An array of real numbers, or of numbers and parameters, that nobody can write to."""
    if not parameters or not _has_parameters(value):
        return fixed(value)
    array = fixed(value, object)
    for entry in array.ravel():
        if isinstance(entry, bool) or not isinstance(entry, (Parameter, Expr, numbers.Real)):
            raise ValueError(f"must be real numbers or parameters, in rows of equal length, got {shown(value)}")
    return array


def _is_symmetric(matrix: np.ndarray) -> bool:
    """Up to rounding."""
    size, other = np.abs(matrix), np.abs(matrix - matrix.T)
    return bool((other <= 1e-12 * size.max() + 1e-9 * size.T).all())


def _has_parameters(value) -> bool:
    if isinstance(value, np.ndarray) and value.dtype != object:
        return False
    return any(isinstance(v, Parameter) for v in np.asarray(value, dtype=object).ravel())


def _traced(flat: list) -> bool:
    return any(isinstance(v, Expr) for v in flat)
