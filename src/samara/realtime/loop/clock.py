"""The clock of the loop: the machine's, or a synthetic one with exactly known delays.

Times are whole nanoseconds. A loop takes a `Clock`; with a `made_up` one its logic can be tested to the nanosecond.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from samara.tracing.driver.driver_cache import inner
from samara.tracing.driver.numba_internals import cgutils

MONOTONIC, ABSOLUTE = 1, 1  # of <time.h>
SECOND = 1_000_000_000
#: places in `Clock.own`: whether it is made up, its time [ns], the number of the cycle
MADE_UP, NOW, CYCLE = range(3)


class Clock(NamedTuple):
    """A clock as the driver uses it.

    own:  whether it is synthetic, and if so its time and cycle.
    late: of a synthetic clock, wake-up delay in each cycle [ns]; zero beyond the end of the array.
    work: duration of a cycle [ns].
    spin: time before a deadline during which the loop stays awake and rehearses the step [ns].
    """

    own: np.ndarray
    late: np.ndarray
    work: np.ndarray
    spin: int


def machine_clock(spin: float = 0.0) -> Clock:
    """That of the machine. spin: the last seconds before a deadline are waited for actively [s]."""
    nothing = np.zeros(1, np.int64)
    return Clock(np.zeros(3, np.int64), nothing, nothing, round(spin * SECOND))


def made_up(late=(), work=(), start: int = 0, spin: float = 0.0) -> Clock:
    """A clock on which cycle k wakes up late[k] too late and works work[k] [ns]; what is done awake takes no time."""
    own = np.array([1, start, 0], np.int64)
    delays = [np.array([*given, 0], np.int64) for given in (late, work)]
    return Clock(own, delays[0], delays[1], round(spin * SECOND))


def _timespec(builder):
    word = ir.IntType(64)
    kind = ir.LiteralStructType([word, word])
    return kind, cgutils.alloca_once(builder, kind)  # in a loop, one of its own each time would fill the stack


def _libc(builder, name, *arguments):
    """Calls a function of the C library that returns an int."""
    kind = ir.FunctionType(ir.IntType(32), [a.type for a in arguments])
    function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
    return builder.call(function, arguments)


@intrinsic
def monotonic(typingctx):
    """Time of the monotonic clock [ns]."""

    def codegen(context, builder, signature, args):
        _, at = _timespec(builder)
        _libc(builder, "clock_gettime", ir.Constant(ir.IntType(32), MONOTONIC), at)
        seconds, nanoseconds = (builder.extract_value(builder.load(at), k) for k in (0, 1))
        return builder.add(builder.mul(seconds, ir.Constant(seconds.type, SECOND)), nanoseconds)

    return types.int64(), codegen


@intrinsic
def sleep_until(typingctx, when):
    """Sleeps until an absolute time of the monotonic clock [ns]; 0, or the number of an error (a signal)."""

    def codegen(context, builder, signature, args):
        word, narrow = ir.IntType(64), ir.IntType(32)
        kind, at = _timespec(builder)
        parts = [op(args[0], ir.Constant(word, SECOND)) for op in (builder.sdiv, builder.srem)]
        for k, part in enumerate(parts):
            builder.store(part, builder.gep(at, [ir.Constant(narrow, 0), ir.Constant(narrow, k)]))
        nowhere = ir.Constant(kind.as_pointer(), None)
        clock, absolute = ir.Constant(narrow, MONOTONIC), ir.Constant(narrow, ABSOLUTE)
        return _libc(builder, "clock_nanosleep", clock, absolute, at, nowhere)

    return types.int32(types.int64), codegen


@inner
def now(clock):
    """Present time [ns]."""
    return clock.own[NOW] if clock.own[MADE_UP] else monotonic()


@inner
def sleep_before(clock, when):
    """Sleeps until the last part of a wait begins."""
    if not clock.own[MADE_UP]:
        while monotonic() < when - clock.spin:
            sleep_until(when - clock.spin)


@inner
def wait_until(clock, when):
    """Returns at that time [ns], or at once if it is past."""
    own = clock.own
    if own[MADE_UP]:
        cycle = min(own[CYCLE], clock.late.size - 1)
        own[NOW] = max(own[NOW], when) + clock.late[cycle]
        return
    sleep_before(clock, when)
    while monotonic() < when:
        pass


@inner
def worked(clock):
    """On a made-up clock the work of a cycle takes its time now."""
    own = clock.own
    if own[MADE_UP]:
        own[NOW] += clock.work[min(own[CYCLE], clock.work.size - 1)]
        own[CYCLE] += 1
