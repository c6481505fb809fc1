"""Kernels of everything that depends on time and inputs alone: drives with two derivatives, and prescribed nodes.

Drives of the same structure share a kernel, as elements do: their numbers are data, so the native code does not grow
with the model. Drives with a function of t are written out together, because each function is separate code. A drive
that never changes needs no code: its value is stored in the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from samara.model import Constant, Drive, Input, ModelError, Motion, Node, Parameter, Product, Sum
from samara.model.schema.user_attributes import UNREPEATABLE, formulating, written_by_users
from samara.rotations import unskew
from samara.system.memory.blocks import ACC, ETA, POSITION, ROTATION, Coefficient
from samara.tracing import Expr, Graph, tangents
from samara.tracing.kernels.lanes import Function, Place, Shape

_T = ("t",)
Part = Drive | Node


@dataclass
class SignalKind:
    """Drives and prescribed nodes served by one kernel.

    instances: the parts of each; all have the same number and structure. Index rows: where each part's results go, then
    where each of its inputs is stored.
    """

    name: str
    function: Function
    shape: Shape
    instances: list[Sequence[Part]]


def inputs_of(parts: Sequence[Part]) -> list[Input]:
    """All inputs read, in order."""
    return [leaf for leaf in _leaves(parts) if isinstance(leaf, Input)]


def numbers_of(parts: Sequence[Part]) -> list:
    """Numbers, parameters and tables, in the order of the kernel's parameters."""
    return [leaf for leaf in _leaves(parts) if not isinstance(leaf, Input)]


def is_fixed(drive: Drive) -> bool:
    """Whether a drive is constant in time, whatever inputs or parameters change during a run."""
    if isinstance(drive, (Sum, Product)):
        return all(map(is_fixed, drive.terms if isinstance(drive, Sum) else drive.factors))
    return type(drive) is Constant and not isinstance(drive.value, Parameter)


def make_signals(drives: Sequence[Drive], prescribed: Sequence[Node], width: int) -> list[SignalKind]:
    """Kernels of all drives that may change, and of prescribed motions.

    width: lane count of the node blocks.
    """
    parts: list[Part] = [*(drive for drive in drives if not is_fixed(drive)), *prescribed]
    alike: dict[tuple, list[Sequence[Part]]] = {}
    functions: list[Part] = []
    for part in parts:
        structure = _structure(part)
        if _holds_function(structure):
            functions.append(part)
        else:
            alike.setdefault(structure, []).append([part])
    if functions:
        alike[()] = [functions]
    return [_make_kind(instances, width) for instances in alike.values()]


def trace_drive(drive: Drive) -> Graph:
    """Operations that compute a drive and its derivatives."""
    return _make_kind([[drive]], 1).function.graph


# ---- parts
def _drives(part: Part) -> Sequence[Drive]:
    if isinstance(part, Drive):
        return (part,)
    assert part.motion is not None
    return part.motion.drives


def _structure(part: Part) -> tuple:
    return (type(part), *(drive.structure() for drive in _drives(part)))


def _holds_function(structure: tuple) -> bool:
    return any(
        _holds_function(inner) if isinstance(inner, tuple) else callable(inner) and not isinstance(inner, type)
        for inner in structure
    )


def _leaves(parts: Sequence[Part]) -> Iterator:
    for part in parts:
        for drive in _drives(part):
            yield from drive.leaves()
        if isinstance(part, Node):
            yield from map(float, (*part.beginning.rotation.ravel(), *part.beginning.position))


# ---- tracing
def _make_kind(instances: list[Sequence[Part]], width: int) -> SignalKind:
    """Traces the first instance; all instances are checked."""
    for instance in instances:
        for part in instance:
            for drive in _drives(part):
                drive.validate()
            _require_repeatable(part, width)
    first = instances[0]
    k = _Tracer(first)
    outputs = [
        (Place("output", slot, position), value.id)
        for slot, part in enumerate(first)
        for position, value in k.part(part, width)
    ]
    shape = Shape(indices=len(first) + k.input_count, parameters=k.number_count, slots=len(first) + k.input_count)
    return SignalKind(_name(first), Function("signals", k.graph, outputs), shape, instances)


def _require_repeatable(part: Part, width: int) -> None:
    """Raises an error if a user's function of time gives different results when it is called again."""
    if not written_by_users(_structure(part)):
        return
    one, other = _Tracer([part]), _Tracer([part])
    for tracer in (one, other):
        list(tracer.part(part, width))
    if not one.graph.alike(other.graph):
        what = f"the motion of node {part.name!r}" if isinstance(part, Node) else f"drive {part!r}"
        raise ModelError(f"{what} {UNREPEATABLE}")


def _name(parts: Sequence[Part]) -> str:
    if len(parts) > 1:
        return "functions of time"
    return "motion" if isinstance(parts[0], Node) else f"drive {type(parts[0]).__name__}"


class _Tracer:
    """Traces the parts of an instance in turn, with their numbers as parameters."""

    def __init__(self, instance: Sequence[Part]) -> None:
        self.graph = Graph()
        self.time = self._read(Place("coefficient", 0, int(Coefficient.TIME)))
        self.input_count = self.number_count = 0
        self._next = iter([self._leaf(leaf, len(instance)) for leaf in _leaves(instance)])

    def part(self, part: Part, width: int) -> Iterator[tuple[int, Expr]]:
        """Result of a drive or a prescribed node."""
        return self.drive(part) if isinstance(part, Drive) else self.motion(part, width)

    def drive(self, drive: Drive) -> Iterator[tuple[int, Expr]]:
        """Value, rate and second derivative."""
        value = np.array([self._value(drive)], dtype=object)
        rate = self._rate(value)
        return enumerate([value[0], rate[0], self._rate(rate)[0]])

    def motion(self, node: Node, width: int) -> Iterator[tuple[int, Expr]]:
        """Pose, twist and acceleration of a prescribed node, in the layout of its block."""
        values = np.array([self._value(drive) for drive in _drives(node)], dtype=object)
        begun = np.array([next(self._next) for _ in range(12)], dtype=object)
        R, p = Motion.pose(begun[:9].reshape(3, 3), begun[9:], values)
        twist = np.concatenate([R.T @ self._rate(p), unskew(R.T @ self._rate(R))])
        for first, found in ((ROTATION, R), (POSITION, p), (ETA, twist), (ACC, self._rate(twist))):
            for i, value in enumerate(np.ravel(found)):
                yield (first + i) * width, self._lift(value)

    def _read(self, place: Place) -> Expr:
        return Expr(self.graph, self.graph.input(place))

    def _leaf(self, leaf, parts: int) -> Expr:
        if isinstance(leaf, Input):
            self.input_count += 1
            return self._read(Place("flat", parts + self.input_count - 1, 0))
        self.number_count += 1
        return self._read(Place("parameter", 0, self.number_count - 1))

    def _value(self, drive: Drive) -> Expr:
        """Value of the drive at the kernel's time."""
        twin = drive.rebuild(self._next)
        with formulating():
            return self._lift(twin(self.time))

    def _lift(self, value) -> Expr:
        return value if isinstance(value, Expr) else Expr(self.graph, self.graph.const(value))

    def _rate(self, values) -> np.ndarray:
        """Time derivatives."""
        flat = [self._lift(v) for v in np.ravel(values)]
        found = tangents(self.graph, [v.id for v in flat], {self.time.id: {_T: self.graph.const(1.0)}})
        result = np.empty(len(flat), dtype=object)
        result[:] = [Expr(self.graph, t[_T]) if _T in t else self._lift(0.0) for t in found]
        return result.reshape(np.shape(values))
