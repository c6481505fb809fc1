"""Discrete laws of a simulation: prepared for a run, and named if they fail.

`solve.laws.samples` calls them. Laws that can be compiled are native code with their memory in flat arrays; the others
are Python functions called by address, in off-line runs only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from samara.blocks.traced import TracedLaw
from samara.model import ArgumentError, Element
from samara.model.roles.sampling import sampled_law
from samara.model.sampled import LawFailed, NativeLaw, SampledLaw
from samara.solve.errors import Diverged
from samara.solve.laws.compiled import NotCompilableError, address_in_memory, compiled, of_python
from samara.solve.laws.feedthrough import put_back, resolve
from samara.solve.laws.samples import (
    ADDRESS,
    ANSWERS,
    COUNT,
    ENDLESS,
    FIXED,
    HOW,
    INPUTS,
    KERNEL,
    MEMORY,
    NEXT,
    NUMBERS,
    SLACK,
    UNKNOWN,
    WHICH,
    Samples,
    take_first_samples,
    told_by,
)
from samara.solve.native.codes import Status
from samara.solve.simulation import Simulation
from samara.system.memory.blocks import RATE, VALUE

#: Part of a step, or of a sample time, by which a sample instant may miss the end of a step: rounding.
INSTANT_ROUNDING = 1e-6
#: So many steps a sample more than those that were asked for are looked at, to name rates that fit all laws.
MOST_TRIED = 100
#: What helps where a law is Python.
REMEDY = (
    "take a block of samara.realtime.controllers that can be compiled, write it as law(t, memory, u, y) with memory=, "
    "or let a controller run it"
)


class _PythonLaw:
    """A law that is called as it is. Its memory in the arrays is the number of its calls.

    Steps that are taken once more, to see why a run has failed, have the answers of the first time.
    """

    def __init__(self, told: SampledLaw, u: np.ndarray, y: np.ndarray, memory: np.ndarray) -> None:
        self._law, self._u, self._y, self._memory = told.begin(), u, y, memory
        self._told: dict[float, Sequence[float]] = {}

    def __call__(self, t: float) -> None:
        number = float(self._memory[0])
        if number not in self._told:
            self._told[number] = self._law(self._u.tolist())
        self._y[:] = self._told[number]
        self._memory[0] = number + 1.0

    def forget(self, before: float) -> None:
        """Answers of calls before that number are not asked for again."""
        for number in [n for n in self._told if n < before]:
            del self._told[number]


class Sampling:
    """The laws of one simulation. Their memories are arrays of it, part of a snapshot and of a checkpoint."""

    def __init__(self, sim: Simulation) -> None:
        self.told = told_by(sim.system)
        self.names = list(self.told)
        self._python: dict[str, _PythonLaw] = {}
        self._callbacks: list[Any] = []  # native code knows them by address
        self._error: BaseException | None = None
        self.refused: dict[str, str] = {}  # laws that are Python, and why
        for k, told in enumerate(self.told.values()):
            self._bind(sim.machine.samples, k, told)

    def _bind(self, s: Samples, k: int, told: SampledLaw) -> None:
        """Native code of a law, or Python behind an address."""
        native, name = told.native(), self.names[k]
        if isinstance(native, TracedLaw):
            s.laws[k, ADDRESS], s.laws[k, KERNEL] = native.address(), native.size + 1
            return
        if native is not None:
            try:
                s.laws[k, ADDRESS] = compiled(native)
                return
            except NotCompilableError as error:
                self.refused[name] = (
                    f"Numba refuses it ({error}; loops over numbers are compiled, slices, new arrays, lists and texts "
                    "are not)"
                )
        else:
            self.refused[name] = "it is Python"
        u, y, memory = (_part(s, k, of) for of in (INPUTS, ANSWERS, MEMORY))
        call: Callable[[float], None]
        if native is None:
            call = self._python[name] = _PythonLaw(told, u, y, memory)
        else:
            call = _as_it_is(native, _part(s, k, NUMBERS), memory, u, y)
        self._callbacks.append(of_python(call, self._note))
        s.laws[k, ADDRESS] = address_in_memory(self._callbacks[-1])

    def _note(self, error: BaseException) -> None:
        self._error = error

    # ---- before a run
    def require(self, who: str, sim: Simulation, step: float | None, real_time: bool = False) -> None:
        """Refuses fixed steps that miss sample instants; steps that follow an accuracy are cut short there."""
        if step is None:
            return
        for name, told in self.told.items():
            if _is_missed(told.period, step):
                raise ArgumentError(
                    f"{who}: element {name!r} samples every {told.period:g} s, which is not a multiple "
                    f"of the step of {step:g} s: {self._what_fits(told.period, step, real_time)}"
                )
        for name, clock in zip(self.names, sim.machine.samples.clocks, strict=True):
            left = clock[NEXT] - sim.time
            if np.isfinite(left) and left > INSTANT_ROUNDING * step and _is_missed(left, step):
                raise ArgumentError(
                    f"{who}: element {name!r} takes its next sample in {left:g} s, which is not a "
                    f"multiple of the step of {step:g} s: continue with the step of the previous run, or end that run "
                    f"at a sampling instant"
                )

    def _all_met(self, step: float) -> bool:
        return not any(_is_missed(told.period, step) for told in self.told.values())

    def _what_fits(self, period: float, step: float, real_time: bool) -> str:
        """The step, or rates below and above, of which this sample time is a whole number, or all are."""
        near = max(1, int(np.ceil(period / step - INSTANT_ROUNDING)))
        if not real_time:
            return f"take {period / near:g} s, or give an accuracy"
        fits = [n for n in range(1, near + MOST_TRIED) if self._all_met(period / n)]
        below, above = [n for n in fits if n < near][-1:], [n for n in fits if n >= near][:1]
        return f"take a rate of {' or '.join(f'{n / period:g} Hz' for n in below + above or [near])}"

    def require_native(self, who: str, model: str) -> None:
        """Refuses laws that are Python, where there is none, or where steps are taken again."""
        for name, why in self.refused.items():
            raise ArgumentError(
                f"{who}: the law of element {name!r} of model {model!r} cannot run here, because {why}: {REMEDY}"
            )

    def require_kept(self, who: str, model: str) -> None:
        """Refuses laws whose memory is their own, where it would be lost."""
        for name in self._python:
            if not self.told[name].forgets:
                raise ArgumentError(
                    f"{who}: element {name!r} of model {model!r} is sampled, and a checkpoint cannot "
                    f"store the memory of a Python law: {REMEDY}"
                )

    def pace(self, sim: Simulation, step: float | None) -> None:
        """How far instants may be missed in the run that follows."""
        s = sim.machine.samples
        s.notes[FIXED] = step is not None
        if step is not None:  # instants are then counted in steps
            s.clocks[:, COUNT] = -1.0
        s.clocks[:, SLACK] = [
            INSTANT_ROUNDING * told.period if step is None else 0.5 * step for told in self.told.values()
        ]

    def take_numbers(self, sim: Simulation) -> None:
        """Gains and the like that were changed since the last steps act from now on, without a bump."""
        s = sim.machine.samples
        for k, (name, told) in enumerate(self.told.items()):
            native = told.native()
            own = _part(s, k, NUMBERS)
            sizes = None if native is None else (native.numbers.size, native.memory.size)
            if sizes is not None and sizes != (own.size, _part(s, k, MEMORY).size):
                raise ArgumentError(
                    f"element {name!r}: the sizes of its law have changed since the start: restart the run"
                )
            if native is None or np.array_equal(own, native.numbers):
                continue
            if isinstance(native, TracedLaw):
                _part(s, k, MEMORY)[:] = native.carried(own, _part(s, k, MEMORY), _part(s, k, INPUTS))
            own[:] = native.numbers

    # ---- a run
    def clear(self, sim: Simulation) -> None:
        """Laws as before their first sample, and nothing held of another run."""
        s = sim.machine.samples
        for k, told in enumerate(self.told.values()):
            native = told.native()
            _part(s, k, MEMORY)[:] = 0.0 if native is None else native.memory
            _part(s, k, ANSWERS)[:] = [float(source.initial) for source in told.held]
        sim.machine.state[s.held] = s.y
        s.clocks[:, NEXT], s.clocks[:, COUNT] = np.inf, -1.0
        self.take_numbers(sim)

    def begin(self, sim: Simulation, step: float | None) -> None:
        """The first samples, at the start, which then is to be made consistent with what is answered."""
        s = sim.machine.samples
        self.pace(sim, step)
        s.clocks[:, NEXT], s.clocks[:, COUNT] = sim.time, -1.0
        _switch_relay(sim)
        if take_first_samples(sim.work) != Status.OK:
            raise self.failure(sim)

    def forget(self, sim: Simulation, memory: np.ndarray) -> None:
        """Steps before laws had these memories are not taken again."""
        for name, law in self._python.items():
            first = sim.machine.samples.laws[self.names.index(name), MEMORY]
            law.forget(float(memory[first]))

    def failure(self, sim: Simulation) -> Diverged:
        """The error of a law that has no answer; what interrupted it is raised as it is."""
        error, self._error = self._error, None
        if error is not None and not isinstance(error, LawFailed):  # an interrupt, or a law that is not its own
            raise error
        s = sim.machine.samples
        k = int(s.notes[WHICH])
        said = str(error) if error is not None else self._said(sim, s, k)
        where = f"model {sim.model.name!r}: element {self.names[k]!r} at t = {sim.time:g} s"
        failure = Diverged(f"{where}: {said}")
        failure.__cause__ = None if error is None else error.__cause__ or error
        return failure

    def _said(self, sim: Simulation, s: Samples, k: int) -> str:
        """Of compiled laws."""
        if s.notes[HOW] == UNKNOWN:
            return (
                "no solution of the algebraic blocks in front of its law was found there: put a Lag or another block "
                "with a memory between, or look for one that jumps"
            )
        if s.notes[HOW] == ENDLESS:
            u, y = (_part(s, k, of).tolist() for of in (INPUTS, ANSWERS))
            return (
                f"its law must return and remember finite numbers, and answers {y} to {u}: look at what goes in, and "
                "whether the law is stable"
            )
        return f"its law failed{_as_python_says(self.told[self.names[k]].native(), sim.time, s, k)}"


def _part(s: Samples, k: int, of: int) -> np.ndarray:
    """View of the numbers, memory, inputs or answers of a law."""
    first, count = s.laws[k, of], s.laws[k, of + 1]
    return {NUMBERS: s.numbers, MEMORY: s.memory, INPUTS: s.u, ANSWERS: s.y}[of][first : first + count]


def _as_it_is(native: NativeLaw, *arrays: np.ndarray) -> Callable[[float], None]:
    """The plain function of a law that Numba refuses, on the same arrays."""
    given = arrays[1:] if native.bare else arrays

    def call(t: float) -> None:
        try:
            native.update(t, *given)
        except Exception as error:
            raise LawFailed(f"its law failed, {type(error).__name__}: {error}") from error

    return call


def _as_python_says(native: NativeLaw | TracedLaw | None, t: float, s: Samples, k: int) -> str:
    """The error of a compiled law, which cannot tell it: the same function, called once on copies of the same numbers.

    What it remembers may have changed before the error, so the call may also succeed.
    """
    if isinstance(native, NativeLaw):
        update: Any = getattr(native.update, "py_func", native.update)
        arrays = [_part(s, k, of).copy() for of in (NUMBERS, MEMORY, INPUTS, ANSWERS)]
        try:
            with np.errstate(all="ignore"):
                update(t, *arrays[native.bare :])
        except Exception as error:
            return f", {type(error).__name__}: {error}"
    return ": it raised an error, which compiled code cannot tell more of"


def _is_missed(time: float, step: float) -> bool:
    """Whether a time is no whole number of steps, but for rounding."""
    return bool(round(time / step) < 1 or abs(time / step - round(time / step)) > INSTANT_ROUNDING)


def sampled_elements(sim: Simulation) -> list[Element]:
    """Elements with laws to call, in the order of the model."""
    return [element for element in sim.model.elements.values() if sampled_law(element) is not None]


def sampling_of(sim: Simulation, anew: bool = False) -> Sampling | None:
    """The laws of a simulation, bound to their code; None if there are none. anew: as for a run that starts."""
    if not sim.machine.samples.laws.shape[0]:
        return None
    if anew:
        sim.machine.samples.clocks[:, NEXT] = np.inf
    if anew or sim.sampling is None:
        sim.sampling = Sampling(sim)
    return sim.sampling


def law_arrays(sim: Simulation, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Numbers, memory and last inputs of the law of an element, copied; None before its first sample."""
    sampling = sampling_of(sim)
    if sampling is None or not np.isfinite(sim.machine.samples.clocks[k := sampling.names.index(name), NEXT]):
        return None
    numbers, memory, inputs = (_part(sim.machine.samples, k, of).copy() for of in (NUMBERS, MEMORY, INPUTS))
    return numbers, memory, inputs


