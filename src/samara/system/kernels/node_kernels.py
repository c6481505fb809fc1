"""Kernels that process nodes and scalar states W at a time, as graphs: how they read and write, and `move`.

The formulas of an integrator determine what a step does to nodes and states (`solve.integrators.walks`).
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from samara.rotations import exp_se3_small
from samara.system.memory.blocks import POSITION, ROTATION, SIZE, STATE_SIZE, VALUE
from samara.tracing import Expr, Graph
from samara.tracing.kernels.lanes import Function, Place, Shape

NODES = Shape(block=SIZE)
STATES = Shape(block=STATE_SIZE, unknowns=1)


class Walk:
    """One node or state as inputs and outputs of a graph; `walk[Coefficient.STEP]` is a coefficient."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.outputs: list[tuple[Place, int]] = []

    def _input(self, kind: str, i: int) -> Expr:
        return Expr(self.graph, self.graph.input(Place(kind, 0, i)))

    def __getitem__(self, coefficient: int) -> Expr:
        return self._input("coefficient", int(coefficient))

    def read(self, first: int, count: int = 6) -> np.ndarray:
        """Components of the block."""
        return np.array([self._input("lane", first + i) for i in range(count)], dtype=object)

    def unknowns(self, count: int = 6) -> np.ndarray:
        """Unknowns of the node or state."""
        return np.array([self._input("vector", i) for i in range(count)], dtype=object)

    def store(self, first: int, values: Any) -> None:
        """Writes components of the block."""
        self.outputs += [(Place("lane", 0, first + i), v.id) for i, v in enumerate(np.ravel(values))]

    def function(self, name: str) -> Function:
        """The function made of everything written."""
        return Function(name, self.graph, self.outputs)


@functools.cache
def node_functions() -> list[Function]:
    """Newton's correction of the pose: H <- H exp(-xi)."""
    k = Walk()
    R, p = k.read(ROTATION, 9).reshape(3, 3), k.read(POSITION, 3)
    dR, dp = exp_se3_small(-k.unknowns())
    k.store(ROTATION, R @ dR)
    k.store(POSITION, p + R @ dp)
    return [k.function("move")]


@functools.cache
def state_functions() -> list[Function]:
    """Newton's correction of the value of a scalar state."""
    k = Walk()
    k.store(VALUE, k.read(VALUE, 1) - k.unknowns(1))
    return [k.function("move")]
