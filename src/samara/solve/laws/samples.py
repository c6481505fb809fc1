"""Discrete laws in the driver: which are called, when, with which inputs, and where their outputs are held.

A law is called at the start of a step at a sample instant, before anything else in the step. Everything that acts from
that instant on is known by then, including drives that jump and new inputs. Its outputs are inputs of the model
(`solve.step.events` describes how a step applies changes). The next instant is one period later:

    fixed steps                 t_(k+1) = t_k + period, met to half a step: a period is a whole number of steps, which
                                is checked beforehand, so samples are counted in steps for runs of any length
    adaptive steps              t_k = t_0 + k period, and steps end there
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from samara.model.roles.sampling import sampled_law
from samara.model.sampled import SampledLaw
from samara.solve.laws.feedthrough import Relay, put_back, relay_of, resolve
from samara.solve.measures import channels
from samara.solve.native.clock import count_of, fraction, instant, origin_of
from samara.solve.native.codes import LAW_FAILED, OK
from samara.solve.native.kernels import set_time
from samara.solve.native.outputs import outputs
from samara.solve.native.ownership import Owned
from samara.solve.native.verbs import respond
from samara.system.system import System
from samara.tracing.driver.driver_cache import driver, inner, routine
from samara.tracing.driver.native_call import call_native, emit_call
from samara.tracing.driver.reference import refer

#: Columns of `Samples.laws`: the address, then first and count of the numbers, memory, inputs and answers; whether what
#: goes in follows from answers through algebraic states; how much of its memory is that of a kernel, traced from a
#: block, 0 for other code: what follows are lines of past numbers.
ADDRESS, NUMBERS, MEMORY, INPUTS, ANSWERS, RELAYED, KERNEL = 0, 1, 3, 5, 7, 9, 10
#: Of a line in the memory: where its end is, which of its numbers is the oldest, how many these are; then the numbers.
LINE_END, LINE_OLDEST, LINE_COUNT, LINE_NUMBERS = range(4)
#: Columns of `Samples.clocks`: the next instant, the period, and how far an instant may be missed [s]; where instants
#: are counted from, and how many periods the next one is away from there, -1 where that is not known
#: (`solve.native.clock`).
NEXT, PERIOD, SLACK, ORIGIN, COUNT = range(5)
#: Places in `Samples.notes`: whether steps are fixed; which law failed, and how: see below.
FIXED, WHICH, HOW = range(3)
#: How a law fails: it raised an error, an answer or what it remembers is no finite number, what goes in was not found.
RAISED, ENDLESS, UNKNOWN = range(1, 4)

_NUMBERS = types.CPointer(types.float64)
#: Of the native function of a law: the time, then numbers, memory, inputs and answers, each with its count.
ARGUMENTS = (types.float64, *(_NUMBERS, types.int64) * 4)


class Samples(NamedTuple):
    """The laws of a model, in the model's order; all arrays are empty if there are none."""

    laws: np.ndarray
    clocks: Owned
    numbers: np.ndarray  # of all laws
    memory: Owned
    u: Owned  # what went in at the last sample
    y: Owned  # and what is answered
    columns: np.ndarray  # where what goes in lies in the output vector
    direct: np.ndarray  # number of the answer that it is, -1 for all else
    held: np.ndarray  # where answers are held in the state
    notes: np.ndarray
    alone: np.ndarray  # index of the only instance of a kernel
    relay: Relay


def told_by(system: System) -> dict[str, SampledLaw]:
    """Of each element that samples, by name, in the order of the model."""
    told = {element.name: sampled_law(element) for element in system.model.elements.values()}
    return {name: law for name, law in told.items() if law is not None}


def held_inputs(system: System) -> set[str]:
    """Names of the inputs that keep answers: nobody else feeds them."""
    return {source.name for law in told_by(system).values() for source in law.held}


def _columns(name: str, law: SampledLaw, start: dict[str, int]) -> np.ndarray:
    """Where the numbers that go into the law of an element lie in the output vector."""
    if isinstance(law.measured, str):
        return start.get(f"{name}.{law.measured}", 0) + np.arange(len(law.signals))
    return np.array([start[channel] + place for channel, place in law.measured], np.int64)


def samples_of(system: System) -> Samples:
    """Arrays for the laws of a system; none of them is called before its clock is set."""
    told = told_by(system)
    every, first = channels(system) if told else ((), ())
    start = dict(zip((c.name for c in every), first, strict=True))
    answers = {state.name: k for k, state in enumerate(s for law in told.values() for s in law.outputs)}
    rows: list[tuple[int, ...]] = []
    columns, direct, held = list[int](), list[int](), list[int]()
    numbers, memory, y = list[float](), list[float](), list[float]()
    relay, relayed = relay_of(system, [s for law in told.values() for s in law.signals if s is not None])
    for name, law in told.items():
        native = law.native()
        own, kept = (native.numbers, native.memory) if native else (np.zeros(0), np.zeros(1))
        at = _columns(name, law, start)
        through = any(s is not None and s.name in relayed for s in law.signals)
        sizes = (len(numbers), own.size, len(memory), kept.size, len(columns), at.size, len(y), len(law.held))
        rows.append((0, *sizes, int(through), 0))
        columns += at.tolist()
        direct += [-1 if s is None else answers.get(s.name, -1) for s in law.signals]
        held += [system.layout.input(source.name) for source in law.held]
        y += [float(source.initial) for source in law.held]
        numbers += own.tolist()
        memory += kept.tolist()
    clocks = np.array([[np.inf, law.period, 0.0, 0.0, -1.0] for law in told.values()]).reshape(-1, 5)
    return refer(
        Samples(
            laws=np.array(rows, np.int64).reshape(-1, 11),
            clocks=clocks,
            numbers=np.array(numbers, float),
            memory=np.array(memory, float),
            u=np.zeros(len(columns)),
            y=np.array(y, float),
            columns=np.array(columns, np.int64),
            direct=np.array(direct, np.int64),
            held=np.array(held, np.int64),
            notes=np.zeros(3, np.int64),
            alone=np.zeros(1, np.uint32),
            relay=relay,
        )
    )


