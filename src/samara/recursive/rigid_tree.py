"""The dynamics of a tree for users: forward and inverse dynamics, mass matrix, Jacobians, derivatives, batches."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from samara.model import ArgumentError, Model, Node
from samara.recursive import functions
from samara.recursive.compiled import CompiledTree
from samara.recursive.functions import Asked
from samara.recursive.reading import read_nodes
from samara.recursive.tree import Tree
from samara.rotations import Pose, euler_from_rotation, rotation_x, rotation_y, rotation_z
from samara.system.calls import callable_at
from samara.system.memory import aligned_zeros
from samara.system.system import System
from samara.tracing import native


class Derivatives(NamedTuple):
    """Of the rates of the speeds: by coordinates (moved as speeds move them), by speeds, by efforts, shape (n, n).

    inputs: by each input of the model, {name: n numbers}; what drives make of an input is found by differences.
    """

    coordinates: np.ndarray
    speeds: np.ndarray
    efforts: np.ndarray
    inputs: dict[str, np.ndarray]


#: Change of an input by which is found what drives make of it: those are mostly linear in it.
INPUT_STEP = 1e-3
#: Of the matrix from the rates of Euler angles to the angular velocity: a determinant below it is gimbal lock.
LOCKED = 1e-6


class _Kernel:
    """A function of a tree, W instances abreast."""

    def __init__(self, asked: Asked, width: int) -> None:
        loaded = native.load(f"tree {asked.function.name}", [asked.function], width, asked.shape)
        self.asked, self.width = asked, width
        self._call = callable_at(loaded.addresses[asked.function.name])
        self._single = aligned_zeros(asked.shape.block)  # room of one state, kept: making it takes longer than its use
        self._place = self._single.ctypes.data
        self._known: tuple = ()  # arrays of the last call of one state, and where they are

    def __call__(self, rows: np.ndarray, parameters: np.ndarray, tables: np.ndarray) -> np.ndarray:
        """Results of each row of inputs, shape (rows, outputs)."""
        count, w = len(rows), self.width
        if count == w == 1:
            self._single[: self.asked.inputs] = rows[0]
            if not self._known or self._known[0] is not parameters or self._known[1] is not tables:
                self._known = (parameters, tables, parameters.ctypes.data, tables.ctypes.data)
            self._call(1, self._place, self._place, self._known[2], self._place, self._known[3], *[self._place] * 2)
            return self._single[None, self.asked.inputs :].copy()
        groups = -(-count // w)
        tile = aligned_zeros((groups, self.asked.shape.block, w))
        padded = np.concatenate([rows, np.repeat(rows[-1:], groups * w - count, axis=0)])
        tile[:, : self.asked.inputs] = padded.reshape(groups, w, -1).swapaxes(1, 2)
        par = np.tile(parameters[None, :, None], (groups, 1, w)).copy()
        state = tile.ctypes.data
        self._call(groups, state, state, par.ctypes.data, state, tables.ctypes.data, state, state)
        return tile[:, self.asked.inputs :].swapaxes(1, 2).reshape(groups * w, -1)[:count]


class RigidTree:
    """A model whose bodies and joints form a tree, in its degrees of freedom.

        H(q) s_dot + h(q, s) = efforts

    q: coordinates, as joints report them (angles [rad], lengths [m]); of a ball the unit quaternion (w, x, y, z) of its
    outer frame against its inner one; of a base that floats its position in world axes [m] and its quaternion.
    s: speeds, as many as degrees of freedom: rates of the coordinates; of a ball its angular velocity in outer axes
    [rad/s]; of a base that floats its velocity in world axes [m/s] and its angular velocity in its own.
    h: gyroscopic forces, weights, and all loads of the model, with drives as at `time`.

    All functions take one state or many, of shape (count, ...), and compute those several at a time.

    model: a `Model`, or a `System` of it. cut: names of joints that close loops: forward dynamics and its derivatives
    hold them closed, while H, h and the Jacobians are those of the tree without them.
    base: name of the node that a part which floats is described from.
    """

    def __init__(self, model: Model | System, *, cut: Sequence[str] = (), base: str | None = None) -> None:
        self.system = model if isinstance(model, System) else System(model)
        self.model = self.system.model
        self.tree = Tree(self.model, cut=cut, base=base)
        self._compiled = CompiledTree(self.tree, self.system, by_kind=False)
        self._kernels: dict[tuple[str, int], _Kernel] = {}
        first = self._compiled.places.coordinates
        self._balls = [(s.name, first + s.q) for s in self.tree.segments if s.freedom.kind == "ball"]
        read_nodes(self._compiled)

    # ---- what there is
    @property
    def coordinate_names(self) -> list[str]:
        """Of q, in order."""
        return self.tree.coordinate_names

    @property
    def speed_names(self) -> list[str]:
        """Of s, in order: the degrees of freedom."""
        return self.tree.speed_names

    @property
    def operations(self) -> int:
        """Arithmetic operations of one forward dynamics."""
        return self._compiled.operations["forward"]

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """q and s where the model starts, as described: joints that are open there are not closed first."""
        return self._compiled.coordinates.copy(), self._compiled.speeds.copy()

    def rest(self) -> tuple[np.ndarray, np.ndarray]:
        """q and s where every joint is at zero."""
        q = np.zeros(self.tree.coordinates)
        for segment in self.tree.segments:
            if segment.freedom.kind == "ball":
                q[segment.q] = 1.0
        return q, np.zeros(self.tree.speeds)

    def integrate(self, q: Any, ds: Any) -> np.ndarray:
        """q moved by ds, as speeds would move it in unit time: angles and lengths added, balls turned."""
        q, ds = np.array(q, float), np.asarray(ds, float)
        for s in self.tree.free_segments:
            if s.freedom.kind == "ball":
                q[..., s.q : s.q + 4] = _turned(q[..., s.q : s.q + 4], ds[..., s.v : s.v + 3])
            else:
                q[..., s.q] += ds[..., s.v]
        return q

    # ---- dynamics
    def forward_dynamics(
        self, q: Any, s: Any, efforts: Any = None, *, time: float = 0.0, inputs: Mapping[str, float] | None = None
    ) -> np.ndarray:
        """s_dot, from coordinates, speeds and efforts on the freedoms [N, N m]."""
        rows, single = self._rows(q, s, efforts, time, inputs)
        found = self._run("forward", rows)[:, : self.tree.speeds]
        return found[0] if single else found

    def inverse_dynamics(
        self, q: Any, s: Any, rates: Any, *, time: float = 0.0, inputs: Mapping[str, float] | None = None
    ) -> np.ndarray:
        """Efforts that make these rates of the speeds."""
        rows, single = self._rows(q, s, None, time, inputs)
        at = self._compiled.places.results
        self._put(rows, at, self.tree.speeds, "rates", rates)
        self._require_finite(rows, at, at + self.tree.speeds, ("rates",))
        found = self._run("inverse", rows)
        return found[0] if single else found

    def mass_matrix(self, q: Any, *, time: float = 0.0) -> np.ndarray:
        """H, shape (n, n)."""
        return self._matrix("mass_matrix", q, None, time)

    def coriolis(self, q: Any, s: Any, *, time: float = 0.0) -> np.ndarray:
        """C, shape (n, n): C s is the gyroscopic part of h, and H_dot - 2 C is skew-symmetric."""
        return self._matrix("coriolis", q, s, time)

    def bias(self, q: Any, s: Any, *, time: float = 0.0, inputs: Mapping[str, float] | None = None) -> np.ndarray:
        """h: efforts that would keep all speeds as they are."""
        rows, single = self._rows(q, s, None, time, inputs)
        found = self._run("bias", rows)
        return found[0] if single else found

    def jacobian(self, node: Node | str, q: Any, s: Any = None, *, time: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """J and J_dot of a node, shape (6, n): its twist (v, w) in its own axes is J s, where nothing is driven."""
        node = self._node(node)
        rows, single = self._rows(q, s, None, time, None)
        found = self._run(f"jacobian {node.name}", rows, lambda graph: functions.jacobian(graph, node))
        J, J_dot = np.moveaxis(found.reshape(len(rows), 2, 6, self.tree.speeds), 1, 0)
        return (J[0], J_dot[0]) if single else (J, J_dot)

    def frame(self, node: Node | str, q: Any, s: Any = None, *, time: float = 0.0) -> tuple[Pose, np.ndarray]:
        """Pose of a node in the world, and its twist against the world in its own axes."""
        node = self._node(node)
        rows, single = self._rows(q, s, None, time, None)
        found = self._run(f"frame {node.name}", rows, lambda graph: functions.frame(graph, node))
        R, p, twist = found[:, :9].reshape(-1, 3, 3), found[:, 9:12], found[:, 12:]
        return (Pose(R[0], p[0]), twist[0]) if single else (Pose(R, p), twist)

    def euler_angles(
        self, node: Node | str, q: Any, s: Any = None, *, order: str = "ZYX", time: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Euler angles of a node in the world, and their rates [rad, rad/s]; upper case letters: about its own axes.

        The tree itself has no such angles, and no attitude at which it fails. Angles do: near gimbal lock, where the
        first and the last axis fall together, they are refused, for their rates are infinite there.
        """
        node = self._node(node)
        pose, twist = self.frame(node, q, s, time=time)
        if pose.R.ndim > 2:
            raise ArgumentError("euler_angles: give one state")
        if order != order.upper():
            raise ArgumentError(f"euler_angles: order must be upper case letters, such as 'ZYX', got {order!r}")
        angles = np.asarray(euler_from_rotation(order, pose.R))
        turns = [(rotation_x, rotation_y, rotation_z)["XYZ".index(c)](a) for c, a in zip(order, angles, strict=True)]
        axes = [np.eye(3)["XYZ".index(c)] for c in order]
        E = np.column_stack([turns[2].T @ turns[1].T @ axes[0], turns[2].T @ axes[1], axes[2]])
        if abs(np.linalg.det(E)) < LOCKED:
            raise ArgumentError(
                f"euler_angles: node {node.name!r} is in gimbal lock: with the second angle at "
                f"{np.degrees(angles[1]):.4g} deg the first and the last of {order} turn about one axis, and their "
                "rates are not determined; take another order, or the rotation matrix of `frame`"
            )
        return angles, np.linalg.solve(E, twist[3:])

    def derivatives(
        self, q: Any, s: Any, efforts: Any = None, *, time: float = 0.0, inputs: Mapping[str, float] | None = None
    ) -> Derivatives:
        """Exact derivatives of `forward_dynamics` at one state; directions are computed several at a time."""
        rows, single = self._rows(q, s, efforts, time, inputs)
        if not single:
            raise ArgumentError("derivatives: give one state")
        n, directions = self.tree.speeds, self._directions()
        fed = self._drives_by_inputs(time)
        wide = np.hstack([np.repeat(rows, len(directions) + len(fed), axis=0), np.vstack([directions, *fed.values()])])
        found = self._run("along", wide)[:, :n].T
        by_inputs = dict(zip(fed, found[:, 3 * n :].T, strict=True))
        return Derivatives(found[:, :n], found[:, n : 2 * n], found[:, 2 * n : 3 * n], by_inputs)

    def _directions(self) -> np.ndarray:
        """Of each coordinate, speed and effort, as `functions.along` takes them, shape (3 n, ...)."""
        graph, at, n = self._compiled.graph, self._compiled.places, self.tree.speeds
        moving, balls = [place for place, *_ in graph.moving()], [place for place, _ in graph.balls()]
        efforts = len(moving) + 3 * len(balls)
        found = np.zeros((3 * n, efforts + n + at.drive_count))
        for s in self.tree.free_segments:
            q = at.coordinates + s.q
            ball = s.freedom.kind == "ball"
            first = len(moving) + 3 * balls.index(q) if ball else moving.index(q)
            for k in range(s.freedom.speeds):
                found[s.v + k, first + k] = 1.0
                found[n + s.v + k, moving.index(at.speeds + s.v + k)] = 1.0
                found[2 * n + s.v + k, efforts + s.v + k] = 1.0
        return found

    def _drives_by_inputs(self, time: float) -> dict[str, np.ndarray]:
        """Directions of the inputs: what drives change by with each. Central differences, for drives smooth in them."""
        system, at = self.system, self._compiled.places
        places = [system.layout.signal(drive) for drive in at.drives]
        size = len(self._directions()[0])
        found = {}
        for name, k in system.layout.input_index.items():
            here, values = float(system.state.inputs[k]), []
            for sign in (1.0, -1.0):
                system.set_input(name, here + sign * INPUT_STEP)
                system.state.set_time(time)
                values.append(system.arrays.state[places].copy())
            system.set_input(name, here)
            system.state.set_time(time)
            found[name] = np.zeros(size)
            found[name][size - at.drive_count :] = (values[0] - values[1]) / (2.0 * INPUT_STEP)
        return found

    # ---- calls
    def _matrix(self, name: str, q: Any, s: Any, time: float) -> np.ndarray:
        rows, single = self._rows(q, s, None, time, None)
        found = self._run(name, rows).reshape(len(rows), self.tree.speeds, self.tree.speeds)
        return found[0] if single else found

    def _run(self, name: str, rows: np.ndarray, make: Callable | None = None) -> np.ndarray:
        width = native.native_width() if len(rows) > 1 else 1
        if (name, width) not in self._kernels:
            asked = self._asked(name) if make is None else make(self._compiled.graph)
            self._kernels[name, width] = _Kernel(asked, width)
        return self._kernels[name, width](rows, self._compiled.parameters, self.system.arrays.tables)

    @functools.cache  # noqa: B019
    def _asked(self, name: str) -> Asked:
        return getattr(functions, name)(self._compiled.graph)

    def _node(self, node: Node | str) -> Node:
        name = node.name if isinstance(node, Node) else node
        if name not in self.tree.attached:
            known = ", ".join(self.tree.attached)
            raise ArgumentError(f"RigidTree: model {self.model.name!r} has no node {name!r} (it has: {known})")
        return self.model.nodes[name]

    def _rows(
        self, q: Any, s: Any, efforts: Any, time: float, inputs: Mapping[str, float] | None
    ) -> tuple[np.ndarray, bool]:
        """Blocks of one state or several; whether it is one."""
        tree, at = self.tree, self._compiled.places
        q = np.asarray(q, float)
        single = q.ndim == 1
        rows = np.empty((1 if single else len(q), at.size))
        rows[:] = self._compiled.block
        self._put(rows, at.coordinates, tree.coordinates, "q", q)
        self._put(rows, at.speeds, tree.speeds, "s", 0.0 if s is None else s)
        self._put(rows, at.efforts, tree.speeds, "efforts", 0.0 if efforts is None else efforts)
        self._require_finite(rows, at.coordinates, at.states, ("q", "s", "efforts"))
        self._check_balls(rows)
        for name, value in (inputs or {}).items():
            self.system.set_input(name, value)
        rows[:, at.time] = self._set_time(time)
        copies = self._compiled.copies
        if len(copies):
            rows[:, copies[:, 1]] = self.system.arrays.state[copies[:, 0]]
        return rows, single

    def _set_time(self, time: float) -> float:
        """Drives and prescribed nodes at a time [s], where there are any."""
        if len(self._compiled.copies) or not math.isfinite(time):  # the state says what is wrong with it
            self.system.state.set_time(time)
        return time

    @staticmethod
    def _put(rows: np.ndarray, first: int, size: int, what: str, given: Any) -> None:
        """Into all rows, checked to be as many as there must be; one number stands for all."""
        array = np.asarray(given, float)
        if array.ndim and array.shape[-1] != size:
            raise ArgumentError(
                f"RigidTree: {what} must have {size} numbers, got {array.shape[-1]}: see coordinate_names, speed_names"
            )
        try:
            rows[:, first : first + size] = array
        except ValueError:
            raise ArgumentError(
                f"RigidTree: {what} must be of shape ({len(rows)}, {size}), got {array.shape}"
            ) from None

    def _require_finite(self, rows: np.ndarray, first: int, end: int, names: Sequence[str]) -> None:
        if np.isfinite(rows[:, first:end]).all():
            return
        sizes = {"q": self.tree.coordinates}
        for name in names:
            size = sizes.get(name, self.tree.speeds)
            if not np.isfinite(rows[:, first : first + size]).all():
                raise ArgumentError(f"RigidTree: {name} must be finite")
            first += size

    def _check_balls(self, rows: np.ndarray) -> None:
        for name, at in self._balls:
            q = rows[:, at : at + 4]
            sizes = [math.hypot(*q[0].tolist())] if len(q) == 1 else np.linalg.norm(q, axis=1).tolist()
            if max(sizes) > 1.0 + 1e-6 or min(sizes) < 1.0 - 1e-6:
                raise ArgumentError(f"RigidTree: {name} is a quaternion (w, x, y, z) of length 1, got {max(sizes):g}")


def _turned(q: np.ndarray, theta: np.ndarray) -> np.ndarray:
    """Quaternions turned by rotation vectors in their outer axes."""
    angle = np.linalg.norm(theta, axis=-1, keepdims=True)
    half = 0.5 * angle
    s = 0.5 * np.sinc(half / np.pi) * theta
    c = np.cos(half)[..., 0]
    w, v = q[..., 0], q[..., 1:]
    found = np.empty_like(q)
    found[..., 0] = w * c - np.sum(v * s, axis=-1)
    found[..., 1:] = w[..., None] * s + c[..., None] * v + np.cross(v, s)
    return found / np.linalg.norm(found, axis=-1, keepdims=True)
