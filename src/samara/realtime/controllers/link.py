"""The interface that a controller needs from a simulator, in the same process or another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol


class LinkPort(NamedTuple):
    """A sensor or an actuator: name and unit."""

    name: str
    unit: str


class Info(NamedTuple):
    """Description of a simulator: its name, sample rate [Hz], sensors and actuators."""

    name: str
    rate: float
    sensors: tuple[LinkPort, ...]
    actuators: tuple[LinkPort, ...]


class Snapshot(NamedTuple):
    """Values of the sensors in the order requested.

    time: simulated [s]. stamp: time of creation on the clock of `Link.now` [s]. sequence: sample counter.
    """

    values: Sequence[float]
    time: float
    stamp: float
    sequence: int


class Link(Protocol):
    """The connection between a controller and a simulator."""

    @property
    def info(self) -> Info:
        """What the simulator is."""

    def open(self, sensors: Sequence[str], actuators: Sequence[str]) -> None:
        """Chooses what is read, and takes the actuators: nobody else drives them then."""

    def wait(self, timeout: float) -> Snapshot | None:
        """The next sample, or None when none came within so many seconds."""

    def send(self, values: Sequence[float], time: float) -> None:
        """Drives the actuators, in answer to the sample of this simulated time."""

    def changes(self) -> dict[str, float]:
        """Tunable numbers that somebody wants changed since the last call."""

    def announce(self, parameters: list[dict[str, Any]]) -> None:
        """Tells which tunable numbers there are, and what they are now."""

    def consult(self, examine: Callable[[Mapping[str, float]], None]) -> None:
        """Tells who is to be asked before a change is taken, after `announce`; examine: of all tunable numbers."""

    def alive(self) -> bool:
        """Whether the simulator is there, running or held."""

    def reopen(self, timeout: float) -> bool:
        """Looks for the simulator again, for so many seconds; whether it is back."""

    def now(self) -> float:
        """The clock of the stamps [s]."""

    def close(self) -> None:
        """Gives the actuators back."""
