"""Ctrl-C during a run: recorded at once and handled between two native calls, so that no step is lost or incomplete."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def noting_interrupts(*numbers: signal.Signals) -> Iterator[Callable[[], bool]]:
    """Gives a function that tells whether Ctrl-C was pressed; a handler that somebody else has set is left alone.

    numbers: the signals to note, by default that of Ctrl-C alone.
    """
    pressed = threading.Event()
    usual = (signal.default_int_handler, signal.SIG_DFL)
    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {n: h for n in numbers or (signal.SIGINT,) if (h := signal.getsignal(n)) in usual}
    for number in before:
        signal.signal(number, lambda number, frame: pressed.set())
    try:
        yield pressed.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
