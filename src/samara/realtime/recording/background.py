"""Background priority: the process gets the processor and the disk only when no other process needs them."""

from __future__ import annotations

import ctypes
import os
import platform

#: number of ioprio_set(2), which the C library does not wrap, and its arguments for the calling thread
_IOPRIO_SET = {"x86_64": 251, "aarch64": 30}
_WHO_PROCESS, _IDLE_CLASS = 1, 3 << 13


def step_back() -> None:
    """Lowest priority for this process (nice 19) and the idle class of its disk accesses, where the system has one."""
    os.nice(19)
    number = _IOPRIO_SET.get(platform.machine())
    if number is not None and platform.system() == "Linux":
        ctypes.CDLL(None).syscall(number, _WHO_PROCESS, 0, _IDLE_CLASS)
