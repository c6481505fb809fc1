"""Discrete laws, as sampling elements describe them to the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from samara.model.quantities.state import State
from samara.model.schema.drives import Input


class LawFailed(RuntimeError):  # noqa: N818
    """A law that raised an error, or answered with something else than numbers; its sentence goes on from the name."""


class NativeLaw(NamedTuple):
    """A law that can be compiled: it runs wherever the model runs, in hard real time too.

    update:  update(t, numbers, memory, u, y), plain arithmetic on arrays of floats that Numba compiles: from the time
             [s] and what goes in, u, it makes the answers, y, and the memory of the next sample; bare: without numbers.
    numbers: that do not change in a run: gains, matrices, limits.
    memory:  at the first sample; all that the law remembers, so that it is part of a checkpoint.
    """

    update: Callable[..., None]
    numbers: np.ndarray
    memory: np.ndarray
    bare: bool = False

    @property
    def equations(self) -> Any:
        """What the numbers are used for."""
        return self.update

    @property
    def leaves(self) -> list[Any]:
        """The numbers, and parameters that stand for some of them."""
        return list(self.numbers)


@dataclass(frozen=True)
class SampledLaw:
    """A law that is called at sample instants, and whose answers are held until the next.

    period:   between two samples [s]; the first is at the start of a run.
    measured: name of the output of the element that has the numbers which go in; or where each of them is, a channel
              and the place in it.
    signals:  what they are, in order: a state, or None for all else.
    held:     inputs that keep the answers; outputs: the states that show them.
    native:   the law as one that can be compiled, as it is now, a `NativeLaw` or a traced block; None where it cannot.
    begin:    makes the law anew, without a memory, for what cannot be compiled: a function of the numbers that go in.
              It raises `LawFailed`.
    forgets:  whether a law that cannot be compiled has no memory.
    instead:  what to do in an analysis that cannot look through the law, in words; empty: what is said of all laws.
    """

    period: float
    measured: str | Sequence[tuple[str, int]]
    signals: tuple[State | None, ...]
    held: tuple[Input, ...]
    outputs: tuple[State, ...]
    native: Callable[[], Any]
    begin: Callable[[], Callable[[Sequence[float]], Sequence[float]]]
    forgets: bool
    instead: str = ""
