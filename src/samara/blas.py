"""Threads of the libraries behind NumPy's and SciPy's dense algebra: one, where more cost time or memory.

Several threads for small matrices cost more to wake up than they save, many times where cores are busy. What runs
meanwhile is held to one thread by threadpoolctl. A process of ours is told so before its libraries are loaded: they
then make no threads at all, whose stacks a loop would lock in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

#: Environment of a process whose libraries have one thread each.
ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS",
        "NUMBA_NUM_THREADS",
    ),
    "1",
)  # fmt: skip
#: Coordinates up to which matrices are small.
SMALL = 400

_lock = Lock()
_inside = 0
_limited: Any = None


@contextmanager
def one_thread(coordinates: int = 0) -> Iterator[None]:
    """Meanwhile dense algebra takes one thread, unless there are so many coordinates that more of them pay.

    The number belongs to the process: the first who enters sets it, the last who leaves puts it back.
    """
    global _inside, _limited
    if coordinates > SMALL:
        yield
        return
    with _lock:
        _inside += 1
        if _inside == 1:
            _limited = _libraries().limit(limits=1)
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                _limited.restore_original_limits()


@cache
def _libraries() -> Any:
    """Those that are loaded once SciPy's are."""
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")
