"""Variants on a Dask cluster. A variant whose worker dies goes to another one.

Dask runs the pickled functions of whoever reaches its scheduler: without TLS that is everybody on the network, and
every user of its machines. Nothing here starts a scheduler; one that is reached without TLS is warned of.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import queue
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from samara.entry import one_line
from samara.sweep.errors import OpenScheduler, SweepError
from samara.sweep.study import Finished
from samara.sweep.variants import Value
from samara.sweep.workers.serial import Task

#: How long a scheduler has to answer, and a cluster to have a worker [s].
CONNECT, PATIENCE = 5.0, 30.0
#: Variants that are sent ahead for each thread of the cluster.
AHEAD = 2
#: Addresses that nobody reaches without a certificate, or from another process.
PROTECTED = ("tls://", "wss://", "inproc://")

_benches = threading.local()


def perform(packed: bytes, values: Mapping[str, Value]) -> Finished:
    """What a worker of the cluster does; each of its threads keeps the model of the last study."""
    from samara.sweep.workers.bench import Bench
    from samara.sweep.workers.travel import unpack

    study = hashlib.sha256(packed).hexdigest()
    if getattr(_benches, "study", None) != study:
        _benches.bench, _benches.study = Bench(unpack(packed)), study
    return _benches.bench.perform(values)


def carry_out(packed: bytes, tasks: Sequence[Task], scheduler: str, retries: int) -> Iterator[tuple[int, Finished]]:
    """Each variant as it is finished; scheduler: its address."""
    if not scheduler.startswith(PROTECTED):
        warnings.warn(
            f"the Dask scheduler at {scheduler} is used without TLS: anybody who can connect to it can "
            f"run code as its users, including you; start it with certificates and use tls://, or make sure "
            f"that all who can connect are trusted",
            OpenScheduler,
            stacklevel=2,
        )
    with ExitStack() as stack:
        client = _connected(stack, scheduler)
        yield from _Rounds(client, packed, tasks, retries).carry_out()


class _Rounds:
    """What is waiting, what is with the cluster, and how often a variant's worker died."""

    def __init__(self, client: Any, packed: bytes, tasks: Sequence[Task], retries: int) -> None:
        self.client, self.packed, self.retries = client, packed, retries
        self.waiting = deque(tasks)
        self.under_way: dict[Any, tuple[Task, Any]] = {}
        self.inbox: queue.Queue[Any] = queue.Queue()  # futures that are done, as the client hears of them
        self.deaths: Counter[int] = Counter()
        self.lonely_since: float | None = None

    def carry_out(self) -> Iterator[tuple[int, Finished]]:
        room = max(1, AHEAD * sum(self._threads().values()))
        while self.waiting or self.under_way:
            while self.waiting and len(self.under_way) < room:
                task = self.waiting.popleft()
                future = self.client.submit(perform, self.packed, dict(task[1]), pure=False)
                self.under_way[future.key] = task, future  # Dask forgets a future that nobody holds
                future.add_done_callback(self.inbox.put)
            try:
                yield from self._arrived(self.inbox.get(timeout=1.0))
            except queue.Empty:
                room = max(1, AHEAD * sum(self._threads().values()))

    def _arrived(self, future: Any) -> Iterator[tuple[int, Finished]]:
        from distributed.scheduler import KilledWorker

        (number, values), _ = self.under_way.pop(future.key)
        if future.status == "finished":
            with contextlib.suppress(TimeoutError):
                yield number, future.result(timeout=CONNECT)
                return
        if future.status == "cancelled":
            raise SweepError("the Dask scheduler has ended, or has cancelled a variant")
        if future.status != "error":  # its worker died with the result: the scheduler has it done again
            self.under_way[future.key] = (number, values), future
            future.add_done_callback(self.inbox.put)
            self._threads()
            return
        error = future.exception()
        if not isinstance(error, KilledWorker):
            raise SweepError(f"a worker cannot use make or measure: {type(error).__name__}: {one_line(error)}")
        self.deaths[number] += 1
        if self.deaths[number] <= min(self.retries, 1):  # the scheduler has tried it several times already
            self.waiting.append((number, values))
        else:
            yield number, Finished(cause="WorkerDied: the workers of the cluster that ran it died, one after another")

    def _threads(self) -> dict[str, int]:
        """Threads of each worker; an error where there is no worker for long, or no scheduler any more."""
        try:
            found = self.client.nthreads()
        except Exception as error:
            raise SweepError(f"the Dask scheduler is lost ({type(error).__name__}: {one_line(error)})") from error
        now = time.monotonic()
        self.lonely_since = None if found else self.lonely_since or now
        if self.lonely_since is not None and now - self.lonely_since > PATIENCE:
            raise SweepError(
                f"the Dask scheduler has had no worker for {PATIENCE:g} s: start one by `dask worker ADDRESS`"
            )
        return found


def _connected(stack: ExitStack, scheduler: str) -> Any:
    """A client of the cluster, with a worker at least."""
    try:
        import distributed
    except ImportError as error:
        raise SweepError(f"scheduler={scheduler!r} needs Dask ({error}): pip install samara[sweep]") from None
    logger = logging.getLogger("distributed")  # what matters of it is said by errors
    stack.callback(logger.setLevel, logger.level)
    logger.setLevel(logging.CRITICAL)
    try:
        distributed.comm.resolve_address(scheduler)  # a client that cannot be made complains at the very end
        client = stack.enter_context(distributed.Client(scheduler, timeout=CONNECT, set_as_default=False))
    except (OSError, TimeoutError, ValueError) as error:
        raise SweepError(f"no Dask scheduler responds at {scheduler}: {one_line(error)}") from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise SweepError(
            f"the Dask scheduler at {scheduler} has no workers: start some by `dask worker {scheduler}`"
        ) from None
    return client
