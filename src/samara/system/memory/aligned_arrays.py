"""Arrays that start on a boundary of vectors and cache lines; memory that nobody uses any more."""

from __future__ import annotations

import ctypes
import math
import sys

import numpy as np

BOUNDARY = 64  # bytes
#: Unknowns from which on set-up leaves tens of megabytes behind.
MANY_UNKNOWNS = 10_000


def aligned_zeros(shape: int | tuple[int, ...]) -> np.ndarray:
    """Zeros whose first byte lies on a multiple of 64."""
    shape = (shape,) if isinstance(shape, int) else shape
    size = 8 * math.prod(shape)
    room = np.zeros(size + BOUNDARY, np.uint8)
    skip = -room.ctypes.data % BOUNDARY
    return room[skip : skip + size].view(np.float64).reshape(shape)


def return_free_memory(unknowns: int) -> None:
    """What a large model, of so many unknowns, needed for a while goes back to the system.

    The C library of Linux keeps what is freed, up to 64 MiB at the end of its heap, and would take more for the next
    stage. Elsewhere this does nothing.
    """
    if unknowns >= MANY_UNKNOWNS and sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
