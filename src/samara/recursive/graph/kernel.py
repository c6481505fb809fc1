"""A whole tree traced into native functions: constants folded, so that zeros of bodies and joints vanish.

Loads are the elements of the library, from the same source: the graph of their kind, made on the nodes' frames, is
linked into that of the tree with the frames that the recursion gives, relative ones along the tree. This is the third
site of an element, beside the traced one of its kind and the plain one.

    forward    block -> rates of the speeds, highest derivatives of the scalar states
    place      block with these -> poses, twists and accelerations of all nodes, and the states, in the system's memory
    reactions  the same -> multipliers of all joints of the tree: what holds the bodies together
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.families import Held
from samara.model import Drive, Element, Node, Parameter, RigidMass, State
from samara.recursive.dynamics.articulated import ArticulatedBodies
from samara.recursive.dynamics.inertia import Inertia, body_bias
from samara.recursive.dynamics.recursion import REST, FrameMotion, Recursion
from samara.recursive.dynamics.spatial import Wrench, add_wrench, wrench_from
from samara.recursive.graph.algebraic import algebraic_rates
from samara.recursive.graph.block import TreeBlock
from samara.recursive.graph.closures import Closures
from samara.recursive.graph.linker import Accelerations, Linker, NodeAcceleration
from samara.recursive.graph.states import solve_states
from samara.recursive.tree import Segment, Tree, TreeError
from samara.rotations import Pose, cross
from samara.rotations.scalars import Scalar, Vector
from samara.system.kernels.signals import is_fixed
from samara.system.memory.blocks import ACC, CARRIER, ETA, POSITION, RATE, ROTATION, SECOND, VALUE
from samara.system.system import System
from samara.tracing import Expr, Graph
from samara.tracing.expressions.linking import link
from samara.tracing.kernels.lanes import Function, Place, Shape


@dataclass(frozen=True)
class _StateInput:
    """A scalar state in the graph before its equation is solved: part 0 value, 1 rate, 2 second derivative."""

    name: str
    part: int


class TreeGraph:
    """The equations of motion of a tree as one graph.

    gravity: of all bodies, where it is constant and the same for all; None where each has its own.
    """

    def __init__(self, tree: Tree, system: System) -> None:
        self.tree, self.system = tree, system
        self.graph = Graph()
        self.states = list(system.layout.states)
        self.contacts = [e for e in system.model.elements.values() if system.find(e)[0].kind.touches]
        self.loads = self._loads()
        closures = sum(system.multiplier_count(element) for element in tree.cut)
        drives, bases = self._drives(), self._bases()
        known = {id(drive) for drive in drives}
        jumps = bool(bases) or any(id(s.drive) in known or id(s.rate) in known for s in tree.segments)
        massive = len({tree.attached[body.nodes()[0].name].segment for body in tree.bodies} - {-1}) if jumps else 0
        pushes = sum(system.multiplier_count(element) for element in self.contacts)
        self.block = TreeBlock(tree, self.states, drives, bases, closures, massive, pushes)
        self.parameters: list[Parameter] = []
        self.recursion = Recursion(tree, self)
        self.gravity = self._uniform_gravity()

    # ---- what there is
    def _loads(self) -> list[Element]:
        """All that acts on the tree and is no part of it."""
        held, cut = {id(e) for e in self.tree.holding}, {id(e) for e in self.tree.cut}
        found = []
        for element in self.system.model.elements.values():
            if id(element) in held or id(element) in cut:
                continue
            free = any(node.free for node in element.nodes())
            if element in self.contacts or isinstance(element, RigidMass):
                continue
            if isinstance(element, Held) and not free:
                continue  # between nodes that do not move by themselves
            if self.system.multiplier_count(element):
                raise TreeError(
                    f"element {element.name!r} ({type(element).__name__}) holds its nodes by constraints and is no "
                    "joint of the tree: take the redundant formulation"
                )
            found.append(element)
        return found

    def _drives(self) -> list[Drive]:
        drives = [s.drive for s in self.tree.segments] + [s.rate for s in self.tree.segments]
        elements = [*self.loads, *self.tree.bodies, *self.tree.cut, *self.contacts]
        drives += [leaf for element in elements for leaf in element.objects() if isinstance(leaf, Drive)]
        known = {id(d): d for d in drives if d is not None and not is_fixed(d)}
        return list(known.values())

    def _bases(self) -> list[Node]:
        """Prescribed nodes that move."""
        prescribed = [n for n in self.system.model.nodes.values() if n.motion is not None]
        return [n for n in prescribed if not all(map(is_fixed, n.motion.drives))]  # type: ignore[union-attr]

    def _uniform_gravity(self) -> np.ndarray | None:
        values = []
        for body in self.tree.bodies:
            drives = list(body.gravity)
            if len(drives) != 3 or not all(map(is_fixed, drives)):
                return None
            values.append(tuple(float(d(0.0)) for d in drives))
        return np.array(values[0]) if len(set(values)) == 1 else None

    def moving(self) -> list[tuple[int, int, float, int]]:
        """Numbers that are integrated: (place, place of its derivative, factor of that, level).

        Levels: 0 coordinates, 1 speeds, 2 states. Balls are apart, see `balls`.
        """
        at = self.block
        found: list[tuple[int, int, float, int]] = []
        for s in self.tree.segments:
            if s.drive is None and s.freedom.kind != "ball":
                if s.rate is None:
                    found.append((at.coordinates + s.q, at.speeds + s.v, 1.0, 0))
                elif is_fixed(s.rate):
                    found.append((at.coordinates + s.q, at.one, s.scale * float(s.rate(0.0)), 0))
                else:
                    found.append((at.coordinates + s.q, at.drive(s.rate), s.scale, 0))
        found += [(at.speeds + k, at.results + k, 1.0, 1) for k in range(self.tree.speeds)]
        for state in self.states:
            first, result = at.state(state.name), at.state_result(state.name)
            if state.order == 2:
                found += [(first, first + 1, 1.0, 2), (first + 1, result, 1.0, 2)]
            elif state.order == 1:
                found.append((first, result, 1.0, 2))
        return found

    def balls(self) -> list[tuple[int, int]]:
        """Places of each quaternion and of its angular velocity."""
        at = self.block
        return [(at.coordinates + s.q, at.speeds + s.v) for s in self.tree.segments if s.freedom.kind == "ball"]

    # ---- inputs
    def lane(self, position: int) -> Expr:
        """A number of the block."""
        return Expr(self.graph, self.graph.input(Place("lane", 0, position)))

    def lanes(self, first: int, count: int) -> list[Expr]:
        """Numbers of the block side by side."""
        return [self.lane(first + k) for k in range(count)]

    def drive(self, drive: Drive) -> list[Scalar]:
        """Value, rate and second derivative."""
        return [float(drive(0.0)), 0.0, 0.0] if is_fixed(drive) else list(self.lanes(self.block.drive(drive), 3))

    def number(self, leaf: Any, value: float) -> Scalar:
        """A number of an element: folded, unless it is a parameter with a name."""
        if not isinstance(leaf, Parameter):
            return value
        known = [p.name for p in self.parameters]
        if leaf.name not in known:
            self.parameters.append(leaf)
            known.append(leaf.name)
        return Expr(self.graph, self.graph.input(Place("parameter", 0, known.index(leaf.name))))

    # ---- what the recursion asks for
    def coordinate(self, segment: Segment) -> Sequence[Scalar]:
        if segment.drive is None:
            return self.lanes(self.block.coordinates + segment.q, segment.freedom.coordinates)
        return [segment.scale * self.drive(segment.drive)[0] + segment.offset]

    def speed(self, segment: Segment) -> Sequence[Scalar]:
        if segment.free:
            return self.lanes(self.block.speeds + segment.v, segment.freedom.speeds)
        if segment.rate is not None:
            return [segment.scale * self.drive(segment.rate)[0]]
        return [segment.scale * self.drive(segment.drive)[1]]

    def known_acceleration(self, segment: Segment) -> Sequence[Scalar]:
        if segment.rate is not None:
            return [segment.scale * self.drive(segment.rate)[1]]
        return [segment.scale * self.drive(segment.drive)[2]]

    def base(self, node: Node) -> FrameMotion:
        if not self.block.has_base(node):
            start = node.start
            return FrameMotion(Pose(start.rotation, start.position), REST.v, REST.w, REST.dv, REST.dw, REST.V)
        x = np.array(self.lanes(self.block.base(node), 24), dtype=object)
        return FrameMotion(Pose(x[:9].reshape(3, 3), x[9:12]), x[12:15], x[15:18], x[18:21], x[21:24], REST.V)

    # ---- bodies
    def bodies(self) -> list[tuple[RigidMass, int, tuple[Scalar, Vector, np.ndarray]]]:
        """Each with its segment, and its mass, centre of mass and inertia in the axes of that."""
        found = []
        for body in self.tree.bodies:
            mass, com, J = body.rebuild(iter(self._numbers(body))).rigid_inertia()
            at = self.tree.attached[body.nodes()[0].name]
            if at.segment < 0:
                continue
            R, p = at.pose
            found.append((body, at.segment, (mass, p + R @ com, R @ J @ R.T)))
        return found

    def _numbers(self, element: Element) -> list:
        """Its leaves with named parameters as inputs."""
        return [self.number(leaf, leaf) for leaf in element.leaves()]

    def inertias(self) -> tuple[dict[int, Inertia], dict[int, Wrench]]:
        """Inertia of what is fixed to each segment, and what it needs to keep its twist; weights where they differ."""
        inertias: dict[int, Inertia] = {}
        forces: dict[int, Wrench] = {}
        for body, number, (mass, com, J) in self.bodies():
            own, motion = Inertia.of_body(mass, com, J), self.recursion.motions[number]
            inertias[number] = inertias[number] + own if number in inertias else own
            force, moment = body_bias(mass, com, J, motion.v, motion.w)
            if self.gravity is None:
                g = np.array([self.drive(d)[0] for d in body.gravity], dtype=object)
                weight = mass * (self.recursion.world_pose(number).R.T @ g)
                force, moment = force - weight, moment - cross(com, weight)
            add_wrench(forces, number, (force, moment))
        return inertias, forces

    # ---- loads
    def linker(
        self, element: Element, states: Callable[[State, int], int], accelerations: Accelerations | None = None
    ) -> Linker:
        """Puts an element's equations into the graph of the tree. accelerations: of all segments, once known."""
        group, k = self.system.find(element)
        return Linker(self, element, group, k, states, accelerations)

    def touch_of(self, element: Element) -> list[Expr]:
        """Gap, speeds, friction and restitution of a contact."""
        return self.linker(element, lambda state, part: self.graph.const(0.0)).touch()

    def load_graph(self) -> tuple[dict[int, Wrench], dict[str, int]]:
        """Wrenches of all loads on segments, in outer axes, and the highest derivatives of the states."""
        graph = self.graph

        def state(state: State, part: int) -> int:
            place = self.known_part(state, part)
            return graph.input(place) if place is not None else self._unknown_state(state, part)

        rows: list[tuple[Element, Node, int, int]] = []
        balances: dict[str, int] = {s.name: graph.const(0.0) for s in self.states}
        for element in self.loads:
            nodes, states = element.nodes(), element.states()
            for (what, which, c), value in self.linker(element, state).residual():
                if what == "node" and self.tree.attached[nodes[which].name].segment >= 0:
                    rows.append((element, nodes[which], c, value))
                elif what == "state":
                    name = states[which].name
                    balances[name] = graph.add(balances[name], value)
        unknown = {s.name: _StateInput(s.name, s.order) for s in self.states}
        solved, known = solve_states(graph, self.states, balances, unknown, self._attached)
        if known:
            values = link(graph, graph, [value for *_, value in rows], graph.input, known)
            rows = [(*row[:3], value) for row, value in zip(rows, values, strict=True)]
        self._require_no_accelerations(rows)
        wrenches: dict[str, np.ndarray] = {}
        for _, node, c, value in rows:
            wrench = wrenches.setdefault(node.name, np.full(6, 0.0, dtype=object))
            wrench[c] = wrench[c] + Expr(graph, value)
        forces: dict[int, Wrench] = {}
        for name, wrench in wrenches.items():
            at = self.tree.attached[name]
            add_wrench(forces, at.segment, wrench_from(at.pose, wrench[:3], wrench[3:]))
        return forces, solved

    def _acceleration_inputs(self, outputs: Sequence[int]) -> dict[int, NodeAcceleration]:
        """Accelerations of nodes, not yet known, that results depend on."""
        nodes = ((i, self.graph.nodes[i]) for i in self.graph.live(outputs))
        return {i: n.args[0] for i, n in nodes if n.op == "input" and isinstance(n.args[0], NodeAcceleration)}

    def _require_no_accelerations(self, rows: Sequence[tuple[Element, Node, int, int]]) -> None:
        if self._acceleration_inputs([value for *_, value in rows]):
            for element, *_, value in rows:
                if self._acceleration_inputs([value]):
                    raise TreeError(
                        f"element {element.name!r} ({type(element).__name__}) makes loads of accelerations, which the "
                        "recursive formulation has only when all loads are known: take the redundant formulation"
                    )

    def _with_accelerations(self, solved: dict[str, int], found: Mapping[int, Sequence[Scalar]]) -> dict[str, int]:
        """Derivatives of the states, once accelerations are known."""
        asked = self._acceleration_inputs(list(solved.values()))
        if not asked:
            return solved
        accelerations = self.recursion.accelerations(found)
        known = {}
        for i, which in asked.items():
            node = self.system.model.nodes[which.node]
            known[i] = self.number_of(
                np.concatenate(self.recursion.node_acceleration(node, accelerations))[which.component]
            )
        return dict(
            zip(solved, link(self.graph, self.graph, list(solved.values()), self.graph.input, known), strict=True)
        )

    def _attached(self, state: State) -> str:
        """The elements at a state, by name."""
        names = [e.name for e in self.system.model.elements.values() if any(s is state for s in e.states())]
        return ", ".join(map(repr, names[:4])) or "no element"

    def known_part(self, state: State, part: int) -> Place | None:
        """Where a known part of a state is read: value and rate below its highest derivative."""
        return Place("lane", 0, self.block.state(state.name) + part) if part < state.order else None

    def _unknown_state(self, state: State, part: int) -> int:
        if part > state.order:
            raise TreeError(f"state {state.name!r}: an element looks at a derivative that its order does not give")
        return self.graph.input(_StateInput(state.name, part))

    # ---- functions
    def forward(self) -> Function:
        """Rates of the speeds, and highest derivatives of the states."""
        inertias, forces = self.inertias()
        loads, solved = self.load_graph()
        for number, wrench in loads.items():
            add_wrench(forces, number, wrench)
        n = self.block.efforts
        efforts: dict[int, Sequence[Scalar]] = {
            s.number: self.lanes(n + s.v, s.freedom.speeds) for s in self.tree.free_segments
        }
        gravity = self.gravity if self.gravity is not None else np.zeros(3)
        bodies = ArticulatedBodies(self.recursion, inertias)
        found = bodies.rates(forces, efforts, gravity)
        multipliers: list[Expr] = []
        if self.tree.cut:
            closures = Closures(self, bodies)
            multipliers = closures.multipliers(closures.accelerations(found))
            found = closures.answered(multipliers, found)
        solved = self._with_accelerations(solved, found)
        outputs = [
            (Place("lane", 0, self.block.results + s.v + k), self.number_of(value))
            for s in self.tree.free_segments
            for k, value in enumerate(found[s.number])
        ]
        outputs += [(Place("lane", 0, self.block.state_result(name)), node) for name, node in solved.items()]
        outputs += [(Place("lane", 0, self.block.multipliers + k), x.id) for k, x in enumerate(multipliers)]
        return Function("forward", self.graph, outputs)

    def compliance(self) -> Function:
        """E of the cut joints, by rows: it must not be singular."""
        inertias, _ = self.inertias()
        E = Closures(self, ArticulatedBodies(self.recursion, inertias)).compliance
        return Function("compliance", self.graph, [(Place("lane", 0, k), x.id) for k, x in enumerate(E.ravel())])

    def project(self) -> Function:
        """Corrections of coordinates, as speeds would move them, and of speeds, that close cut joints."""
        inertias, _ = self.inertias()
        closures = Closures(self, ArticulatedBodies(self.recursion, inertias))
        outputs: list[tuple[Place, int]] = []
        for first, missing in ((0, closures.values()), (self.tree.speeds, closures.rates())):
            moved = closures.answered(closures.multipliers(missing))
            outputs += [
                (Place("lane", 0, self.block.corrections + first + s.v + k), self.number_of(value))
                for s in self.tree.free_segments
                for k, value in enumerate(moved[s.number])
            ]
        return Function("project", self.graph, outputs)

    def place(self) -> Function:
        """Nodes and states in the memory of the system. Index rows: the block of each node, then of each state."""
        width, block = self.system.layout.width, self.block
        found = {s.number: self.lanes(block.results + s.v, s.freedom.speeds) for s in self.tree.free_segments}
        accelerations = self.recursion.accelerations(found)
        outputs: list[tuple[Place, int]] = []

        def write(slot: int, first: int, values: Any) -> None:
            outputs.extend(
                (Place("output", slot, (first + i) * width), self.number_of(v)) for i, v in enumerate(np.ravel(values))
            )

        for slot, node in enumerate(self.tree.order):
            pose = self.recursion.node_pose(node)
            write(slot, ROTATION, pose.R)
            write(slot, POSITION, pose.p)
            write(slot, ETA, np.concatenate(self.recursion.node_twist(node)))
            write(slot, ACC, np.concatenate(self.recursion.node_acceleration(node, accelerations)))
            write(slot, CARRIER, self.recursion.node_carrier(node))
        rates = self._algebraic_rates(found)
        for k, state in enumerate(self.states):
            slot = len(self.tree.order) + k
            parts: list[Scalar] = [self.lane(block.state(state.name) + part) for part in range(state.order)]
            parts.append(self.lane(block.state_result(state.name)))
            for component, value in zip((VALUE, RATE, SECOND), parts, strict=False):
                write(slot, component, [value])
            if state.order == 0:
                write(slot, RATE, [rates[state.name]])
        return Function("place", self.graph, outputs)

    def _algebraic_rates(self, found: Mapping[int, Sequence[Scalar]]) -> dict[str, Expr]:
        if all(state.order for state in self.states):
            return {}
        return algebraic_rates(self, self._with_accelerations(self.load_graph()[1], found))

    def moves(self, node: Node) -> bool:
        """Whether it is a node of the tree, and not of its base."""
        return self.tree.attached[node.name].segment >= 0

    def expr(self, value: Any) -> Expr:
        """A number of the graph, from one or from a plain number."""
        return value if isinstance(value, Expr) else Expr(self.graph, self.graph.const(float(value)))

    def indices(self) -> np.ndarray:
        """Index rows of `place` and `reactions`."""
        layout = self.system.layout
        found = [layout.block(node) for node in self.tree.order]
        found += [layout.state_block(state) for state in self.states]
        for element in [*self.tree.holding, *self.tree.cut]:
            group, k = self.system.find(element)
            found.append(layout.multiplier_base + int(group.multiplier[k]))
        return np.array([*found, 0], np.uint32)

    def shape(self) -> Shape:
        """Sizes behind the functions."""
        slots = len(self.tree.order) + len(self.states) + len(self.tree.holding) + len(self.tree.cut) + 1
        return Shape(indices=slots, parameters=max(1, len(self.parameters)), block=self.block.size, slots=slots)

    def number_of(self, value: Any) -> int:
        return value.id if isinstance(value, Expr) else self.graph.const(float(value))
