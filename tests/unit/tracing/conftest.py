"""Kernels made and run by themselves: no model, no system."""

import ctypes
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from samara.tracing import Expr, Graph
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import Function, Place, Shape

PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)


@pytest.fixture(scope="session")
def own_cache(tmp_path_factory):
    """A cache of the test run's own: nothing of it comes from earlier runs, or stays."""
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(autouse=True)
def kernels_of_the_tests(own_cache, monkeypatch):
    """For the tests of this folder alone: those that the same worker runs after them find what is compiled."""
    monkeypatch.setenv("SAMARA_CACHE", str(own_cache))


@pytest.fixture
def fresh_cache(tmp_path, monkeypatch):
    """An empty cache directory for one test, and a process that has loaded nothing."""
    path = tmp_path / "cache"
    monkeypatch.setenv("SAMARA_CACHE", str(path))
    monkeypatch.setattr(native, "_loaded", {})
    return path


def call(address: int, groups: int, **arrays: np.ndarray) -> None:
    """Calls a kernel; arrays by the names of its arguments, the others are not there."""
    names = ("state", "idx", "par", "coef", "tables", "res", "val")
    assert set(arrays) <= set(names)
    pointers = [arrays[name].ctypes.data if name in arrays else None for name in names]
    PROTOTYPE(address)(groups, *pointers)


@pytest.fixture(scope="session")
def call_kernel() -> Callable[..., None]:
    """`call`, for tests that choose the places of inputs and results themselves."""
    return call


@pytest.fixture(scope="session")
def inputs() -> Callable[[int], tuple[Graph, list[Expr]]]:
    """A graph and so many inputs of it."""

    def make(count: int) -> tuple[Graph, list[Expr]]:
        graph = Graph()
        return graph, [Expr(graph, graph.input(Place("lane", 0, i))) for i in range(count)]

    return make


@pytest.fixture(scope="session")
def evaluate() -> Callable[..., np.ndarray]:
    """Values of traced numbers at points, by a kernel: evaluate(graph, results, points[n, inputs], width)."""

    def run(graph: Graph, results: Sequence[int], points: np.ndarray, width: int, tables=None, coef=None) -> np.ndarray:
        points = np.asarray(points, float)
        n, m = points.shape
        groups, block = -(-n // width), m + len(results)
        outputs = [(Place("lane", 0, m + k), node) for k, node in enumerate(results)]
        loaded = native.load("test", [Function("f", graph, outputs)], width, Shape(block=block))
        padded = np.concatenate([points, np.repeat(points[-1:], groups * width - n, axis=0)])
        state = np.zeros((groups, block, width))
        state[:, :m] = padded.reshape(groups, width, m).transpose(0, 2, 1)
        empty = np.zeros(1)
        tables, coef = (empty if a is None else a for a in (tables, coef))
        call(loaded.addresses["f"], groups, state=state, tables=tables, coef=coef)
        return state[:, m:].transpose(0, 2, 1).reshape(groups * width, len(results))[:n]

    return run
