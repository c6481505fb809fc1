"""Sticks as a model declares them: which input each axis of a pilot's stick feeds, and which node is the craft."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samara.arguments import ModelError, finite, positive, yes_or_no
from samara.model.frames.node import Node
from samara.model.quantities.placement import as_vector
from samara.model.schema.drives import Input

#: The axes of a pilot's sticks, and what their two ends are called.
AXES = {"roll": ("left", "right"), "pitch": ("back", "forward"), "yaw": ("left", "right"), "collective": ("down", "up")}
#: Time in which a held key moves a stick from end to end, where no rate is given [s].
SWEEP = 1.0


@dataclass(frozen=True)
class Stick:
    """One axis of a pilot's sticks and the input it drives. It does not affect the equations.

    Values are in the input's unit.

    ends:     of the travel: value at the left (back, down) end and at the right (forward, up) end. The first may be the
              larger, which reverses the sign.
    neutral:  rest position; by default the initial value of the input.
    springs:  whether it returns to neutral when released, or stays; by default all but the collective return.
    rate:     speed under a held key, per second; by default the full travel in one second.
    failsafe: where it moves when the pilot is lost; by default neutral if it springs back, otherwise it stays.
    """

    input: Input
    ends: tuple[float, float]
    neutral: float | None = None
    springs: bool | None = None
    rate: float | None = None
    failsafe: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.input, Input):
            raise ModelError(
                f"a stick drives an Input, the same object that the model's elements use, got {self.input!r}"
            )
        who = f"stick of input {self.input.name!r}"
        try:
            first, last = self.ends
        except (TypeError, ValueError):
            words = "ends must be two numbers, at the left (back, down) end and at the other"
            raise ModelError(f"{who}: {words}, got {self.ends!r}") from None
        ends = (finite(f"{who}: ends", first), finite(f"{who}: ends", last))
        if ends[0] == ends[1]:
            raise ModelError(f"{who}: its range is empty: both ends are {ends[0]:g}")
        self._set("ends", ends)
        neutral = self.input.initial if self.neutral is None else self.neutral
        self._set("neutral", self._within(f"{who}: neutral", neutral))
        if self.springs is not None:
            self._set("springs", yes_or_no(f"{who}: springs", self.springs))
        travel = abs(ends[1] - ends[0])
        self._set("rate", travel / SWEEP if self.rate is None else positive(f"{who}: rate", self.rate))
        if self.failsafe is not None:
            self._set("failsafe", self._within(f"{who}: failsafe", self.failsafe))

    def _within(self, what: str, value: Any) -> float:
        number = finite(what, value)
        if not min(self.ends) <= number <= max(self.ends):
            raise ModelError(f"{what} is {number:g}, outside the ends {self.ends[0]:g} and {self.ends[1]:g}")
        return number

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Sticks:
    """The pilot's sticks and the craft. They do not affect the equations.

    craft:   the node that cameras follow and whose attitude is shown.
    axes:    roll, pitch, yaw, collective, or some of them, each a `Stick`.
    forward, up: directions in the craft's axes; the default suits axes aft, right, up.
    ground:  height of the ground in drawings, in the world [m]; elements do not see it.
    """

    craft: Node
    axes: Mapping[str, Stick]
    forward: Any = (-1.0, 0.0, 0.0)
    up: Any = (0.0, 0.0, 1.0)
    ground: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.axes, Mapping) or not self.axes:
            raise ModelError(f"sticks: give at least one axis of {', '.join(AXES)}")
        found: dict[str, Stick] = {}
        for axis, stick in self.axes.items():
            if axis not in AXES:
                raise ModelError(f"sticks: there is no axis {axis!r}; there are {', '.join(AXES)}")
            if not isinstance(stick, Stick):
                raise ModelError(
                    f"sticks: {axis} must be a Stick(input, ends=({', '.join(AXES[axis])})), got {stick!r}"
                )
            found[axis] = replace(stick, springs=axis != "collective") if stick.springs is None else stick
        names = [stick.input.name for stick in found.values()]
        for name in names:
            if names.count(name) > 1:
                both = " and ".join(axis for axis, stick in found.items() if stick.input.name == name)
                raise ModelError(f"sticks: {both} drive the same input {name!r}: give each its own")
        object.__setattr__(self, "axes", found)
        directions = {what: _direction(what, getattr(self, what)) for what in ("forward", "up")}
        if np.linalg.norm(np.cross(directions["forward"], directions["up"])) < 1e-6:
            raise ModelError("sticks: forward and up must be different directions in the craft's axes")
        for what, vector in directions.items():
            object.__setattr__(self, what, vector)
        object.__setattr__(self, "ground", finite("sticks: ground", self.ground))

    def check(self, inputs: Iterable[Input]) -> None:
        """Refuses sticks that feed what no element of the model listens to."""
        there = list(inputs)
        names = ", ".join(sorted({source.name for source in there})) or "none"
        for axis, stick in self.axes.items():
            if stick.input not in there:
                same = stick.input.name in {source.name for source in there}
                what = (
                    "is not the same object as the model's input" if same else "is not used by any element of the model"
                )
                raise ModelError(f"sticks: input {stick.input.name!r} of {axis} {what} (its inputs: {names})")


def _direction(what: str, value: Any) -> np.ndarray:
    try:
        vector = as_vector(value, f"sticks: {what}")
    except ValueError as error:
        raise ModelError(str(error)) from None
    size = float(np.linalg.norm(vector))
    if size == 0.0:
        raise ModelError(f"sticks: {what} must be a direction in the craft's axes, got {value!r}")
    return vector / size
