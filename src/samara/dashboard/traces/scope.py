"""An oscilloscope without its screen: which points of which signals are to be drawn, and what is new of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

import numpy as np

from samara.dashboard.feed.feed import Feed
from samara.dashboard.feed.track import Array
from samara.dashboard.traces.cursors import Reading, read
from samara.dashboard.traces.decimation import Stream, minmax
from samara.dashboard.traces.trigger import Mode, Trigger

#: Bins of time across the screen, each with two points; signals at most; windows [s].
BINS, MOST_SIGNALS = 400, 8
SHORTEST_WINDOW, LONGEST_WINDOW = 1e-3, 600.0


@dataclass
class Setup:
    """How a scope is set: what a layout keeps. window [s]; low, high: fixed limits, or None; lanes: one a trace."""

    signals: list[str] = field(default_factory=list)
    window: float = 10.0
    mode: str = Mode.ROLL.value
    trigger: str = ""
    level: float = 0.0
    rising: bool = True
    low: float | None = None
    high: float | None = None
    lanes: bool = False

    def __post_init__(self) -> None:
        self.signals = [str(name) for name in self.signals][:MOST_SIGNALS]
        self.window = min(max(float(self.window), SHORTEST_WINDOW), LONGEST_WINDOW)
        self.mode = Mode(self.mode).value
        self.level = float(self.level)
        if not math.isfinite(self.level):
            raise ValueError("the trigger level must be a number")
        if self.low is not None and self.high is not None and not self.low < self.high:
            raise ValueError(f"the limits {self.low:g} to {self.high:g} are not an interval")

    def as_dict(self) -> dict[str, Any]:
        """For a layout's file."""
        return asdict(self)

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Setup:
        """From a layout's file; what is not known is left out."""
        known = {f.name for f in fields(cls)}
        return cls(**{name: value for name, value in found.items() if name in known})


@dataclass
class Still:
    """What a frozen scope keeps: its samples at the full rate, by signal; cursors, and what is on the screen [s]."""

    samples: dict[str, tuple[Array, Array]]
    cursors: tuple[float, float] | None
    shown: tuple[float, float]


