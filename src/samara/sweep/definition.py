"""What a sweep is, so that a store can tell whether it is the same one that is taken up again."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import types
from collections.abc import Iterator
from typing import Any

import samara
from samara.sweep.named import NamedModel
from samara.sweep.study import RunSettings, Study

FORMAT = 1
#: Parts of a definition, and what is said of one that differs.
PARTS = {
    "format": "it is of another version of Samara",
    "parameters": "it varies other parameters",
    "make": "its `make` is another one",
    "measure": "its `measure` is another one",
    "run": "its variants run otherwise",
}


def definition(study: Study) -> dict[str, Any]:
    """Plain data that two sweeps share if variants of one may stand among those of the other.

    A function is known by its code, its defaults and what it closes over, and by the numbers, texts and functions of
    its module that it uses; modules that it imports are not looked into.
    """
    return {
        "format": FORMAT,
        "parameters": sorted(study.names),
        "make": fingerprint(study.make),
        "measure": fingerprint(study.measure),
        "run": {field.name: _shown(getattr(study.run, field.name)) for field in dataclasses.fields(RunSettings)},
        "version": samara.__version__,
    }


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    """What a stored definition has otherwise, in words; empty where nothing matters."""
    for part, words in PARTS.items():
        mine, other = ours[part], theirs.get(part)
        if mine == other:
            continue
        if part == "parameters":
            return f"{words} ({', '.join(other or [])} instead of {', '.join(mine)})"
        if part == "run" and isinstance(other, dict):
            name = next(name for name in mine if mine[name] != other.get(name))
            return f"{words} ({name} {other.get(name)} instead of {mine[name]})"
        return words
    return ""


def _shown(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return list(value) if isinstance(value, tuple) else repr(value)


def fingerprint(function: Any) -> str:
    """A digest of what a function does, as far as its own module says."""
    digest = hashlib.sha256()
    for part in _parts(function, set()):
        digest.update(part.encode("utf-8", "backslashreplace") + b"\0")
    return digest.hexdigest()[:32]


def _parts(thing: Any, seen: set[int]) -> Iterator[str]:
    if id(thing) in seen:
        return
    seen.add(id(thing))
    if isinstance(thing, types.FunctionType):
        yield from _function_parts(thing, seen)
    elif isinstance(thing, types.MethodType):
        yield from _parts(thing.__func__, seen)
        yield from _parts(thing.__self__, seen)
    elif isinstance(thing, functools.partial):
        yield "partial"
        for part in (thing.func, *thing.args, *(x for pair in sorted(thing.keywords.items()) for x in pair)):
            yield from _parts(part, seen)
    elif isinstance(thing, NamedModel):
        yield f"{thing.settings} {thing.content}"
    elif _is_plain(thing) or (dataclasses.is_dataclass(thing) and not isinstance(thing, type)):
        yield repr(thing)
    else:  # an object: what its class does when it is called, and its numbers
        cls = thing if isinstance(thing, type) else type(thing)
        yield f"{cls.__module__}.{cls.__qualname__}"
        call = vars(cls).get("__call__")
        if isinstance(call, types.FunctionType):
            yield from _function_parts(call, seen)
        for name, value in sorted(getattr(thing, "__dict__", {}).items()) if thing is not cls else ():
            if _is_plain(value):
                yield f"{name} {value!r}"


def _function_parts(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    yield from _code_parts(function.__code__)
    for value in (*(function.__defaults__ or ()), *(v for _, v in sorted((function.__kwdefaults__ or {}).items()))):
        yield from _parts(value, seen)
    for cell in function.__closure__ or ():
        try:
            yield from _parts(cell.cell_contents, seen)
        except ValueError:  # not filled yet
            yield "empty"
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        if isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
            yield from _parts(value, seen)
        elif value is not None and _is_plain(value):
            yield f"{name} {value!r}"


def _code_parts(code: types.CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars))
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _code_parts(constant)
        elif isinstance(constant, frozenset):  # in an order of its own in every process
            yield repr(sorted(map(repr, constant)))
        elif constant is not code.co_consts[0] or not isinstance(constant, str):  # no docstring
            yield repr(constant)


def _names(code: types.CodeType) -> set[str]:
    inner = [_names(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)]
    return set(code.co_names).union(*inner)


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(_is_plain(k) and _is_plain(v) for k, v in value.items())
    return value is None or isinstance(value, bool | int | float | complex | str | bytes)
