"""What a record holds beside its declared fields, where users write the class: its equations may read that, too."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NoReturn

import numpy as np

from samara.arguments import ModelError
from samara.model.quantities.parameters import noted_reads

#: Attributes that Samara keeps in every instance; no equation reads them.
_KEPT = frozenset(("name", "owned", "settled", "_frozen", "_structure"))
#: What is wrong with a function that gives other equations whenever it is called.
UNREPEATABLE = (
    "differs from one evaluation to the next: it depends on a random number, a clock or its own side "
    "effects, which would be frozen at the start of the run; supply varying quantities as a drive "
    "(BandLimitedNoise, Tabulated), an "
    "Input, a state or a Parameter"
)
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
#: Whose types and functions are the same at all times.
_LIBRARIES = frozenset(("builtins", "math", "numpy", None))
_formulating: ContextVar[bool] = ContextVar("formulating", default=False)


def built_in(what: Any) -> bool:
    """Whether a class or a function is Samara's own."""
    return getattr(what, "__module__", "").startswith("samara.")


def written_by_users(structure: tuple) -> bool:
    """Whether classes or functions that are not Samara's own take part in a structure: see `Record.structure`."""
    return any(written_by_users(part) if isinstance(part, tuple) else not _of_libraries(part) for part in structure)


def _of_libraries(part: Any) -> bool:
    """Whether a class, a function or an object of a structure is Samara's, NumPy's or Python's own."""
    part = part.value if isinstance(part, Itself) else part
    made = part if isinstance(part, (type, *_FUNCTIONS)) else type(part)
    return built_in(made) or made.__module__ in _LIBRARIES


class Itself:
    """Stands in a structure for an object that is no number, text or sequence: only itself is the same."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)


def as_structure(value: Any) -> Any:
    """A value as part of a structure: hashable, numbers and texts by what they are, all else by identity."""
    if isinstance(value, np.ndarray):
        return (np.ndarray, value.shape, *map(as_structure, value.ravel().tolist()))
    if isinstance(value, np.generic):
        return as_structure(value.item())
    if isinstance(value, (list, tuple)):
        return (type(value), *map(as_structure, value))
    if isinstance(value, dict):
        return (dict, *((as_structure(k), as_structure(v)) for k, v in value.items()))
    if isinstance(value, _PLAIN):
        return (type(value), value)
    return value if isinstance(value, (type, *_FUNCTIONS)) else Itself(value)


_FUNCTIONS = (type(built_in), type(Itself(0).__hash__), type(len))


@functools.cache
def computed_names(cls: type) -> frozenset[str]:
    """Cached properties that users wrote: computed again from the numbers of every copy."""
    users = (klass for klass in cls.__mro__ if not built_in(klass))
    return frozenset(n for klass in users for n, v in vars(klass).items() if isinstance(v, functools.cached_property))


def beside_fields(record: Any, fields: frozenset[str]) -> tuple:
    """The attributes of an instance that are no fields: of Samara's own classes, functions put in place of theirs."""
    own, cls = vars(record), type(record)
    names = own.keys() - fields - _KEPT
    if not names:
        return ()
    if built_in(cls):
        names = {name for name in names if callable(own[name])}
    else:
        names -= computed_names(cls)  # type: ignore[arg-type]
    return tuple((name, as_structure(own[name])) for name in sorted(names))


# ---- settings
@contextmanager
def formulating() -> Iterator[None]:
    """While equations are traced: what is read now is the same in all instances of the kernel."""
    token = _formulating.set(True)
    try:
        yield
    finally:
        _formulating.reset(token)


class SettingField:
    """The attribute of a `setting()` in a class that users write: its equations must not read it."""

    def __init__(self, owner: type, name: str, default: Any) -> None:
        self._owner, self._name, self._default = owner.__name__, name, default

    def __get__(self, record: Any, cls: type) -> Any:
        if record is None:
            return self._default
        if _formulating.get():
            raise ModelError(
                f"{self._owner}: the equations read {self._name}, a setting(), which equations must not "
                f"use: declare it with number(...) if it is a number, or option(...) if it is a choice"
            )
        return vars(record).get(self._name, self._default)

    def __set__(self, record: Any, value: Any) -> None:
        vars(record)[self._name] = value


class Unseen:
    """Stands for a node or a state while equations are traced, which have it as a frame or as a motion."""

    def __init__(self, owner: str, name: str, instead: str) -> None:
        self._said = (owner, name, instead)

    def __getattr__(self, attribute: str) -> NoReturn:
        owner, name, instead = self._said
        raise ModelError(
            f"{owner}: the equations read {name}.{attribute}, which may differ between instances: "
            f"{instead}, or store the number in a field that prepare() fills in"
        )


# ---- numbers that are derived from parameters
def refusing_derived(method: Callable[..., None]) -> Callable[..., None]:
    """A user's `prepare` or `__post_init__` that refuses to make plain numbers of a `Parameter`."""

    @functools.wraps(method)
    def checked(self: Any, *args: Any) -> None:
        before = dict(vars(self))
        with noted_reads() as read:
            method(self, *args)
        if not read:
            return
        for name, value in vars(self).items():
            if before.get(name) is not value and _holds_numbers(value):
                raise ModelError(
                    f"{type(self).__name__}: {method.__name__} reads parameter {read[0].name!r} as a plain number and "
                    f"sets {name}, which would not follow the parameter: compute {name} in the "
                    f"equations, or give a plain number; put checks in examine()"
                )

    return checked


def _holds_numbers(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_numbers, value))
    if isinstance(value, dict):
        return any(map(_holds_numbers, value.values()))
    return isinstance(value, (int, float, complex, np.ndarray, np.number)) and not isinstance(value, bool)
