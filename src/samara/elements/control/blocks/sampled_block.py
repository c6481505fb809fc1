"""A discrete law in a continuous model."""

from __future__ import annotations

import inspect
import itertools
import math
import numbers
from collections.abc import Callable, Iterable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from samara.blocks.block import Block
from samara.blocks.traced import TracedLaw, is_traceable
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import (
    Contribution,
    Element,
    Input,
    ModelError,
    Output,
    Sampled,
    Site,
    State,
    Surveying,
    setting,
    signals,
)
from samara.model.membership import check
from samara.model.sampled import LawFailed, NativeLaw, SampledLaw

#: The most numbers that a law of one's own may remember, and that any law may answer with.
MOST_REMEMBERED, MOST_ANSWERS = 1_000_000, 1000


class _Begun:
    """A run that has begun with a law that has a memory."""


#: The last one of each such law, by the law's id: not all laws can be keys.
_runs: WeakValueDictionary[int, _Begun] = WeakValueDictionary()


class HeldValue(Input):
    """The answer of a discrete law, held until its next sample."""

    def __float__(self) -> float:
        return float(self.initial)


class SampledBlock(SignalBlock, Surveying, Sampled):
    """A discrete law in a continuous model: called every `step`, with its outputs held until the next sample.

        y(t) = law(u(t_k)),     t_k <= t < t_(k+1),     t_k = k step: a zero-order hold

    u: input signals, read at t_k. law: a `Block`, such as `PID(...)`, `TransferFunction(...)` or `Delay(...)`, or any
    callable that takes that many numbers and returns one, or `count` of them; the same law can be used in a controller
    process. If a law fails or does not return numbers, the run ends with `Diverged`, and its results are kept.
    memory: for a user-defined law on arrays, ``law(t, memory, u, y)``: the number of its memory values, or their
    initial values, at most a million. It writes its outputs into y and is compiled by Numba. An index out of range ends
    the run like any other error of a law; functions compiled by `numba.njit` that it calls check their indices only
    with ``boundscheck=True``.
    step: sample time [s]; by default that of the law. count: number of outputs, at most 1000. lists: for a Python law
    that takes lists, the length of each: (2, 0, 2) for an `AdaptivePredictiveControl` of two outputs and their set
    points, where 0 stands for None; not needed for a `Block`. start: y before the first sample, used for assembly only,
    since the first sample is at the start of the run.

    The output signals are ``block.outputs``, or ``block.output`` for a single one. Records `sampled`, the inputs.

    Discrete blocks (except adaptive ones) and laws on arrays are compiled: they run in `transient`, in a `Stepper` and
    in hard real time alike, and checkpoints include their memory. Other laws are called in Python at the beginning of a
    step, off-line only: a law with memory must have a `reset()`, which is called at the start of a run, and two runs
    cannot share one such law.

    Limits: the sample time must be a multiple of a fixed step; adaptive steps end at the sampling instants. A law sees
    the values valid from t_k on, also through algebraic blocks, and the outputs of preceding laws in the model;
    accelerations and reactions are those before t_k. Records at t_k show the values held until then. Analyses at one
    instant do not know when laws are called and reject such models; `modes` accepts those of blocks, from sample to
    sample. See `SignalBlock` for the other arguments.
    """

    u: Any = signals(kw_only=False)
    law: Any = setting(default=None)
    step: float | None = setting(default=None)
    count: int = setting(default=1)
    lists: tuple[int, ...] | None = setting(default=None)
    memory: int | Sequence[float] | None = setting(default=None)
    start: float = setting(default=0.0)
    held: Any = signals(default=(), init=False)  # follow from count

    def join(self, name: str) -> None:
        check(self, name, self._settle)
        self.held = tuple(HeldValue(f"{name}.held{k + 1}", initial=self.start) for k in range(self.count))
        super().join(name)

    def _settle(self) -> None:
        """Checks what is no field of the equations."""
        if not callable(self.law):
            raise ValueError(f"law must be a discrete block or a function, got {self.law!r}")
        given: Any = getattr(self.law, "step", None) if self.step is None else self.step
        own = given if getattr(self.law, "step", None) is None else self.law.step
        for time in (given, own):
            if not _is_real(time) or not (math.isfinite(time) and time > 0.0):
                raise ValueError(f"step must be a positive sample time [s], here or in the law, got {time!r}")
        if not math.isclose(own, given, rel_tol=1e-12):
            raise ValueError(
                f"step is {given:g} s, but the law was created for {own:g} s: omit step, or create the law for it"
            )
        if not _is_real(self.start) or not math.isfinite(self.start):
            raise ValueError(f"start must be a finite number, got {self.start!r}")
        if not _is_whole(self.count) or not 1 <= self.count <= MOST_ANSWERS:
            raise ValueError(f"count must be a whole number, 1 to {MOST_ANSWERS}, got {self.count!r}")
        if not isinstance(self.u, (tuple, list)):
            raise ValueError("u must be a list of signals")
        if self.memory is not None:
            self._settle_memory()
            return
        if is_traceable(self.law):
            if self.lists is not None:
                raise ValueError("lists applies to Python laws only: a block knows its own")
            self._settle_block(self.law.sampled_at(float(given)))
        else:
            self._settle_arguments()

    def _settle_memory(self) -> None:
        """Checks a law that is written on arrays."""
        given: Any = self.memory
        count = _is_whole(given) and given >= 0
        many = isinstance(given, (tuple, list, np.ndarray)) and all(_is_real(x) and math.isfinite(x) for x in given)
        if not (count or many):
            raise ValueError(f"memory must be a whole number, or finite numbers at the start, got {given!r}")
        if (size := given if count else len(given)) > MOST_REMEMBERED:
            raise ValueError(f"memory must be of {MOST_REMEMBERED} numbers at most, got {size}")
        if self.lists is not None:
            raise ValueError("lists applies to laws called with numbers: a law with memory= receives all inputs in u")
        try:
            taken = inspect.signature(getattr(self.law, "py_func", self.law))
            taken.bind(*"tmuy")
        except TypeError:
            raise ValueError(f"a law with memory= is called as law(t, memory, u, y), this one takes {taken}") from None

    def _settle_block(self, law: Block) -> None:
        """Checks that a block takes what goes in, and gives as many numbers as are wanted."""
        if len(self.u) not in law.counts():
            raise ValueError(
                f"u gives the law {len(self.u)} signals, but a {type(law).__name__} takes "
                f"{' or '.join(map(str, sorted(law.counts())))}: {', '.join(law.ports())}"
            )
        plain, u = law.plain(), law.filled([0.0] * len(self.u))
        gives = len(plain.output(plain.start(u), u, self._period()))
        if gives != self.count:
            raise ValueError(f"count is {self.count}, but the law returns {gives} number{'s' * (gives != 1)}")

    def _settle_arguments(self) -> None:
        """Checks that the law takes what goes in."""
        lists, arguments = self.lists, len(self.u)
        if lists is not None:
            if not isinstance(lists, (tuple, list)) or not all(_is_whole(size) and size >= 0 for size in lists):
                raise ValueError(f"lists must be whole numbers such as (2, 0, 2), got {lists!r}")
            if sum(lists) != len(self.u):
                raise ValueError(f"lists must add up to the {len(self.u)} signals that go in, got {lists!r}")
            arguments = len(lists)
        try:
            taken = inspect.signature(self.law)
        except (TypeError, ValueError):  # some callables do not say
            return
        try:
            taken.bind(*(None,) * arguments)
        except TypeError:
            what = "signals" if lists is None else "lists of signals"
            raise ValueError(f"u gives the law {arguments} {what}, but the law takes {taken}") from None

    def survey(self, elements: Iterable[Element]) -> None:
        others = [e.name for e in elements if e is not self and getattr(e, "law", None) is self.law]
        if others and hasattr(self.law, "reset") and self._native() is None:
            raise ValueError(
                f"its law is also used by {others[0]!r}, which would corrupt its memory: create one for each"
            )

    def own_states(self) -> dict[str, State]:
        if self.count == 1:
            return {"output": self.new_output(value=self.start)}
        return {f"y{k + 1}": self.new_output(value=self.start) for k in range(self.count)}

    @property
    def outputs(self) -> list[State]:
        """The signals that go out."""
        return list(self.owned.values())

    @property
    def output(self) -> State:
        """The signal that goes out, where there is one."""
        if len(self.owned) > 1:
            raise ModelError(f"SampledBlock {self.name!r} has {len(self.owned)} outputs: use .outputs")
        return self.outputs[0]

    def sampling(self) -> SampledLaw:
        return SampledLaw(
            period=self._period(),
            measured="sampled",
            signals=tuple(s if isinstance(s, State) else None for s in self.u),
            held=self.held,
            outputs=tuple(self.outputs),
            native=self._native,
            begin=self._begin,
            forgets=not hasattr(self.law, "reset"),
        )

    def _period(self) -> float:
        """Sample time [s]."""
        return float(self.law.step if self.step is None else self.step)

    def _native(self) -> NativeLaw | TracedLaw | None:
        """The law as one that can be compiled, if it is one for what goes in."""
        if is_traceable(self.law):
            return TracedLaw(self.law, len(self.u), self._period())
        if self.memory is not None:
            first = np.zeros(int(self.memory)) if _is_whole(self.memory) else np.array(self.memory, float)  # type: ignore[arg-type]
            return NativeLaw(self.law, np.zeros(0), first, bare=True)
        return None

    def _begin(self) -> Callable[[Sequence[float]], Sequence[float]]:
        law, lists, count, name = self.law, self.lists, self.count, self.name
        run, keeps = _Begun(), hasattr(law, "reset")
        if keeps:
            law.reset()
            _runs[id(law)] = run

        def answer(u: Sequence[float]) -> list[float]:
            if keeps and _runs.get(id(law)) is not run:
                raise ModelError(
                    f"SampledBlock {name!r}: another run has started with its law in the meantime, "
                    f"which would corrupt its memory: create a new model and law for it"
                )
            try:
                found = law(*(u if lists is None else _parted(u, lists)))
            except Exception as error:
                raise LawFailed(f"its law failed, {type(error).__name__}: {error}") from error
            values = _numbers(found)
            if len(values) != count or not all(map(math.isfinite, values)):
                raise LawFailed(
                    f"its law must return {count} finite number(s), got {found!r}: look at what goes in, or give count"
                )
            return values

        return answer

    def formulate(self, site: Site) -> Contribution:
        held, u = self.received(site, "held"), self.received(site, "u")
        own = site.states[len(site.states) - len(held) :]
        names = tuple(f"u{k + 1}" for k in range(len(u))) if len(u) > 1 else ()
        return Contribution(
            wrenches=[],
            balances=[y.value - value for y, value in zip(own, held, strict=True)],
            outputs=[Output("sampled", "1", u if names else u[0], names, "inputs of the law")] if u else [],
        )


def _is_real(value: Any) -> bool:
    """Whether it is a real number."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _is_whole(value: Any) -> bool:
    """Whether it is a whole number."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _numbers(found: Any) -> list[float]:
    """The numbers that a law returned; none where it is something else."""
    if isinstance(found, (str, bytes, dict, set)):
        return []
    array = np.array(found, dtype=object)
    real = all(isinstance(v, (numbers.Real, np.bool_)) for v in array.flat)
    return [float(v) for v in array.flat] if real and array.ndim < 2 else []


def _parted(u: Sequence[float], sizes: Sequence[int]) -> list[list[float] | None]:
    """The numbers in lists of these sizes, None for an empty one."""
    ends = list(itertools.accumulate(sizes))
    return [list(u[end - size : end]) or None for size, end in zip(sizes, ends, strict=True)]
