"""What a function is known by: a digest of its code, and of everything of the user's own that it uses."""

from __future__ import annotations

import copyreg
import dis
import enum
import functools
import hashlib
import inspect
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from samara.model import ArgumentError
from samara.model.schema.record import Record
from samara.results import Results
from samara.sweep.measures import MEASURES, ChannelMeasures
from samara.sweep.named import NamedModel
from samara.sweep.workers.travel import installed

#: Values that are known by their texts.
PLAIN = (type(None), bool, float, complex, str, bytes, range, type(Ellipsis), type(NotImplemented))
#: Parts of classes that are known by their names.
DESCRIPTORS = (
    types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
)  # fmt: skip
#: What parts of a model note of themselves when it is compiled.
KEPT = ("settled", "_frozen", "_structure")
#: Operations that look a name up in a module.
LOOK_UP = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS")
#: What a class has beside what was written into it, or says twice.
BESIDE = {
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__",
    "__conditional_annotations__", "__dataclass_fields__", "__dataclass_params__", "__dict__", "__doc__",
    "__firstlineno__", "__module__", "__static_attributes__", "__weakref__", "_abc_impl",
}  # fmt: skip
#: Of a code object whose first constant is its docstring (Python 3.14 and later).
HAS_DOCSTRING = 0x4000000


def fingerprint(what: str, function: Any) -> str:
    """A digest of what a function does; `what` it is, "make" or "measure", is for errors.

    It holds the code of functions and classes of the user's own modules, and all values that they use: in globals,
    closures, defaults, partial calls, attributes of objects and of classes, arrays included. Of packages that are
    installed, names alone. What cannot be compared, such as a lock or an open file, is refused.
    """
    try:
        return _Walk(what, _home(function)).of(function).hex()[:32]
    except RecursionError:
        raise ArgumentError(
            f"sweep: what {what} uses is nested too deeply to be compared with that of a store: let it make that "
            "itself, or do without a store"
        ) from None


def _home(function: Any) -> str:
    """The module of a function, which is looked into even if it is installed."""
    while True:
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, types.MethodType):
            function = function.__func__
        elif isinstance(function, types.FunctionType):
            return function.__globals__.get("__name__", "")
        else:
            return (function if isinstance(function, type) else type(function)).__module__


