"""Long trees: kernels by kind of segment, called along the tree, instead of one kernel for all of it.

Segments of the same freedom, with as many children, the same frames and the same bodies are of one kind, and share
three functions; native code of a chain of a thousand links is then that of a handful of segments. Each segment has a
tile of numbers beside the tree's block, W instances abreast:

    outward   from the parent's twist: pose against the parent, twist, acceleration that is known
    inward    from the children: inertia without the freedom and force, both as the parent sees them
    back      from the parent's acceleration: own acceleration, rates of the speeds

Neighbours of one kind are treated in one call. Kinds that differ in numbers alone are merged where there are many of
them: the numbers are then read, not folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.geometry.freedoms import JointFreedom
from samara.model import Node
from samara.recursive.dynamics.articulated import Hinge, handed_on, hinge_rates, take_out
from samara.recursive.dynamics.inertia import Inertia, body_bias, nothing, symmetric
from samara.recursive.dynamics.recursion import carried_on, own_twist
from samara.recursive.dynamics.spatial import twist_cross, wrench_from
from samara.recursive.graph.block import TreeBlock
from samara.recursive.tree import Segment, Tree
from samara.rotations import Pose, compose_poses
from samara.rotations.scalars import Scalar, Vector
from samara.tracing import Expr, Graph
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import Function, Place, Shape

#: Kinds that a tree may have before those that differ in numbers alone are merged.
MOST_KINDS = 12
#: Numbers of a tile, and where they begin.
POSE, TWIST, KNOWN, LOAD, INERTIA, FORCE, HINGE, LEFT, ACCELERATION, SIZE = (
    0, 12, 18, 24, 30, 51, 57, 84, 87, 93,
)  # fmt: skip
#: Slots of the index rows: own tile, parent's tile, coordinates, speeds, known rates of speeds, efforts, results, then
#: the children's tiles.
OWN, PARENT, Q, S, S_DOT, EFFORT, RESULT, CHILDREN = range(8)
UPPER = [(i, j) for i in range(3) for j in range(i, 3)]


@dataclass(frozen=True)
class _Role:
    """What segments of a kind have in common beside numbers."""

    freedom: str
    axis: int
    sign: float
    free: bool
    prescribed: str  # "", "drive" or "rate"
    floating: bool
    rooted: bool  # whether its parent is the base
    children: int
    heavy: bool  # whether bodies are fixed to it


@dataclass(frozen=True)
class _Numbers:
    """Numbers of a segment: pose of its inner frame, pitch, scale and offset of its drive, mass, centre, inertia."""

    values: tuple[float, ...]

    @staticmethod
    def names() -> int:
        return 12 + 3 + 10


class LongTree:
    """The kernels of a long tree, and in which order they are called.

    base: of a tree on the ground alone: nothing below it moves, gravity is the same everywhere and constant.
    """

    def __init__(
        self, tree: Tree, block: TreeBlock, bodies: Sequence[tuple[int, Any]], gravity: np.ndarray, width: int = 1
    ) -> None:
        self.tree, self.block, self.width = tree, block, width
        self.gravity = gravity
        self._bodies = _merged(bodies)
        self._children: list[list[int]] = [[] for _ in tree.segments]
        for segment in tree.segments:
            if segment.parent >= 0:
                self._children[segment.parent].append(segment.number)
        self.first_tile = block.size
        self.size = block.size + SIZE * len(tree.segments)
        kinds = [(self._role(s), self._numbers(s)) for s in tree.segments]
        self._folded = len(set(kinds)) <= MOST_KINDS
        self._kinds = kinds if self._folded else [(role, _Numbers(())) for role, _ in kinds]
        self._all_numbers = [numbers for _, numbers in kinds]
        self._loaded: dict[Any, native.Loaded] = {}
        self._kept: list[np.ndarray] = []
        self.outward_calls = 0
        self.program = self._program()

    @property
    def kinds(self) -> int:
        """How many kinds of segments there are."""
        return len(set(self._kinds))

    # ---- what a segment is
    def _role(self, s: Segment) -> _Role:
        prescribed = "drive" if s.drive is not None else "rate" if s.rate is not None else ""
        f = s.freedom
        return _Role(
            f.kind, f.axis, s.sign, s.free, prescribed, s.floating, s.parent < 0, len(self._children[s.number]),
            s.number in self._bodies,
        )  # fmt: skip

    def _numbers(self, s: Segment) -> _Numbers:
        fixed = s.fixed
        if s.parent < 0:
            start = s.base.start
            fixed = compose_poses(Pose(start.rotation, start.position), fixed)
        mass, com, J = self._bodies.get(s.number, (0.0, np.zeros(3), np.zeros((3, 3))))
        inertia = [J[i, j] for i, j in UPPER]
        values = (*fixed.R.ravel(), *fixed.p, s.freedom.pitch, s.scale, s.offset, mass, *com, *inertia)
        return _Numbers(tuple(float(x) for x in values))

    def tile(self, number: int) -> int:
        """Where the tile of a segment begins."""
        return self.first_tile + SIZE * number

    def load(self, number: int) -> int:
        """Where the load on a segment lies, what its equation receives: force, moment, in outer axes."""
        return self.tile(number) + LOAD

    # ---- the program
    def _program(self) -> np.ndarray:
        """Rows (address, groups, indices, parameters), in the order of the calls."""
        rows: list[tuple[int, int, int, int]] = []
        outward = list(range(len(self.tree.segments)))
        for name, order in (("outward", outward), ("inward", outward[::-1]), ("back", outward)):
            for kind, numbers in _runs(order, self._kinds):
                loaded = self._kernel(kind, numbers[0])
                indices = self._keep(np.array([self._indices(n) for n in numbers], np.uint32))
                parameters = self._keep(self._parameters(numbers))
                rows.append((loaded.addresses[name], len(numbers), indices.ctypes.data, parameters.ctypes.data))
                self.outward_calls += name == "outward"
        return np.array(rows, np.int64)

    def _keep(self, array: np.ndarray) -> np.ndarray:
        array = np.ascontiguousarray(array)
        self._kept.append(array)
        return array

    def _indices(self, number: int) -> np.ndarray:
        """Of one segment, shape (slots, W): the first lane is what tiles are found by."""
        s, at, w = self.tree.segments[number], self.block, self.width
        q, speed, rate = at.coordinates + s.q, at.speeds + s.v, 0
        if s.drive is not None:
            q, speed, rate = at.drive(s.drive), at.drive(s.drive) + 1, at.drive(s.drive) + 2
        elif s.rate is not None:
            speed, rate = at.drive(s.rate), at.drive(s.rate) + 1
        parent = self.tile(s.parent) if s.parent >= 0 else 0
        effort, result = (at.efforts + s.v, at.results + s.v) if s.free else (0, 0)
        places = [self.tile(number), parent, q, speed, rate, effort, result]
        places += [self.tile(child) for child in self._children[number]]
        return np.repeat(np.array(places)[:, None] * w, w, axis=1)

    def _parameters(self, numbers: Sequence[int]) -> np.ndarray:
        """Of segments, shape (segments, parameters, W)."""
        if self._folded:
            return np.zeros((1, 1, 1))
        values = np.array([self._all_numbers[n].values for n in numbers])
        return np.repeat(values[:, :, None], self.width, axis=2)

    def _kernel(self, kind: tuple[_Role, _Numbers], number: int) -> native.Loaded:
        if kind not in self._loaded:
            role = kind[0]
            traced = _Kind(role, self._all_numbers[number].values if self._folded else None, self.gravity)
            slots = CHILDREN + role.children
            shape = Shape(indices=slots, parameters=0 if self._folded else _Numbers.names(), slots=slots)
            functions = [traced.outward(), traced.inward(), traced.back()]
            self._loaded[kind] = native.load(f"tree segment {role.freedom}", functions, self.width, shape)
        return self._loaded[kind]


def _runs(order: Sequence[int], kinds: Sequence[Any]) -> Iterator[tuple[Any, list[int]]]:
    """Neighbours of one kind."""
    run: list[int] = []
    for number in order:
        if run and kinds[number] != kinds[run[-1]]:
            yield kinds[run[-1]], run
            run = []
        run.append(number)
    if run:
        yield kinds[run[-1]], run


def _merged(bodies: Sequence[tuple[int, Any]]) -> dict[int, tuple[float, np.ndarray, np.ndarray]]:
    """Mass, centre of mass and inertia about it of all that is fixed to each segment."""
    found: dict[int, tuple[float, np.ndarray, np.ndarray]] = {}
    for number, (mass, com, J) in bodies:
        new = float(mass), np.asarray(com, float), np.asarray(J, float)
        if number in found:
            old, total = found[number], found[number][0] + new[0]
            centre = (old[0] * old[1] + new[0] * new[1]) / total
            J_sum = np.zeros((3, 3))
            for m, c, J_own in (old, new):
                d = c - centre
                J_sum += J_own + m * (np.dot(d, d) * np.eye(3) - np.outer(d, d))
            new = total, centre, J_sum
        found[number] = new
    return found


class _Kind:
    """The three functions of a kind of segment, as graphs."""

    def __init__(self, role: _Role, values: tuple[float, ...] | None, gravity: np.ndarray) -> None:
        self.role, self.gravity = role, gravity
        self.graph = Graph()
        numbers = [self._input("parameter", 0, k) for k in range(_Numbers.names())] if values is None else list(values)
        x = np.array(numbers, dtype=object)
        self.fixed = Pose(x[:9].reshape(3, 3), x[9:12])
        self.pitch, self.scale, self.offset = x[12:15]
        self.mass, self.com = x[15], x[16:19]
        self.J = symmetric(lambda i, j: x[19 + UPPER.index((i, j))])
        # a segment like those of the kind, for the functions that ask for one
        pitch = self.pitch if role.freedom == "screw" else 0.0
        freedom = JointFreedom(role.freedom, "", role.axis, pitch)  # type: ignore[arg-type]
        node: Node = None  # type: ignore[assignment]
        self.segment = Segment(0, -1, node, self.fixed, freedom, None, node, role.sign)

    # ---- reading and writing
    def _input(self, kind: str, slot: int, position: int) -> Expr:
        return Expr(self.graph, self.graph.input(Place(kind, slot, position)))

    def _read(self, slot: int, first: int, count: int) -> np.ndarray:
        return np.array([self._input("tile", slot, first + k) for k in range(count)], dtype=object)

    def _write(self, slot: int, first: int, values: Any) -> list[tuple[Place, int]]:
        flat = [v if isinstance(v, Expr) else Expr(self.graph, self.graph.const(float(v))) for v in np.ravel(values)]
        return [(Place("tile", slot, first + k), v.id) for k, v in enumerate(flat)]

    def _pair(self, slot: int, first: int) -> tuple[Vector, Vector]:
        x = self._read(slot, first, 6)
        return x[:3], x[3:]

    def _inertia(self, slot: int) -> Inertia:
        x = self._read(slot, INERTIA, 21)
        M = symmetric(lambda i, j: x[UPPER.index((i, j))])
        J = symmetric(lambda i, j: x[15 + UPPER.index((i, j))])
        return Inertia(M, x[6:15].reshape(3, 3), J)

    # ---- functions
    def outward(self) -> Function:
        role, segment = self.role, self.segment
        q = list(self._read(Q, 0, segment.freedom.coordinates))
        speed = list(self._read(S, 0, segment.freedom.speeds))
        if role.prescribed == "drive":
            q, speed = [self.scale * q[0] + self.offset], [self.scale * speed[0]]
        elif role.prescribed == "rate":
            speed = [self.scale * speed[0]]
        moved = segment.freedom.pose(q if role.freedom == "ball" else [role.sign * q[0]])
        pose = compose_poses(self.fixed, moved)
        v, w = (np.zeros(3), np.zeros(3)) if role.rooted else carried_on(pose, *self._pair(PARENT, TWIST))
        rate = (np.zeros(3), np.zeros(3)) if role.floating else own_twist(segment, speed)
        v, w = v + rate[0], w + rate[1]
        known = twist_cross((v, w), rate)
        if role.prescribed:
            more = own_twist(segment, [self.scale * self._read(S_DOT, 0, 1)[0]])
            known = known[0] + more[0], known[1] + more[1]
        outputs = self._write(OWN, POSE, [*pose.R.ravel(), *pose.p])
        outputs += self._write(OWN, TWIST, [*v, *w]) + self._write(OWN, KNOWN, [*known[0], *known[1]])
        return Function("outward", self.graph, outputs)

    def inward(self) -> Function:
        role, segment = self.role, self.segment
        x = self._read(OWN, POSE, 12)
        pose = Pose(x[:9].reshape(3, 3), x[9:])
        known, force = self._pair(OWN, KNOWN), self._pair(OWN, LOAD)
        inertia = nothing()
        if role.heavy:
            v, w = self._pair(OWN, TWIST)
            inertia = Inertia.of_body(self.mass, self.com, self.J)
            need = body_bias(self.mass, self.com, self.J, v, w)
            force = force[0] + need[0], force[1] + need[1]
        for child in range(role.children):
            inertia = inertia + self._inertia(CHILDREN + child)
            pushed, turned = self._pair(CHILDREN + child, FORCE)
            force = force[0] + pushed, force[1] + turned
        outputs: list[tuple[Place, int]] = []
        if role.free:
            hinge, inertia = take_out(segment, inertia)
            left, force = handed_on(
                segment, hinge, force, list(self._read(EFFORT, 0, segment.freedom.speeds)), inertia.times(*known)
            )
            flat = [*np.ravel(hinge.linear), *np.ravel(hinge.angular), *np.ravel(hinge.inverse)]
            outputs += self._write(OWN, HINGE, flat) + self._write(OWN, LEFT, np.ravel(left))
        else:
            gained = inertia.times(*known)
            force = force[0] + gained[0], force[1] + gained[1]
        if not role.rooted:
            seen = inertia.seen_from(pose.R, pose.p)
            flat = [seen.M[i, j] for i, j in UPPER] + list(seen.H.ravel()) + [seen.J[i, j] for i, j in UPPER]
            outputs += self._write(OWN, INERTIA, flat)
            outputs += self._write(OWN, FORCE, np.concatenate(wrench_from(pose, *force)))
        return Function("inward", self.graph, outputs)

    def back(self) -> Function:
        role, segment = self.role, self.segment
        x = self._read(OWN, POSE, 12)
        pose = Pose(x[:9].reshape(3, 3), x[9:])
        if role.rooted:  # against free fall: the base falls upward
            dv, dw = pose.R.T @ -self.gravity, np.zeros(3)
        else:
            dv, dw = carried_on(pose, *self._pair(PARENT, ACCELERATION))
        known = self._pair(OWN, KNOWN)
        dv, dw = dv + known[0], dw + known[1]
        outputs: list[tuple[Place, int]] = []
        if role.free:
            rates = hinge_rates(segment, self._hinge(), self._left(), dv, dw)
            more = own_twist(segment, rates)
            dv, dw = dv + more[0], dw + more[1]
            outputs += self._write(RESULT, 0, rates)
        outputs += self._write(OWN, ACCELERATION, [*dv, *dw])
        return Function("back", self.graph, outputs)

    def _hinge(self) -> Hinge:
        if self.role.freedom == "ball":
            linear, angular, inverse = self._read(OWN, HINGE, 27).reshape(3, 3, 3)
            return Hinge(linear, angular, inverse, None)
        x = self._read(OWN, HINGE, 7)
        return Hinge(x[:3], x[3:6], x[6], None)

    def _left(self) -> Scalar:
        return self._read(OWN, LEFT, 3) if self.role.freedom == "ball" else self._read(OWN, LEFT, 1)[0]
