"""A row's element as compiled code, many instances of it, in any state one likes to put them."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass, replace

import numpy as np
from row import Row, rotation, vector
from scipy import optimize

from samara.model import Contribution, Drive, Element, Junction, Model, Node, Placement
from samara.model.roles.network import connections
from samara.rotations import Pose, adjoint_transpose_times, compose_poses, exp_se3, inverse_pose
from samara.solve import TwoStep
from samara.solve.machine import make_machine
from samara.solve.native.kernels import ACCELERATION, CORRECT, VELOCITY, constraint_level, jacobian, residual, walk
from samara.solve.native.outputs import measure
from samara.solve.redundant.scheme import correct_multipliers
from samara.system import System
from samara.system.kernels.kinds import TOTALS
from samara.system.kernels.plain_equations import NodeState, PlainSite
from samara.system.memory.blocks import (
    ACC,
    ACC_BASE,
    BEFORE,
    CARRIER,
    ETA,
    INCREMENT,
    INCREMENT_BASE,
    POSITION,
    RATE,
    ROTATION,
    SECOND,
    SECOND_BASE,
    VALUE,
    VALUE_BASE,
    Coefficient,
)

#: instances a bench: more than a full vector register, so that the last group has idle lanes
COUNT = 9
#: the integrator's c0 [s]: a pose moves by c0 for a unit of the unknown, an acceleration by 1 / c0
C0 = 0.05
STEP = 0.03
#: violation of a constraint beyond which rounding, not the code, would be tested [m or rad]
FAR = 4.0


@dataclass(frozen=True)
class Instance:
    """One element somewhere: its nodes, multipliers, and drives and scalar states (value, rate, acceleration)."""

    element: Element
    states: tuple[NodeState, ...]
    multipliers: np.ndarray
    signals: np.ndarray
    scalars: np.ndarray

    def plain(self, differences: bool = False, tied_rates: bool = True) -> Contribution:
        """The element's own Python, on these numbers."""
        signals = [(value, rate) for value, rate, _ in self.signals]
        site = PlainSite(
            self.element, self.states, self.multipliers, signals, differences=differences, scalars=self.scalars,
            tied_rates=tied_rates,
        )  # fmt: skip
        return site.formulate()

    def tied(self) -> Instance:
        """With the values of tied states, and their rates, as their equations say."""
        places = [k for k, state in enumerate(self.element.states()) if state.tied]

        def with_(x: np.ndarray, part: int) -> Instance:
            scalars = self.scalars.copy()
            scalars[places, part] = x
            return replace(self, scalars=scalars)

        def gaps(x: np.ndarray) -> np.ndarray:
            return np.array(with_(x, 0).plain(tied_rates=False).balances, dtype=float)[places]

        sizes = np.array([self.element.states()[k].scale for k in places])
        y = self.scalars[places, 0] / sizes
        for _ in range(5):  # of a few steps each
            y = _full_steps(lambda y: gaps(sizes * y), y)
        found = with_(sizes * y, 0)
        late = np.array(found.plain().balances, dtype=float)[places]
        late_by_one = np.array(replace(found, scalars=_raised(found.scalars, places, 1.0)).plain().balances)[places]
        return replace(found, scalars=_raised(found.scalars, places, -late / (late_by_one - late)))

    def after(self, t: float) -> Instance:
        """Moved on by a time t [s] at constant acceleration (any curve with the right tangents at t = 0 will do)."""
        states = tuple(
            NodeState(*compose_poses(Pose(s.R, s.p), exp_se3(t * s.twist + t * t / 2 * s.acceleration)),
                      s.twist + t * s.acceleration, s.acceleration)
            for s in self.states
        )  # fmt: skip
        return replace(self, states=states, signals=_later(self.signals, t), scalars=_later(self.scalars, t))

    def settled(self, differences: bool) -> Instance:
        """With the highest derivative of each state of its own such that the state's equation holds.

        Of what connects junctions, their values are found with them: a source says what the values are.
        """
        states, own = self.element.states(), list(self.element.owned.values())
        mine = [k for k, state in enumerate(states) if state in own]
        ends = self.junctions()
        places = [*((k, states[k].order) for k in mine), *((k, 0) for k in ends)]

        def with_(x: np.ndarray) -> Instance:
            scalars = self.scalars.copy()
            scalars[tuple(zip(*places, strict=True))] = x
            return replace(self, scalars=scalars)

        def balances(x: np.ndarray) -> np.ndarray:
            return np.array(with_(x).plain(differences=differences).balances, dtype=float)[mine]

        if not mine:
            return self
        start = self.scalars[tuple(zip(*places, strict=True))]
        enough = 1e-9 * np.abs(balances(start)).max(initial=1e-300)
        found = start if ends else optimize.root(balances, start, tol=1e-14).x
        if np.abs(balances(found)).max() > enough:
            found = _full_steps(balances, start)
        assert np.abs(balances(found)).max() <= enough
        return with_(found)

    def junctions(self) -> list[int]:
        """Which of its states are junctions that it connects; those that it only reads are not."""
        connected = [j for _, c in connections([self.element]) for j in (c.a, c.b)]
        return [k for k, s in enumerate(self.element.states()) if isinstance(s, Junction) and s in connected]

    def placed(self, H: Pose) -> Instance:
        """Moved as a whole."""
        states = tuple(NodeState(*compose_poses(H, Pose(s.R, s.p)), s.twist, s.acceleration) for s in self.states)
        return replace(self, states=states)

    def power(self, rows: Rows, row: Row) -> float:
        """What the element takes from its nodes, and from the states that it shares [W]."""
        given = sum(float(w @ s.twist) for w, s in zip(rows.nodes, self.states, strict=True))
        ends = self.junctions()
        if ends:
            return given + sum(self.carried(k, row) * self.flow_into(rows, k) for k in ends)
        return given if self.element.owned or row.outside else given + float(rows.states @ self.scalars[:, 1])

    def flow_into(self, rows: Rows, k: int) -> float:
        """What flows from its junction of that number into it, in the flow unit of the domain."""
        return float(rows.states[k]) / self.element.states()[k].domain.weight

    def carried(self, k: int, row: Row) -> float:
        """Energy of a unit of that flow."""
        if row.carried is not None:
            return row.carried(self.element, self.scalars[k, 0])
        return 1.0 if self.element.states()[k].domain.name == "thermal" else self.scalars[k, 0]

    def sum_in_world(self, wrenches) -> np.ndarray:
        """Sum of the nodes' wrenches about the origin of the world, in its axes."""
        poses = [inverse_pose(Pose(s.R, s.p)) for s in self.states]
        return sum(adjoint_transpose_times(H, w) for H, w in zip(poses, wrenches, strict=True))


