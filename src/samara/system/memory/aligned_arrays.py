"""Arrays aligned with vectors and cache lines; return of unused memory to the system."""

from __future__ import annotations

import ctypes
import math
import sys

import numpy as np

BOUNDARY = 64  # bytes
#: Number of unknowns from which set-up leaves tens of megabytes unused.
MANY_UNKNOWNS = 10_000


def aligned_zeros(shape: int | tuple[int, ...]) -> np.ndarray:
    """Zeros whose first byte is at a multiple of 64."""
    shape = (shape,) if isinstance(shape, int) else shape
    size = 8 * math.prod(shape)
    room = np.zeros(size + BOUNDARY, np.uint8)
    skip = -room.ctypes.data % BOUNDARY
    return room[skip : skip + size].view(np.float64).reshape(shape)


def return_free_memory(unknowns: int) -> None:
    """Returns memory that a large model, with this many unknowns, needed temporarily to the system.

    The C library of Linux keeps freed memory, up to 64 MiB at the end of its heap, and would allocate more for the next
    stage. On other systems this does nothing.
    """
    if unknowns >= MANY_UNKNOWNS and sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
