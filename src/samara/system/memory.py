"""Arrays that start on a boundary of vectors and cache lines."""

from __future__ import annotations

import math

import numpy as np

BOUNDARY = 64  # bytes


def aligned_zeros(shape: int | tuple[int, ...], dtype: type = np.float64) -> np.ndarray:
    """Zeros whose first byte lies on a multiple of 64."""
    shape = (shape,) if isinstance(shape, int) else shape
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + BOUNDARY, np.uint8)
    skip = -room.ctypes.data % BOUNDARY
    return room[skip : skip + size].view(dtype).reshape(shape)
