"""The dynamics of a tree for users: forward and inverse dynamics, mass matrix, Jacobians, derivatives, batches."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from samara.arguments import FLOAT, ArgumentError, finite, finite_numbers, instance, named, real_numbers
from samara.model import Model, Node
from samara.recursive.argument_checks import (
    all_finite,
    euler_order,
    not_finite_message,
    put_rows,
    require_closed,
    require_independent,
    require_units,
)
from samara.recursive.coordinates import read_nodes
from samara.recursive.native import functions
from samara.recursive.native.batch_kernel import BatchKernel
from samara.recursive.native.compiled import CompiledTree
from samara.recursive.native.functions import Asked
from samara.recursive.native.single_state import SingleState, results_of, single_state
from samara.recursive.tree import Tree, TreeError
from samara.rotations import Pose, euler_from_rotation, rotation_x, rotation_y, rotation_z
from samara.system.system import System
from samara.tracing.kernels import native


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
LOCKED_DETERMINANT = 1e-6
#: To how much of coordinates and speeds `close` closes joints, and in how many corrections.
CLOSING_TOLERANCE = 1e-12
MOST_CORRECTIONS = 50


class RigidTree:
    """A model whose bodies and joints form a tree, in its degrees of freedom.

        H(q) s_dot + h(q, s) = efforts

    q: coordinates, as joints report them (angles [rad], lengths [m]); of a ball the unit quaternion (w, x, y, z) of its
    outer frame against its inner one; of a base that floats its position in world axes [m] and its quaternion.
    s: speeds, as many as degrees of freedom: rates of the coordinates; of a ball its angular velocity in outer axes
    [rad/s]; of a base that floats its velocity in world axes [m/s] and its angular velocity in its own.
    h: gyroscopic forces, weights, and all loads of the model, with drives as at `time`.

    All functions take one state or many, of shape (count, ...), and compute those several at a time. Several threads
    may call them.

    model: a `Model`, or a `System` of it. cut: names of joints that close loops: forward dynamics and its derivatives
    hold them closed, while H, h and the Jacobians are those of the tree without them. They refuse states in which these
    joints are open by more than a thousandth of the mechanism's size, or of 1 rad, or move apart by that part of the
    speeds (see `close`), or in which their constraints repeat each other.
    base: name of the node that a part which floats is described from.
    """

    def __init__(self, model: Model | System, *, cut: Sequence[str] = (), base: str | None = None) -> None:
        self.system = model if isinstance(model, System) else System(model)
        self.model = self.system.model
        self.system.require_current()
        self.tree = Tree(self.model, cut=cut, base=base)
        with np.errstate(all="ignore"):  # what has no inertia is told when its accelerations are asked for
            self._compiled = CompiledTree(self.tree, self.system, by_kind=False)
        if self._compiled.graph.contacts:
            raise TreeError(
                f"RigidTree: model {self.tree.model.name!r} has contacts with impacts, such as "
                f"{self._compiled.graph.contacts[0].name!r}, whose forces are no function of the state: leave them out"
            )
        self._kernels: dict[tuple[str, int], BatchKernel] = {}
        self._lock = threading.RLock()  # of what calls change: inputs and drives of the system, the graph, kernels
        self._balls = [(s.name, s.q) for s in self.tree.segments if s.freedom.kind == "ball"]
        read_nodes(self._compiled)
        at = self._compiled.places
        self._closures = at.corrections - at.multipliers
        self._parameters = list(self.system.parameters.named.values())
        self._counts = self._count()
        self._singles: dict[str, tuple[int, int, SingleState] | None] = {}
        self._none = np.zeros(self.tree.speeds)

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
        """q and s where the model starts, as described: joints that are open there are not closed: see `close`."""
        self.system.require_current()
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
        q, ds, tree = finite_numbers("integrate: q", q), finite_numbers("integrate: ds", ds), self.tree
        for what, given, size in (("q", q, tree.coordinates), ("ds", ds, tree.speeds)):
            if not given.ndim or given.shape[-1] != size:
                raise ArgumentError(f"integrate: {what}", f"must have {size} numbers in a row, got shape {given.shape}")
        try:
            shape = np.broadcast_shapes(q.shape[:-1], ds.shape[:-1])
        except ValueError:
            raise ArgumentError("integrate: ds", f"has shape {ds.shape}, not as many states as q, {q.shape}") from None
        q = np.array(np.broadcast_to(q, (*shape, tree.coordinates)))
        require_units(self._balls, q.reshape(math.prod(shape), tree.coordinates))
        with np.errstate(over="ignore", invalid="ignore"):
            for s in tree.free_segments:
                if s.freedom.kind == "ball":
                    q[..., s.q : s.q + 4] = _turned(q[..., s.q : s.q + 4], ds[..., s.v : s.v + 3])
                else:
                    q[..., s.q] += ds[..., s.v]
        if not np.isfinite(q).all():
            raise ArgumentError("integrate: ds", "is so large that q overflows")
        return q

    def close(self, q: Any, s: Any = None, *, time: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """q and s nearby at which cut joints are closed and stay so: moved least, in the metric of H."""
        rows, single = self._rows(q, s, None, time, None)
        if self._closures and len(rows):
            self._project(rows)
        at = self._compiled.places
        found_q, found_s = rows[:, at.coordinates : at.speeds].copy(), rows[:, at.speeds : at.efforts].copy()
        return (found_q[0], found_s[0]) if single else (found_q, found_s)

    def _project(self, rows: np.ndarray) -> None:
        at, n = self._compiled.places, self.tree.speeds
        q, s = rows[:, at.coordinates : at.speeds], rows[:, at.speeds : at.efforts]
        for _ in range(MOST_CORRECTIONS):
            found = self._run("project", rows)
            gaps = np.abs(found[:, 2 * n :]).max(axis=1)
            if (gaps <= CLOSING_TOLERANCE * (1.0 + np.abs(q).max(axis=1) + np.abs(s).max(axis=1))).all():
                return
            if not np.isfinite(found).all():
                break
            q[:] = self.integrate(q, found[:, :n])
            s += found[:, n : 2 * n]
        raise TreeError(
            f"model {self.model.name!r}: the cut joints cannot be closed from here, {gaps.max():.3g} is left [m, rad, "
            "or these per second]: begin nearer to a closed state"
        )

    # ---- dynamics
    def forward_dynamics(
        self, q: Any, s: Any, efforts: Any = None, *, time: float = 0.0, inputs: Mapping[str, float] | None = None
    ) -> np.ndarray:
        """s_dot, from coordinates, speeds and efforts on the freedoms [N, N m]."""
        if inputs is None and not self._closures:
            found = self._at_one("forward", q, s, efforts, time)
            if found is not None:
                return found
        rows, single = self._rows(q, s, efforts, time, inputs)
        return self._rates(rows, single)

    def inverse_dynamics(
        self, q: Any, s: Any, rates: Any, *, time: float = 0.0, inputs: Mapping[str, float] | None = None
    ) -> np.ndarray:
        """Efforts that make these rates of the speeds."""
        found = self._at_one("inverse", q, s, rates, time) if inputs is None else None
        if found is not None:
            return found
        rows, single = self._rows(q, s, None, time, inputs)
        at = self._compiled.places.results
        put_rows(rows, at, self.tree.speeds, "RigidTree: rates", rates)
        self._require_finite(rows, at, at + self.tree.speeds, ("rates",))
        return self._finite(self._run("inverse", rows), rows, single, "effort")

    def mass_matrix(self, q: Any, *, time: float = 0.0) -> np.ndarray:
        """H, shape (n, n)."""
        return self._results("mass_matrix", q, None, time, (self.tree.speeds, self.tree.speeds))

    def coriolis(self, q: Any, s: Any, *, time: float = 0.0) -> np.ndarray:
        """C, shape (n, n): C s is the gyroscopic part of h, and H_dot - 2 C is skew-symmetric."""
        return self._results("coriolis", q, s, time, (self.tree.speeds, self.tree.speeds))

    def bias(self, q: Any, s: Any, *, time: float = 0.0, inputs: Mapping[str, float] | None = None) -> np.ndarray:
        """h: efforts that would keep all speeds as they are."""
        found = self._at_one("bias", q, s, None, time) if inputs is None else None
        if found is not None:
            return found
        rows, single = self._rows(q, s, None, time, inputs)
        return self._finite(self._run("bias", rows), rows, single, "effort")

    def jacobian(self, node: Node | str, q: Any, s: Any = None, *, time: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """J and J_dot of a node, shape (6, n): its twist (v, w) in its own axes is J s, where nothing is driven."""
        node = self._node(node)
        shape = (2, 6, self.tree.speeds)
        found = self._results(f"jacobian {node.name}", q, s, time, shape, lambda graph: functions.jacobian(graph, node))
        return found[..., 0, :, :], found[..., 1, :, :]

    def frame(self, node: Node | str, q: Any, s: Any = None, *, time: float = 0.0) -> tuple[Pose, np.ndarray]:
        """Pose of a node in the world, and its twist against the world in its own axes."""
        node = self._node(node)
        found = self._results(f"frame {node.name}", q, s, time, (6, 3), lambda graph: functions.frame(graph, node))
        twist = found[..., 4:, :].reshape(*found.shape[:-2], 6)
        return Pose(found[..., :3, :], found[..., 3, :]), twist

    def euler_angles(
        self, node: Node | str, q: Any, s: Any = None, *, order: str = "ZYX", time: float = 0.0
    ) -> tuple[np.ndarray, np.ndarray]:
        """Euler angles of a node in the world, and their rates [rad, rad/s]; upper case letters: about its own axes.

        The tree itself has no such angles, and no attitude at which it fails. Angles do: near gimbal lock, where the
        first and the last axis fall together, they are refused, for their rates are infinite there.
        """
        node, order = self._node(node), euler_order(order)
        pose, twist = self.frame(node, q, s, time=time)
        if pose.R.ndim > 2:
            raise ArgumentError("euler_angles: give one state")
        angles = np.asarray(euler_from_rotation(order, pose.R))
        turns = [(rotation_x, rotation_y, rotation_z)["XYZ".index(c)](a) for c, a in zip(order, angles, strict=True)]
        axes = [np.eye(3)["XYZ".index(c)] for c in order]
        E = np.column_stack([turns[2].T @ turns[1].T @ axes[0], turns[2].T @ axes[1], axes[2]])
        if abs(np.linalg.det(E)) < LOCKED_DETERMINANT:
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
        with self._lock:  # inputs are moved for a while
            rows, single = self._rows(q, s, efforts, time, inputs)
            fed = self._drives_by_inputs(float(rows[0, self._compiled.places.time])) if single else {}
        if not single:
            raise ArgumentError("derivatives: give one state")
        self._rates(rows, single)
        n, directions = self.tree.speeds, self._directions()
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
    def _results(
        self, name: str, q: Any, s: Any, time: float, shape: tuple[int, ...], make: Callable | None = None
    ) -> np.ndarray:
        """Results of a function in this shape, at one state or at each of many."""
        found = self._at_one(name, q, s, None, time, make)
        if found is not None:
            return found.reshape(shape)
        rows, single = self._rows(q, s, None, time, None)
        return self._run(name, rows, make).reshape(shape if single else (len(rows), *shape))

    def _run(self, name: str, rows: np.ndarray, make: Callable | None = None) -> np.ndarray:
        width = native.native_width() if len(rows) > 1 else 1
        kernel = self._kernels.get((name, width)) or self._kernel(name, width, make)
        return kernel(rows, self._compiled.parameters, self.system.arrays.tables)

    def _kernel(self, name: str, width: int, make: Callable | None) -> BatchKernel:
        with self._lock, np.errstate(all="ignore"):
            if (name, width) not in self._kernels:
                asked = self._asked(name) if make is None else make(self._compiled.graph)
                self._kernels[name, width] = BatchKernel(asked, width)
            return self._kernels[name, width]

    @functools.cache  # noqa: B019
    def _asked(self, name: str) -> Asked:
        return getattr(functions, name)(self._compiled.graph)

    def _node(self, node: Node | str) -> Node:
        name = node.name if isinstance(node, Node) else node
        named(f"RigidTree: model {self.model.name!r}", "node", name, self.tree.attached, ArgumentError)
        if isinstance(node, Node) and self.model.nodes[name] is not node:
            raise ArgumentError(f"RigidTree: node {name!r} is one of another model, not of {self.model.name!r}")
        return self.model.nodes[name]

    # ---- what goes in
    def _count(self) -> tuple:
        """What tells at little cost that the model has changed: how many parts it has, the last of them, assignments.

        Parts are added at the end, so this sees what `System.require_current` does, which takes longer.
        """
        model = self.model
        elements = model.elements
        told = [p.assignments for p in self._parameters] if self._parameters else None
        return len(elements), next(reversed(elements), ""), len(model.nodes), len(model.states), told

    def _rows(
        self, q: Any, s: Any, efforts: Any, time: float, inputs: Mapping[str, float] | None
    ) -> tuple[np.ndarray, bool]:
        """Blocks of one state or several; whether it is one."""
        if self._count() != self._counts:
            self.system.require_current()
        tree, at = self.tree, self._compiled.places
        q = real_numbers("RigidTree: q", q)
        single = q.ndim == 1
        if not single and q.ndim != 2:
            wanted = f"must be of shape ({tree.coordinates},) or (count, {tree.coordinates})"
            raise ArgumentError("RigidTree: q", f"{wanted}, got {q.shape}")
        rows = np.empty((1 if single else len(q), at.size))
        rows[:] = self._compiled.block
        put_rows(rows, at.coordinates, tree.coordinates, "RigidTree: q", q)
        if s is None or efforts is None:
            rows[:, at.speeds : at.states] = 0.0
        if s is not None:
            put_rows(rows, at.speeds, tree.speeds, "RigidTree: s", s)
        if efforts is not None:
            put_rows(rows, at.efforts, tree.speeds, "RigidTree: efforts", efforts)
        self._require_finite(rows, at.coordinates, at.states, ("q", "s", "efforts"))
        if self._balls:
            require_units(self._balls, rows[:, at.coordinates : at.speeds])
        if type(time) is not float or not math.isfinite(time):
            time = finite("RigidTree: time", time)
        rows[:, at.time] = time
        copies = self._compiled.copies
        if inputs is not None or len(copies):
            with self._lock:
                self._feed(inputs)
                if len(copies):
                    self.system.state.set_time(time)
                    rows[:, copies[:, 1]] = self.system.arrays.state[copies[:, 0]]
        return rows, single

    def _feed(self, inputs: Mapping[str, float] | None) -> None:
        if inputs is None:
            return
        for name, value in instance("RigidTree: inputs", inputs, Mapping, ": numbers by name").items():
            self.system.set_input(name, value)

    def _require_finite(self, rows: np.ndarray, first: int, end: int, names: Sequence[str]) -> None:
        if all_finite(rows[:, first:end]):
            return
        sizes = {"q": self.tree.coordinates}
        for name in names:
            size = sizes.get(name, self.tree.speeds)
            if not np.isfinite(rows[:, first : first + size]).all():
                raise ArgumentError(f"RigidTree: {name}", "must be finite")
            first += size

    # ---- what comes out
    def _at_one(
        self, name: str, q: Any, s: Any, third: Any, time: Any, make: Callable | None = None
    ) -> np.ndarray | None:
        """Results of a function at one state by a single native call; None where something is for the long way."""
        s, third = self._none if s is None else s, self._none if third is None else third
        if not (type(q) is type(s) is type(third) is np.ndarray and q.dtype is s.dtype is third.dtype is FLOAT):
            return None
        if type(time) is not float or self._count() != self._counts:
            return None
        known = self._singles[name] if name in self._singles else self._single(name, make)
        if known is None:
            return None
        found = np.empty(known[1])
        try:
            return found if results_of(known[0], q, s, third, time, found) else None
        except TypeError:  # rows that are not in one piece, or no rows
            return None

    def _single(self, name: str, make: Callable | None) -> tuple[int, int, SingleState] | None:
        """Of the native call of a function: address of its record, number of results, the record; None where drives are
        read from the system."""
        with self._lock, np.errstate(all="ignore"):
            if name not in self._singles:
                at, known = self._compiled.places, None
                if not len(self._compiled.copies):
                    asked = self._asked(name) if make is None else make(self._compiled.graph)
                    balls = [place for _, place in self._balls]
                    third = at.results if name == "inverse" else at.efforts
                    count = self.tree.speeds if name == "forward" else asked.outputs
                    record = single_state(asked, self._compiled, balls, third)
                    known = record.address, count, record  # type: ignore[attr-defined]
                self._singles[name] = known
            return self._singles[name]

    def _rates(self, rows: np.ndarray, single: bool) -> np.ndarray:
        """Rates of the speeds; states are refused in which cut joints are open, or do not determine their reactions."""
        found = self._run("held" if self._closures else "forward", rows)
        if self._closures:
            if found[0, -1] if single else found[:, -1].any():
                left, gaps = np.split(found[:, -1 - 3 * self._closures : -1], [self._closures], axis=1)
                require_closed(self._compiled, np.abs(gaps), single)
                with self._lock:
                    require_independent(self._compiled, rows, left, single)
        return self._finite(found[:, : self.tree.speeds], rows, single, "acceleration")

    def _finite(self, found: np.ndarray, rows: np.ndarray, single: bool, what: str) -> np.ndarray:
        """Results of one state or many, if they are numbers."""
        if all_finite(found):
            return found[0] if single else found
        row = int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])
        H = self._run("mass_matrix", rows[row : row + 1]).reshape(self.tree.speeds, -1)
        raise TreeError(not_finite_message(self.tree, found[0] if single else found, H, what))


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
