"""Named tuples of arrays that are passed to native functions by address.

Numba passes a tuple field by field: seven numbers for a vector, some five hundred for a system and its factors, in
every call from one driver function to another. A `Reference` is a single address; a function reads the fields that it
uses. In Python it behaves like the tuple.

    words of an array: 0, 0, number of items, size of one, address of the first, shape, strides; of an integer: itself;
    of a reference or a struct: its address
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from samara.tracing.driver.numba_internals import AttributeTemplate, from_dtype, impl_ret_borrowed
from samara.tracing.driver.struct import Struct, unbox_address

Fields = TypeVar("Fields")


def refer(fields: Fields) -> Fields:
    """A reference to a named tuple, which behaves like the tuple."""
    return cast("Fields", Reference(fields))


def at_address(fields: Any) -> Any:
    """An intrinsic: the reference to a named tuple of such kinds, from its address, which Python passes faster."""
    kind = Reference(fields)._numba_type_

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

    @intrinsic
    def reference(typing, address):
        return kind(types.int64), emit

    return reference


class Reference:
    """A named tuple of arrays, integers, such tuples, references and structs, which it keeps alive, and its words."""

    __slots__ = ("_numba_type_", "_tuple", "_words", "address")

    def __init__(self, fields: Any) -> None:
        self._tuple = fields
        kinds = tuple((name, _kind(value)) for name, value in zip(fields._fields, fields, strict=True))
        self._numba_type_ = ReferenceType(type(fields).__name__, kinds)  # Numba looks there first, and quickly
        self._words = np.array([word for value in fields for word in _words(value)], np.int64)
        self.address = self._words.ctypes.data

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tuple, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._tuple)

    def _replace(self, **fields: Any) -> Reference:
        return Reference(self._tuple._replace(**fields))


def _words(value: Any) -> list[int]:
    if isinstance(value, np.ndarray):
        return [0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides]
    if isinstance(value, tuple):
        return [word for part in value for word in _words(part)]
    return [value.address if isinstance(value, Reference | Struct) else int(value)]


def _kind(value: Any) -> types.Type:
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise ValueError("native code takes arrays in one piece, row by row")
        return _array(value.dtype, value.ndim)
    if isinstance(value, Reference | Struct):
        return value._numba_type_
    return typeof(value) if isinstance(value, tuple) else types.int64


@functools.cache
def _array(dtype: np.dtype, dimensions: int) -> types.Array:
    return types.Array(from_dtype(dtype), dimensions, "C")


class ReferenceType(types.Type):
    """Numba's type of a reference: names and types of the fields."""

    def __init__(self, label: str, fields: tuple[tuple[str, types.Type], ...]) -> None:
        self.label, self.fields = label, fields
        text = ", ".join(f"{name} {kind}" for name, kind in fields)  # they appear in the names of compiled functions
        super().__init__(f"Reference({label} {hashlib.sha256(text.encode()).hexdigest()[:16]})")


@typeof_impl.register(Reference)
def _type_of(value: Reference, _: Any) -> ReferenceType:
    return value._numba_type_


@register_model(ReferenceType)
class _Model(models.OpaqueModel):
    """An address."""


unbox(ReferenceType)(unbox_address)


@infer_getattr
class _Fields(AttributeTemplate):
    key = ReferenceType

    def generic_resolve(self, reference: ReferenceType, name: str) -> types.Type | None:
        return dict(reference.fields).get(name)


@lower_getattr_generic(ReferenceType)
def _field(context: Any, builder: Any, reference: ReferenceType, value: Any, name: str) -> Any:
    at = 0
    for other, kind in reference.fields:
        native = context.get_value_type(kind)
        if other == name:
            break
        at += _size(native)
    words = builder.bitcast(value, ir.IntType(64).as_pointer())
    return impl_ret_borrowed(context, builder, kind, _read(builder, words, at, native))


def _parts(native: Any) -> list[Any]:
    if isinstance(native, ir.ArrayType):
        return [native.element] * native.count
    return list(native.elements)


def _size(native: Any) -> int:
    """Number of words in a native type."""
    if isinstance(native, ir.ArrayType | ir.BaseStructType):
        return sum(_size(part) for part in _parts(native))
    return 1


def _read(builder: Any, words: Any, at: int, native: Any) -> Any:
    """Reads a value whose words begin at `at`; the block does not change while native code runs."""
    if isinstance(native, ir.ArrayType | ir.BaseStructType):
        whole = ir.Constant(native, ir.Undefined)
        for k, part in enumerate(_parts(native)):
            whole = builder.insert_value(whole, _read(builder, words, at, part), k)
            at += _size(part)
        return whole
    place = builder.gep(words, [ir.IntType(64)(at)])
    found = builder.load(builder.bitcast(place, native.as_pointer()))
    found.set_metadata("invariant.load", builder.module.add_metadata([]))
    return found