@intrinsic
def _call_law(typing, address, t, numbers, m, memory, n, u, j, y, k):
    """Calls a law at an address; whether it raised an error."""

    def emit(context, builder, signature, args):
        given = [
            builder.inttoptr(a, context.get_value_type(w)) if w == _NUMBERS else a
            for w, a in zip(ARGUMENTS, args[1:], strict=True)
        ]
        status, _ = emit_call(context, builder, args[0], types.int64(*ARGUMENTS), given)
        return builder.zext(status.is_error, context.get_value_type(types.int64))

    return types.int64(types.int64, types.float64, *[types.int64] * 8), emit


@inner
def has_laws(m):
    """Whether a model has laws that sample."""
    return m.samples.laws.shape[0] != 0


@inner
def next_sample(m):
    """The next sample instant of any law [s]; inf for none."""
    found = np.inf
    for k in range(m.samples.laws.shape[0]):
        found = min(found, m.samples.clocks[k, NEXT])
    return found


@inner
def _fail(s, k, how):
    s.notes[WHICH], s.notes[HOW] = k, how
    return LAW_FAILED


@inner
def _look(work, time):
    """All measures at the present time, drives and inputs as they are now; algebraic states follow them."""
    m = work.machine
    set_time(m, time)
    respond(work, 0.0)
    found = resolve(m, m.samples.relay)
    outputs(work)
    put_back(m, m.samples.relay)
    return found


@inner
def _put_in_lines(memory, first, own, count):
    """What a kernel left at the end of each line goes into it, and what comes out next stands there."""
    line = first + own
    while line < first + count:
        end, oldest, n = (
            first + int(memory[line + LINE_END]),
            int(memory[line + LINE_OLDEST]),
            int(memory[line + LINE_COUNT]),
        )
        memory[line + LINE_NUMBERS + oldest] = memory[end]
        oldest = (oldest + 1) % n
        memory[end], memory[line + LINE_OLDEST] = memory[line + LINE_NUMBERS + oldest], float(oldest)
        line += LINE_NUMBERS + n


@inner
def _answer(m, s, k, time):
    """Calls a law; how it failed, 0 if it did not."""
    law = s.laws[k]
    if law[ADDRESS] == 0:
        return RAISED
    for i in range(law[INPUTS], law[INPUTS] + law[INPUTS + 1]):
        s.u[i] = s.y[s.direct[i]] if s.direct[i] >= 0 else m.scratch.out[s.columns[i]]
    numbers, memory = s.numbers.ctypes.data + 8 * law[NUMBERS], s.memory.ctypes.data + 8 * law[MEMORY]
    u, y = s.u.ctypes.data + 8 * law[INPUTS], s.y.ctypes.data + 8 * law[ANSWERS]
    if law[KERNEL] != 0:
        call_native(law[ADDRESS], 1, memory, s.alone.ctypes.data, numbers, u, 0, y, 0)
        _put_in_lines(s.memory, law[MEMORY], law[KERNEL], law[MEMORY + 1])
    elif _call_law(
        law[ADDRESS], time, numbers, law[NUMBERS + 1], memory, law[MEMORY + 1], u, law[INPUTS + 1], y, law[ANSWERS + 1]
    ):
        return RAISED
    for i in range(law[ANSWERS], law[ANSWERS] + law[ANSWERS + 1]):
        if not abs(s.y[i]) < np.inf:
            return ENDLESS
        m.state[s.held[i]] = s.y[i]
    for i in range(law[MEMORY], law[MEMORY] + law[MEMORY + 1]):
        if not abs(s.memory[i]) < np.inf:
            return ENDLESS
    return 0


@inner
def _next_instant(clock):
    """The instant after the one that is now, counted."""
    period = clock[PERIOD]
    p, q = fraction(period)
    if clock[COUNT] < 0.0:
        clock[ORIGIN] = origin_of(clock[NEXT], period, p, q)
        clock[COUNT] = count_of(clock[NEXT], clock[ORIGIN], period)
    clock[COUNT] += 1.0
    return instant(clock[ORIGIN], clock[COUNT], p, q)


@routine
def take_samples(work):
    """Calls the laws whose instant is now, in the order of the model."""
    m, time = work.machine, work.memory.clock.time
    s, seen = m.samples, False
    for k in range(s.laws.shape[0]):
        if time < s.clocks[k, NEXT] - s.clocks[k, SLACK]:
            continue
        if not seen or s.laws[k, RELAYED] != 0:  # others may just have answered
            if not _look(work, time):
                return _fail(s, k, UNKNOWN)
            seen = True
        how = _answer(m, s, k, time)
        if how != 0:
            return _fail(s, k, how)
        s.clocks[k, NEXT] = time + s.clocks[k, PERIOD] if s.notes[FIXED] != 0 else _next_instant(s.clocks[k])
    return OK


@driver
def take_first_samples(work):
    """`take_samples`, for Python."""
    return take_samples(work)
