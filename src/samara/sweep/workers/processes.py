"""Variants in processes on this machine. One that dies, or takes too long, costs its variant a try, and no other."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from typing import Any

from samara.blas import ONE_THREAD
from samara.entry import command
from samara.sweep.errors import SweepError
from samara.sweep.study import Finished
from samara.sweep.workers.serial import Task

#: The first worker has this long to finish a variant, and so to compile what all need, before others start [s].
LEAD = 30.0
#: Workers that end before they could take anything, after which the sweep gives up.
STILLBORN = 3


class _Worker:
    """A process, what it is doing, and a thread that hears its answers: (worker, answer), None when it has ended."""

    def __init__(self, packed: bytes, inbox: queue.Queue[tuple[_Worker, Any]]) -> None:
        self.task: Task | None = None
        self.deadline = float("inf")
        self.ready = self.late = False
        self.process = subprocess.Popen(
            command("samara.sweep.workers.process"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **ONE_THREAD},  # the cores are shared out by processes
            start_new_session=True,
        )
        threading.Thread(target=self._listen, args=(inbox,), name="samara-worker", daemon=True).start()
        self._send((sys.path, packed))

    def give(self, task: Task, timeout: float | None) -> None:
        self.task = task
        self.deadline = float("inf") if timeout is None else time.monotonic() + timeout
        self._send(dict(task[1]))

    def end(self) -> str:
        """Ends the process; how it had ended before, in words."""
        code = self.process.poll()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
        if code is None or code >= 0:
            return f"ended with exit code {code}" if code else "ended by itself"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"

    def _send(self, what: Any) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):  # it has ended: the thread says so
            pickle.dump(what, self.process.stdin)
            self.process.stdin.flush()

    def _listen(self, inbox: queue.Queue[tuple[_Worker, Any]]) -> None:
        assert self.process.stdout is not None
        while True:
            try:
                answer = pickle.load(self.process.stdout)
            except Exception:
                self.process.wait()
                inbox.put((self, None))
                return
            inbox.put((self, answer))


class Pool:
    """Processes that carry out variants: `count` at most.

    timeout: for one variant [s], compiling included; retries: how often a variant is tried again after the process
    that had it died.
    """

    def __init__(self, packed: bytes, tasks: Sequence[Task], count: int, timeout: float | None, retries: int) -> None:
        self.packed, self.count, self.timeout, self.retries = packed, count, timeout, retries
        self.waiting = deque(tasks)
        self.deaths: Counter[int] = Counter()
        self.inbox: queue.Queue[tuple[_Worker, Any]] = queue.Queue()
        self.workers: list[_Worker] = []
        self.stillborn = 0

    def carry_out(self) -> Iterator[tuple[int, Finished]]:
        """Each variant as it is finished; the processes end with the last one, or when nobody asks any more."""
        alone_until = time.monotonic() + LEAD
        try:
            while self.waiting or any(worker.task for worker in self.workers):
                self._share_out(1 if time.monotonic() < alone_until else self.count)
                for finished in self._heard():
                    alone_until = 0.0
                    yield finished
        finally:
            for worker in self.workers:
                worker.end()

    def _share_out(self, width: int) -> None:
        """Gives whoever is free something to do, and starts more where there is still something left."""
        for worker in self.workers:
            if worker.ready and worker.task is None and self.waiting:
                worker.give(self.waiting.popleft(), self.timeout)
        starting = sum(not worker.ready for worker in self.workers)
        for _ in range(min(width - len(self.workers), len(self.waiting) - starting)):
            self.workers.append(_Worker(self.packed, self.inbox))

    def _heard(self) -> Iterator[tuple[int, Finished]]:
        """What the next message is about; after a second without one, whether somebody is late."""
        now = time.monotonic()
        patience = min([1.0, *(max(0.0, worker.deadline - now) for worker in self.workers)])
        with contextlib.suppress(queue.Empty):
            worker, answer = self.inbox.get(timeout=patience)
            if answer is None:
                yield from self._ended(worker)
            elif not worker.ready:
                if answer:
                    raise SweepError(f"a worker cannot use make or measure: {answer}")
                worker.ready, self.stillborn = True, 0
            elif worker.task is not None:
                number, worker.task, worker.deadline = worker.task[0], None, float("inf")
                yield number, answer
        for worker in self.workers:
            if time.monotonic() > worker.deadline and not worker.late:
                worker.late = True
                worker.process.kill()

    def _ended(self, worker: _Worker) -> Iterator[tuple[int, Finished]]:
        self.workers.remove(worker)
        how = worker.end()
        if not worker.ready:
            self.stillborn += 1
            if self.stillborn >= STILLBORN:
                raise SweepError(f"workers do not start: the last one {how}; see standard error")
        if worker.task is None:
            return
        number = worker.task[0]
        if worker.late:
            yield (
                number,
                Finished(cause=f"TimeoutError: not finished after {self.timeout:g} s", seconds=self.timeout or 0),
            )
            return
        self.deaths[number] += 1
        if self.deaths[number] <= self.retries:
            self.waiting.appendleft(worker.task)
            return
        times = self.deaths[number]
        tries = "" if times == 1 else f", {times} times"
        yield number, Finished(cause=f"WorkerDied: the process that ran it {how}{tries}")
