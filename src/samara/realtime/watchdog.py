"""A watchdog: looks from another process whether a loop still shows life, and stops one that is stuck.

A loop beats in each cycle, also while it is held. It is stuck when it is at work and has been silent for longer than
LIMIT, without the time in which its thread was ready to run and the machine gave it no processor: that is the machine's
fault, and an overrun, but no reason to stop. One that is not woken up at its deadline, which shared machines may do a
tenth of a second late, is given up only after ASLEEP. While the pivots are being renewed, or the loop is reset, which
takes its time, it is left alone.
"""

from __future__ import annotations

import os
import signal

from samara.realtime.ledger import Phase
from samara.realtime.schedule import Schedule
from samara.realtime.session import Session

#: Silence after which a loop is stuck [s], at work and asleep, or so many periods of a slow one.
LIMIT, ASLEEP, PERIODS = 0.08, 2.0, 4.0
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
        self._waited = 0.0
        self._thread = 0
        self._file: int | None = None

    def look(self) -> bool:
        """Whether the loop is stuck."""
        ledger, sensors = self.session.ledger, self.session.sensors
        silence, waited = sensors.silence, self._waiting_time()
        excused = ledger.phase != Phase.RUNNING or bool(ledger.schedule[Schedule.CYCLE])
        if excused or silence <= self._last:
            self._last, self._waited, self.silence = silence, waited, 0.0
            self._excused = silence if excused else 0.0
            return False
        self._last = silence
        self.silence = silence - self._excused - (waited - self._waited)
        return self.silence > (max(self.limit, ASLEEP) if ledger.schedule[Schedule.WAITING] else self.limit)

    def _waiting_time(self) -> float:
        """Of the loop's thread; the file stays open, so that a look costs little."""
        thread = self.session.ledger.thread
        if thread != self._thread:
            self.close()
            self._thread, self._file = thread, schedule_file(self.session.card.process.pid, thread)
        return waiting_time(self._file)

    def close(self) -> None:
        """Looks no more."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def stop(self) -> None:
        """Ends the simulator's process: a loop that is stuck hears nothing else."""
        if self.session.alive:
            os.kill(self.session.card.process.pid, signal.SIGKILL)


def schedule_file(pid: int, thread: int) -> int | None:
    """Where the system tells how a thread was scheduled; None if it does not."""
    try:
        return os.open(f"/proc/{pid}/task/{thread}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def waiting_time(file: int | None) -> float:
    """For how long a thread has been ready but had no processor, since its start [s]; 0 where the system tells not.

    The second number of /proc/PID/task/TID/schedstat, see the kernel's Documentation/scheduler/sched-stats.rst.
    """
    try:
        return 0.0 if file is None else 1e-9 * int(os.pread(file, 128, 0).split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
