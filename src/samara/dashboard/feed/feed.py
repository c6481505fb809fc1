"""What the panel knows of a session: read once for all pages, some 25 times a second; pages only look."""

from __future__ import annotations

import time as clock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from samara.dashboard.feed.alarms import AlarmBoard
from samara.dashboard.feed.events import EventKind, EventLog
from samara.dashboard.feed.health import Health, SimulatorState, Watch
from samara.dashboard.feed.sources import Sources
from samara.dashboard.feed.track import Array, Track
from samara.realtime.mailbox.latest import Latest
from samara.realtime.session import Session
from samara.realtime.session.card import Card, Signal

#: How often a feed is brought up to date [Hz], how much of the past it keeps [s] and at most [numbers].
RATE, HISTORY, LARGEST_HISTORY = 25.0, 60.0, 1 << 22
#: Time between two looks for controllers that came or went [s]; silence after which one is reported [s].
LOOK, SILENCE = 0.5, 0.5
#: Time between two events about overruns [s]: doubled from the first to the second value while they keep coming.
TELL, SELDOM = 5.0, 300.0


class Feed:
    """A session as the panel sees it. `update()` brings it up to date; nothing here ever waits for the loop.

    time:    simulated, of the newest row [s]
    latest:  the newest value of every sensor and actuator
    health:  how the loop does; sources: who has parameters, and their values
    events:  what happened, after the events of an earlier run if these are given; alarms: limits that are watched, at
             the full rate
    lost:    rows that the session had replaced before they were read
    """

    def __init__(self, session: Session, now: float | None = None, events: EventLog | None = None) -> None:
        self.session = session
        self.card: Card = session.card
        self.scene: dict[str, Any] = session.scene
        self.time = 0.0
        self.latest: dict[str, float] = {}
        self.lost = 0
        self.events = EventLog() if events is None else events
        self.alarms = AlarmBoard()
        self.sources = Sources(session)
        self.tracks: dict[str, Track] = {}
        for box, signals in ((session.sensors, self.card.sensors), (session.actuators, self.card.actuators)):
            self.tracks[box.path.name] = _track(signals, self.card.rate)
        self.signals: dict[str, Signal] = {signal.name: signal for signal in (*self.card.actuators, *self.card.sensors)}
        self._boxes: dict[str, Latest] = {"sensors": session.sensors, "actuators": session.actuators}
        self._sequence = dict.fromkeys(self._boxes, 0)
        self._watch = Watch(session)
        self._poses = np.zeros((len(self.card.nodes), 12))
        self._look_at = self._tell_at = 0.0
        self._told, self._pause = (0, 0), TELL
        self._silent: dict[int, bool] = {}
        self.update(now)

    # ---- what components look at
    @property
    def health(self) -> Health:
        """How the loop does."""
        return self._watch.health

    @property
    def state(self) -> SimulatorState:
        """What the simulator is doing."""
        return self.health.state

    @property
    def there(self) -> bool:
        """Whether the simulator and its session are still there."""
        return self._watch.there

    def track(self, name: str) -> Track:
        """The table that has a signal of this name: a sensor if there is one, otherwise an actuator."""
        for track in self.tracks.values():
            if name in track.places:
                return track
        raise KeyError(f"session {self.card.name!r} has no sensor or actuator {name!r}")

    def column(self, name: str) -> tuple[Array, Array]:
        """The recent history of a signal: times [s] and values; empty for a name that there is not."""
        for track in self.tracks.values():
            if name in track.places:
                return track.column(name)
        return np.zeros(0), np.zeros(0)

    def poses(self) -> NDArray[np.float64]:
        """Poses of `card.nodes`: position [m], rotation matrix by rows."""
        return self._poses

    # ---- reading
    def update(self, now: float | None = None) -> None:
        """Reads what is new. now: a clock that goes on [s]."""
        now = clock.monotonic() if now is None else now
        for name, box in self._boxes.items():
            self._take(name, box)
        self.glance()
        before = self.health
        health = self._watch.look(now)
        self.events.time = self.time
        self.sources.read()
        if now >= self._look_at:
            self._look_at = now + LOOK
            self._look_for_controllers()
        self._tell(before, health, now)

    def glance(self) -> None:
        """Reads the poses alone, for a page that wants them more often."""
        view = self.session.view.read()
        if view.sequence and view.values.size:
            self._poses = view.values.reshape(-1, 12)

    def _take(self, name: str, box: Latest) -> None:
        track, last = self.tracks[name], self._sequence[name]
        rows = box.since(last)
        if not len(rows.time):
            return
        if last and rows.sequence[0] > last + 1:
            self.lost += int(rows.sequence[0]) - last - 1
        self._sequence[name] = int(rows.sequence[-1])
        track.append(rows.time, rows.values)
        self.latest.update(zip(track.names, rows.values[-1].tolist(), strict=True))
        self.time = float(rows.time[-1])
        self.alarms.watch(track.places, rows.time, rows.values)

    def _look_for_controllers(self) -> None:
        came, gone = self.sources.look()
        for label in came:
            self.events.add(EventKind.CONTROLLER, f"controller {label} has connected; its parameters are available")
        for label in gone:
            self.events.add(EventKind.CONTROLLER, f"controller {label} has disconnected")
        if not self.there:
            return
        seen = {}
        for c in self.session.controllers:
            silent = not c.process.alive or c.silence > SILENCE
            seen[c.process.pid] = silent
            if silent != self._silent.get(c.process.pid, False):
                what = "is silent" if silent else "is back"
                if silent and not c.process.alive:
                    what = "has died"
                self.events.add(EventKind.CONTROLLER, f"{c.process}, which drives {', '.join(c.actuators)}, {what}")
        self._silent = seen

    def _tell(self, before: Health, health: Health, now: float) -> None:
        """Notes what has changed in the loop; overruns once in a while."""
        if before.accounts and health.state != before.state:
            self.events.add(EventKind.LOOP, f"the loop changed from {before.state.value} to {health.state.value}")
        if before.accounts and health.accounts["resets"] > before.accounts["resets"]:
            self.events.add(EventKind.LOOP, "the loop was reset to its initial state")
        counts = (health.accounts["overruns"], health.accounts["not_converged"])
        if not before.accounts:
            self._told = counts
        elif counts == self._told:
            if now > self._tell_at + self._pause:
                self._pause = TELL
        elif now >= self._tell_at:
            self._tell_at, self._pause = now + self._pause, min(2.0 * self._pause, SELDOM)
            words = ("overruns", "steps not converged")
            new = [f"{word}: {c - t} more" for c, t, word in zip(counts, self._told, words, strict=True) if c > t]
            self._told = counts
            if new:
                self.events.add(EventKind.LOOP, ", ".join(new))

    def close(self) -> None:
        """Lets go of the sessions."""
        self.sources.close()
        self.session.close()


def _track(signals: tuple[Signal, ...], rate: float) -> Track:
    depth = min(int(HISTORY * rate), LARGEST_HISTORY // max(len(signals), 1))
    return Track([signal.name for signal in signals], depth)
