"""A worker: a process that takes variants from its standard input and answers on its standard output.

Both are streams of pickles. The first that comes is (sys.path, packed study), answered by "" or by why it cannot be
used; each that follows is a variant's values, answered by what was found. What user's code prints goes to standard
error. The end of the input ends the process, whatever it is doing: whoever started it is gone.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import warnings
from typing import IO, Any


def main() -> int:
    """Works until there is no more to do."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process answers to Ctrl-C
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    tasks: queue.Queue[Any] = queue.Queue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks), name="samara-tasks", daemon=True).start()
    sys.path[:], packed = tasks.get()
    try:
        from samara.solve import ChangedStart
        from samara.sweep.workers.bench import Bench
        from samara.sweep.workers.travel import unpack

        warnings.simplefilter("ignore", ChangedStart)
        bench = Bench(unpack(packed))
    except Exception as error:
        _answer(answers, f"{type(error).__name__}: {error}")
        return 1
    _answer(answers, "")
    while True:
        _answer(answers, bench.perform(tasks.get()))


def _answer(stream: IO[bytes], what: Any) -> None:
    pickle.dump(what, stream)
    stream.flush()


def _listen(stream: IO[bytes], tasks: queue.Queue[Any]) -> None:
    while True:
        try:
            tasks.put(pickle.load(stream))
        except BaseException:
            os._exit(0)


if __name__ == "__main__":
    raise SystemExit(main())