def _raised(scalars: np.ndarray, places: list[int], rates: np.ndarray | float) -> np.ndarray:
    scalars = scalars.copy()
    scalars[places, 1] += rates
    return scalars


def _later(values: np.ndarray, t: float) -> np.ndarray:
    value, rate, acceleration = values.T
    return np.column_stack([value + t * rate + t * t / 2 * acceleration, rate + t * acceleration, acceleration])


@dataclass(frozen=True)
class Rows:
    """Equations of one instance: at its nodes, of its states, and those of its multipliers."""

    nodes: np.ndarray
    states: np.ndarray
    constraints: np.ndarray


class Bench:
    """Compiled instances of a row. `turn` turns what the row keeps in world axes."""

    def __init__(self, row: Row, lanes: int | None, turn: np.ndarray) -> None:
        rng = np.random.default_rng([20260, zlib.crc32(row.name.encode())])
        self.row, self.model = row, Model(row.name)
        self.elements = [self._add(k, rng, turn) for k in range(COUNT)]
        self.system = System(self.model, lanes)
        own = [k for k, group in enumerate(self.system.groups) if group.elements[0] in self.elements]
        program = np.ascontiguousarray(self.system.program[own])
        machine = make_machine(self.system, TwoStep())
        self.machine = machine._replace(plan=machine.plan._replace(program=program))
        self.tied_rates = True  # else tied states are so by their values, as in a step
        self.instances = [self._random(element, rng) for element in self.elements]

    def _add(self, k: int, rng: np.random.Generator, turn: np.ndarray) -> Element:
        """An element with nodes of its own. They need no inertia: equations are evaluated, not solved."""
        row = self.row
        nodes = []
        for i in range(row.nodes):
            place = Placement(vector(rng, row.reach), rotation(rng))
            nodes.append(self.model.node(f"node_{k}_{i}", place.position, place.rotation, static=True))
        made = row.make(nodes, rng, lambda v: turn @ np.asarray(v, float))
        supports, element = (made[:-1], made[-1]) if isinstance(made, tuple) else ((), made)
        for i, support in enumerate(supports):
            self.model.add(f"support_{k}_{i}", support)
        self.model.add(f"element_{k}", element)
        if row.then is not None:
            self.model.add(f"companion_{k}", row.then(nodes, element))
        return element

    def _random(self, element: Element, rng: np.random.Generator) -> Instance:
        """A random state, drawn again where a constraint is close to where it becomes infinite (half a turn off)."""
        for _ in range(100):
            instance = self._draw(element, rng)
            violations = np.array(instance.plain(differences=not self.row.analytic).constraints, dtype=float)
            if np.abs(violations).max(initial=0.0) < FAR:
                return instance
        raise AssertionError(
            f"row {self.row.name!r}: every state that was drawn violates its constraints by more than {FAR}"
        )

    def _draw(self, element: Element, rng: np.random.Generator) -> Instance:
        row, where = self.row, vector(rng, 3.0)
        whole = Pose(rotation(rng, np.pi), where) if row.near is not None else None

        def pose(node: Node) -> Pose:
            if row.near is None or whole is None:
                return Pose(rotation(rng, np.pi), where + vector(rng, row.reach))
            stray = np.concatenate([vector(rng, row.near), vector(rng, row.near)])
            return compose_poses(compose_poses(whole, Pose(node.rotation, node.position)), exp_se3(stray))

        states = tuple(
            NodeState(
                *pose(node),
                np.concatenate([vector(rng, row.speed), vector(rng, row.speed)]),
                np.concatenate([vector(rng, 5.0), vector(rng, 5.0)]),
            )
            for node in element.nodes()
        )
        group, _ = self._group(element)
        drives = [leaf for leaf in element.leaves() if isinstance(leaf, Drive)]
        signals = np.array([[_value(drive), *rng.uniform(-1.0, 1.0, 2)] for drive in drives]).reshape(-1, 3)
        scales = np.array([state.scale for state in element.states()])
        scalars = scales[:, None] * rng.uniform(-1.0, 1.0, (len(scales), 3)) if len(scales) else np.zeros((0, 3))
        for k, state in enumerate(element.states()):
            if isinstance(state, Junction):
                scalars[k, 0] += state.value
        return Instance(element, states, rng.uniform(-10.0, 10.0, group.kind.multiplier_count), signals, scalars)

    # ---- where an instance lies in the system's arrays
    def _group(self, element: Element):
        for group in self.system.groups:
            for k, member in enumerate(group.elements):
                if member is element:
                    return group, k
        raise KeyError(element.name)

    def _node_rows(self, node: Node) -> np.ndarray:
        return self.system.unknowns.row(node) + np.arange(6) * self.system.layout.width

    def _constraint_rows(self, element: Element) -> np.ndarray:
        group, k = self._group(element)
        return self.system.unknowns.multiplier_rows + group.multiplier[k] + np.arange(group.kind.multiplier_count)

    def _state_rows(self, element: Element) -> np.ndarray:
        s = self.system
        return s.unknowns.state_rows + np.array(
            [s.layout.state_index[x.name] for x in element.states()], dtype=np.int64
        )

    def unknowns(self, element: Element) -> np.ndarray:
        """Rows of all unknowns of an instance: six per node, then the states, then the multipliers."""
        nodes = map(self._node_rows, element.nodes())
        return np.concatenate([*nodes, self._state_rows(element), self._constraint_rows(element)])

    # ---- putting the instances somewhere
    def put(self, instances: list[Instance], rng: np.random.Generator | None = None) -> None:
        """Writes states, multipliers and drives; with `rng`, as if reached by a step of random increments."""
        s = self.system
        for which, value in {
            Coefficient.POSE: C0, Coefficient.TWIST: 1.0, Coefficient.ACCELERATION: 1.0 / C0,
            Coefficient.PER_POSE: 1.0 / C0, Coefficient.MOVING: 1.0, Coefficient.STEP: STEP,
            Coefficient.TIED_RATES: float(self.tied_rates),
        }.items():  # fmt: skip
            s.arrays.coef[which] = value
        for instance in instances:
            for node, state in zip(instance.element.nodes(), instance.states, strict=True):
                self._put_node(node, state, np.zeros(6) if rng is None else rng.uniform(-0.02, 0.02, 6))
            for state, (value, rate, second) in zip(instance.element.states(), instance.scalars, strict=True):
                first = s.layout.state_block(state)
                for c, x in {
                    VALUE: value, RATE: rate, SECOND: second,
                    VALUE_BASE: value - C0 * rate, SECOND_BASE: rate - C0 * second,
                }.items():  # fmt: skip
                    s.arrays.state[first + c * s.layout.width] = x
            group, k = self._group(instance.element)
            first = s.layout.multiplier_base + group.multiplier[k]
            s.arrays.state[first : first + group.kind.multiplier_count] = instance.multipliers
            drives = [leaf for leaf in instance.element.leaves() if isinstance(leaf, Drive)]
            for drive, signal in zip(drives, instance.signals, strict=True):
                first = s.layout.signal(drive)
                s.arrays.state[first : first + 3] = signal

    def _put_node(self, node: Node, state: NodeState, increment: np.ndarray) -> None:
        """Each node has a carrier of its own, of which nothing may be seen."""
        k = 0 if node is self.system.model.ground else self.system.layout.node_index[node.name] + 1
        V = np.array([1.3, -0.7, 0.4]) * np.cos(np.arange(3.0) + k) * (k > 0)
        g, spin, still = state.R.T @ V, state.twist[3:], np.zeros(3)
        eta = state.twist - np.concatenate([g, still])
        acc = state.acceleration + np.concatenate([np.cross(spin, g), still])
        before = compose_poses(Pose(state.R, state.p), exp_se3(-increment))
        for first, values in {
            ROTATION: state.R, POSITION: state.p, ETA: eta, ACC: acc, CARRIER: V,
            INCREMENT: increment, BEFORE: np.concatenate([before.R.ravel(), before.p - STEP * V]),
            ACC_BASE: eta - C0 * acc, INCREMENT_BASE: increment - C0 * eta,
        }.items():  # fmt: skip
            self.system.state.write(node, first, np.ravel(values))

    # ---- what the kernels say
    def _rows(self) -> list[Rows]:
        res = self.system.arrays.res
        return [
            Rows(
                np.array([res[self._node_rows(n)] for n in e.nodes()]),
                res[self._state_rows(e)],
                res[self._constraint_rows(e)],
            )
            for e in self.elements
        ]

    def residual(self) -> list[Rows]:
        """All equations; constraints without the integrator's scale."""
        residual(self.machine)
        rows = self._rows()
        held = [self._group(e)[0].kind.constraint_count for e in self.elements]
        for row, count in zip(rows, held, strict=True):
            row.constraints[:count] *= C0
        return rows

    def velocity_level(self) -> list[np.ndarray]:
        """Time derivative of the constraints."""
        constraint_level(self.machine, VELOCITY)
        return [row.constraints for row in self._rows()]

    def acceleration_level(self) -> list[np.ndarray]:
        """Second time derivative of the constraints."""
        constraint_level(self.machine, ACCELERATION)
        return [row.constraints for row in self._rows()]

    def outputs(self) -> tuple[list[np.ndarray], dict[str, float]]:
        """Measures of each instance, and the totals of the model."""
        measure(self.machine)
        out = self.system.arrays.out
        found = []
        for element in self.elements:
            group, k = self._group(element)
            first = group.output[k]
            found.append(out[first : first + group.kind.output_width].copy())
        return found, dict(zip(TOTALS, out, strict=False))

    def jacobian(self) -> list[np.ndarray]:
        """Derivative of each instance's equations by its unknowns, as the kernels give it."""
        s = self.system
        s.pattern.bind(np.arange(s.pattern.nnz), s.pattern.nnz)
        values = np.zeros(s.pattern.nnz + 1)
        jacobian(self.machine, values)
        matrix = np.zeros((s.unknowns.size, s.unknowns.size))
        matrix[np.repeat(np.arange(s.unknowns.size), np.diff(s.pattern.indptr)), s.pattern.indices] = values[:-1]
        places = [s.unknowns.dense[self.unknowns(e)] for e in self.elements]
        return [matrix[np.ix_(place, place)] for place in places]

    def corrected(self, unknown: int, amount: float) -> list[np.ndarray]:
        """Equations after Newton's own correction of one unknown of every instance by this amount."""
        s, saved = self.system, self.system.state.copy()
        s.arrays.x[:] = 0.0
        for element in self.elements:
            s.arrays.x[self.unknowns(element)[unknown]] = -amount
        walk(self.machine, CORRECT)
        correct_multipliers(self.machine)
        residual(self.machine)
        s.state.restore(saved)
        return [s.arrays.res[self.unknowns(e)].copy() for e in self.elements]


def _value(drive: Drive) -> float:
    return float(drive.rebuild(iter([float(leaf) for leaf in drive.leaves()]))(0.3))


def _full_steps(balances, x: np.ndarray) -> np.ndarray:
    """Root by full steps of Newton's method, for equations of many sizes that are all but linear.

    Where there are more unknowns than equations, the nearest one.
    """
    for _ in range(8):
        nudges = np.diag(1e-4 * (1.0 + np.abs(x)))
        slopes = np.array([(balances(x + h) - balances(x - h)) / (2.0 * h.sum()) for h in nudges]).T
        square = slopes.shape[0] == slopes.shape[1]
        x = x - (np.linalg.solve(slopes, balances(x)) if square else np.linalg.pinv(slopes) @ balances(x))
    return x


@functools.lru_cache(maxsize=4)
def bench(row: Row, lanes: int | None = None) -> Bench:
    """The bench of a row, made once: the tests of a row follow each other (`conftest`)."""
    return Bench(row, lanes, np.eye(3))
