"""What a block is: a record of numbers, and functions of its memory and of what goes in."""

from __future__ import annotations

import copy
import math
import numbers
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from samara.model import ModelError, Record, setting


class BlockError(ModelError):
    """A block that cannot be made of these numbers, or a sample that it cannot take: block, number and remedy."""


class Inlet(NamedTuple):
    """What goes into a block.

    size: how many numbers; None for one that is no list. default: what stands for one that is left out; None: it must
    be given.
    """

    size: int | None = None
    default: float | None = None


class Block(Record):
    """A law of signals: a memory x and what goes in, u, give what goes out, y.

        x = start(u)                      before the first sample, which is u: at rest under it, where there is such
        y = output(x, u, h)
        x <- next(x, u, h)                sampled; h: time since the sample before [s]
        dx/dt = rate(x, u)                in continuous time, where h is 0

    x, u, y: lists of numbers, plain or traced; no function may branch on one of them (`samara.select`).

    As a sampled law in Python it is called once a sample: ``y = block(u)``, with ``elapsed=`` where some were missed.
    What is not a finite number is refused by name, and so is a sample whose answer would not be finite; the block then
    stays as it was. `reset` forgets, `tune` changes numbers without a bump. In a model, `SampledBlock` runs it as
    native code that is traced from the same functions, with the same bits.

    step: sample time [s]; where a block does not need it to be made, it may be said where it is used.
    """

    __slots__ = ("_last", "_memory", "_plain", "_ports")  # no fields, and no part of what a kernel depends on

    if TYPE_CHECKING:
        _last: ClassVar[Any]
        _memory: ClassVar[Any]
        _plain: ClassVar[Any]
        _ports: ClassVar[Mapping[str, Inlet]]

    step: Any = setting(default=None, kw_only=True)
    #: whether it cannot be made without a sample time, and whether what goes out is a list
    needs_step: ClassVar[bool] = False
    several: ClassVar[bool] = False

    def __post_init__(self) -> None:
        self.prepare()
        self.settle()
        self.reset()

    def __setstate__(self, state: tuple[dict[str, Any], dict[str, Any]]) -> None:
        """A copy, of one that is part of a model too."""
        vars(self).update(state[0])
        for name, value in state[1].items():
            object.__setattr__(self, name, value)

    def settle(self) -> None:
        """Checks all numbers."""
        try:
            self.validate()
        except BlockError:
            raise
        except ModelError as error:
            raise BlockError(str(error)) from None

    def prepare(self) -> None:
        """What follows from the fields, before they are checked."""

    def validate(self) -> None:
        super().validate()
        if self.step is None and not self.needs_step:
            return
        step = self.sample("step", self.step)
        if step <= 0.0:
            raise self.refuse(f"step must be positive, got {step:g}")
        object.__setattr__(self, "step", step)

    def refuse(self, message: str) -> BlockError:
        """An error that names the block."""
        return BlockError(f"{type(self).__name__}: {message}")

    # ---- the law
    def ports(self) -> Mapping[str, Inlet]:
        """What goes in, by name, in order."""
        return {"u": Inlet()}

    def start(self, u: Sequence[Any]) -> list:
        """The memory before the first sample."""
        return []

    def output(self, x: Sequence[Any], u: Sequence[Any], h: Any) -> list:
        """What goes out."""
        raise NotImplementedError

    def next(self, x: Sequence[Any], u: Sequence[Any], h: Any) -> list:
        """The memory at the next sample."""
        return []

    def rate(self, x: Sequence[Any], u: Sequence[Any]) -> list:
        """The rate of the memory in continuous time."""
        raise self.refuse("has no form in continuous time: sample it")

    def carried(self, before: Any, x: Sequence[float], u: Sequence[float], h: float) -> list:
        """The memory x of the block as it was before its numbers changed, so that its output goes on."""
        return list(x)

    # ---- as a sampled law in Python
    def reset(self) -> None:
        """Forgets: the next sample is the first."""
        self._begin(None, None)

    def _begin(self, memory: list | None, last: list | None) -> None:
        for name, value in {"_memory": memory, "_last": last, "_plain": None, "_ports": self.ports()}.items():
            object.__setattr__(self, name, value)

    def resume(self, x: Sequence[float], u: Sequence[float]) -> None:
        """Goes on from this memory, after a sample that was u."""
        if not all(map(math.isfinite, x)):
            raise self.refuse("the memory would not be finite: a number is too large")
        self._begin(list(x), list(u))

    @property
    def memory(self) -> list[float] | None:
        """What it remembers, None before the first sample."""
        return None if self._memory is None else list(self._memory)

    def plain(self) -> Any:
        """The same block on floats alone: parameters are as they are now."""
        return self.rebuild(iter([float(leaf) for leaf in self.leaves()]))

    def __call__(self, *given: Any, elapsed: Any = None, **named: Any) -> Any:
        """What goes out at this sample; then the memory goes on. elapsed: since the last call [s], if not a step."""
        u = self.gather(given, named)
        h = self._since(elapsed)
        if self._plain is None:
            object.__setattr__(self, "_plain", self.plain())
        law = self._plain
        x = law.start(u) if self._memory is None else self._memory
        try:
            y, after = law.output(x, u, h), law.next(x, u, h)
        except OverflowError:
            y, after = [math.nan], []
        if not all(map(math.isfinite, (*y, *after))):
            raise self.refuse("the answer would not be finite: the sample is too large, or the block is not stable")
        object.__setattr__(self, "_memory", after)
        object.__setattr__(self, "_last", u)
        return [float(one) for one in y] if self.several else float(y[0])

    def _since(self, elapsed: Any) -> float:
        """Time since the last call [s]."""
        if elapsed is None:
            if self.step is None:
                raise self.refuse("step is missing: a block that is called needs its sample time [s]")
            return self.step
        elapsed = self.sample("elapsed", elapsed)
        if elapsed <= 0.0:
            raise self.refuse(f"elapsed must be positive, got {elapsed:g} s")
        return elapsed

    def gather(self, given: Sequence[Any], named: Mapping[str, Any]) -> list[float]:
        """What goes in as one list, checked."""
        ports = self._ports
        if len(given) > len(ports) or (named and not named.keys() <= set(list(ports)[len(given) :])):
            raise self.refuse(f"takes {', '.join(ports)}, once each; got {len(given)} in order, and {[*named]} by name")
        found = {**dict(zip(ports, given, strict=False)), **named}
        u: list[float] = []
        for name, port in ports.items():
            if name not in found or (found[name] is None and port.default is not None):
                if port.default is None:
                    raise self.refuse(f"{name} must be given")
                u += [port.default] * (1 if port.size is None else port.size)
            elif port.size is None:
                u.append(self.sample(name, found[name]))
            else:
                u += self.channels(name, found[name], port.size)
        return u

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
            raise self.refuse(f"{name} must be a number, got {_shown(value)}")
        try:
            value = float(value)
        except OverflowError:
            value = math.inf
        if not math.isfinite(value):
            raise self.refuse(f"{name} must be a finite number, got {value}")
        return value

    def channels(self, name: str, value: Any, size: int) -> list[float]:
        """So many finite numbers; one alone may stand by itself."""
        if size == 1 and np.ndim(value) == 0:
            return [self.sample(name, value)]
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if not isinstance(value, (tuple, list)):
            raise self.refuse(f"{name} must be {_counted(size)}, got {_shown(value)}")
        if len(value) != size:
            raise self.refuse(f"{name} must be {_counted(size)}, got {len(value)}")
        return [self.sample(name, one) for one in value]

    def tune(self, **changed: Any) -> None:
        """Other numbers from the next sample on, all or none, without a bump where the block has a way; None: as is."""
        unknown = [name for name in changed if name not in self.specs()]
        if unknown:
            raise self.refuse(f"tune does not know {unknown[0]!r}, only {', '.join(self.specs())}")
        changed = {name: value for name, value in changed.items() if value is not None}
        self._refuse(", ".join(changed))
        before, after = self.plain(), copy.copy(self)
        vars(after).update(changed)
        after.prepare()
        after.settle()
        x, u = self._memory, self._last
        if x is not None and u is not None:
            after.resume(after.plain().carried(before, x, u, self._since(None)), u)
        vars(self).update({name: getattr(after, name) for name in self.specs()})
        self._begin(after._memory, u)


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) < 60 else f"{text[:57]}..."


def _counted(n: int) -> str:
    return f"{n} number{'s' * (n != 1)}"
