"""A watchdog: looks from another process whether a loop still shows life, and stops one that is stuck.

A loop beats in each cycle, also while it is held. It is stuck when it has been silent for longer than LIMIT, without
the time in which its thread was ready to run and the machine gave it no processor: that is the machine's fault, and an
overrun, but no reason to stop. While the pivots are being renewed, which takes its time, it is left alone.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

from samara.realtime.ledger import Phase
from samara.realtime.schedule import Schedule
from samara.realtime.session import Session

#: Silence after which a loop is stuck [s], or so many periods of a slow one; pause between two looks [s].
LIMIT, PERIODS, PAUSE = 0.08, 4.0, 0.005


class Watchdog:
    """Watches the loop of a session. `look` every PAUSE seconds or so."""

    def __init__(self, session: Session, limit: float = LIMIT) -> None:
        self.session = session
        self.limit = max(limit, PERIODS / session.card.rate)
        self.silence = 0.0
        """Of the loop, when it was last looked at, without the time in which it waited for a processor [s]."""
        self._last = -1.0
        self._excused = 0.0  # silence while it was not to be heard
        self._waited = 0.0

    def look(self) -> bool:
        """Whether the loop is stuck."""
        ledger, sensors = self.session.ledger, self.session.sensors
        silence, waited = sensors.silence, waiting_time(self.session.card.process.pid, ledger.thread)
        excused = ledger.phase != Phase.RUNNING or bool(ledger.schedule[Schedule.CYCLE])
        if excused or silence <= self._last:
            self._last, self._waited, self.silence = silence, waited, 0.0
            self._excused = silence if excused else 0.0
            return False
        self._last = silence
        self.silence = silence - self._excused - (waited - self._waited)
        return self.silence > self.limit

    def stop(self) -> None:
        """Ends the simulator's process: a loop that is stuck hears nothing else."""
        if self.session.alive:
            os.kill(self.session.card.process.pid, signal.SIGKILL)


def waiting_time(pid: int, thread: int) -> float:
    """For how long a thread has been ready but had no processor, since its start [s]; 0 where the system tells not.

    The second number of /proc/PID/task/TID/schedstat, see the kernel's Documentation/scheduler/sched-stats.rst.
    """
    try:
        return 1e-9 * int(Path(f"/proc/{pid}/task/{thread}/schedstat").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
