"""Processes that work on the parts of a system, each on its own, by MPI.

All of them know the whole state. What they find of their parts they exchange, three times per new factors and
correction: shares of the right-hand side, unknowns, shares of the matrix. An exchange begins without waiting, and what
belongs to no part is evaluated meanwhile. The interface is solved by all at once, which saves the way to a master and
back; all of them then hold the same bits, and decide alike.

Native code calls MPI by address: `[MPI_Iallgatherv, MPI_Wait, IN_PLACE, type of a number, communicator, address of a
request, of a status]`, then for each of the three exchanges [buffer, counts, offsets].
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from samara.model import ArgumentError
from samara.tracing.driver_cache import inner

GATHER, WAIT, IN_PLACE, REAL, WORLD, REQUEST, STATUS, EXCHANGES = range(8)


@intrinsic
def _call_gather(typingctx, gather, in_place, real, buffer, counts, offsets, world, request):
    """MPI_Iallgatherv in place."""

    def codegen(context, builder, sig, args):
        word = ir.IntType(64)
        gather, in_place, real, buffer, counts, offsets, world, request = args
        zero = ir.Constant(word, 0)
        arguments = [in_place, zero, real, buffer, counts, offsets, real, world, request]
        kind = ir.FunctionType(ir.IntType(32), [word] * len(arguments))
        builder.call(builder.inttoptr(gather, kind.as_pointer()), arguments)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 8), codegen


@intrinsic
def _call_wait(typingctx, wait, request, status):
    """MPI_Wait."""

    def codegen(context, builder, sig, args):
        word = ir.IntType(64)
        kind = ir.FunctionType(ir.IntType(32), [word, word])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
        return context.get_dummy_value()

    return types.void(*[types.int64] * 3), codegen


@inner
def begin_exchange(ranks, which):
    """Sends what this process has found and receives what others have; `end_exchange` waits for it."""
    if ranks.size != 0:
        at = EXCHANGES + 3 * which
        _call_gather(
            ranks[GATHER], ranks[IN_PLACE], ranks[REAL], ranks[at], ranks[at + 1], ranks[at + 2], ranks[WORLD],
            ranks[REQUEST],
        )  # fmt: skip


@inner
def end_exchange(ranks):
    """Waits for the exchange that was begun."""
    if ranks.size != 0:
        _call_wait(ranks[WAIT], ranks[REQUEST], ranks[STATUS])


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

    def agreed(self, number: int) -> int:
        """The largest of the numbers that the processes have."""
        return int(self.world.allreduce(number, op=self._mpi.MAX))

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