class _Walk:
    """Goes through all that a function uses, each thing once.

    known:     digests by identity, with the things themselves, so that no other gets the identity of one.
    under_way: how deep things lie that are being looked at; one that holds itself is known by that.
    way:       names that lead to the thing, for errors.
    """

    def __init__(self, what: str, home: str) -> None:
        self.what, self.home = what, home
        self.known: dict[int, tuple[Any, bytes]] = {}
        self.under_way: dict[int, int] = {}
        self.way: list[str] = []
        self.own = functools.cache(self._own)

    def of(self, thing: Any) -> bytes:
        """The digest of a value, a function, a class or an object."""
        kind = type(thing)
        if kind is int:
            return _hashed("int", f"{thing:x}")
        if kind in PLAIN:
            return _hashed(kind.__name__, repr(thing))
        key = id(thing)
        if key in self.known:
            return self.known[key][1]
        if key in self.under_way:
            return _hashed("again", f"{self.under_way[key]}")
        self.under_way[key] = len(self.under_way)
        found = _hashed(kind.__qualname__, *self._parts(thing))
        del self.under_way[key]
        self.known[key] = thing, found
        return found

    def _own(self, module: str) -> bool:
        """Whether a module is the user's, and looked into."""
        if module in (self.home, "__main__"):
            return True
        if module.partition(".")[0] in {*sys.stdlib_module_names, "samara"}:
            return False
        return (loaded := sys.modules.get(module)) is None or not installed(loaded)

    @contextmanager
    def _at(self, name: str) -> Iterator[None]:
        self.way.append(name)
        yield
        self.way.pop()

    def _named(self, pairs: Iterable[tuple[str, Any]]) -> Iterator[str | bytes]:
        for name, value in pairs:
            with self._at(name):
                yield name
                yield self.of(value)

    def _parts(self, thing: Any) -> Iterator[str | bytes]:
        """Texts and digests that make up the digest of a thing."""
        if isinstance(thing, types.FunctionType):
            yield from self._function(thing)
        elif isinstance(thing, type):
            yield from self._class(thing)
        elif isinstance(thing, types.MethodType):
            yield from map(self.of, (thing.__func__, thing.__self__))
        elif isinstance(thing, types.BuiltinFunctionType | types.MethodWrapperType):
            yield thing.__qualname__
            yield self.of(thing.__self__)  # an object, or the module
        elif isinstance(thing, types.ModuleType):
            yield thing.__name__
        elif isinstance(thing, types.CodeType):
            yield from self._code(thing)
        elif type(thing) is functools.partial:
            yield from map(self.of, (thing.func, *thing.args))
            yield from self._named(sorted(thing.keywords.items()))
        elif isinstance(thing, NamedModel):
            yield f"{thing.settings} {thing.content}"
        elif isinstance(thing, ChannelMeasures):
            yield f"{thing.names} {thing.after}"
            yield from self._named((name, MEASURES[name.partition(":")[0]]) for name in thing.names)
        elif isinstance(thing, Results):  # whatever they took
            yield from map(self.of, (tuple(thing.channels), thing.time, thing.table))
        else:
            yield from self._value(thing)

    def _value(self, thing: Any) -> Iterator[str | bytes]:
        kind = type(thing)
        if kind in (tuple, list):
            yield from map(self.of, thing)
        elif kind is dict or kind is types.MappingProxyType:
            yield from (self.of(part) for pair in thing.items() for part in pair)
        elif kind in (set, frozenset):  # in an order of its own in every process
            yield from sorted(map(self.of, thing))
        elif kind is np.ndarray or isinstance(thing, np.generic):
            yield f"{thing.dtype!r} {thing.shape}"
            yield self.of(thing.tolist()) if thing.dtype.hasobject else thing.tobytes()
        elif isinstance(thing, staticmethod | classmethod):
            yield self.of(thing.__func__)
        elif isinstance(thing, property):
            yield from map(self.of, (thing.fget, thing.fset, thing.fdel))
        elif isinstance(thing, functools.cached_property):
            yield self.of(thing.func)
        elif isinstance(thing, DESCRIPTORS):
            yield thing.__qualname__
        elif isinstance(getattr(thing, "__wrapped__", None), types.FunctionType) and not self.own(kind.__module__):
            yield self.of(thing.__wrapped__)  # of a cache, or compiled: what they hold besides comes from it
            yield self.of(getattr(thing, "targetoptions", None))
        else:
            yield from self._object(thing)

    def _function(self, function: types.FunctionType) -> Iterator[str | bytes]:
        code, module = function.__code__, function.__globals__.get("__name__", "")
        if self.own(module):
            yield from self._code(code)
            yield from self._globals(function)
        else:
            yield f"{module}.{code.co_qualname}"
            if _found(module, code.co_qualname) is function:
                return
        yield from map(self.of, function.__defaults__ or ())
        yield from self._named(sorted((function.__kwdefaults__ or {}).items()))
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            yield name
            try:
                held = cell.cell_contents
            except ValueError:  # not filled yet
                continue
            with self._at(name):
                yield from self._used(held, code)
        yield from self._named(sorted(vars(function).items()))

    def _globals(self, function: types.FunctionType) -> Iterator[str | bytes]:
        for name in sorted(_global_names(function.__code__)):
            if name in function.__globals__:
                with self._at(name):
                    yield name
                    yield from self._used(function.__globals__[name], function.__code__)

    def _used(self, value: Any, code: types.CodeType) -> Iterator[str | bytes]:
        """A global, or what is closed over; of a module of the user's, what the code may take from it."""
        yield self.of(value)
        if isinstance(value, types.ModuleType) and self.own(value.__name__):
            for name in sorted(_names(code)):
                if name in vars(value):
                    with self._at(name):
                        yield name
                        yield from self._used(vars(value)[name], code)

    def _code(self, code: types.CodeType) -> Iterator[str | bytes]:
        yield code.co_code
        yield code.co_exceptiontable
        yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars))
        yield repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags))
        yield from map(self.of, code.co_consts[_has_docstring(code) :])

    def _class(self, cls: type) -> Iterator[str | bytes]:
        if not self.own(cls.__module__):
            yield f"{cls.__module__}.{cls.__qualname__}"
            return
        yield cls.__qualname__
        yield from map(self.of, (type(cls), *cls.__bases__))
        written = {name: value for name, value in vars(cls).items() if name not in BESIDE}
        if isinstance(cls, enum.EnumMeta):
            written = {name: value for name, value in written.items() if not name.startswith("_")}
            members: Mapping[str, Any] = cls.__members__
            written |= {name: member.value for name, member in members.items()}
        yield from self._named(sorted(written.items()))

    def _object(self, thing: Any) -> Iterator[str | bytes]:
        """An object by its class and by what it would take along to another process."""
        try:
            reduce = copyreg.dispatch_table.get(type(thing))
            made: Any = reduce(thing) if reduce else thing.__reduce_ex__(4)
        except RecursionError:
            raise
        except Exception:
            self._refuse(thing)
        if isinstance(made, str):
            yield made
            return
        parts: list[Any] = [*made, None, None, None]
        call, arguments, state, items, pairs = parts[:5]
        yield from map(self.of, (call, arguments))
        if isinstance(state, dict) and all(isinstance(name, str) for name in state):
            kept = KEPT if isinstance(thing, Record) else ()
            yield from self._named(sorted((name, value) for name, value in state.items() if name not in kept))
        else:
            yield self.of(state)
        yield from map(self.of, (list(items or ()), list(pairs or ())))

    def _refuse(self, thing: Any) -> NoReturn:
        where = ".".join(self.way)
        raise ArgumentError(
            f"sweep: {self.what} uses {where or 'an object'} ({type(thing).__qualname__}), which cannot be compared "
            "with that of a store: let it make one of its own, or do without a store"
        ) from None


def _hashed(*parts: str | bytes) -> bytes:
    """A digest of texts and bytes, told apart by their lengths."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "backslashreplace") if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


def _found(module: str, name: str) -> Any:
    """What a module has under a name, such as "Class.method"."""
    found: Any = sys.modules.get(module)
    for word in name.split("."):
        found = getattr(found, word, None)
    return found


def _has_docstring(code: types.CodeType) -> bool:
    """Whether the first constant is a docstring, which does nothing."""
    if sys.version_info >= (3, 14):
        return bool(code.co_flags & HAS_DOCSTRING)
    function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
    return bool(function and code.co_consts and isinstance(code.co_consts[0], str))


def _inner(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code, and that of functions and classes inside."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _inner(constant)


def _global_names(code: types.CodeType) -> set[str]:
    """Names that the code looks up in its module."""
    operations = (operation for part in _inner(code) for operation in dis.get_instructions(part))
    return {operation.argval for operation in operations if operation.opname in LOOK_UP}


def _names(code: types.CodeType) -> set[str]:
    """Those, and names of attributes."""
    return {name for part in _inner(code) for name in part.co_names}
