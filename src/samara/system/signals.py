"""One kernel for all that follows from time alone: drives with two derivatives, and prescribed nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from samara.model import Drive, Input, Motion, Node
from samara.rotations import unskew
from samara.system.blocks import ACC, ETA, POSITION, ROTATION, Coefficient
from samara.tracing import Expr, Graph, tangents
from samara.tracing.lanes import Function, Place, Shape

_T = ("t",)


@dataclass
class Signals:
    """Graph of the drives of a model. Index rows: [signals, inputs, a prescribed node each]."""

    function: Function
    leaves: list  # numbers, parameters and tables in the order of the kernel's parameters
    inputs: list[Input]
    shape: Shape


class _Tracer:
    def __init__(self) -> None:
        self.graph = Graph()
        self.time = Expr(self.graph, self.graph.input(Place("coefficient", 0, int(Coefficient.TIME))))
        self.leaves: list = []
        self.inputs: list[Input] = []
        self._values: dict[int, Expr] = {}

    def lift(self, value) -> Expr:
        return value if isinstance(value, Expr) else Expr(self.graph, self.graph.const(value))

    def value(self, drive: Drive) -> Expr:
        """The drive at the kernel's time, its numbers as parameters."""
        if id(drive) not in self._values:
            drive.validate()
            twin = drive.rebuild(iter([self._leaf(leaf) for leaf in drive.leaves()]))
            self._values[id(drive)] = self.lift(twin(self.time))
        return self._values[id(drive)]

    def _leaf(self, leaf) -> Expr:
        if isinstance(leaf, Input):
            if leaf not in self.inputs:
                self.inputs.append(leaf)
            return Expr(self.graph, self.graph.input(Place("flat", 1, self.inputs.index(leaf))))
        self.leaves.append(leaf)
        return Expr(self.graph, self.graph.input(Place("parameter", 0, len(self.leaves) - 1)))

    def rate(self, values) -> np.ndarray:
        """Derivatives by time."""
        flat = [self.lift(v) for v in np.ravel(values)]
        found = tangents(self.graph, [v.id for v in flat], {self.time.id: {_T: self.graph.const(1.0)}})
        result = np.empty(len(flat), dtype=object)
        result[:] = [Expr(self.graph, t[_T]) if _T in t else self.lift(0.0) for t in found]
        return result.reshape(np.shape(values))


def make_signals(drives: Sequence[Drive], prescribed: Sequence[Node], width: int) -> Signals:
    """Traces all drives and prescribed motions of a model; `width` is the lane count of the node blocks."""
    k = _Tracer()
    outputs: list[tuple[Place, int]] = []
    for s, drive in enumerate(drives):
        value = np.array([k.value(drive)], dtype=object)
        rate = k.rate(value)
        for i, v in enumerate((value, rate, k.rate(rate))):
            outputs.append((Place("output", 0, 3 * s + i), v[0].id))
    for j, node in enumerate(prescribed):
        for first, values in _prescribed(k, node):
            outputs += [
                (Place("output", 2 + j, (first + i) * width), k.lift(v).id) for i, v in enumerate(np.ravel(values))
            ]
    shape = Shape(indices=2 + len(prescribed), parameters=len(k.leaves), slots=2 + len(prescribed))
    return Signals(Function("signals", k.graph, outputs), k.leaves, k.inputs, shape)


def _prescribed(k: _Tracer, node: Node):
    """Pose, twist and acceleration of a prescribed node, in the layout of its block."""
    assert node.motion is not None
    values = np.array([k.value(d) for d in node.motion.drives], dtype=object)
    flat = [k._leaf(float(x)) for x in (*node.beginning.rotation.ravel(), *node.beginning.position)]
    R0, p0 = np.array(flat[:9], dtype=object).reshape(3, 3), np.array(flat[9:], dtype=object)
    R, p = Motion.pose(R0, p0, values)
    twist = np.concatenate([R.T @ k.rate(p), unskew(R.T @ k.rate(R))])
    return [(ROTATION, R), (POSITION, p), (ETA, twist), (ACC, k.rate(twist))]
