"""A function of a tree at one state, called from Python: all that is checked and done is one native call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from samara.recursive.argument_checks import LENGTH_ERROR
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.native.functions import Asked
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.tracing.driver.driver_cache import inner, only_for, short_call
from samara.tracing.driver.native_call import call_native
from samara.tracing.driver.reference import at_address, refer
from samara.tracing.kernels import native


class SingleState(NamedTuple):
    """What the call needs beside a state: the kernel, its block, and where things lie in it."""

    kernel: int
    parameters: np.ndarray
    tables: np.ndarray
    start: np.ndarray  # what goes in, before each call
    block: np.ndarray
    balls: np.ndarray  # where quaternions begin among the coordinates
    freedoms: int
    coordinates: int
    speeds: int
    third: int  # of efforts, or rates
    time: int
    results: int


def single_state(asked: Asked, compiled: CompiledTree, balls: Sequence[int], third: int) -> SingleState:
    """The record for a function of a tree, and code that takes it; third: where what goes in third begins."""
    loaded = native.load(f"tree {asked.function.name}", [asked.function], 1, asked.shape)
    at = compiled.places
    made = refer(
        SingleState(
            kernel=loaded.addresses[asked.function.name],
            parameters=compiled.parameters,
            tables=compiled.system.arrays.tables,
            start=compiled.block[: asked.inputs],
            block=aligned_zeros(asked.shape.block),
            balls=np.array(balls, np.int64),
            freedoms=compiled.tree.speeds,
            coordinates=at.coordinates,
            speeds=at.speeds,
            third=third,
            time=at.time,
            results=asked.inputs,
        )
    )
    row = np.zeros(0)
    only_for(results_of, 0, row, row, row, 0.0, row)  # rows of other kinds take the long way
    return made


_NONE, _NO_PLACES = np.zeros(0), np.zeros(0, np.int64)
_at = at_address(SingleState(0, _NONE, _NONE, _NONE, _NONE, _NO_PLACES, 0, 0, 0, 0, 0, 0))


@inner
def _put(block, first, numbers):
    """Into the block; zero, or nan where one of them is not finite."""
    lost = 0.0
    for i in range(numbers.size):
        block[first + i] = numbers[i]
        lost += 0.0 * numbers[i]
    return lost


@short_call
def results_of(address, q, s, third, time, results):
    """Results of a state, by the record at an address; False where anything is wrong with what is given or found: the
    long way says what."""
    one = _at(address)
    block, n = one.block, one.freedoms
    if q.size != one.speeds - one.coordinates or s.size != n or third.size != n:
        return False
    for i in range(one.start.size):
        block[i] = one.start[i]
    lost = _put(block, one.coordinates, q) + _put(block, one.speeds, s) + _put(block, one.third, third) + 0.0 * time
    for k in range(one.balls.size):
        size = 0.0
        for i in range(one.balls[k], one.balls[k] + 4):
            size += q[i] * q[i]
        if not abs(np.sqrt(size) - 1.0) <= LENGTH_ERROR:
            return False
    block[one.time] = time
    at = block.ctypes.data
    call_native(one.kernel, 1, at, at, one.parameters.ctypes.data, at, one.tables.ctypes.data, at, at)
    for i in range(results.size):
        results[i] = block[one.results + i]
        lost += 0.0 * results[i]
    return lost == 0.0
