"""Records: what the user fills in (elements, laws, drives), told apart into structure and numbers.

The structure of a record (its class, its options, the structure of the records inside) decides which kernel it needs.
Its numbers are only data of that kernel: they may differ between instances, be named parameters, or change between
steps. A field says which of the two it is, and checks what it is given.
"""

from __future__ import annotations

import copy
import dataclasses
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from samara.model.errors import ModelError
from samara.model.parameters import Parameter
from samara.model.placement import Placement
from samara.tracing import Curve, Expr, Surface, TracedCurve, TracedSurface

_MISSING = dataclasses.MISSING
_SPEC = "samara"


@dataclasses.dataclass(frozen=True)
class Spec:
    """How a field is checked, taken apart into leaves, and put together again from traced numbers."""

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

    def rebuild(self, value: Any, leaves: Iterator) -> Any:
        """The value with its leaves replaced."""
        return value


@dataclasses.dataclass(frozen=True)
class _Number(Spec):
    positive: bool = False
    nonnegative: bool = False

    def check(self, value):
        if isinstance(value, Expr):
            return value
        given = value if isinstance(value, Parameter) else _real(value)
        x = float(given)
        if not math.isfinite(x):
            raise ValueError(f"must be a finite number, got {x}")
        if self.positive and x <= 0:
            raise ValueError(f"must be positive, got {x:g}{spaced(self.unit)}")
        if self.nonnegative and x < 0:
            raise ValueError(f"must not be negative, got {x:g}{spaced(self.unit)}")
        return given

    def leaves(self, value):
        return [value]

    def rebuild(self, value, leaves):
        return next(leaves)


@dataclasses.dataclass(frozen=True)
class _Array(Spec):
    shape: tuple[int, ...] = (3,)
    unit_length: bool = False
    symmetric: bool = False

    def check(self, value):
        array = np.asarray(value, dtype=object if _has_parameters(value) else float)
        if self.symmetric and array.shape == self.shape[:1]:
            array = np.diag(array)
        if array.shape != self.shape:
            raise ValueError(f"must have shape {self.shape}, got {array.shape}")
        numbers = array.astype(float)
        if not np.all(np.isfinite(numbers)):
            raise ValueError("must be finite numbers")
        if self.symmetric and not np.allclose(numbers, numbers.T, rtol=1e-9, atol=1e-12 * np.abs(numbers).max()):
            raise ValueError("must be symmetric")
        if self.unit_length:
            if array.dtype == object:
                raise ValueError("is a direction: it cannot hold a Parameter")
            length = float(np.linalg.norm(numbers))
            if length < 1e-12:
                raise ValueError("is a direction: it must not be zero")
            array = numbers / length
        return array

    def leaves(self, value):
        return list(np.asarray(value).ravel())

    def rebuild(self, value, leaves):
        size = math.prod(self.shape)
        flat = [next(leaves) for _ in range(size)]
        return np.array(flat, dtype=None if not _traced(flat) else object).reshape(self.shape)


@dataclasses.dataclass(frozen=True)
class _Numbers(Spec):
    """Any array; its shape and its zeros are structure."""

    def check(self, value):
        array = np.asarray(value, dtype=float)
        if not np.all(np.isfinite(array)):
            raise ValueError("must be finite numbers")
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
class _PlacementSpec(Spec):
    def check(self, value):
        if value is None:
            return Placement()
        if isinstance(value, Placement):
            return value
        return Placement(value)

    def leaves(self, value):
        return [*value.position, *value.rotation.ravel()]

    def rebuild(self, value, leaves):
        flat = np.array([next(leaves) for _ in range(12)])
        return _TracedPlacement(flat[:3], flat[3:].reshape(3, 3))


@dataclasses.dataclass(frozen=True)
class _Table(Spec):
    def check(self, value):
        if not isinstance(value, (Curve, Surface)):
            raise ValueError(f"must be a Curve or a Surface, got {type(value).__name__}")
        return value

    def structure(self, value):
        return "Curve" if isinstance(value, Curve) else ("Surface", *value.z.shape[2:])

    def leaves(self, value):
        return [value]

    def rebuild(self, value, leaves):
        leaf = next(leaves)
        if not isinstance(leaf, Expr):
            return leaf
        if isinstance(value, Curve):
            return TracedCurve(leaf)
        return TracedSurface(leaf, value.components, array=value.z.ndim == 3)


@dataclasses.dataclass(frozen=True)
class _Driven(Spec):
    shape: tuple[int, ...] = ()

    def check(self, value):
        from samara.model.drives import as_drive

        if not self.shape:
            return as_drive(value)
        if not hasattr(value, "__len__") or isinstance(value, str) or len(value) != self.shape[0]:
            raise ValueError(
                f"must have {self.shape[0]} components, each a number, a Parameter, a drive or a function of t"
            )
        return tuple(as_drive(v) for v in value)

    def leaves(self, value):
        return list(value) if self.shape else [value]

    def rebuild(self, value, leaves):
        if self.shape:
            return np.array([next(leaves) for _ in range(self.shape[0])])
        return next(leaves)


@dataclasses.dataclass(frozen=True)
class _Records(Spec):
    many: bool = False

    def _each(self, value) -> Sequence:
        return value if self.many else (value,)

    def check(self, value):
        for record in self._each(value):
            if not isinstance(record, Record):
                raise ValueError(f"does not take {record!r}")
            record.validate()
        return value

    def structure(self, value):
        return tuple(record.structure() for record in self._each(value))

    def leaves(self, value):
        return [leaf for record in self._each(value) for leaf in record.leaves()]

    def rebuild(self, value, leaves):
        rebuilt = tuple(record.rebuild(leaves) for record in self._each(value))
        return rebuilt if self.many else rebuilt[0]


