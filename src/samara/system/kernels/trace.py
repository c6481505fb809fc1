"""Formulates an element on traced numbers and differentiates it: the graphs of a kind of element.

Directions of the differentiation, in the order of their substitution:

    ("rel", i, c)    motion of node i against the reference node E, in axes of E   -> the nodes' own increments
    ("eta", i, c)    twist of node i                                               -> ("u", i, c)
    ("acc", i, c)    its time derivative                                           -> ("u", i, c)
    ("turn", i, c)   turn of node i in its own axes, as far as it sees its carrier -> ("z", i, 3 + c)
    ("u", i, c)      correction of the twist                                       -> ("z", i, c) by T(n)^-1
    ("z", i, c)      unknown of node i: pose increment zeta, xi = c0 zeta, in the node's own axes
    ("value", k), ("rate", k), ("second", k)   state k and its derivatives         -> ("s", k) by c0, c1, c2
    ("s", k)         unknown of state k
    ("lam", k)       multiplier k
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.model import Contribution, Drive, Element, Frame, ModelError, StateMotion
from samara.model.equations import governed
from samara.model.schema.fields import NODE, READS, STATE
from samara.model.schema.user_attributes import UNREPEATABLE, Unseen, formulating, written_by_users
from samara.rotations import Pose as RigidPose
from samara.rotations import adjoint, adjoint_times, adjoint_transpose_times, cross, inverse_tangent_small
from samara.system.memory.blocks import ACC, CARRIER, ETA, INCREMENT, POSITION, ROTATION, SECOND, Coefficient
from samara.tracing import Expr, Graph, Tangent, TracingError, cut, tangents
from samara.tracing.kernels.lanes import Place

Direction = tuple[Any, ...]
#: directions that depend on time alone: drives, and time itself
TIMED = ("sig", "time")


@dataclass(frozen=True)
class Slots:
    """Rows of an element's index array: where it reads and writes."""

    nodes: int
    states: int

    def node(self, i: int) -> int:
        """Block of node i."""
        return i

    def row(self, i: int) -> int:
        """Equations of node i."""
        return self.nodes + i

    @property
    def multipliers(self) -> int:
        """First multiplier; its equation is in the next row."""
        return 2 * self.nodes

    @property
    def multiplier_rows(self) -> int:
        """Equation of the first multiplier."""
        return 2 * self.nodes + 1

    @property
    def outputs(self) -> int:
        """First output."""
        return 2 * self.nodes + 2

    @property
    def totals(self) -> int:
        """Sums over the whole model."""
        return 2 * self.nodes + 3

    def state(self, k: int) -> int:
        """Block of state k."""
        return 2 * self.nodes + 4 + k

    def state_row(self, k: int) -> int:
        """Equation of state k."""
        return 2 * self.nodes + 4 + self.states + k

    def signal(self, k: int) -> int:
        """Value of drive k; there is one slot per drive of the element."""
        return 2 * (self.nodes + self.states) + 4 + k


class TracedMeasure:
    """Coordinates on traced numbers; virtual work through the tangents in the relative directions."""

    def __init__(self, site: TracedSite, function: Callable[..., Sequence], rate_level: bool = False) -> None:
        self.value = site.lift(function(*site.frames))
        self._site, self._function, self._rate_level = site, function, rate_level
        self._tangents = site.tangents(self.value)

    @property
    def rate(self) -> np.ndarray:
        """Time derivatives."""
        return self._site.contract(self._tangents)

    @property
    def drift(self) -> np.ndarray:
        """Time derivatives due to the drives alone; for quasi-velocities, their values at rest."""
        if self._rate_level:
            with self._site.states_at_rest():
                return self._site.lift(self._function(*(frame.at_rest() for frame in self._site.frames)))
        driven = [{d: slope for d, slope in tangent.items() if d[0] in TIMED} for tangent in self._tangents]
        return self._site.contract(driven)

    def wrenches(self, efforts) -> list[np.ndarray]:
        """Sum of effort_k d(value_k), six numbers per node in its own axes."""
        site = self._site
        efforts = cut(site.lift(efforts))
        level = "eta" if self._rate_level else "rel"
        columns = [site.zeros(6) for _ in site.frames]
        for effort, tangent in zip(efforts, self._tangents, strict=True):
            for direction, slope in tangent.items():
                if direction[0] == level or (direction[0] == "world" and not self._rate_level):
                    columns[direction[1]][direction[2]] += effort * Expr(site.graph, slope)
        if self._rate_level:
            return columns
        # columns[i] is the wrench at E's origin in E's axes; the reference node takes minus their sum
        others = [
            adjoint_transpose_times(RigidPose(f.R, f.p), c) for f, c in zip(site.frames, columns[:-1], strict=False)
        ]
        return [*others, -np.sum(columns, axis=0)]

    def balances(self, efforts) -> np.ndarray:
        """Virtual work done on the states."""
        site, level = self._site, "rate" if self._rate_level else "value"
        result = site.zeros(len(site.states))
        for effort, tangent in zip(cut(site.lift(efforts)), self._tangents, strict=True):
            for direction, slope in tangent.items():
                if direction[0] == level:
                    result[direction[1]] += effort * Expr(site.graph, slope)
        return result[site.governed]


