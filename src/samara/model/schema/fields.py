"""Field declarations of records and elements: ``mass: float = number(unit="kg", positive=True)``.

Type checkers and editors read these calls (PEP 681): a field is optional if the call has ``default=...``, positional if
it has ``kw_only=False``. They only see literal keywords, so always write these out.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Callable
from typing import Any, Literal, TypeVar, cast

import numpy as np

from samara.model.schema import specs
from samara.model.schema.specs import Spec

_MISSING = dataclasses.MISSING
#: Entries of a field's metadata begin so: the first is the `Spec` of a checked field.
SPEC, NODE, STATE, SETTING = "samara", "samara_node", "samara_state", "samara_setting"
#: Of a field whose states are only read.
READS = "samara_reads"

_Specifier = TypeVar("_Specifier", bound=Callable)


def _specifier(function: _Specifier) -> _Specifier:
    """A function that makes a field, and refuses a default without its name, which no type checker would see."""
    places = function.__code__.co_argcount

    @functools.wraps(function)
    def checked(*args, **kwargs):
        if len(args) > places:
            given = "".join(f"{arg!r}, " for arg in args[:places])
            said = f"{function.__name__}({given}default={args[places]!r})"
            raise TypeError(f"{function.__name__}: give the default of a field by keyword: {said}")
        return function(*args, **kwargs)

    return cast(_Specifier, checked)


def _field(spec: Spec, default: Any, init: bool = True) -> Any:
    """init: whether it is given, or follows from others in `prepare`."""
    if isinstance(default, (list, dict, np.ndarray)):
        return dataclasses.field(default_factory=lambda: copy.copy(default), metadata={SPEC: spec}, init=init)
    return dataclasses.field(default=default, metadata={SPEC: spec}, init=init)


@_specifier
def number(
    *,
    default: Any = _MISSING,
    unit: str = "",
    positive: bool = False,
    nonnegative: bool = False,
    plain: bool = False,
    init: bool = True,
) -> Any:
    """A number or a `Parameter`. plain: parameters are not allowed, for values that are read once, before a run."""
    return _field(specs.Number(unit, positive, nonnegative, plain), default, init)


@_specifier
def vector(*, default: Any = _MISSING, unit: str = "") -> Any:
    """Three numbers (or parameters)."""
    return _field(specs.Array(unit, (3,)), default)


@_specifier
def direction(*, default: Any = _MISSING) -> Any:
    """Three numbers, normalised to a unit vector."""
    return _field(specs.Array("", (3,), unit_length=True), default)


@_specifier
def matrix(shape: tuple[int, int], *, default: Any = _MISSING, unit: str = "", symmetric: bool = False) -> Any:
    """A matrix; a symmetric one may be given by its diagonal."""
    return _field(specs.Array(unit, shape, symmetric=symmetric), default)


@_specifier
def numbers(*, default: Any = _MISSING, unit: str = "", init: bool = True) -> Any:
    """An array of any shape; zero entries cost nothing, but instances with a different zero pattern "
    "need another kernel."""
    return _field(specs.Numbers(unit), default, init)


@_specifier
def placement(*, default: Any = None) -> Any:
    """A pose in a node's frame; a bare point means a pose with the node's axes, None the node's own pose."""
    return _field(specs.PlacementSpec("m"), default)


@_specifier
def table(*, unit: str = "", init: bool = True) -> Any:
    """A `Curve` or `Surface`. init: whether it is an argument, or computed in `__post_init__` from other fields."""
    return dataclasses.field(init=init, metadata={SPEC: specs.Table(unit)})


@_specifier
def driven(*, default: Any = _MISSING, unit: str = "", size: int = 0) -> Any:
    """A drive (or `size` drives): a number, a `Parameter`, a `Drive` or a function of t. Equations see "
    "its present value."""
    return _field(specs.Driven(unit, (size,) if size else ()), default)


@_specifier
def record(*, default: Any = _MISSING, of: type | None = None, such_as: str = "") -> Any:
    """Another record. of: its class, any record if not given; such_as: an example, as written in code."""
    return _field(specs.Records(of=of, such_as=such_as), default)


@_specifier
def records(*, default: Any = _MISSING) -> Any:
    """A sequence of records."""
    return _field(specs.Records(many=True), default)


@_specifier
def option(*, default: Any = _MISSING, choices: tuple = (), init: bool = True) -> Any:
    """A choice that changes the equations: a different value is a different kernel."""
    return _field(specs.Option("", choices), default, init)


def node(*, kw_only: Literal[False] = False) -> Any:
    """A node that the element acts on. The equations are written in the axes of the last node."""
    return dataclasses.field(metadata={NODE: True}, kw_only=kw_only)


def state(*, kw_only: Literal[False] = False) -> Any:
    """A scalar state that the element shares with others, created by ``model.state(...)``."""
    return dataclasses.field(metadata={STATE: True}, kw_only=kw_only)


def reads(*, kw_only: Literal[False] = False) -> Any:
    """A scalar state that the element only reads: it contributes nothing to the equation of the state."""
    return dataclasses.field(metadata={READS: True}, kw_only=kw_only)


def signal(*, default: Any = _MISSING, unit: str = "", kw_only: bool = True) -> Any:
    """An input signal: a state, which is only read, or anything a drive can be. See `Element.received`."""
    return dataclasses.field(default=default, metadata={SPEC: specs.SignalSpec(unit), READS: True}, kw_only=kw_only)


def signals(*, default: Any = _MISSING, unit: str = "", kw_only: bool = True, init: bool = True) -> Any:
    """Any number of input signals."""
    spec = specs.SignalSpec(unit, many=True)
    return dataclasses.field(default=default, metadata={SPEC: spec, READS: True}, kw_only=kw_only, init=init)


@_specifier
def setting(*, default: Any = None, kw_only: Any = dataclasses.MISSING) -> Any:
    """A field that helps to describe the element (resolved in `prepare`) but is not part of its equations.

    kw_only: False for a positional argument, as nodes are.
    """
    return dataclasses.field(default=default, metadata={SETTING: True}, kw_only=kw_only)
