"""How sticks move: what a pilot holds down, and where that brings them, with time.

The browser tells what is held (`Hands`), the sticks themselves move here: their travel, their rates and their springs
are the model's, and no page can send a value beyond them. What is told is always the whole, not a change: a message
that is lost is mended by the next.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

#: A stick springs back so many times faster than a held key moves it.
SPRING = 3.0


@dataclass(frozen=True)
class Axis:
    """A stick as the session tells it; see `samara.model.Stick`. Positions are from -1 (left, back, down) to 1."""

    input: str
    unit: str
    ends: tuple[float, float]
    neutral: float
    springs: bool
    rate: float
    failsafe: float | None = None

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Self:
        """From an entry of the scene's sticks."""
        first, last = found["ends"]
        return cls(
            found["input"], found["unit"], (first, last), found["neutral"], found["springs"], found["rate"],
            found["failsafe"],
        )  # fmt: skip

    @property
    def sense(self) -> float:
        """1 where the value grows to the right (forward, up), -1 where it falls."""
        return math.copysign(1.0, self.ends[1] - self.ends[0])

    @property
    def safe(self) -> float | None:
        """Where it goes when the pilot is lost; None: it stays."""
        return self.neutral if self.failsafe is None and self.springs else self.failsafe

    def limited(self, value: float) -> float:
        """Within the travel; what is not a number is neutral."""
        return min(max(value, min(self.ends)), max(self.ends)) if math.isfinite(value) else self.neutral

    def value(self, position: float) -> float:
        """At a position. One that springs is neutral at zero; one that stays has its travel evenly from end to end."""
        if not self.springs:
            return self.limited(self.ends[0] + 0.5 * (1.0 + position) * (self.ends[1] - self.ends[0]))
        return self.limited(self.neutral + abs(position) * (self.ends[position > 0.0] - self.neutral))

    def position(self, value: float) -> float:
        """Where a value stands, -1 to 1."""
        value = self.limited(value)
        if not self.springs:
            return 2.0 * (value - self.ends[0]) / (self.ends[1] - self.ends[0]) - 1.0
        side = (value - self.neutral) * self.sense > 0.0
        travel = abs(self.ends[side] - self.neutral)
        return (value - self.neutral) * self.sense / travel if travel else 0.0


@dataclass(frozen=True)
class Hands:
    """What a pilot does to the sticks.

    pushes:  by axis, -1 to 1: keys that are held, moving a stick at that part of its rate
    places:  by axis, -1 to 1: where a stick is held, by a gamepad or a finger
    neutral: whether all are to go to neutral
    """

    pushes: Mapping[str, float] = field(default_factory=dict)
    places: Mapping[str, float] = field(default_factory=dict)
    neutral: bool = False

    @classmethod
    def from_message(cls, message: Any) -> Self:
        """From what a page sent, {"pushes": {axis: number}, "places": {axis: number}, "neutral": whether}.

        A page may send anything: what is no number, or not by this form, counts as let go.
        """
        found = message if isinstance(message, Mapping) else {}
        return cls(_numbers(found.get("pushes")), _numbers(found.get("places")), found.get("neutral") is True)


NOTHING = Hands()


class StickMotion:
    """Values of all sticks, in the units of their inputs; time comes from outside."""

    def __init__(self, axes: Mapping[str, Axis]) -> None:
        self.axes = dict(axes)
        self.values = {name: axis.neutral for name, axis in self.axes.items()}

    def begin(self, values: Mapping[str, float]) -> None:
        """From where things stand, by axis, so that taking over makes no jump; what is not told is neutral."""
        self.values = {name: axis.limited(values.get(name, axis.neutral)) for name, axis in self.axes.items()}

    def centre(self) -> None:
        """All to neutral, at once."""
        self.begin({})

    def step(self, duration: float, hands: Hands) -> None:
        """So much time [s] with these hands on the sticks."""
        for name, axis in self.axes.items():
            push, value = hands.pushes.get(name, 0.0), self.values[name]
            if hands.neutral:
                self._approach(name, axis.neutral, SPRING * axis.rate * duration)
            elif push:
                back = (value - axis.neutral) * axis.sense * push < 0.0 and axis.springs  # the spring helps
                step = push * axis.sense * axis.rate * duration
                self.values[name] = axis.limited(value + (SPRING * step if back else step))
            elif name in hands.places:
                self.values[name] = axis.value(hands.places[name])
            elif axis.springs:
                self._approach(name, axis.neutral, SPRING * axis.rate * duration)

    def fail(self, duration: float) -> bool:
        """So much time [s] without a pilot, on the way to where it is safe; whether all are there."""
        for name, axis in self.axes.items():
            if axis.safe is not None:
                self._approach(name, axis.safe, axis.rate * duration)
        return all(axis.safe is None or self.values[name] == axis.safe for name, axis in self.axes.items())

    @property
    def at_rest(self) -> bool:
        """Whether all that spring are at neutral."""
        return all(not axis.springs or self.values[name] == axis.neutral for name, axis in self.axes.items())

    def positions(self) -> dict[str, float]:
        """By axis, -1 to 1."""
        return {name: axis.position(self.values[name]) for name, axis in self.axes.items()}

    def _approach(self, name: str, target: float, most: float) -> None:
        away = target - self.values[name]
        self.values[name] = target if abs(away) <= most else self.values[name] + math.copysign(most, away)


def _numbers(found: Any) -> dict[str, float]:
    """Those that are numbers, from -1 to 1."""
    if not isinstance(found, Mapping):
        return {}
    return {name: min(max(float(value), -1.0), 1.0) for name, value in found.items() if _is_number(value)}


def _is_number(value: Any) -> bool:
    """Whether it is finite; a whole number of more than 308 digits, which JSON may have, is beyond all floats."""
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False
