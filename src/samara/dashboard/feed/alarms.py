"""Limits of signals that are watched at the full rate, with actions; an alarm stays until it is acknowledged."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from samara.dashboard.feed.track import Array

SENSES = ("above", "below")
ACTIONS = ("log", "hold", "stop", "record", "set")


@dataclass(frozen=True)
class Rule:
    """When `signal` is `sense` (above, below) `level` for at least `duration` [s] of simulated time: `action`.

    action: log, hold, stop, record, or set (source, parameter) to value. latch: whether it stays until acknowledged.
    A value that is not a number violates any limit.
    """

    signal: str
    sense: str = "above"
    level: float = 0.0
    duration: float = 0.0
    action: str = "log"
    source: str = ""
    parameter: str = ""
    value: float = 0.0
    latch: bool = True

    def __post_init__(self) -> None:
        if not self.signal:
            raise ValueError("give the signal of the alarm")
        if self.sense not in SENSES:
            raise ValueError(f"alarm on {self.signal}: {self.sense!r} must be one of {', '.join(SENSES)}")
        if self.action not in ACTIONS:
            raise ValueError(f"alarm on {self.signal}: {self.action!r} must be one of {', '.join(ACTIONS)}")
        for name in ("level", "duration", "value"):
            object.__setattr__(self, name, float(getattr(self, name)))
        if not math.isfinite(self.level) or not math.isfinite(self.value):
            raise ValueError(f"alarm on {self.signal}: level and value must be numbers")
        if not 0.0 <= self.duration < math.inf:
            raise ValueError(f"alarm on {self.signal}: a duration is zero or more, not {self.duration} s")
        if self.action == "set" and not (self.source and self.parameter):
            raise ValueError(f"alarm on {self.signal}: give the parameter to set")

    def __str__(self) -> str:
        held = f" for {self.duration:g} s" if self.duration else ""
        what = f"set {self.parameter} = {self.value:g}" if self.action == "set" else self.action
        return f"{self.signal} {self.sense} {self.level:g}{held}: {what}"

    def violated(self, values: Array) -> np.ndarray:
        """Where values are beyond the limit."""
        inside = values <= self.level if self.sense == "above" else values >= self.level
        return ~inside

    def as_dict(self) -> dict[str, Any]:
        """For a layout's file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Rule:
        """From a layout's file."""
        known = {f.name for f in fields(cls)}
        return cls(**{name: value for name, value in found.items() if name in known})


class Alarm:
    """A rule and how it stands."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.violated = self.tripped = self.acknowledged = False
        self.trips = 0
        self.when = math.nan
        """Simulated time of the last trip [s]."""
        self._since: float | None = None
        self._last = -math.inf

    @property
    def state(self) -> str:
        """ok, active (it is beyond), latched (it was), acknowledged (it is, and somebody knows)."""
        if not self.tripped:
            return "ok"
        if self.violated:
            return "acknowledged" if self.acknowledged else "active"
        return "latched"

    def watch(self, times: Array, values: Array) -> bool:
        """New values in the order of time; whether the alarm has just tripped."""
        if times[0] < self._last:
            self._since = None  # time began anew
        self._last = float(times[-1])
        beyond = self.rule.violated(values)
        edges = np.flatnonzero(np.diff(beyond)) + 1
        new = False
        for first, end in zip((0, *edges), (*edges, len(beyond)), strict=True):
            if not beyond[first]:
                self.violated, self._since = False, None
                if self.tripped and (self.acknowledged or not self.rule.latch):
                    self.tripped = self.acknowledged = False
                continue
            if self._since is None:
                self._since = float(times[first])
            if times[end - 1] - self._since >= self.rule.duration:
                self.violated = True
                if not self.tripped:
                    self.tripped, new = True, True
                    self.acknowledged = False
                    self.trips += 1
                    self.when = self._since + self.rule.duration
        return new

    def acknowledge(self) -> None:
        """Somebody has seen it: once the cause is gone it is as before."""
        self.acknowledged = True
        if not self.violated:
            self.tripped = self.acknowledged = False


class AlarmBoard:
    """All alarms of a panel."""

    def __init__(self) -> None:
        self.alarms: list[Alarm] = []
        self._tripped: list[Alarm] = []
        self.version = 0
        """Changes with the list of rules."""

    def replace(self, rules: list[Rule]) -> None:
        """Other rules; an alarm whose rule stays keeps its state."""
        kept = {alarm.rule: alarm for alarm in self.alarms}
        self.alarms = [kept.get(rule) or Alarm(rule) for rule in rules]
        self.version += 1

    @property
    def rules(self) -> list[Rule]:
        """What is watched."""
        return [alarm.rule for alarm in self.alarms]

    @property
    def raised(self) -> int:
        """Alarms that nobody has acknowledged."""
        return sum(alarm.tripped and not alarm.acknowledged for alarm in self.alarms)

    def watch(self, places: Mapping[str, int], times: Array, rows: Array) -> None:
        """New rows of the columns `places`."""
        for alarm in self.alarms:
            at = places.get(alarm.rule.signal)
            if at is not None and len(times) and alarm.watch(times, rows[:, at]):
                self._tripped.append(alarm)

    def take(self) -> list[Alarm]:
        """Those that tripped since the last call."""
        found, self._tripped = self._tripped, []
        return found
