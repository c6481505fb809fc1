"""Selection of what a recording keeps: which channels, and the interval in steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.arguments import positive, whole
from samara.realtime.mailbox.port import HEADER
from samara.realtime.session.card import Card
from samara.results.channels import Channel, Channels

#: What a recording that nobody has described more closely writes at most [B/s].
BUDGET = 0.3e6
#: Quantities that follow from others: of nodes by differentiation, of bodies for balances of energy.
DERIVED = {
    "velocity", "angular_velocity", "acceleration", "angular_acceleration", "momentum", "kinetic", "potential",
    "supplied", "dissipated",
}  # fmt: skip


@dataclass(frozen=True)
class Selection:
    """channels: their off-line names; columns: their positions in a row of the queue; every: N-th step.

    total: columns of the session; rate: steps of the session per second [Hz].
    """

    channels: tuple[Channel, ...]
    columns: np.ndarray
    every: int
    total: int
    rate: float

    @property
    def speed(self) -> float:
        """Bytes per second while it is recorded; the file is compressed when it is complete."""
        return 8.0 * (HEADER + self.columns.size) * self.rate / self.every

    def __str__(self) -> str:
        kept = f"{self.columns.size} of {self.total} columns" if self.columns.size < self.total else "all channels"
        steps = "every step" if self.every == 1 else f"one step in {self.every}"
        return f"{kept}, {steps} ({self.rate / self.every:g} Hz), {size_of(self.speed)}"

    def head(self) -> dict[str, Any]:
        """For the first chunk of a recording."""
        columns = [[c.name, c.unit, c.description, list(c.components), c.frame] for c in self.channels]
        return {"every": self.every, "columns": columns}


def size_of(speed: float) -> str:
    """Bytes per second in words."""
    return f"{speed * 1e-6:.2g} MB/s, {speed * 3.6e-6:.2g} GB an hour".replace("e+03", "000")


def channels_of(card: Card) -> Channels:
    """Sensors and actuators of a session as channels: vectors are whole, as they are off line."""
    vectors = {label: vector for vector in card.vectors for label in vector.labels}
    found: dict[str, Channel] = {}
    for signal in card.sensors:
        channel = vectors.get(signal.name) or Channel(signal.name, signal.unit, description=signal.description)
        found.setdefault(channel.name, channel)
    for signal in card.actuators:  # one may be called as a sensor is
        name = signal.name if signal.name not in found else f"actuator.{signal.name}"
        found[name] = Channel(name, signal.unit, description=signal.description)
    return Channels(found.values())


def select(
    card: Card, patterns: Sequence[str] | None = None, every: int | None = None, rate: float | None = None
) -> Selection:
    """What matches the patterns, every so many steps or at about a rate [Hz].

    With none of the three: everything if that is less than `BUDGET`; otherwise without what follows from other channels
    and without distributions along blades, as often as `BUDGET` allows.
    """
    every_one = channels_of(card)
    if every is not None and rate is not None:
        raise ValueError("give either every N-th step or a rate, not both")
    if rate is not None:
        every = max(round(card.rate / positive("recorder: rate", rate)), 1)
    given = patterns is not None or every is not None
    every = whole("recorder: every", 1 if every is None else every)
    whole_one = _selection(card, every_one, every_one if patterns is None else every_one.select(*patterns), every)
    if given or whole_one.speed <= BUDGET:
        return whole_one
    lean = _selection(card, every_one, Channels(c for c in every_one if not _spare(c)), 1)
    return _selection(card, every_one, Channels(lean.channels), math.ceil(lean.speed / BUDGET))


def everything(card: Card) -> Selection:
    """All channels at every step."""
    return select(card, every=1)


def _selection(card: Card, found: Channels, chosen: Channels, every: int) -> Selection:
    spans = [found.columns(channel.name) for channel in chosen]
    columns = np.concatenate([np.arange(s.start, s.stop) for s in spans] or [np.zeros(0, int)])
    return Selection(tuple(chosen), columns, every, found.width, card.rate)


def _spare(channel: Channel) -> bool:
    """Whether a recording does without it unless it is asked for."""
    along = bool(channel.components) and channel.components[0].isdecimal()
    return along or channel.name.rpartition(".")[2] in DERIVED
