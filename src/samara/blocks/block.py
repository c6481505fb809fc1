"""What a block is: a record of numbers, and functions of its memory and of what goes in."""

from __future__ import annotations

import copy
import dataclasses
import math
import numbers
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from samara.arguments import shown
from samara.model import ModelError, Record, setting


class BlockError(ModelError):
    """Invalid parameters of a block, or an invalid sample: the message names block, value and remedy."""


class Inlet(NamedTuple):
    """What goes into a block.

    size: how many numbers; None for one that is no list. default: what stands for one that is left out; None: it must
    be given.
    """

    size: int | None = None
    default: float | None = None


class Block(Record):
    """Base of blocks: laws of signals with memory x, inputs u and outputs y.

        x = start(u)                      before the first sample u: the steady state for it, if there is one
        y = output(x, u, h)
        x <- next(x, u, h)                sampled; h: time since the sample before [s]

        dx/dt = rate(x, u)                in continuous time, with y = smooth(x, u): output(x, u, 0), but for corners,
                                          which are round there; it begins at `initials`

    x, u, y: lists of numbers, plain or traced; no function may branch on one of them (`samara.select`).

    As a sampled law in Python it is called once per sample: ``y = block(u)``, with ``elapsed=`` if samples were missed:
    laws that depend on h use the elapsed time; laws of evenly spaced samples repeat the last sample for each missed
    one. Values that are not finite numbers are rejected by name, as are samples whose output would not be finite; the
    block is then unchanged. `reset` clears the memory, `tune` changes parameters without a bump. In a model,
    `SampledBlock` runs it as native code traced from the same functions, bit for bit, and `ContinuousBlock` as
    equations.

    step: sample time [s]; may be given where the block is used if it is not needed at construction.
    """

    __slots__ = ("_last", "_lines", "_memory", "_plain", "_ports")  # no fields, no part of what a kernel depends on

    if TYPE_CHECKING:
        _last: ClassVar[Any]
        _lines: ClassVar[Any]
        _memory: ClassVar[Any]
        _plain: ClassVar[Any]
        _ports: ClassVar[Mapping[str, Inlet]]

    step: Any = setting(default=None, kw_only=True)
    #: what it makes of the time between samples: nothing; any time as it is; or it was designed for its own step
    time_between: ClassVar[Literal["none", "any", "even"]] = "any"
    #: whether it is sampled only where it has a step, and without one is a law of continuous time
    needs_step: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.settle()
        self.reset()

    def __setstate__(self, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
        """A copy, of one that is part of a model too."""
        vars(self).update(state[0])
        for name, value in state[1].items():
            object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.given())
        return f"{type(self).__name__}({shown})"

    @classmethod
    def given(cls) -> list[str]:
        """Names of what it is made of; other fields follow from them."""
        return [f.name for f in dataclasses.fields(cls) if f.init]

    def settle(self) -> None:
        """Checks all numbers, and makes what follows from them."""
        try:
            if self.step is not None:
                object.__setattr__(self, "step", self.positive("step", self.step))
            self.prepare()
            self.validate()
        except BlockError:
            raise
        except ModelError as error:
            raise BlockError(str(error)) from None

    def prepare(self) -> None:
        """What follows from the fields, before they are checked."""

    def keep(self, **found: Any) -> None:
        """What was found in `prepare`, also of a block that is part of a model."""
        for name, value in found.items():
            object.__setattr__(self, name, value)

    def refuse(self, message: str) -> BlockError:
        """An error that names the block."""
        return BlockError(f"{type(self).__name__}: {message}")

    def sampled_at(self, step: float) -> Self:
        """The same block, sampled so [s]."""
        if self.step is not None:
            if not math.isclose(self.step, step, rel_tol=1e-12):
                raise self.refuse(f"was created for a step of {self.step:g} s, not of {step:g} s: create a new one")
            return self
        if self.needs_step:
            raise self.refuse(
                f"has no step, so it is a continuous-time law: give its sampled form, with a step of {step:g} s"
            )
        return self._with_step(step)

    def _with_step(self, step: float) -> Self:
        twin = copy.copy(self)
        twin.thaw()
        vars(twin)["step"] = step
        twin.settle()
        twin.reset()
        return twin

    # ---- the law
    def ports(self) -> Mapping[str, Inlet]:
        """What goes in, by name, in order."""
        return {"u": Inlet()}

    @property
    def lines(self) -> tuple[int, ...]:
        """Lengths of the lines of past numbers at the end of the memory, [1, ...] or none.

        The law sees what comes out of a line, put in so many samples ago; what it remembers there goes in.
        """
        return ()

    def start(self, u: Sequence[Any]) -> list:
        """The memory before the first sample; a line is full of its number."""
        return []

    def output(self, x: Sequence[Any], u: Sequence[Any], h: Any) -> list:
        """What goes out."""
        raise NotImplementedError

    def next(self, x: Sequence[Any], u: Sequence[Any], h: Any) -> list:
        """The memory at the next sample."""
        return []

    def sampled(self, x: Sequence[Any], u: Sequence[Any], h: Any) -> tuple[list, list]:
        """Both: what goes out, and the memory at the next sample."""
        return self.output(x, u, h), self.next(x, u, h)

    def carried(self, before: Any, x: Sequence[float], u: Sequence[float], h: float) -> list:
        """The memory x of the block as it was before its numbers changed, so that its output goes on."""
        return list(x)

    # ---- in continuous time
    def require_continuous(self) -> None:
        """Refuses numbers that serve a sampled law alone."""
        if self.needs_step and self.step is not None:
            raise self.refuse("has a step, so it is a sampled law: omit the step for continuous time")

    def smooth(self, x: Sequence[Any], u: Sequence[Any]) -> list:
        """What goes out in continuous time."""
        return self.output(x, u, 0.0)

    def rate(self, x: Sequence[Any], u: Sequence[Any]) -> list:
        """The rate of the memory in continuous time."""
        raise self.refuse("has no continuous-time form: sample it")

    def balances(self, x: Sequence[Any], rates: Sequence[Any], u: Sequence[Any]) -> list:
        """The same as expressions that vanish, one a number of the memory."""
        return [given - wanted for given, wanted in zip(rates, self.rate(x, u), strict=True)] if x else []

    def initials(self) -> list[float | None]:
        """The memory that continuous time begins with; None: settled, with no rate."""
        return [None] * len(self.start(self.filled([])))

    # ---- as a sampled law in Python
    def reset(self) -> None:
        """Forgets: the next sample is the first."""
        self._begin(None, None)

    def _begin(self, memory: list | None, last: list | None, lines: list | None = None) -> None:
        of = {"_memory": memory, "_last": last, "_lines": lines, "_plain": None, "_ports": self.ports()}
        for name, value in of.items():
            object.__setattr__(self, name, value)

    def resume(self, x: Sequence[float], u: Sequence[float]) -> None:
        """Goes on from this memory, after a sample that was u."""
        if not all(map(math.isfinite, x)):
            raise self.refuse("the memory would not be finite: a number is too large")
        self._begin(list(x), list(u), self._lines)

    @property
    def memory(self) -> list[float] | None:
        """What it remembers, None before the first sample; of lines, what comes out next."""
        return None if self._memory is None else list(self._memory)

    def plain(self) -> Any:
        """The same block on floats alone: parameters are as they are now."""
        return self.rebuild(iter([float(leaf) for leaf in self.leaves()]))

    def __call__(self, *given: Any, elapsed: Any = None, **named: Any) -> Any:
        """What goes out at this sample; then the memory goes on. elapsed: since the last call [s], if not a step."""
        u = self.gather(given, named)
        h, missed = self._since(elapsed)
        if self._plain is None:
            object.__setattr__(self, "_plain", self.plain())
        for _ in range(missed if self._last is not None else 0):
            self._take(self._last, h)
        return self.answer(self._take(u, h))

    def _take(self, u: list[float], h: float) -> list:
        """What goes out at a sample; the memory goes on where all is finite."""
        law, x = self._plain, self._memory
        count = len(law.lines)
        try:
            if x is None:
                x = law.start(u)
            y, after = law.sampled(x, u, h)
        except OverflowError:
            y, after = [math.nan], []
        if not all(map(math.isfinite, (*y, *after))):
            raise self.refuse("the output would not be finite: the sample is too large, or the block is unstable")
        if count:
            if self._lines is None:
                lines = [deque([v] * n, n) for n, v in zip(law.lines, x[-count:], strict=True)]
                object.__setattr__(self, "_lines", lines)
            for line, value in zip(self._lines, after[-count:], strict=True):
                line.append(value)
            after = [*after[:-count], *(line[0] for line in self._lines)]
        object.__setattr__(self, "_memory", after)
        object.__setattr__(self, "_last", u)
        return y

    def answer(self, y: list) -> Any:
        """What goes out as a caller wants it: a number, or a list of them."""
        return float(y[0]) if len(y) == 1 else [float(one) for one in y]

    def _since(self, elapsed: Any) -> tuple[float, int]:
        """Time since the last call [s], and how many samples before this one were missed."""
        if elapsed is not None:
            elapsed = self.positive("elapsed", elapsed)
        if self.time_between == "none":
            return 0.0, 0
        if self.step is None and (self.needs_step or (elapsed is None) == (self.time_between == "any")):
            raise self.refuse("step is missing: a block that is called needs its sample time [s]")
        if elapsed is None:
            return self.step or 0.0, 0
        return (self.step, max(round(elapsed / self.step) - 1, 0)) if self.time_between == "even" else (elapsed, 0)

    def gather(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[float]:
        """What goes in as one list, checked."""
        ports = self._ports
        if len(given) > len(ports) or (named and not named.keys() <= set(list(ports)[len(given) :])):
            raise self.refuse(f"takes {', '.join(ports)}, once each; got {len(given)} in order, and {[*named]} by name")
        found = {**dict(zip(ports, given, strict=False)), **named}
        missing = [name for name, port in ports.items() if port.default is None and name not in found]
        if missing:
            raise self.refuse(f"{missing[0]} must be given")
        return [one for name, port in ports.items() for one in self.taken(name, port, found.get(name))]

    def taken(self, name: str, port: Inlet, value: Any) -> list[float]:
        """The numbers that are given to an inlet; None: nothing is."""
        if value is None and port.default is not None:
            return [port.default] * (1 if port.size is None else port.size)
        return [self.sample(name, value)] if port.size is None else self.channels(name, value, port.size)

    def counts(self) -> set[int]:
        """How many numbers may go in."""
        sizes = [(1 if p.size is None else p.size, p.default is not None) for p in self.ports().values()]
        needed = sum(size for size, optional in sizes if not optional)
        found = {needed}
        for size, optional in sizes:
            found |= {max(found) + size} if optional else set()
        return found

    def filled(self, u: list) -> list:
        """What goes in, with what stands for the rest."""
        defaults = [p.default for p in self.ports().values() for _ in range(1 if p.size is None else p.size)]
        return [*u, *defaults[len(u) :]]

    def sample(self, name: str, value: Any) -> float:
        """A finite number."""
        if type(value) is float and math.isfinite(value):
            return value
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise self.refuse(f"{name} must be a number, got {shown(value)}")
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise self.refuse(f"{name} must be a finite number, got {value}")
        return value

    def positive(self, name: str, value: Any) -> float:
        """A finite number above zero."""
        value = self.sample(name, value)
        if value <= 0.0:
            raise self.refuse(f"{name} must be positive, got {value:g}")
        return value

    def channels(self, name: str, value: Any, size: int) -> list[float]:
        """So many finite numbers; one alone may stand by itself."""
        if size == 1 and np.ndim(value) == 0:
            return [self.sample(name, value)]
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, (tuple, list)):
            raise self.refuse(f"{name} must be {_counted(size)}, got {shown(value)}")
        if len(value) != size:
            raise self.refuse(f"{name} must be {_counted(size)}, got {len(value)}")
        return [self.sample(name, one) for one in value]

    def tune(self, **changed: Any) -> None:
        """Other numbers from the next sample on, all or none, without a bump where the block has a way; None: as is."""
        known = [name for name in self.given() if name != "step"]
        unknown = [name for name in changed if name not in known]
        if unknown:
            raise self.refuse(f"tune has no parameter {unknown[0]!r}, only {', '.join(known)}")
        changed = {name: value for name, value in changed.items() if value is not None}
        self._refuse(", ".join(changed))
        before, after = self.plain(), copy.copy(self)
        vars(after).update(changed)
        after.settle()
        x, u = self._memory, self._last
        if x is not None and u is not None:
            law = after.plain()
            if len(law.start(u)) != len(x) or law.lines != before.lines:
                raise self.refuse(f"tune cannot change how much is remembered, by {', '.join(changed)}: make it anew")
            after.resume(law.carried(before, x, u, self.step or 0.0), u)
        vars(self).update(vars(after))
        self._begin(after._memory, u, self._lines)


def _counted(n: int) -> str:
    return f"{n} number{'s' * (n != 1)}"
