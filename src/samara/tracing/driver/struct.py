"""Structs: named and typed numbers in one block of memory, shared by Python and native code.

    class StepClock(Struct):
        time: float = 0.0
        event: bool = False

    class StepMemory(Struct):
        clock: StepClock

    memory = StepMemory()
    memory.clock.event = True       the same statement in Python and in native code
    memory.words                    the block: an array of doubles, stored, compared and restored as one

Every number is a double in the block, and a nested struct is a part of it: copying the words copies everything.
"""

from __future__ import annotations

import hashlib
import inspect
from typing import Any, ClassVar, Self

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    unbox,
)

from samara.tracing.driver.numba_internals import AttributeTemplate

_NUMBERS = {float: types.float64, int: types.int64, bool: types.boolean}
_WORD, _DOUBLE = ir.IntType(64), ir.DoubleType()


class _Number:
    """A field: how Python reads and writes it."""

    def __init__(self, kind: type, at: int) -> None:
        self.kind, self.at = kind, at

    def __get__(self, struct: Struct | None, _: Any = None) -> Any:
        return self if struct is None else self.kind(struct.words[self.at])

    def __set__(self, struct: Struct, value: float) -> None:
        struct.words[self.at] = value


class Struct:
    """Fields are declared by annotations: float, int, bool with a default, or another struct."""

    words: np.ndarray
    address: int
    _numba_type_: ClassVar[StructType]
    _defaults: ClassVar[list[float]] = []
    _inside: ClassVar[dict[str, tuple[type[Struct], int]]] = {}
    _at: ClassVar[dict[str, int]] = {}  # first word of each number, including nested structs, by its path

    def __init_subclass__(cls) -> None:
        fields, cls._defaults, cls._inside, cls._at = dict[str, tuple[types.Type, int]](), [], {}, {}
        for name, kind in inspect.get_annotations(cls, eval_str=True).items():
            at = len(cls._defaults)
            if kind in _NUMBERS:
                fields[name] = _NUMBERS[kind], at
                cls._defaults.append(float(cls.__dict__.get(name, 0)))
                cls._at[name] = at
                setattr(cls, name, _Number(kind, at))
            else:
                fields[name] = kind._numba_type_, at
                cls._defaults += kind._defaults
                cls._at |= {f"{name}.{path}": at + k for path, k in kind._at.items()}
                cls._inside[name] = kind, at
        cls._numba_type_ = StructType(cls.__name__, fields)

    def __init__(self, **given: float) -> None:
        self._lay_over(np.array(self._defaults))
        for name, value in given.items():
            setattr(self, name, value)

    @classmethod
    def over(cls, words: np.ndarray) -> Self:
        """A struct on an existing block, with the numbers in it."""
        return cls.__new__(cls)._lay_over(words)

    def _lay_over(self, words: np.ndarray) -> Self:
        vars(self).update(words=words, address=words.ctypes.data)
        for name, (kind, at) in self._inside.items():
            vars(self)[name] = kind.over(words[at : at + len(kind._defaults)])
        return self

    def __setattr__(self, name: str, value: float) -> None:
        if name not in self._at:
            raise AttributeError(f"{type(self).__name__} has no number {name!r}")
        super().__setattr__(name, value)

    @classmethod
    def paths(cls) -> dict[str, int]:
        """Position of each number in the words, by name; numbers in nested structs are named like `clock.time`."""
        return cls._at


class StructType(types.Type):
    """Numba's type of a struct: names, types and positions of the fields."""

    def __init__(self, label: str, fields: dict[str, tuple[types.Type, int]]) -> None:
        self.fields = fields
        text = ", ".join(f"{name} {kind} {at}" for name, (kind, at) in fields.items())
        super().__init__(f"{label}({hashlib.sha256(text.encode()).hexdigest()[:16]})")


@register_model(StructType)
class _Model(models.OpaqueModel):
    """An address."""


@unbox(StructType)
def unbox_address(_: Any, value: Any, c: Any) -> NativeValue:
    """The address stored in a Python object."""
    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    return NativeValue(c.builder.inttoptr(address, ir.IntType(8).as_pointer()), is_error=c.pyapi.c_api_error())


@infer_getattr
class _Fields(AttributeTemplate):
    key = StructType

    def generic_resolve(self, struct: StructType, name: str) -> types.Type | None:
        return struct.fields[name][0] if name in struct.fields else None


def _place(builder: Any, address: Any, at: int) -> Any:
    words = builder.bitcast(address, _DOUBLE.as_pointer())
    return builder.gep(words, [_WORD(at)])


@lower_getattr_generic(StructType)
def _get(_: Any, builder: Any, struct: StructType, address: Any, name: str) -> Any:
    kind, at = struct.fields[name]
    place = _place(builder, address, at)
    if isinstance(kind, StructType):
        return builder.bitcast(place, address.type)
    number = builder.load(place)
    if kind is types.boolean:
        return builder.fcmp_unordered("!=", number, _DOUBLE(0.0))
    return builder.fptosi(number, _WORD) if kind is types.int64 else number


@lower_setattr_generic(StructType)
def _set(_: Any, builder: Any, signature: Any, args: Any, name: str) -> None:
    address, value = args
    kind, at = signature.args[0].fields[name]
    if kind is types.boolean:
        value = builder.uitofp(value, _DOUBLE)
    elif kind is types.int64:
        value = builder.sitofp(value, _DOUBLE)
    builder.store(value, _place(builder, address, at))