class TracedSite:
    """Frames, states, multipliers and signals of an element as inputs of a graph."""

    def __init__(self, node_count: int, state_count: int = 0, governed: Sequence[int] | None = None) -> None:
        self.graph = Graph()
        self.node_count = node_count
        self.slots = Slots(node_count, state_count)
        self.multiplier_count = 0
        #: the states for which the element gives balances; all by default
        self.governed = list(range(state_count)) if governed is None else list(governed)
        self._seeds: dict[int, Tangent] = {}
        self._rates: dict[Direction, Any] = {}
        self.time = self.coefficient(Coefficient.TIME)
        self._seed(self.time, ("time",), rate=1.0)
        self._carriers: list[np.ndarray] = []
        #: of every node but the last: R, p and twist relative to the last; 18 numbers that may come from elsewhere
        self.relatives: list[list[int]] = []
        self._absolute = [self._node(i) for i in range(node_count)]
        self.frames = [self._relative(i) for i in range(node_count - 1)] + [self._reference()] if node_count else []
        self.states = [self._state(k) for k in range(state_count)]
        self._world: Frame | None = None

    # ---- inputs
    def input(self, kind: str, slot: int, index: int) -> Expr:
        return Expr(self.graph, self.graph.input(Place(kind, slot, index)))

    def coefficient(self, which: Coefficient) -> Expr:
        return self.input("coefficient", 0, int(which))

    def lift(self, values) -> np.ndarray:
        """An object array of traced numbers, constants included."""
        flat = [self._lifted(v) for v in np.asarray(values).ravel()]
        result = np.empty(len(flat), dtype=object)
        result[:] = flat
        return result

    def _lifted(self, value) -> Expr:
        if not isinstance(value, Expr):
            return Expr(self.graph, self.graph.const(value))
        if value.graph is not self.graph:
            raise TracingError("a number of one trace was used in another: do not keep traced numbers between calls")
        return value

    def zeros(self, count: int) -> np.ndarray:
        return self.lift(np.zeros(count))

    def _node(self, i: int) -> Frame:
        """Absolute frame of node i as inputs, with the directions of its twist."""
        read = np.array([self.input("node", self.slots.node(i), k) for k in range(INCREMENT)], dtype=object)
        eta, acc = read[ETA : ETA + 6], read[ACC : ACC + 6]
        for c in range(6):
            self._seed(eta[c], ("eta", i, c), rate=acc[c])
            self._seed(acc[c], ("acc", i, c))
        R, p = read[ROTATION : ROTATION + 9].reshape(3, 3), read[POSITION : POSITION + 3]
        w, V = eta[3:], read[CARRIER : CARRIER + 3]
        g = self._turning(R.T @ V, i, w)
        seen = Frame(R, p, eta[:3], w, acc[:3], acc[3:])
        self._carriers.append(V)
        return Frame(R, p, eta[:3] + g, w, acc[:3] - cross(w, g), acc[3:], seen)

    def _turning(self, g, i: int, w) -> np.ndarray:
        """A vector that is constant in the world, in axes of node i: dg = g x theta."""
        g = self.lift(g)
        self.graph.atoms.update(x.id for x in g)
        for c, axis in enumerate(np.eye(3)):
            self._rates["turn", i, c] = w[c]
            for component, slope in zip(g, self.lift(cross(g, axis)), strict=True):
                if self.graph.value(slope.id) != 0.0:
                    self._seeds.setdefault(component.id, {})["turn", i, c] = slope.id
        return g

    def _state(self, k: int) -> StateMotion:
        value, rate, second = (self.input("state", self.slots.state(k), c) for c in range(SECOND + 1))
        self._seed(value, ("value", k), rate=rate)
        self._seed(rate, ("rate", k), rate=second)
        self._seed(second, ("second", k))
        return StateMotion(value, rate, second)

    @contextmanager
    def states_at_rest(self) -> Iterator[None]:
        """The states without their rates, for functions of quasi-velocities."""
        kept, zero = self.states, self.zeros(1)[0]
        self.states = [StateMotion(s.value, zero, zero) for s in kept]
        try:
            yield
        finally:
            self.states = kept

    def _seed(self, value: Expr, direction: Direction, rate: Any = None) -> None:
        self._seeds[value.id] = {direction: self.graph.const(1.0)}
        self.graph.atoms.add(value.id)
        if rate is not None:
            self._rates[direction] = rate

    def signal(self, slot: int) -> Expr:
        """Current value of a drive, with known rate and acceleration."""
        value, rate, acceleration = (self.input("flat", slot, k) for k in range(3))
        self._seed(value, ("sig", slot, 0), rate=rate)
        self._seed(rate, ("sig", slot, 1), rate=acceleration)
        return value

    # ---- frames seen from the reference node
    def _reference(self) -> Frame:
        e = self._absolute[-1]
        return self._placed(np.eye(3), np.zeros(3), e)

    @staticmethod
    def _placed(R, p, absolute: Frame) -> Frame:
        """Motion of a node, with its pose seen from E."""
        a, s = absolute, absolute.carried
        return Frame(R, p, a.v, a.w, a.dv, a.dw, Frame(R, p, s.v, s.w, s.dv, s.dw))

    def _relative(self, i: int) -> Frame:
        e, a = self._absolute[-1], self._absolute[i]
        R, p = e.R.T @ a.R, e.R.T @ (a.p - e.p)
        # carriers with the same velocity, as within one part, have no effect
        eta_a, eta_e = (np.concatenate([x.carried.v, x.w]) for x in (a, e))
        twist = adjoint_times(RigidPose(R, p), eta_a) - eta_e
        twist[:3] += self._turning(e.R.T @ (self._carriers[i] - self._carriers[-1]), self.node_count - 1, e.w)
        twist = cut(twist)
        self.relatives.append([v.id for v in (*R.ravel(), *p, *self.lift(twist))])
        self._seed_pose(R, p, ("rel", i), twist)
        return self._placed(R, p, a)

    def _seed_pose(self, R, p, family: tuple, twist) -> None:
        """Tangents of a pose displaced by (d, theta) in axes of E: dR = theta x R, dp = d + theta x p."""
        one = self.graph.const(1.0)
        seeds: dict[int, Tangent] = {v.id: {} for v in (*R.ravel(), *p)}
        self.graph.atoms.update(seeds)
        for c, axis in enumerate(np.eye(3)):
            move, turn = (*family, c), (*family, 3 + c)
            self._rates[move], self._rates[turn] = twist[c], twist[3 + c]
            seeds[p[c].id][move] = one
            columns = [*R.T, p]
            for column in columns:
                for component, value in zip(column, self.lift(cross(axis, column)), strict=True):
                    if self.graph.value(value.id) != 0.0:
                        seeds[component.id][turn] = value.id
        self._seeds.update(seeds)

    @property
    def world(self) -> Frame:
        """The inertial frame seen from E."""
        if self._world is None:
            if not self._absolute:
                raise TracingError("an element without nodes stands nowhere: it cannot look at the world")
            e = self._absolute[-1]
            R, p = e.R.T, -(e.R.T @ e.p)
            eta = np.concatenate([e.v, e.w])
            # the world moves relative to E as E does not: the same directions as a node fixed in space
            self._seed_pose(R, p, ("world", self.node_count - 1), -eta)
            zero = np.zeros(3)
            self._world = Frame(R, p, zero, zero, zero, zero)
        return self._world

    # ---- what an element requests
    def measure(self, function: Callable) -> TracedMeasure:
        return TracedMeasure(self, function)

    def measure_rates(self, function: Callable) -> TracedMeasure:
        return TracedMeasure(self, function, rate_level=True)

    def tied(self, state: StateMotion, value: Any, rate: Any, gap: Any = None) -> Any:
        by_rates = self.coefficient(Coefficient.TIED_RATES)
        gap = state.value - value if gap is None else gap
        return (1.0 - by_rates) * gap + by_rates * (state.rate - rate)

    def multipliers(self, count: int) -> np.ndarray:
        slot = self.slots.multipliers
        new = [self.input("flat", slot, self.multiplier_count + k) for k in range(count)]
        for k, value in enumerate(new):
            self._seed(value, ("lam", self.multiplier_count + k))
        self.multiplier_count += count
        return self.lift(new)

    # ---- differentiation
    def tangents(self, values, levels: Sequence = ()) -> list[Tangent]:
        return tangents(self.graph, [v.id for v in values], self._seeds, expansions=levels)

    def contract(self, tangent_list: list[Tangent]) -> np.ndarray:
        """Time derivatives from tangents: sum of each direction times its rate; multipliers have no rate."""
        result = self.zeros(len(tangent_list))
        for k, tangent in enumerate(tangent_list):
            for direction, slope in tangent.items():
                if direction in self._rates:
                    result[k] = result[k] + Expr(self.graph, slope) * self._rates[direction]
        return result

    def rate(self, values) -> np.ndarray:
        """Time derivatives of traced numbers along the motion."""
        return self.contract(self.tangents(values))

    def unknown_levels(self, scale_pose: bool) -> list[dict[Direction, Tangent]]:
        """Expresses the working directions in the unknowns zeta.

        scale_pose: whether a pose increment is c0 zeta (equations of the nodes) or zeta (constraints, whose rows are
        divided by c0).
        """
        g, last = self.graph, self.node_count - 1
        one = g.const(1.0)
        c0 = self.coefficient(Coefficient.POSE).id if scale_pose else one
        c1, c2 = self.coefficient(Coefficient.TWIST).id, self.coefficient(Coefficient.ACCELERATION).id
        first: dict[Direction, Tangent] = {}
        second: dict[Direction, Tangent] = {}
        for k in range(len(self.states)):
            for level, by in (("value", c0), ("rate", c1), ("second", c2)):
                first[level, k] = {("s", k): by}
        for c in range(6 if self.frames else 0):
            first["world", last, c] = {("z", last, c): g.neg(c0)}
        for i, frame in enumerate(self.frames):
            if i != last:
                Ad = adjoint(RigidPose(frame.R, frame.p))
                for c in range(6):
                    row = {("z", i, j): g.mul(c0, v.id) for j, v in enumerate(self.lift(Ad[c])) if g.value(v.id) != 0.0}
                    first["rel", i, c] = {**row, ("z", last, c): g.neg(c0)}
            increment = [self.input("node", self.slots.node(i), INCREMENT + k) for k in range(6)]
            inverse = inverse_tangent_small(increment)
            for c in range(6):
                first["eta", i, c] = {("u", i, c): c1}
                first["acc", i, c] = {("u", i, c): c2}
                if c >= 3:
                    first["turn", i, c - 3] = {("z", i, c): c0}
                row = {("z", i, j): v.id for j, v in enumerate(self.lift(inverse[c])) if g.value(v.id) != 0.0}
                second["u", i, c] = row
        return [first, second]


