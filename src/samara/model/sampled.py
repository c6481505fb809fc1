"""What an element that samples tells the solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from samara.model.drives import Input
from samara.model.state import State


class LawFailed(RuntimeError):  # noqa: N818
    """A law that raised an error, or answered with something else than numbers; its sentence goes on from the name."""


@dataclass(frozen=True)
class SampledLaw:
    """A law that is called at sample instants, and whose answers are held until the next.

    period:   between two samples [s]; the first is at the start of a run.
    measured: name of the output of the element that has the numbers which go in.
    signals:  what they are, in order: a state, or None for all else.
    held:     inputs that keep the answers; outputs: the states that show them.
    begin:    makes the law anew, without a memory: a function of the numbers that go in. It
              raises `LawFailed`.
    """

    period: float
    measured: str
    signals: tuple[State | None, ...]
    held: tuple[Input, ...]
    outputs: tuple[State, ...]
    begin: Callable[[], Callable[[Sequence[float]], Sequence[float]]]
