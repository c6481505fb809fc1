"""A function of a tree for one state or for many, from Python."""

from __future__ import annotations

import threading

import numpy as np

from samara.recursive.native.functions import Asked
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.system.state.kernel_calls import callable_at
from samara.tracing.kernels import native


class BatchKernel:
    """A function of a tree, W instances abreast."""

    def __init__(self, asked: Asked, width: int) -> None:
        loaded = native.load(f"tree {asked.function.name}", [asked.function], width, asked.shape)
        self.asked, self.width = asked, width
        self._call = callable_at(loaded.addresses[asked.function.name])
        self._single = aligned_zeros(asked.shape.block)  # room of one state, kept: making it takes longer than its use
        self._place = self._single.ctypes.data
        self._known: tuple = ()  # arrays of the last call of one state, and the arguments of that
        self._lock = threading.Lock()  # native code lets other threads run

    def __call__(self, rows: np.ndarray, parameters: np.ndarray, tables: np.ndarray) -> np.ndarray:
        """Results of each row of inputs, shape (rows, outputs)."""
        count, w = len(rows), self.width
        if count == w == 1:
            with self._lock:
                self._single[: self.asked.inputs] = rows[0]
                if not self._known or self._known[0] is not parameters or self._known[1] is not tables:
                    at, numbers = self._place, parameters.ctypes.data
                    self._known = (parameters, tables, (1, at, at, numbers, at, tables.ctypes.data, at, at))
                self._call(*self._known[2])
                return self._single[None, self.asked.inputs :].copy()
        if not count:
            return np.empty((0, self.asked.outputs))
        groups = -(-count // w)
        tile = aligned_zeros((groups, self.asked.shape.block, w))
        padded = np.concatenate([rows, np.repeat(rows[-1:], groups * w - count, axis=0)])
        tile[:, : self.asked.inputs] = padded.reshape(groups, w, -1).swapaxes(1, 2)
        par = np.tile(parameters[None, :, None], (groups, 1, w)).copy()
        state = tile.ctypes.data
        self._call(groups, state, state, par.ctypes.data, state, tables.ctypes.data, state, state)
        return tile[:, self.asked.inputs :].swapaxes(1, 2).reshape(groups * w, -1)[:count]
