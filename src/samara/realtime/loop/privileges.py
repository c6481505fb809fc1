"""Privileges for low latency: locked memory, real-time priority and a dedicated processor, if permitted."""

from __future__ import annotations

import ctypes
import gc
import os
from dataclasses import dataclass, field

CURRENT_AND_FUTURE = 3  # MCL_CURRENT | MCL_FUTURE of <sys/mman.h>


@dataclass
class Privileges:
    """Privileges that a thread was granted, and those it lacks, with the remedy."""

    has: list[str] = field(default_factory=list)
    lacks: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return "; ".join([*(f"with {text}" for text in self.has), *(f"without {text}" for text in self.lacks)])


def make_punctual(priority: int = 0, cpu: int | None = None) -> Privileges:
    """For the calling thread. priority: of SCHED_FIFO, 1 to 99, 0 for none. cpu: the processor to stay on.

    The priority is that of this thread alone: children start without it (reset on fork). Garbage is not collected from
    now on. What the user may not do is left out, and told.
    """
    standing = Privileges()
    gc.collect()
    gc.freeze()
    gc.disable()
    _lock(standing)
    if cpu is not None:
        _stay(standing, cpu)
    if priority:
        _raise(standing, priority)
    return standing


def _lock(standing: Privileges) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlockall(CURRENT_AND_FUTURE) == 0:
        standing.has.append("memory locked")
        return
    reason = os.strerror(ctypes.get_errno())
    standing.lacks.append(f"locked memory ({reason}: raise `ulimit -l`, or give CAP_IPC_LOCK)")


def _stay(standing: Privileges, cpu: int) -> None:
    try:
        os.sched_setaffinity(0, {cpu})
    except (OSError, ValueError) as error:
        here = ", ".join(map(str, sorted(os.sched_getaffinity(0))))
        standing.lacks.append(f"processor {cpu} to itself ({error}: there are {here})")
    else:
        standing.has.append(f"processor {cpu}")


def raise_priority(priority: int) -> Privileges:
    """A real-time priority alone, for the calling thread; the highest one if that is exceeded."""
    standing = Privileges()
    _raise(standing, min(priority, os.sched_get_priority_max(os.SCHED_FIFO)))
    return standing


def _raise(standing: Privileges, priority: int) -> None:
    low, high = os.sched_get_priority_min(os.SCHED_FIFO), os.sched_get_priority_max(os.SCHED_FIFO)
    if not low <= priority <= high:
        raise ValueError(f"priority {priority} must be within {low} to {high}, or 0 for none")
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_param(priority))
    except OSError as error:
        remedy = "set `rtprio` in limits.conf, or give CAP_SYS_NICE"
        standing.lacks.append(f"real-time priority {priority} ({error.strerror}: {remedy})")
    else:
        standing.has.append(f"real-time priority {priority}")
