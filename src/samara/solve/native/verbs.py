"""Verbs of a formulation: what a step asks of the equations of motion, by address.

A step knows the order of things, events and what to do when it fails; a formulation knows its equations and how to
advance them once. Whoever has no tree never compiles one, and the other way round. `SIGNATURES` is the one place that
says what each verb takes beside a `Work`, and what it returns last.

    begin(work, h)            once before a step of size h, which may be taken in parts
    advance(work, h, at)      one try from t to t + h, drives at its end as at a time that may be a hair before: status
    accept(work, h)           that try is taken: what is left to do at its end; SHORTER where it must end earlier
    undo(work)                back to where the last advance began; time is not its business
    restart(work, h, relaxes) after something has jumped, before an advance by h: status; where massless nodes rush to
                              a new balance then, it goes on to the end of h until they have come to it, if it `relaxes`
    respond(work, change)     drives have changed at the present time, by that part of their size
    error(work, h, old, accuracy)   of the last advance h, which came after one of size old, over the accuracy
    publish(work)             nodes and states as they are, to where measures look: status
    check(work)               by how much constraints are violated [m, rad]
    show(work, part, h, old)  the state a part of the way through the last step; the whole of it: its end again
    rehearse(work, h)         what an advance by h begins with, once more or beforehand: factors and counts stay as they
                              are, and whoever asks puts back what a step owns
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.solve.native.call_by_address import bind, caller
from samara.solve.native.codes import OK
from samara.tracing.driver.driver_cache import inner

SIGNATURES = {
    "begin": ("float64", "int64"),
    "advance": ("float64", "float64", "int64"),
    "accept": ("float64", "int64"),
    "undo": ("int64",),
    "restart": ("float64", "float64", "int64"),
    "respond": ("float64", "int64"),
    "error": ("float64", "float64", "float64", "float64"),
    "publish": ("int64",),
    "check": ("float64",),
    "show": ("float64", "float64", "float64", "int64"),
    "rehearse": ("float64", "int64"),
}
BEGIN, ADVANCE, ACCEPT, UNDO, RESTART, RESPOND, ERROR, PUBLISH, CHECK, SHOW, REHEARSE = range(len(SIGNATURES))
_begin, _advance, _accept, _undo, _restart, _respond, _error, _publish, _check, _show, _rehearse = (
    caller(*takes) for takes in SIGNATURES.values()
)


def no_verbs() -> np.ndarray:
    """Room for the addresses of a table."""
    return np.zeros(len(SIGNATURES), np.int64)


def bind_verbs(work: Any, table: dict[str, Any]) -> None:
    """Puts addresses where a step finds them, compiled where they are not yet; verbs that are left out do nothing."""
    bind(work.machine.verbs, SIGNATURES, work, table)


@inner
def begin_step(work, h):
    """Once before a step of size h."""
    if work.machine.verbs[BEGIN] != 0:
        _begin(work.machine.verbs[BEGIN], work, (h,))


@inner
def advance(work, h, at):
    """One try from the present time on by h: its status."""
    return _advance(work.machine.verbs[ADVANCE], work, (h, at))


@inner
def accept(work, h):
    """The last advance is taken: status."""
    return _accept(work.machine.verbs[ACCEPT], work, (h,)) if work.machine.verbs[ACCEPT] != 0 else OK


@inner
def undo(work):
    """The state where the last advance began."""
    _undo(work.machine.verbs[UNDO], work, ())


@inner
def restart(work, h, relaxes):
    """After something has jumped: status."""
    return _restart(work.machine.verbs[RESTART], work, (h, relaxes))


@inner
def respond(work, change):
    """Drives have changed at the present time."""
    _respond(work.machine.verbs[RESPOND], work, (change,))


@inner
def error(work, h, old, accuracy):
    """Of the last advance, over the accuracy."""
    return _error(work.machine.verbs[ERROR], work, (h, old, accuracy))


@inner
def publish(work):
    """The present state, to where measures look: status."""
    return _publish(work.machine.verbs[PUBLISH], work, ()) if work.machine.verbs[PUBLISH] != 0 else OK


@inner
def check(work):
    """By how much constraints are violated."""
    return _check(work.machine.verbs[CHECK], work, ())


@inner
def show(work, part, h, old):
    """The state within the last step."""
    _show(work.machine.verbs[SHOW], work, (part, h, old))


@inner
def rehearse(work, h):
    """What an advance by h begins with; whoever asks puts back what a step owns."""
    if work.machine.verbs[REHEARSE] != 0:
        _rehearse(work.machine.verbs[REHEARSE], work, (h,))
