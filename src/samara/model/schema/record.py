"""Records: what the user fills in (elements, laws, drives), told apart into structure and numbers.

The structure of a record (its class, its options, the structure of the records inside) decides which kernel it needs.
Its numbers are only data of that kernel: they may differ between instances, be named parameters, or change between
steps. A field says which of the two it is, and checks what it is given.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, dataclass_transform

from samara.arguments import ModelError, require_fit
from samara.arguments.plausible import doubt_angle
from samara.model.quantities.freezing import Frozen
from samara.model.schema import fields, specs
from samara.model.schema.fields import SETTING, SPEC
from samara.model.schema.help_text import WRITTEN, documented
from samara.model.schema.specs import Spec
from samara.model.schema.user_attributes import SettingField, beside_fields, built_in, computed_names, refusing_derived
from samara.tracing import Curve, Surface


@dataclass_transform(
    eq_default=False,
    field_specifiers=(
        fields.number,
        fields.vector,
        fields.direction,
        fields.matrix,
        fields.numbers,
        fields.placement,
        fields.table,
        fields.driven,
        fields.record,
        fields.records,
        fields.option,
        fields.node,
        fields.state,
        fields.reads,
        fields.signal,
        fields.signals,
        fields.setting,
    ),
)
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
            if not any(str(key).startswith(SPEC) for key in f.metadata):
                raise TypeError(
                    f"{cls.__name__}.{f.name}: declare the kind of field (number, vector, option, ... "
                    f"or ClassVar): a plain attribute would have the same value in all instances of the kernel"
                )
        cls.__doc__ = documented(cls) or cls.__doc__
        setattr(cls, "__init__", _telling(cls))  # noqa: B010  (that of the dataclass)
        if not built_in(cls):
            cls._guard()

    @classmethod
    def _guard(cls) -> None:
        """What a user wrote is to give each instance its own numbers, or an error."""
        for name in ("prepare", "__post_init__"):
            if name in vars(cls):
                setattr(cls, name, refusing_derived(vars(cls)[name]))
        for f in dataclasses.fields(cls):  # type: ignore[arg-type]
            if SETTING in f.metadata and f.name in inspect.get_annotations(cls):
                setattr(cls, f.name, SettingField(cls, f.name, f.default))

    if not TYPE_CHECKING:

        def __init__(self, *args: Any, **kwargs: Any) -> None:  # the dataclass of every subclass brings its own
            raise TypeError(f"{type(self).__name__} is abstract: use one of its subclasses")

    @classmethod
    @functools.cache
    def specs(cls) -> dict[str, Spec]:
        """The checked fields in order."""
        return {f.name: f.metadata[SPEC] for f in dataclasses.fields(cls) if SPEC in f.metadata}  # type: ignore[arg-type]

    @classmethod
    @functools.cache
    def marked(cls, mark: str) -> tuple[str, ...]:
        """Names of the fields whose metadata have such an entry, in order."""
        return tuple(f.name for f in dataclasses.fields(cls) if mark in f.metadata)  # type: ignore[arg-type]

    @classmethod
    @functools.cache
    def field_names(cls) -> frozenset[str]:
        """Of all fields."""
        return frozenset(f.name for f in dataclasses.fields(cls))  # type: ignore[arg-type]

    @classmethod
    def takes_drives(cls) -> bool:
        """Whether a field is a function of time."""
        return any(isinstance(spec, specs.Driven) for spec in cls.specs().values())

    def validate(self) -> None:
        """Checks every field and keeps the checked values; `ModelError` names class and field."""
        for name, spec in self.specs().items():
            try:
                object.__setattr__(self, name, spec.check(getattr(self, name)))
            except (ValueError, TypeError) as error:
                raise ModelError.of_field(type(self).__name__, name, error) from None
            if spec.unit == "rad":
                for angle in spec.plain_numbers(getattr(self, name)):
                    doubt_angle(f"{type(self).__name__}: {name}", angle)

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
        for name in ("settled", "_structure", *computed_names(type(self))):  # type: ignore[arg-type]
            vars(self).pop(name, None)

    def kept_structure(self) -> tuple:
        """Its structure; a record that many elements share is asked once."""
        if not self.settled:
            return self.structure()
        if self._structure is None:
            object.__setattr__(self, "_structure", self.structure())
        return self._structure  # type: ignore[return-value]

    def structure(self) -> tuple:
        """What a kernel depends on: the class, the structure of every field, and what is there beside the fields."""
        specs, beside = self.specs(), beside_fields(self, self.field_names())
        return (type(self), *(spec.structure(getattr(self, name)) for name, spec in specs.items()), *beside)

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


def _telling(cls: type) -> Callable[..., None]:
    """The `__init__` of a record's dataclass; a call that does not fit it is refused by name."""
    fill = cls.__init__  # type: ignore[misc]

    @functools.wraps(fill)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            fill(self, *args, **kwargs)
        except TypeError:
            require_fit(cls.__name__, cls, args, kwargs)
            raise

    return init


@dataclass_transform(
    eq_default=False,
    kw_only_default=True,
    field_specifiers=(
        fields.number,
        fields.vector,
        fields.direction,
        fields.matrix,
        fields.numbers,
        fields.placement,
        fields.table,
        fields.driven,
        fields.record,
        fields.records,
        fields.option,
        fields.node,
        fields.state,
        fields.reads,
        fields.signal,
        fields.signals,
        fields.setting,
    ),
)
class KeywordRecord(Record):
    """A record whose fields are given by name, all but nodes and shared states."""

    _keywords_only = True