def _switch_relay(sim: Simulation) -> bool:
    """Algebraic states are found anew at sample instants where that can be done now; whether it can."""
    s = sim.machine.samples
    s.relay.on[0] = 1
    s.relay.on[0] = sim.tree is None and bool(resolve(sim.machine, s.relay))
    put_back(sim.machine, s.relay)
    return bool(s.relay.on[0])


def relay_state(sim: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the states that are found anew at a sample instant, and which of them by their rate."""
    relay, layout = sim.machine.samples.relay, sim.system.layout
    if not relay.places.size or not _switch_relay(sim):
        return np.zeros(0, np.int64), np.zeros(0, bool)
    rates = relay.rates != 0
    level = np.where(rates, RATE, VALUE) * layout.width
    number = {layout.state_block(state): k for k, state in enumerate(layout.states)}
    return np.array([number[int(at)] for at in relay.places - level], np.int64), rates


@contextmanager
def laws_at_rest(sim: Simulation) -> Iterator[None]:
    """Steps on trial, in which no law is called."""
    clocks = sim.machine.samples.clocks
    kept = clocks.copy()
    clocks[:, NEXT] = np.inf
    try:
        yield
    finally:
        sim.machine.samples.clocks[:] = kept


def refuse_sampling(who: str, sim: Simulation) -> None:
    """An error where discrete laws would be passed over in silence."""
    found = sampled_elements(sim)
    if found:
        raise ArgumentError(
            f"{who}: element {found[0].name!r} of model {sim.model.name!r} is sampled, and its law is "
            f"only called in runs in time (transient, Stepper, RealTime, cosimulate); modes supports it about "
            f"rest: identify damping from a run (matrix_pencil, moving_block), remove it here, use a "
            f"ContinuousBlock or a regulator instead, or run the law in a controller"
        )


def refuse_opaque(who: str, sim: Simulation) -> None:
    """An error where a discrete law says itself that analyses cannot look through it, with what to do instead."""
    for name, law in told_by(sim.system).items():
        if law.instead:
            raise ArgumentError(f"{who}: {name!r} of model {sim.model.name!r} {law.instead}")
