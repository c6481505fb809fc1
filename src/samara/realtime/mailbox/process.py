"""Identity of a process and whether it is still alive: process numbers alone are reused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A process, identified by its number and its start time in system ticks (0 if the system does not report it)."""

    pid: int
    started: int

    @classmethod
    def current(cls) -> Process:
        """The one that asks."""
        return cls(os.getpid(), _status(os.getpid())[1])

    @property
    def alive(self) -> bool:
        """False once it ended, killed or not, even when nobody has fetched its exit status yet."""
        if self.pid <= 0:
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass  # it lives, as another user
        state, started = _status(self.pid)
        if state == "?":  # nothing says that it does not: too many files may be open here to look
            return True
        return state not in "ZX" and started == self.started

    def __str__(self) -> str:
        return f"process {self.pid}"


def _status(pid: int) -> tuple[str, int]:
    """(state, start) of a process as /proc tells, see proc_pid_stat(5): fields 3 and 22; ("?", 0) without /proc."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ("X", -1) if Path("/proc/self/stat").exists() else ("?", 0)
    except OSError:
        return "?", 0
    fields = text.rpartition(")")[2].split()  # the name, in brackets, may hold anything
    return fields[0], int(fields[19])