@dataclass
class Trace:
    """An element's equations and their derivatives as graphs."""

    site: TracedSite
    contribution: Contribution
    parameters: list[int]  # leaf numbers that are parameters of the kernel, in order
    signals: list[int]  # leaf numbers that are drives, in order


def trace(element: Element) -> Trace:
    """Runs `formulate` on traced numbers; twice if a user wrote it, to check that the equations are repeatable."""
    found = _traced(element)
    if written_by_users(element.structure()) and not found.site.graph.alike(_traced(element).site.graph):
        raise ModelError(f"element {element.name!r} ({type(element).__name__}): what it computes {UNREPEATABLE}")
    return found


def _traced(element: Element) -> Trace:
    site = TracedSite(len(element.nodes()), len(element.states()), governed(element))
    leaves = element.leaves()
    parameters = [k for k, leaf in enumerate(leaves) if not isinstance(leaf, Drive)]
    signals = [k for k, leaf in enumerate(leaves) if isinstance(leaf, Drive)]
    traced: list = [None] * len(leaves)
    for position, k in enumerate(parameters):
        traced[k] = site.input("parameter", 0, position)
    for position, k in enumerate(signals):
        traced[k] = site.signal(site.slots.signal(position))
    twin = element.rebuild(iter(traced))
    for mark, instead in ((NODE, "take its frame"), (STATE, "take site.states"), (READS, "take site.states")):
        for name in (name for name in element.marked(mark) if name not in element.specs()):
            object.__setattr__(twin, name, Unseen(type(element).__name__, name, instead))
    with formulating():
        return Trace(site, twin.formulate(site), parameters, signals)
