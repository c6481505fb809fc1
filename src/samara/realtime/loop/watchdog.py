"""A watchdog: monitors from another process whether a loop is alive, and stops one that is stuck.

A loop beats in each cycle, even on hold. It is stuck if it has worked for longer than LIMIT without a beat. Only the
time its thread has actually run counts: a machine that does not give it a processor, or does not wake it at its
deadline, causes overruns but is no reason to stop. A loop that does not run at all is abandoned only after ASLEEP. The
watchdog does not act during pivot renewal or a reset of the loop, which take longer.
"""

from __future__ import annotations

import os
import signal
from typing import NamedTuple

from samara.realtime.session import Session
from samara.realtime.session.ledger import Phase
from samara.realtime.session.schedule import Schedule

#: After which a loop is stuck [s]: at work, and asleep; or so many periods of a slow one.
LIMIT, ASLEEP, PERIODS = 0.06, 2.0, 4.0
#: Pause between two looks [s].
PAUSE = 0.01


class Watchdog:
    """Watches the loop of a session. `look` every PAUSE seconds or so."""

    def __init__(self, session: Session, limit: float = LIMIT) -> None:
        self.session = session
        self.limit = max(limit, PERIODS / session.card.rate)
        self.silence = 0.0
        """Of the loop, when it was last looked at, without the time in which it waited for a processor [s]."""
        self._last = -1.0
        self._excused = 0.0  # silence while it was not to be heard
        self._before = Scheduled(0.0, 0.0)
        self._thread = 0
        self._file: int | None = None

    def look(self) -> bool:
        """Whether the loop is stuck."""
        ledger, sensors = self.session.ledger, self.session.sensors
        silence, now = sensors.silence, self._scheduled()
        excused = ledger.phase != Phase.RUNNING or bool(ledger.schedule[Schedule.CYCLE])
        if excused or silence <= self._last:
            self._last, self._before, self.silence = silence, now or self._before, 0.0
            self._excused = silence if excused else 0.0
            return False
        self._last = silence
        waited = now.waited - self._before.waited if now else 0.0
        self.silence = silence - self._excused - waited
        if ledger.schedule[Schedule.WAITING]:
            return self.silence > max(self.limit, ASLEEP)
        worked = now.run - self._before.run if now else self.silence
        return min(worked, self.silence) > self.limit or self.silence > max(self.limit, ASLEEP)

    def _scheduled(self) -> Scheduled | None:
        """How the loop's thread was; the file stays open, so that a look costs little."""
        thread = self.session.ledger.thread
        if thread != self._thread:
            self.close()
            self._thread, self._file = thread, schedule_file(self.session.card.process.pid, thread)
        return scheduled(self._file)

    def close(self) -> None:
        """Looks no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def stop(self) -> None:
        """Ends the simulator's process: a loop that is stuck hears nothing else."""
        if self.session.alive:
            os.kill(self.session.card.process.pid, signal.SIGKILL)


class Scheduled(NamedTuple):
    """Time since its start that a thread has run, and that it was ready but had no processor [s]."""

    run: float
    waited: float


def schedule_file(pid: int, thread: int) -> int | None:
    """Where the system tells how a thread was scheduled; None if it does not."""
    try:
        return os.open(f"/proc/{pid}/task/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def scheduled(file: int | None) -> Scheduled | None:
    """The first two numbers of /proc/PID/task/TID/schedstat, see the kernel's Documentation/scheduler/sched-stats.rst.

    None where the system does not tell.
    """
    if file is None:
        return None
    try:
        run, waited, *_ = os.pread(file, 128, 0).split()
        return Scheduled(1e-9 * int(run), 1e-9 * int(waited))
    except (OSError, ValueError):
        return None
