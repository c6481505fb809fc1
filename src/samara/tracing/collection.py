"""Pauses Python's garbage collector while graphs grow.

A graph consists of some 1e5 permanent tuples without reference cycles. The collector, which scans all objects whenever
that many are added, doubles the time it takes to build one.
"""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collection_paused() -> Iterator[None]:
    """Context without automatic collection in this process; no effect if nested or if the collector is off."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
