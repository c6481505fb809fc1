"""Python's search for garbage, put off while graphs grow.

A graph is some 1e5 tuples that stay, in no circle. The collector, which looks through all that there is each time that
so many are added, doubles the time that it takes to make one.
"""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collection_paused() -> Iterator[None]:
    """No automatic collection in this process meanwhile; within another, or where there is none anyway, nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
