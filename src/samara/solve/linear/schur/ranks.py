"""Processes that work on the parts of a system, each on its own, by MPI.

Every process holds the whole state. Results of the parts are exchanged three times per factorisation and correction:
contributions to the right-hand side, unknowns, contributions to the matrix. Exchanges are nonblocking, and elements
that belong to no part are evaluated meanwhile. Every process solves the interface, which avoids a round trip to a
master; all processes then hold bitwise identical values and make the same decisions.

Before native code runs, the processes meet: each announces one number, and whether it is about to end. A process that
ends, even with an error, does so at a meeting (`Meetings`), so that no other waits for it in an exchange.

Native code calls MPI by address: `[MPI_Iallgatherv, MPI_Wait, IN_PLACE, type of a number, communicator, address of a
request, of a status]`, then for each of the three exchanges [buffer, counts, offsets].
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import numpy as np

from samara.model import ArgumentError
from samara.solve.errors import Diverged
from samara.solve.linear.schur.agreement import Agreement, differences
from samara.tracing.driver.driver_cache import inner
from samara.tracing.driver.native_call import call_native

#: What processes meet for: to compare what they are going to do, to agree on a number, or because one ends.
COMPARE, AGREE, LEAVE = range(3)
#: Seconds for which a process that ends by an error waits for the next meeting, before it ends all of them; between two
#: looks; differences that are told.
GRACE_TIME, LOOK_INTERVAL, TOLD_DIFFERENCES = 60.0, 2e-3, 3

GATHER, WAIT, IN_PLACE, REAL, WORLD, REQUEST, STATUS, EXCHANGES = range(8)


@inner
def begin_exchange(ranks, which):
    """Sends what this process has found and receives what others have; `end_exchange` waits for it."""
    if ranks.size != 0:
        at = EXCHANGES + 3 * which
        buffer, counts, offsets, real = ranks[at], ranks[at + 1], ranks[at + 2], ranks[REAL]
        call_native(
            ranks[GATHER], ranks[IN_PLACE], 0, real, buffer, counts, offsets, real, ranks[WORLD], ranks[REQUEST]
        )


@inner
def end_exchange(ranks):
    """Waits for the exchange that was begun."""
    if ranks.size != 0:
        call_native(ranks[WAIT], ranks[REQUEST], ranks[STATUS])


class Ranks:
    """The processes of a run that was started by `mpirun`."""

    def __init__(self) -> None:
        try:
            from mpi4py import MPI
        except ImportError:
            raise ArgumentError(
                "backend 'mpi' needs mpi4py and an MPI library: pip install 'samara[mpi]', then mpirun -n 2 python ..."
            ) from None
        self._mpi, self.world = MPI, MPI.COMM_WORLD
        self.rank, self.count = self.world.Get_rank(), self.world.Get_size()
        self._alive: list[Any] = []
        self._meetings = _meetings() if self.count > 1 else None

    def agreed(self, number: int) -> int:
        """The largest of the numbers that the processes have."""
        return int(number if self._meetings is None else self._meetings.meet(AGREE, number).max())

    def require_same(self, agreement: Agreement, step: float) -> None:
        """Refuses, in all processes alike, to go on where they differ; step of the run [s]."""
        if self._meetings is None or not _differ(self._meetings.meet(COMPARE, agreement.digest(step))):
            return
        found = differences(self._meetings.told(agreement.details(step)))
        more = f", and {len(found) - TOLD_DIFFERENCES} more" if found[TOLD_DIFFERENCES:] else ""
        raise Diverged(
            f"the processes differ: {'; '.join(found[:TOLD_DIFFERENCES])}{more}; each must build the "
            f"same model, and make the same calls with the same arguments"
        )

    def words(self, exchanges: list[tuple[np.ndarray, list[int]]]) -> np.ndarray:
        """What native code takes: for each exchange the buffer, and how much of it each process finds."""
        mpi, library = self._mpi, ctypes.CDLL(self._mpi.__file__)
        address = lambda name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value  # noqa: E731
        request, status = np.zeros(2, np.int64), np.zeros(16, np.int64)
        handle = mpi._handleof
        words = [address("MPI_Iallgatherv"), address("MPI_Wait"), int(mpi.IN_PLACE), handle(mpi.DOUBLE)]
        words += [handle(self.world), request.ctypes.data, status.ctypes.data]
        self._alive = [request, status]
        for buffer, counts in exchanges:
            sizes = np.array(counts, np.int32)
            offsets = (np.cumsum(sizes) - sizes).astype(np.int32)
            self._alive += [buffer, sizes, offsets]
            words += [buffer.ctypes.data, sizes.ctypes.data, offsets.ctypes.data]
        return np.array(words, np.int64)


class Meetings:
    """Synchronisation of processes outside the exchanges of native code; one object for all simulations.

    A process that ends announces it at the next meeting, whether it has finished or raised an error. The others then
    end their run with an error instead of waiting for it.
    """

    def __init__(self, mpi: Any) -> None:
        self.world = mpi.COMM_WORLD.Dup()  # so that meetings and exchanges are not taken for each other
        self._over = ""
        self._failed = False
        self._before = sys.excepthook
        sys.excepthook = self._note
        atexit.register(self._leave)

    def meet(self, purpose: int, number: int) -> np.ndarray:
        """The numbers of all processes, which come here for the same purpose."""
        if self._over:
            raise Diverged(self._over)
        request, found = self._begin(purpose, number)
        request.Wait()
        purposes, numbers = found.T
        gone = np.flatnonzero(purposes == LEAVE)
        if gone.size:
            self._over = (
                f"process {gone[0]} has ended before the others, which cannot go on without it: see its error, or let "
                "all of them make the same calls"
            )
            raise Diverged(self._over)
        if _differ(purposes):
            raise Diverged("the processes do not make the same calls: each must run the same script")
        return numbers

    def told(self, what: Mapping[str, str]) -> list[Mapping[str, str]]:
        """What each process has to tell."""
        return self.world.allgather(dict(what))

    def _begin(self, purpose: int, number: int) -> tuple[Any, np.ndarray]:
        """A request, and where purposes and numbers of all processes will be when it is done."""
        found = np.zeros((self.world.Get_size(), 2), np.int64)
        return self.world.Iallgather(np.array([purpose, number], np.int64), found), found

    def _note(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self._failed = True
        self._before(kind, error, trace)

    def _leave(self) -> None:
        if self._over:
            return
        began = time.monotonic()
        request, _ = self._begin(LEAVE, 0)
        while not request.Test():
            time.sleep(LOOK_INTERVAL)
            if self._failed and time.monotonic() - began > GRACE_TIME:
                rank = self.world.Get_rank()
                print(f"samara: process {rank} has failed, and others wait for it: all are ended", file=sys.stderr)
                sys.stderr.flush()
                self.world.Abort(1)


def _differ(numbers: np.ndarray) -> bool:
    return bool((numbers != numbers[0]).any())


@functools.cache
def _meetings() -> Meetings:
    from mpi4py import MPI

    return Meetings(MPI)
