"""Ctrl-C during a run: noted when it comes, answered between two native calls, so that no step is lost or half done."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def noting_interrupts() -> Iterator[Callable[[], bool]]:
    """Gives a function that tells whether Ctrl-C was pressed; a handler that somebody else has set is left alone."""
    pressed = threading.Event()
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield pressed.is_set
        return
    signal.signal(signal.SIGINT, lambda number, frame: pressed.set())
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
