"""State of a system as a point with a tangent space: read, set, moved and compared; evaluation of the equations there.

A tangent vector xi has six numbers for each node with unknowns, in the order of `Layout.free`, and one for each scalar
state. Along xi a node moves by a displacement [m] and a rotation vector [rad] in its own axes, a state by a number:

    H <- H exp(xi),     s <- s + xi

Twists are in the node's own axes, and so are their rates, the time derivatives of these six components. During a run
they are relative to the node's carrier, a velocity that is constant in the world; `plain` temporarily converts them to
twists relative to the world, and `twist(node)` always returns those.

A run that continues after the state was set treats the change as an event: it restarts from there. Time and the
integrator's history belong to the run (`samara.solve.store.checkpoint` stores all of it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.sparse import csr_matrix

from samara.arguments import finite
from samara.model import ArgumentError, Drive, ModelError, Node
from samara.rotations import Pose, log_se3, relative_pose
from samara.system.layout.groups import FUNCTIONS
from samara.system.memory.blocks import (
    ACC,
    CARRIER,
    ETA,
    INCREMENT,
    POSITION,
    RATE,
    ROTATION,
    SECOND,
    SIZE,
    VALUE,
    Coefficient,
)
from samara.system.state.kernel_calls import call, run

if TYPE_CHECKING:
    from samara.system.system import System

#: Largest deviation of R R^T from identity.
ROTATION_ERROR = 1e-6


class SystemState:
    """Current state of a system. All analyses read, set and differentiate it through this class."""

    def __init__(self, system: System) -> None:
        if not hasattr(system, "layout"):
            raise ArgumentError(f"SystemState is of a System: take its `state`, got {system!r}")
        self._system = system
        layout, w = system.layout, system.layout.width
        blocks = np.array([layout.block(n) for n in layout.free], dtype=np.int64)
        states = np.array([layout.state_block(x) for x in layout.states], dtype=np.int64)
        self._blocks, self._values = blocks, states + VALUE * w
        self._poses = np.concatenate([np.full(6 * len(blocks), -1), self._values])  # poses cannot be added to
        self._twists = np.concatenate([(blocks[:, None] + (ETA + np.arange(6)) * w).ravel(), states + RATE * w])
        self._rates = np.concatenate([(blocks[:, None] + (ACC + np.arange(6)) * w).ravel(), states + SECOND * w])

    @property
    def _array(self) -> np.ndarray:
        return self._system.arrays.state

    @property
    def _coef(self) -> np.ndarray:
        return self._system.arrays.coef

    # ---- whole state
    @property
    def time(self) -> float:
        """Time at which drives and prescribed nodes were last evaluated [s]."""
        return float(self._coef[Coefficient.TIME])

    @property
    def values(self) -> np.ndarray:
        """Values of the scalar states."""
        return self._array[self._values]

    @values.setter
    def values(self, values: np.ndarray) -> None:
        self._array[self._values] = self._checked("values", values, self._values.shape)

    @property
    def scales(self) -> np.ndarray:
        """Scales of the scalar states, against which small changes are measured."""
        return self._system.arrays.scale[: self._values.size]

    @property
    def twists(self) -> np.ndarray:
        """Twists of nodes with unknowns against their carriers, six each, own axes [m/s, rad/s]; rates of states."""
        return self._array[self._twists]

    @twists.setter
    def twists(self, values: np.ndarray | float) -> None:
        self._array[self._twists] = self._checked("twists", values, self._twists.shape)

    @property
    def carried(self) -> np.ndarray:
        """Difference between the twists relative to the world and `twists`."""
        found = np.zeros(self._twists.size)
        nodes = found[: 6 * len(self._blocks)].reshape(-1, 6)
        nodes[:, :3] = np.einsum("nji,nj->ni", self.rotations, self.components(CARRIER, 3))
        return found

    @property
    def accelerations(self) -> np.ndarray:
        """Time derivatives of `twists`."""
        return self._array[self._rates]

    @accelerations.setter
    def accelerations(self, values: np.ndarray | float) -> None:
        self._array[self._rates] = self._checked("accelerations", values, self._rates.shape)

    def add(self, order: np.ndarray, change: np.ndarray) -> None:
        """Adds numbers to values (0), twists and rates (1), or their time derivatives (2), as `order` says for each."""
        change = self._checked("change", change, self._twists.shape)
        for level, places in enumerate((self._poses, self._twists, self._rates)):
            chosen = order == level
            self._array[places[chosen]] += change[chosen]

    @property
    def multipliers(self) -> np.ndarray:
        """View of the multipliers of constraints."""
        return self._array[self._system.layout.multipliers]

    @property
    def inputs(self) -> np.ndarray:
        """View of the values of `Input` drives."""
        return self._array[self._system.layout.inputs]

    def components(self, first: int, count: int) -> np.ndarray:
        """Components of the blocks of all nodes with unknowns, one row each."""
        return self._array[self._blocks[:, None] + (first + np.arange(count)) * self._system.layout.width]

    @property
    def rotations(self) -> np.ndarray:
        """R_WN of the nodes with unknowns, shape (n, 3, 3)."""
        return self.components(ROTATION, 9).reshape(-1, 3, 3)

    @property
    def positions(self) -> np.ndarray:
        """Positions of the nodes with unknowns in the world [m], shape (n, 3)."""
        return self.components(POSITION, 3)

    def _checked(self, what: str, values: np.ndarray | float, shape: tuple[int, ...]) -> np.ndarray:
        """Numbers to be written, or one for all; notifies the run of the change."""
        try:
            numbers = np.broadcast_to(np.asarray(values, float), shape)
        except (TypeError, ValueError):
            given = f"shape {np.shape(values)}" if isinstance(values, (np.ndarray, list, tuple)) else repr(values)
            raise ArgumentError(f"state: {what} must be {shape[0]} finite numbers, got {given}") from None
        if not np.isfinite(numbers).all():
            raise ArgumentError(f"state: {what} must be {shape[0]} finite numbers, one is not")
        self._system.parameters.changes[0] += 1
        return numbers

    # ---- node by node
    def _places(self, node: Node, first: int, count: int) -> np.ndarray:
        layout = self._system.layout
        if not isinstance(node, Node) or node.name not in layout.node_index:
            name = getattr(node, "name", node)
            raise ModelError(f"state: model {self._system.model.name!r} has no node {name!r}: give one of its nodes")
        if not 0 <= first <= first + count <= SIZE:
            raise ArgumentError(f"state: a node's block has {SIZE} components, not {first} to {first + count - 1}")
        return layout.block(node) + (first + np.arange(count)) * layout.width

    def read(self, node: Node, first: int, count: int) -> np.ndarray:
        """Reads components of a node's block."""
        return self._array[self._places(node, first, count)]

    def write(self, node: Node, first: int, values) -> None:
        """Sets components of a node's block."""
        places = self._places(node, first, len(values))
        self._array[places] = self._checked(f"what is written to node {node.name!r}", values, places.shape)

    def pose(self, node: Node) -> Pose:
        """Rotation R_WN and position [m] of a node in the world."""
        return Pose(self.read(node, ROTATION, 9).reshape(3, 3), self.read(node, POSITION, 3))

    def place(self, node: Node, pose: Pose) -> None:
        """Places a node."""
        if np.shape(pose.R) != (3, 3) or np.abs(pose.R @ np.transpose(pose.R) - np.eye(3)).max() > ROTATION_ERROR:
            raise ArgumentError(f"state: the pose of node {node.name!r} needs a rotation matrix, got {pose.R!r}")
        if np.shape(pose.p) != (3,):
            raise ArgumentError(f"state: the pose of node {node.name!r} needs a position of 3 numbers, got {pose.p!r}")
        self.write(node, ROTATION, pose.R.ravel())
        self.write(node, POSITION, pose.p)

    def twist(self, node: Node) -> np.ndarray:
        """Velocity [m/s] and angular velocity [rad/s] of a node relative to the world, in its own axes."""
        carried = self.pose(node).R.T @ self.read(node, CARRIER, 3)
        return self.read(node, ETA, 6) + np.concatenate([carried, np.zeros(3)])

    def set_twist(self, node: Node, twist: np.ndarray) -> None:
        """Sets the velocity [m/s] and angular velocity [rad/s] of a node relative to the world, in its own axes."""
        twist = self._checked(f"the twist of node {node.name!r}", twist, (6,))
        self.write(node, ETA, twist - (self.twist(node) - self.read(node, ETA, 6)))

    def twist_rate(self, node: Node) -> np.ndarray:
        """Time derivative of the components of that twist [m/s^2, rad/s^2]."""
        carried = self.pose(node).R.T @ self.read(node, CARRIER, 3)
        return self.read(node, ACC, 6) - np.concatenate([np.cross(self.read(node, ETA + 3, 3), carried), np.zeros(3)])

    # ---- the state as a point
    def copy(self) -> np.ndarray:
        """Copy of the whole state, for `restore`."""
        return self._array.copy()

    def restore(self, kept: np.ndarray) -> None:
        """Restores a copied state."""
        self._require_copy(kept)
        self._system.parameters.changes[0] += 1
        self._array[:] = kept

    def _require_copy(self, kept: np.ndarray) -> None:
        if not isinstance(kept, np.ndarray) or kept.shape != self._array.shape:
            raise ArgumentError(
                f"state: a copy of the state of model {self._system.model.name!r} is needed: take what state.copy() "
                "gave"
            )

    @contextmanager
    def kept(self) -> Iterator[np.ndarray]:
        """Context that restores the state and the coefficients on exit; yields the copy."""
        state, coef, changes = self._array.copy(), self._coef.copy(), self._system.parameters.changes.copy()
        try:
            yield state
        finally:
            self._array[:], self._coef[:], self._system.parameters.changes[:] = state, coef, changes

    @contextmanager
    def plain(self) -> Iterator[None]:
        """Context in which nodes have no carriers and no step increments: an unknown is a motion in current axes."""
        with self.kept():
            R, V = self.rotations, self.components(CARRIER, 3)
            carried = np.einsum("nji,nj->ni", R, V)
            self._set(ACC, self.components(ACC, 3) - np.cross(self.components(ETA + 3, 3), carried))
            self._set(ETA, self.components(ETA, 3) + carried)
            self._set(CARRIER, np.zeros_like(V))
            self._set(INCREMENT, np.zeros((len(V), 6)))
            yield

    def _set(self, first: int, values: np.ndarray) -> None:
        places = self._blocks[:, None] + (first + np.arange(values.shape[1])) * self._system.layout.width
        self._array[places] = values

    def move(self, xi: np.ndarray) -> None:
        """Moves poses and scalar states along a tangent vector. Any further numbers are added to the multipliers."""
        s = self._system
        n = s.layout.coordinates
        if np.shape(xi) not in ((n,), (s.unknowns.size,)):
            raise ArgumentError(f"state: a tangent vector must be {n} finite numbers, got shape {np.shape(xi)}")
        xi = self._checked("a tangent vector", xi, np.shape(xi))
        s.arrays.x[:] = 0.0
        s.arrays.x[s.unknowns.rows[: xi.size]] = -xi
        state, coef, x = (a.ctypes.data for a in (s.arrays.state, s.arrays.coef, s.arrays.x))
        call(s.walks[0]["move"], s.layout.free_groups, state, state, state, coef, state, state, x)
        if s.layout.states:
            first, rows = state + 8 * s.layout.states_base, x + 8 * s.unknowns.state_rows
            call(s.walks[1]["move"], s.layout.state_groups, first, state, state, coef, state, state, rows)
        self.multipliers[: xi.size - s.layout.coordinates] += xi[s.layout.coordinates :]

    def difference(self, to: np.ndarray) -> np.ndarray:
        """Tangent vector from this state to another, which is a copy of this one made at another time."""
        self._require_copy(to)
        found = np.zeros(self._system.layout.coordinates)
        here = [self.pose(node) for node in self._system.layout.free]
        values = self.values
        with self.kept():
            self.restore(to)
            for k, (node, pose) in enumerate(zip(self._system.layout.free, here, strict=True)):
                found[6 * k : 6 * k + 6] = log_se3(relative_pose(pose, self.pose(node)))
            found[6 * len(here) :] = self.values - values
        return found

    # ---- the equations at this state
    def weigh(self, pose: float, twist: float, acceleration: float, moving: float = 1.0) -> None:
        """Sets what a unit of an unknown does to pose, twist and acceleration; whether rate constraints hold (1).

        This weights the equations of forces and states. Rows of position constraints are their derivatives by the pose
        alone, whatever the weights.
        """
        c = self._coef
        c[Coefficient.POSE], c[Coefficient.TWIST], c[Coefficient.ACCELERATION] = pose, twist, acceleration
        c[Coefficient.PER_POSE], c[Coefficient.MOVING] = 1.0, moving

    @contextmanager
    def weighed(self, pose: float, twist: float, acceleration: float, moving: float = 1.0) -> Iterator[None]:
        """`weigh` as a context."""
        kept = self._coef.copy()
        self.weigh(pose, twist, acceleration, moving)
        try:
            yield
        finally:
            self._coef[:] = kept

    @contextmanager
    def tied_by_rates(self) -> Iterator[None]:
        """Context in which the equations of tied states relate their rates: see `Site.tied`."""
        self._coef[Coefficient.TIED_RATES] = 1.0
        try:
            yield
        finally:
            self._coef[Coefficient.TIED_RATES] = 0.0

    def set_time(self, time: float) -> None:
        """Evaluates drives and prescribed nodes at a time [s], with the current inputs and parameters."""
        self._coef[Coefficient.TIME] = finite("state: the time", time)
        run(self._system.signal_program, 3, self._system.arrays, self._array)

    def renew_drives(self, time: float | None = None) -> None:
        """`set_time`, at the current time by default; prescribed nodes that `static` left at rest stay at rest."""
        held = self._system.layout.held
        still = [node for node in held if not self.read(node, ETA, 12).any()]
        self.set_time(self.time if time is None else time)
        for node in still:
            self._array[self._places(node, ETA, 12)] = 0.0

    def drive(self, drive: Drive) -> np.ndarray:
        """View of a drive's value, rate and second derivative."""
        first = self._system.layout.signal(drive)
        return self._array[first : first + 3]

    def residual(self, groups: Sequence[int] | None = None) -> np.ndarray:
        """All equations: six of each node [N, N m], those of the states, then of the constraints.

        groups: indices into `System.groups` of those to evaluate; all by default.
        """
        return self._equations("residual", groups)

    def level(self, name: Literal["velocity", "acceleration"], groups: Sequence[int] | None = None) -> np.ndarray:
        """Constraints at velocity or acceleration level."""
        return self._equations(name, groups)[self._system.layout.coordinates :]

    def _equations(self, function: str, groups: Sequence[int] | None) -> np.ndarray:
        s = self._system
        s.arrays.res[:] = 0.0
        program = s.program if groups is None else s.program[list(groups)]
        run(program, 3 + FUNCTIONS.index(function), s.arrays, s.arrays.res)
        return self.equations()

    def equations(self) -> np.ndarray:
        """The latest values of the equations written by native code."""
        return self._system.arrays.res[self._system.unknowns.rows]

    def outputs(self) -> np.ndarray:
        """All measures, in the order of `Arrays.out`."""
        s = self._system
        s.arrays.out[:] = 0.0
        run(s.program, 3 + FUNCTIONS.index("outputs"), s.arrays, s.arrays.out)
        return s.arrays.out.copy()

    def jacobian_values(self, groups: Sequence[int] | None = None) -> np.ndarray:
        """Entries of the Jacobian for the current weights, in the order of the pattern."""
        pattern = self._system.pattern
        values = np.zeros(pattern.nnz + 1)
        program = pattern.program() if groups is None else pattern.program()[list(groups)]
        run(program, 3 + FUNCTIONS.index("jacobian"), self._system.arrays, values)
        return values[:-1]

    def jacobian(self) -> csr_matrix:
        """Jacobian of all equations by all unknowns, for the current weights: see `weigh`."""
        return self._system.pattern.matrix(self.jacobian_values())
