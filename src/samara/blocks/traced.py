"""A block as a sampled law in native code, traced from its own functions.

Operations are rounded one by one, as Python does it: the same samples give the same bits here and there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from samara.blocks.block import Block
from samara.tracing import Expr, Graph, select, tangents
from samara.tracing.kernels.evaluate import evaluate
from samara.tracing.kernels.lanes import Function, Place, Shape
from samara.tracing.kernels.native import load


def is_traceable(law: Any) -> bool:
    """Whether it is a block that answers as blocks do, and not in a way of its own."""
    return isinstance(law, Block) and type(law).__call__ is Block.__call__


#: Samples after which a law has settled that does so at all, beside those in its lines.
SETTLED = 20


class LawTangents(NamedTuple):
    """Small changes of a law: y = O x + P u, and N x + Q u is x at the next sample; x with its lines, oldest first."""

    N: np.ndarray
    Q: np.ndarray
    O: np.ndarray
    P: np.ndarray


class TracedLaw:
    """Numbers, memory and code of a block with so many signals in.

    numbers: the sample time, then those of the block. memory: what the code reads and writes, that of the block and 1
    once it has been called; then each of its lines: where in that memory its end is, which of its numbers is the
    oldest, how many these are, and the numbers.
    """

    def __init__(self, block: Block, inputs: int, step: float) -> None:
        self.block, self.inputs = block.sampled_at(step), inputs
        plain = self.block.plain()
        self.numbers = np.array([step, *(float(leaf) for leaf in plain.leaves())])
        x = plain.start(plain.filled([0.0] * inputs))
        self.size, first = len(x), len(x) - len(plain.lines)
        lines = [np.r_[float(first + k), 0.0, n, np.full(n, x[first + k])] for k, n in enumerate(plain.lines)]
        self.memory = np.concatenate([x, [0.0], *lines])

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
        n = self.size
        if memory[n] == 0.0:
            return memory
        before, after = self.with_numbers(numbers), self.with_numbers(self.numbers)
        u = after.filled(u.tolist())
        return np.r_[after.carried(before, memory[:n].tolist(), u, float(self.numbers[0])), memory[n:]]

    def tangents(self, memory: np.ndarray, u: np.ndarray) -> LawTangents:
        """Of a sample u after the memory of a law that has begun; exact, from the trace of the block."""
        block, size = self.block.plain(), self.size
        u = np.array(block.filled(u.tolist()))
        graph = Graph()
        places = [Place("lane", 0, i) for i in range(size)] + [Place("coefficient", 0, i) for i in range(u.size)]
        given = [graph.input(place) for place in places]
        read = [Expr(graph, node) for node in given]
        answers, after = block.sampled(read[:size], read[size:], float(self.numbers[0]))
        nodes = [y._numeric() if isinstance(y, Expr) else graph.const(y) for y in (*answers, *after)]
        slopes = tangents(graph, nodes, {node: {k: graph.const(1.0)} for k, node in enumerate(given)}, still=True)
        entries = [(i, k, node) for i, slope in enumerate(slopes) for k, node in slope.items()]
        wanted = [(Place("output", i, k), node) for i, k, node in entries]
        values = dict(zip(places, [*memory[:size], *u], strict=True))
        J = np.zeros((len(nodes), len(given)))
        for (i, k, _), slope in zip(entries, evaluate(Function("law", graph, wanted), values.__getitem__), strict=True):
            J[i, k] = slope
        return _with_lines(J, len(answers), size, block.lines)

    def settled(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The memory, and all answers, of a law that was called over and over with the same numbers."""
        block, given = self.block.plain(), self.block.filled(u.tolist())
        count = len(block.lines)
        x, answers = block.start(given), []
        lines = [[v] * n for n, v in zip(block.lines, x[len(x) - count :], strict=True)]
        for _ in range(SETTLED + max(block.lines, default=0)):
            y, after = block.sampled(x, given, float(self.numbers[0]))
            for line, value in zip(lines, after[len(after) - count :], strict=True):
                line[:] = [*line[1:], value]
            x = [*after[: len(after) - count], *(line[0] for line in lines)]
            answers.append(y)
        ends = [[float(self.size - count + k), 0.0, len(line), *line] for k, line in enumerate(lines)]
        return np.array([*x, 1.0, *(one for end in ends for one in end)]), np.array(answers, float)

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
        begun = read("lane", self.size) != 0.0
        x = [select(begun, read("lane", i), first) for i, first in enumerate(block.start(u))]
        answers, after = block.sampled(x, u, h)
        results = [(Place("output", 0, i), node(y)) for i, y in enumerate(answers)]
        after = [*after, 1.0]
        results += [(Place("lane", 0, i), node(value)) for i, value in enumerate(after)]
        shape = Shape(1, self.numbers.size, self.size + 1, 1, exact=True)
        law = Function("law", graph, results)
        return load(f"law of a {type(self.block).__name__}", [law], 1, shape).addresses["law"]


def _with_lines(J: np.ndarray, count: int, size: int, lines: tuple[int, ...]) -> LawTangents:
    """Derivatives J of answers and memory by memory and inputs, with every number of the lines as one of the memory."""
    own = size - len(lines)
    starts = own + np.cumsum([0, *lines])
    total = int(starts[-1])
    read, put = (np.r_[0:own, at].astype(int) for at in (starts[:-1], starts[1:] - 1))  # the oldest; the newest
    N, O, Q = np.zeros((total, total)), np.zeros((count, total)), np.zeros((total, J.shape[1] - size))
    for first, n in zip(starts, lines, strict=False):
        N[first + np.arange(n - 1), first + 1 + np.arange(n - 1)] = 1.0
    N[np.ix_(put, read)], O[:, read], Q[put] = J[count:, :size], J[:count, :size], J[count:, size:]
    return LawTangents(N, Q, O, J[:count, size:])