@dataclasses.dataclass(frozen=True)
class _Option(Spec):
    choices: tuple = ()

    def check(self, value):
        if self.choices and value not in self.choices:
            raise ValueError(f"must be one of {', '.join(map(str, self.choices))}, got {value!r}")
        return value

    def structure(self, value):
        return value


def _field(spec: Spec, default=_MISSING) -> Any:
    if isinstance(default, (list, dict, np.ndarray)):
        return dataclasses.field(default_factory=lambda: copy.copy(default), metadata={_SPEC: spec})
    return dataclasses.field(default=default, metadata={_SPEC: spec})


def number(default: Any = _MISSING, *, unit: str = "", positive: bool = False, nonnegative: bool = False) -> Any:
    """A number, or a `Parameter`."""
    return _field(_Number(unit, positive, nonnegative), default)


def vector(default: Any = _MISSING, *, unit: str = "") -> Any:
    """Three numbers (or parameters)."""
    return _field(_Array(unit, (3,)), default)


def direction(default: Any = _MISSING) -> Any:
    """Three numbers, made a unit vector."""
    return _field(_Array("", (3,), unit_length=True), default)


def matrix(shape: tuple[int, int], default: Any = _MISSING, *, unit: str = "", symmetric: bool = False) -> Any:
    """A matrix; a symmetric one may be given by its diagonal."""
    return _field(_Array(unit, shape, symmetric=symmetric), default)


def numbers(default: Any = _MISSING, *, unit: str = "") -> Any:
    """An array of any shape; entries that are zero cost nothing, and instances with other zeros are another kernel."""
    return _field(_Numbers(unit), default)


def placement() -> Any:
    """A pose in a node's frame; a bare point stands for the pose with the node's axes."""
    return _field(_PlacementSpec("m"), None)


def table(*, unit: str = "", init: bool = True) -> Any:
    """A `Curve` or `Surface`. init: whether it is given, or made in `__post_init__` from other fields."""
    return dataclasses.field(init=init, metadata={_SPEC: _Table(unit)})


def driven(default: Any = _MISSING, *, unit: str = "", size: int = 0) -> Any:
    """A drive (or `size` drives): a number, a `Parameter`, a `Drive` or a function of t. Traced as its value now."""
    return _field(_Driven(unit, (size,) if size else ()), default)


def record(default: Any = _MISSING) -> Any:
    """Another record, such as a law."""
    return _field(_Records(), default)


def records(default: Any = _MISSING) -> Any:
    """A sequence of records."""
    return _field(_Records(many=True), default)


def option(default: Any = _MISSING, *, choices: tuple = ()) -> Any:
    """A choice that changes the equations: a different value is a different kernel."""
    return _field(_Option("", choices), default)


class Record:
    """A dataclass made of such fields; a subclass only lists them."""

    _keywords_only = False

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        dataclasses.dataclass(eq=False, repr=False, kw_only=cls._keywords_only)(cls)
        for f in dataclasses.fields(cls):  # type: ignore[arg-type]
            if not any(str(key).startswith(_SPEC) for key in f.metadata):
                raise TypeError(
                    f"{cls.__name__}.{f.name}: say what kind of field it is (number, vector, option, ... or ClassVar): "
                    "a plain one would be the same in all instances of the kernel"
                )

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # the dataclass of every subclass brings its own
        raise TypeError(f"{type(self).__name__} cannot be made by itself")

    @classmethod
    def specs(cls) -> dict[str, Spec]:
        """The checked fields in order."""
        return {f.name: f.metadata[_SPEC] for f in dataclasses.fields(cls) if _SPEC in f.metadata}  # type: ignore[arg-type]

    @classmethod
    def takes_drives(cls) -> bool:
        """Whether a field is a function of time."""
        return any(isinstance(spec, _Driven) for spec in cls.specs().values())

    def validate(self) -> None:
        """Checks every field and keeps the checked values; `ModelError` names class and field."""
        for name, spec in self.specs().items():
            try:
                object.__setattr__(self, name, spec.check(getattr(self, name)))
            except (ModelError, TypeError) as error:  # a sentence of its own
                raise ModelError(f"{type(self).__name__}: {name}: {error}") from None
            except ValueError as error:  # goes on from the name: "must be positive"
                raise ModelError(f"{type(self).__name__}: {name} {error}") from None

    def structure(self) -> tuple:
        """What a kernel depends on: the class, and the structure of every field."""
        specs = self.specs()
        return (type(self), *(spec.structure(getattr(self, name)) for name, spec in specs.items()))

    def leaves(self) -> list:
        """All numbers in order."""
        return [leaf for name, spec in self.specs().items() for leaf in spec.leaves(getattr(self, name))]

    def rebuild(self, leaves: Iterator) -> Any:
        """A copy with its numbers replaced, in the same order."""
        twin = copy.copy(self)
        for name, spec in self.specs().items():
            object.__setattr__(twin, name, spec.rebuild(getattr(self, name), leaves))
        return twin

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.specs())
        return f"{type(self).__name__}({shown})"


def _real(value):
    if isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool):
        return float(value)
    raise ValueError(f"must be a number, got {value!r}")


def _has_parameters(value) -> bool:
    return any(isinstance(v, Parameter) for v in np.asarray(value, dtype=object).ravel())


def _traced(flat: list) -> bool:
    return any(isinstance(v, Expr) for v in flat)


def spaced(unit: str) -> str:
    """A unit as it stands behind a number; that of a pure number is not written."""
    return f" {unit}" if unit not in ("", "1") else ""
