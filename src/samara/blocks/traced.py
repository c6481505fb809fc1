"""A block as a sampled law in native code, traced from its own functions.

Operations are rounded one by one, as Python does it: the same samples give the same bits here and there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.block import Block
from samara.tracing import Expr, Graph, select
from samara.tracing.kernels.lanes import Function, Place, Shape
from samara.tracing.kernels.native import load


def is_traceable(law: Any) -> bool:
    """Whether it is a block that answers as blocks do, and not in a way of its own."""
    return isinstance(law, Block) and type(law).__call__ is Block.__call__


class TracedLaw:
    """Numbers, memory and code of a block with so many signals in.

    numbers: the sample time, then those of the block; memory: that of the block, and 1 once it has been called.
    """

    def __init__(self, block: Block, inputs: int, step: float) -> None:
        self.block, self.inputs = block, inputs
        plain = block.plain()
        self.numbers = np.array([step, *(float(leaf) for leaf in plain.leaves())])
        self.memory = np.zeros(len(plain.start(plain.filled([0.0] * inputs))) + 1)

    @property
    def equations(self) -> Any:
        """What the numbers are used for."""
        return self.block.structure()

    @property
    def leaves(self) -> list[Any]:
        """The numbers, and parameters that stand for some of them."""
        return [self.numbers[0], *self.block.leaves()]

    def with_numbers(self, numbers: np.ndarray) -> Any:
        """The block with other numbers, as they are in native code."""
        return self.block.rebuild(iter(numbers[1:].tolist()))

    def carried(self, numbers: np.ndarray, memory: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The memory of a block that had those numbers, so that it goes on without a bump with those of now."""
        if memory[-1] == 0.0:
            return memory
        before, after = self.with_numbers(numbers), self.with_numbers(self.numbers)
        u = after.filled(u.tolist())
        return np.array([*after.carried(before, memory[:-1].tolist(), u, float(self.numbers[0])), 1.0])

    def address(self) -> int:
        """Of the native code: a kernel of one instance (`samara.tracing.kernels.lanes`).

        ``coef`` is what goes in, ``par`` the numbers, ``state`` the memory, ``res`` the answers.
        """
        graph = Graph()

        def read(kind: str, i: int) -> Expr:
            return Expr(graph, graph.input(Place(kind, 0, i)))

        def node(value: Any) -> int:
            return value._numeric() if isinstance(value, Expr) else graph.const(value)

        h, *own = (read("parameter", i) for i in range(self.numbers.size))
        block = self.block.rebuild(iter(own))
        u = block.filled([read("coefficient", i) for i in range(self.inputs)])
        begun = read("lane", self.memory.size - 1) != 0.0
        x = [select(begun, read("lane", i), first) for i, first in enumerate(block.start(u))]
        results = [(Place("output", 0, i), node(y)) for i, y in enumerate(block.output(x, u, h))]
        after = [*block.next(x, u, h), 1.0]
        results += [(Place("lane", 0, i), node(value)) for i, value in enumerate(after)]
        shape = Shape(1, self.numbers.size, self.memory.size, 1, exact=True)
        law = Function("law", graph, results)
        return load(f"law of a {type(self.block).__name__}", [law], 1, shape).addresses["law"]
