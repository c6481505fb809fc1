"""Replay: results served as a simulator session, so that a panel shows a recording, or any run, as if it were live."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np

from samara.realtime.session import Session
from samara.realtime.session.accounts import Account
from samara.realtime.session.card import Signal
from samara.realtime.session.command import Command
from samara.realtime.session.ledger import Phase
from samara.realtime.session.schedule import Schedule
from samara.results import Results

#: Between two looks [s]; rows per second that are shown at most [Hz].
LOOK, FASTEST = 0.02, 1000.0
#: What is shown again of the time before a place that somebody jumped to [s].
BEFORE = 3.0
#: Slowest and fastest replay.
SPEEDS = (0.01, 100.0)


class Replay:
    """Plays results as `name`. Start, hold, step (rows) and reset work as for a simulator; stop ends it.

    Two parameters control it: `replay.speed`, seconds of the run per second, and `replay.time` [s], which jumps.
    At the end it holds; start then plays it again from the beginning.
    """

    def __init__(self, results: Results, name: str, speed: float = 1.0) -> None:
        if len(results) < 2:
            raise ValueError(f"results of model {results.attrs.model!r} have fewer than two samples: nothing to replay")
        time = np.asarray(results.time, float)
        rows = np.flatnonzero(np.diff(time, prepend=-np.inf) > 0.0)  # without repeated samples
        step = float(np.median(np.diff(time[rows])))
        rows = rows[:: max(int(np.ceil(1.0 / (step * FASTEST))), 1)]
        self._time, self._table = time[rows], np.asarray(results.table, float)[rows]
        first, last = float(self._time[0]), float(self._time[-1])
        scene, nodes = _scene(results)
        self._poses = [
            results.channels.columns(f"{node}.{what}") for node in nodes for what in ("position", "rotation")
        ]
        units = {label: channel for channel in results.channels for label in channel.labels}
        self.session = Session.create(
            name,
            rate=(len(rows) - 1) / (last - first),
            sensors=[Signal(label, c.unit, description=c.description) for label, c in units.items()],
            vectors=[c for c in results.channels if c.components],
            parameters=[
                Signal("replay.speed", "1", description="seconds of the run per second", limits=SPEEDS),
                Signal("replay.time", "s", description="jumps to this time of the run", limits=(first, last)),
            ],
            model=results.attrs.model,
            nodes=nodes,
            scene=scene,
        )
        self.speed, self._at, self._next = speed, first, 0
        self._steps(-1)
        self.session.ledger.phase = Phase.RUNNING
        self._tell()

    # ---- what others see
    def _steps(self, count: int) -> None:
        self.session.ledger.schedule[Schedule.STEPS] = count

    def _tell(self) -> None:
        self.session.parameters.write([self.speed, self._at], self._at)

    def _show(self, end: int) -> None:
        """Publishes rows up to this one."""
        for k in range(self._next, end):
            self.session.sensors.write(self._table[k], float(self._time[k]))
        if end > self._next:
            row = self._table[end - 1]
            self.session.view.write(np.concatenate([row[c] for c in self._poses] or [np.zeros(0)]), self._at)
            self.session.ledger.accounts[Account.CYCLES] += end - self._next
        else:
            self.session.sensors.beat()
        self._next = end

    # ---- a look
    def look(self, passed: float) -> bool:
        """Goes on by so much real time [s]; whether it is to go on after that."""
        while (request := self.session.requests.read()) is not None:
            command, place, value = request.values.tolist()
            if not self._heed(Command(int(command)), int(place), value):
                return False
        left = int(self.session.ledger.schedule[Schedule.STEPS])
        if left > 0:
            end = min(self._next + left, len(self._time))
            self._at = float(self._time[end - 1])
            self._steps(0)
        else:
            self._at = min(self._at + passed * self.speed * (left < 0), float(self._time[-1]))
            end = int(np.searchsorted(self._time, self._at, side="right"))
        self._show(max(end, self._next))
        if self._next == len(self._time):
            self._steps(0)
        self._tell()
        return True

    def _heed(self, command: Command, place: int, value: float) -> bool:
        over = self._next == len(self._time)
        if command == Command.STOP:
            return False
        if command == Command.TUNE and place == 0:
            self.speed = value
        elif command == Command.TUNE:
            self._jump(value)
        elif command == Command.RESET or (command == Command.START and over):
            self._jump(float(self._time[0]))
        if command in (Command.START, Command.HOLD, Command.STEP):
            self._steps({Command.START: -1, Command.HOLD: 0}.get(command, max(int(value), 1)))
        return True

    def _jump(self, time: float) -> None:
        """To a time [s]; the seconds before it are shown at once, so that scopes are not empty."""
        self._at = time
        self._next = int(np.searchsorted(self._time, time - BEFORE))

    def run(self, needed: Callable[[], bool] = lambda: True) -> None:
        """Plays until it is stopped, or no longer needed."""
        last = clock.monotonic()
        try:
            while needed():
                now = clock.monotonic()
                if not self.look(now - last):
                    return
                last = now
                clock.sleep(LOOK)
        finally:
            self.session.ledger.phase = Phase.ENDED

    def close(self) -> None:
        """Ends the session."""
        self.session.close()


def _scene(results: Results) -> tuple[dict[str, Any], list[str]]:
    """What there is to draw, and the nodes, if their poses were recorded; sticks are not moved in a replay."""
    scene = dict(results.scene)
    nodes = list(scene.get("nodes", ()))
    if not all(f"{node}.{what}" in results for node in nodes for what in ("position", "rotation")):
        return {}, []
    scene.pop("sticks", None)
    return scene, nodes