class Scope:
    """One scope of one page. `message()` tells its screen what is new."""

    def __init__(self, feed: Feed, setup: Setup | None = None) -> None:
        self._feed = feed
        self.frozen = False
        self.cursors: tuple[float, float] | None = None
        self.shown = (0.0, 0.0)
        """Beginning and end of what is on the screen [s]."""
        self._still: dict[str, tuple[Array, Array]] = {}
        self.set(setup or Setup())

    def set(self, setup: Setup) -> None:
        """Other settings; signals that the session does not have are left out."""
        setup.signals = [name for name in setup.signals if name in self._feed.signals]
        if setup.trigger not in self._feed.signals:
            setup.trigger = setup.signals[0] if setup.signals else ""
        self.setup = setup
        self.trigger = Trigger(Mode(setup.mode), setup.level, setup.rising)
        if self.trigger.mode is Mode.SINGLE:
            self.trigger.arm(self._feed.time)
        self.frozen, self.cursors, self._still = False, None, {}
        self._new = True
        self._streams: dict[str, Stream] = {}
        self._seen: dict[str, tuple[int, int]] = {}

    def freeze(self, on: bool) -> None:
        """Keeps what is on the screen, at the full rate; the session goes on."""
        if on and not self.frozen:
            low, high = self.shown
            for name in self.setup.signals:
                times, values = self._feed.column(name)
                part = slice(*np.searchsorted(times, [low, high + 1e-12]))
                self._still[name] = times[part].copy(), values[part].copy()
        elif not on and self.frozen:
            self._still, self.cursors, self._new = {}, None, True
            if self.trigger.mode is Mode.SINGLE:
                self.trigger.arm(self._feed.time)
        self.frozen = on

    def still(self) -> Still | None:
        """What it keeps, if it is frozen."""
        return Still(dict(self._still), self.cursors, self.shown) if self.frozen else None

    def show_still(self, still: Still) -> None:
        """Frozen, as another one was with the same settings."""
        self._still = {name: still.samples[name] for name in self.setup.signals if name in still.samples}
        self.cursors, self.shown, self.frozen = still.cursors, still.shown, True

    def read(self) -> dict[str, Reading]:
        """What the traces say at the cursors; empty without cursors."""
        if self.cursors is None:
            return {}
        source = self._still if self.frozen else {name: self._feed.column(name) for name in self.setup.signals}
        return {name: read(*source[name], *self.cursors) for name in self.setup.signals if name in source}

    def to_csv(self) -> str:
        """The samples on the screen at the full rate, in SI units: one row for each time [s] that any signal has."""
        low, high = self.shown
        columns = self._still if self.frozen else {name: self._feed.column(name) for name in self.setup.signals}
        parts = {}
        for name, (times, values) in columns.items():
            part = slice(*np.searchsorted(times, [low, high + 1e-12]))
            parts[name] = times[part], values[part]
        every = np.unique(np.concatenate([times for times, _ in parts.values()] or [np.zeros(0)]))
        found = np.full((len(every), len(parts)), math.nan)
        for k, (times, values) in enumerate(parts.values()):
            found[np.searchsorted(every, times), k] = values
        units = [self._feed.signals[name].unit for name in parts]
        head = ",".join(["time [s]", *(f"{name} [{unit}]" for name, unit in zip(parts, units, strict=True))])
        lines = [",".join([f"{t:.9g}", *(f"{x:.9g}" for x in row)]) for t, row in zip(every, found, strict=True)]
        return "\n".join([head, *lines]) + "\n"

    # ---- to the screen
    def message(self, whole: bool = False) -> dict[str, Any] | None:
        """What changed since the last message: points to add, or all of them; None for nothing.

        {"reset": bool, "from": s, "to": s, "x": [[s, ...], ...], "y": [[...], ...]}, a list for each signal.
        """
        if not self.setup.signals or (self.frozen and not whole):
            return None
        if self.frozen:
            return self._points(self._still)
        if self.trigger.mode is Mode.ROLL:
            return self._roll(whole or self._new)
        return self._sweep(whole or self._new)

    def _roll(self, whole: bool) -> dict[str, Any] | None:
        window, feed = self.setup.window, self._feed
        if not whole and any(
            feed.track(name).epoch != self._seen[name][0] for name in self.setup.signals if name in self._seen
        ):
            whole = True
        xs, ys, news = [], [], False
        for name in self.setup.signals:
            track = feed.track(name)
            times, values = track.column(name)
            if whole or name not in self._streams:
                self._streams[name] = Stream(window / BINS)
                part = slice(int(np.searchsorted(times, feed.time - window)), None)
            else:
                part = track.after(self._seen[name][1])
            self._seen[name] = track.epoch, track.total
            x, y = self._streams[name].add(times[part], values[part])
            news = news or len(x) > 0
            xs.append(_short(x))
            ys.append(_short(y))
        moved = feed.time != self.shown[1]
        self.shown = feed.time - window, feed.time
        self._new = False
        if not (whole or news or moved):
            return None
        return {"reset": whole, "from": self.shown[0], "to": self.shown[1], "x": xs, "y": ys}

    def _sweep(self, whole: bool) -> dict[str, Any] | None:
        window = self.setup.window
        name = self.setup.trigger
        if not name:
            return None
        found = self.trigger.look(*self._feed.column(name), window)
        if found is None:
            if not whole:
                return None
            # nothing to wait for yet: what there is, to choose a level by
            found = self.shown if self.trigger.done else (self._feed.time - window, self._feed.time)
        self.shown, self._new = found, False
        at = self.trigger.last if found[0] <= self.trigger.last <= found[1] else None
        return self._points({name: self._feed.column(name) for name in self.setup.signals}) | {"at": at}

    def _points(self, columns: Mapping[str, tuple[Array, Array]]) -> dict[str, Any]:
        """All points of what is on the screen."""
        (low, high), xs, ys = self.shown, [], []
        for name in self.setup.signals:
            times, values = columns.get(name, (np.zeros(0), np.zeros(0)))
            part = slice(*np.searchsorted(times, [low, high + 1e-12]))
            x, y = minmax(times[part], values[part], self.setup.window / BINS)
            xs.append(_short(x))
            ys.append(_short(y))
        return {"reset": True, "from": low, "to": high, "x": xs, "y": ys}


def _short(numbers: Array) -> list[float | None]:
    """Seven digits are more than a screen shows; what is no number becomes None, a gap."""
    return [float(f"{x:.7g}") if math.isfinite(x) else None for x in numbers.tolist()]
