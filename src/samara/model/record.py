"""Records: what the user fills in (elements, laws, drives), told apart into structure and numbers.

The structure of a record (its class, its options, the structure of the records inside) decides which kernel it needs.
Its numbers are only data of that kernel: they may differ between instances, be named parameters, or change between
steps. A field says which of the two it is, and checks what it is given.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from samara.model import specs
from samara.model.documented import WRITTEN, documented
from samara.model.errors import ModelError
from samara.model.frozen import Frozen
from samara.model.specs import Spec
from samara.tracing import Curve, Surface

_MISSING = dataclasses.MISSING
_SPEC = "samara"


@dataclasses.dataclass(frozen=True)
class _Records(Spec):
    many: bool = False

    def _each(self, value) -> Sequence:
        return value if self.many else (value,)

    def check(self, value):
        for record in self._each(value):
            if not isinstance(record, Record):
                raise ValueError(f"does not take {record!r}")
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


def _field(spec: Spec, default=_MISSING) -> Any:
    if isinstance(default, (list, dict, np.ndarray)):
        return dataclasses.field(default_factory=lambda: copy.copy(default), metadata={_SPEC: spec})
    return dataclasses.field(default=default, metadata={_SPEC: spec})


def number(default: Any = _MISSING, *, unit: str = "", positive: bool = False, nonnegative: bool = False) -> Any:
    """A number, or a `Parameter`."""
    return _field(specs.Number(unit, positive, nonnegative), default)


def vector(default: Any = _MISSING, *, unit: str = "") -> Any:
    """Three numbers (or parameters)."""
    return _field(specs.Array(unit, (3,)), default)


def direction(default: Any = _MISSING) -> Any:
    """Three numbers, made a unit vector."""
    return _field(specs.Array("", (3,), unit_length=True), default)


def matrix(shape: tuple[int, int], default: Any = _MISSING, *, unit: str = "", symmetric: bool = False) -> Any:
    """A matrix; a symmetric one may be given by its diagonal."""
    return _field(specs.Array(unit, shape, symmetric=symmetric), default)


def numbers(default: Any = _MISSING, *, unit: str = "") -> Any:
    """An array of any shape; entries that are zero cost nothing, and instances with other zeros are another kernel."""
    return _field(specs.Numbers(unit), default)


def placement() -> Any:
    """A pose in a node's frame; a bare point stands for the pose with the node's axes."""
    return _field(specs.PlacementSpec("m"), None)


def table(*, unit: str = "", init: bool = True) -> Any:
    """A `Curve` or `Surface`. init: whether it is given, or made in `__post_init__` from other fields."""
    return dataclasses.field(init=init, metadata={_SPEC: specs.Table(unit)})


def driven(default: Any = _MISSING, *, unit: str = "", size: int = 0) -> Any:
    """A drive (or `size` drives): a number, a `Parameter`, a `Drive` or a function of t. Traced as its value now."""
    return _field(specs.Driven(unit, (size,) if size else ()), default)


def record(default: Any = _MISSING) -> Any:
    """Another record, such as a law."""
    return _field(_Records(), default)


def records(default: Any = _MISSING) -> Any:
    """A sequence of records."""
    return _field(_Records(many=True), default)


def option(default: Any = _MISSING, *, choices: tuple = ()) -> Any:
    """A choice that changes the equations: a different value is a different kernel."""
    return _field(specs.Option("", choices), default)


class Record(Frozen):
    """A dataclass made of such fields; a subclass only lists them."""

    _keywords_only = False
    #: whether its checks and its structure stay as they are: part of a model, and no parameter or drive in it
    settled = False
    _structure: tuple | None = None

    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        setattr(cls, WRITTEN, cls.__dict__.get("__doc__"))
        dataclasses.dataclass(eq=False, repr=False, kw_only=cls._keywords_only)(cls)
        for f in dataclasses.fields(cls):  # type: ignore[arg-type]
            if not any(str(key).startswith(_SPEC) for key in f.metadata):
                raise TypeError(
                    f"{cls.__name__}.{f.name}: say what kind of field it is (number, vector, option, ... or ClassVar): "
                    "a plain one would be the same in all instances of the kernel"
                )
        cls.__doc__ = documented(cls) or cls.__doc__

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # the dataclass of every subclass brings its own
        raise TypeError(f"{type(self).__name__} cannot be made by itself")

    @classmethod
    @functools.cache
    def specs(cls) -> dict[str, Spec]:
        """The checked fields in order."""
        return {f.name: f.metadata[_SPEC] for f in dataclasses.fields(cls) if _SPEC in f.metadata}  # type: ignore[arg-type]

    @classmethod
    @functools.cache
    def marked(cls, mark: str) -> tuple[str, ...]:
        """Names of the fields whose metadata have such an entry, in order."""
        return tuple(f.name for f in dataclasses.fields(cls) if mark in f.metadata)  # type: ignore[arg-type]

    @classmethod
    def takes_drives(cls) -> bool:
        """Whether a field is a function of time."""
        return any(isinstance(spec, specs.Driven) for spec in cls.specs().values())

    def validate(self) -> None:
        """Checks every field and keeps the checked values; `ModelError` names class and field."""
        for name, spec in self.specs().items():
            try:
                object.__setattr__(self, name, spec.check(getattr(self, name)))
            except (ModelError, TypeError) as error:  # a sentence of its own
                raise ModelError(f"{type(self).__name__}: {name}: {error}") from None
            except ValueError as error:  # goes on from the name: "must be positive"
                raise ModelError(f"{type(self).__name__}: {name} {error}") from None

    def freeze(self, who: str) -> None:
        """Refuses assignments from now on, also to the records inside."""
        if self._frozen:
            return
        super().freeze(who)
        for name, spec in self.specs().items():
            spec.freeze(getattr(self, name), who)
        object.__setattr__(self, "settled", all(isinstance(leaf, (Curve, Surface)) for leaf in self.objects()))

    def thaw(self) -> None:
        """Allows them again, for a copy that is no part of the model."""
        super().thaw()
        for name in ("settled", "_structure"):
            vars(self).pop(name, None)

    def kept_structure(self) -> tuple:
        """Its structure; a record that many elements share is asked once."""
        if not self.settled:
            return self.structure()
        if self._structure is None:
            object.__setattr__(self, "_structure", self.structure())
        return self._structure  # type: ignore[return-value]

    def structure(self) -> tuple:
        """What a kernel depends on: the class, and the structure of every field."""
        specs = self.specs()
        return (type(self), *(spec.structure(getattr(self, name)) for name, spec in specs.items()))

    def leaves(self) -> list:
        """All numbers in order."""
        return [leaf for name, spec in self.specs().items() for leaf in spec.leaves(getattr(self, name))]

    def objects(self) -> list:
        """The leaves that are more than plain numbers, in order: parameters, tables, drives."""
        return [leaf for name, spec in self.specs().items() for leaf in spec.objects(getattr(self, name))]

    def bounds(self) -> list[tuple[Any, tuple[float, float]]]:
        """All numbers in order, each with its limits."""
        return [pair for name, spec in self.specs().items() for pair in spec.bounds(getattr(self, name))]

    def rebuild(self, leaves: Iterator) -> Any:
        """A copy with its numbers replaced, in the same order."""
        twin = copy.copy(self)
        twin.thaw()
        for name, spec in self.specs().items():
            object.__setattr__(twin, name, spec.rebuild(getattr(self, name), leaves))
        return twin

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.specs())
        return f"{type(self).__name__}({shown})"
