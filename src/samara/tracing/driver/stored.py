"""Compiled functions as plain data: a JSON description and code. Reading a file never executes anything in it.

Types are written in terms of their components. Only types that occur in the driver are supported; a function with any
other type, or with Python objects, is not stored.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Sequence
from typing import Any

from numba import types

from samara.tracing.driver.numba_internals import (
    CompileResult,
    PythonFunctionDescriptor,
    Signature,
    make_environment,
)
from samara.tracing.driver.reference import ReferenceType
from samara.tracing.driver.struct import StructType

_PLAIN = {
    kind.name: kind
    for kind in (*types.number_domain, types.boolean, types.none, types.voidptr)
    if not isinstance(kind, types.Complex)
}
#: Items of a function's descriptor, besides its types.
_NAMES = ("modname", "qualname", "unique_name", "mangled_name", "env_name", "inline", "noalias", "uid")


class NotPlainError(TypeError):
    """An object that cannot be written as plain data."""


def type_text(kind: types.Type) -> str:
    """A type as a line of JSON."""
    text = json.dumps(_written(kind))
    if type_of(text) != kind:
        raise NotPlainError(f"{kind} is not the same when it is read again")
    return text


@functools.cache
def type_of(text: str) -> types.Type:
    """The type written by `type_text`."""
    return _read(json.loads(text))


def _written(kind: types.Type) -> Any:
    if _PLAIN.get(kind.name) == kind:
        return kind.name
    match kind:
        case types.IntegerLiteral():
            return ["literal", int(kind.literal_value)]
        case types.Array():
            return ["array", _written(kind.dtype), kind.ndim, kind.layout, not kind.mutable, kind.aligned]
        case types.CPointer(addrspace=None):
            return ["pointer", _written(kind.dtype)]
        case StructType():
            fields = [[name, _written(each), at] for name, (each, at) in kind.fields.items()]
            return ["struct", kind.name.rpartition("(")[0], fields]
        case ReferenceType():
            return ["reference", kind.label, [[name, _written(each)] for name, each in kind.fields]]
        case types.NamedTuple() | types.NamedUniTuple():
            owner = kind.instance_class
            return ["named", owner.__module__, owner.__qualname__, [_written(each) for each in kind.types]]
        case types.Tuple() | types.UniTuple():
            return ["tuple", [_written(each) for each in kind.types]]
    raise NotPlainError(f"{kind} is not known here")


def _read(plain: Any) -> types.Type:
    match plain:
        case str():
            return _PLAIN[plain]
        case ["literal", int(value)]:
            return types.literal(value)
        case ["array", dtype, int(ndim), str(layout), bool(readonly), bool(aligned)]:
            return types.Array(_read(dtype), ndim, layout, readonly=readonly, aligned=aligned)
        case ["pointer", dtype]:
            return types.CPointer(_read(dtype))
        case ["struct", str(label), fields]:
            return StructType(label, {name: (_read(each), at) for name, each, at in fields})
        case ["reference", str(label), fields]:
            return ReferenceType(label, tuple((name, _read(each)) for name, each in fields))
        case ["named", str(module), str(name), kinds]:
            owner = functools.reduce(getattr, name.split("."), importlib.import_module(module))
            if not (isinstance(owner, type) and issubclass(owner, tuple)):
                raise ValueError(f"{module}.{name} is no named tuple")
            return types.BaseTuple.from_types([_read(each) for each in kinds], owner)
        case ["tuple", kinds]:
            return types.BaseTuple.from_types([_read(each) for each in kinds])
    raise ValueError(f"{plain!r} is no type")


def put_apart(result: Any) -> tuple[dict[str, Any], bytes]:
    """Splits a compiled function into a plain description and its code; NotPlainError if it contains anything else."""
    (library, _, (code, linking)), descriptor, environment, signature, *others, _, reload, environments = (
        result._reduce()
    )
    if any(others) or reload or environment.consts or any(each.consts for each in environments):
        raise NotPlainError(f"{descriptor.qualname} holds objects of Python")
    about = {
        "library": library,
        "code": len(code),
        "arguments": list(map(type_text, signature.args)),
        "result": type_text(signature.return_type),
        "names": {name: getattr(descriptor, name) for name in _NAMES},
        "variables": list(descriptor.args),
        "tags": list(descriptor.abi_tags),
        "environment": [environment.globals["__name__"], environment.env_name],
        "environments": [[each.globals["__name__"], each.env_name] for each in environments],
    }
    return about, code + linking


def put_together(target: Any, about: dict[str, Any], content: bytes) -> Any:
    """Reassembles the compiled function."""
    arguments, result = tuple(map(type_of, about["arguments"])), type_of(about["result"])
    names = dict(about["names"])
    mangled = names.pop("mangled_name")
    descriptor = PythonFunctionDescriptor(
        native=True,
        doc="",
        typemap=None,
        restype=result,
        calltypes=None,
        args=tuple(about["variables"]),
        kws=(),
        mangler=lambda *_, **__: mangled,
        argtypes=arguments,
        abi_tags=tuple(about["tags"]),
        **names,
    )
    library = about["library"], "object", (content[: about["code"]], content[about["code"] :])
    own, others = _environment(about["environment"]), [_environment(each) for each in about["environments"]]
    signature = Signature(result, arguments, None)
    return CompileResult._rebuild(target, library, descriptor, own, signature, False, (), "", [], others)


def _environment(names: Sequence[str]) -> Any:
    module, name = names
    return make_environment(module, [], name)
