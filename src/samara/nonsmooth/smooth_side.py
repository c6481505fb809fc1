"""The smooth side of a co-simulation: a model whose ties are moved from outside, and the resulting tie forces."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np

from samara.elements.families import Joint
from samara.elements.joints.clamp import Clamp
from samara.elements.joints.point_constraints.in_plane import InPlane
from samara.elements.joints.relaxed import RelaxedJoint
from samara.elements.joints.spherical import Spherical
from samara.elements.loads.couple import Couple
from samara.elements.loads.force import Force
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Input, Model, ModelError, Node, Placement
from samara.nonsmooth.followed import Followed, add_followed
from samara.nonsmooth.moving import GROUND, Moving
from samara.nonsmooth.subsystem import Member, NonsmoothSubsystem
from samara.rotations import Pose, cross
from samara.solve.measures import chosen
from samara.solve.native.codes import Status
from samara.solve.sampling import sampling_of
from samara.solve.simulation import Simulation
from samara.solve.start.start import start
from samara.solve.start.start_with_laws import start_with_laws
from samara.solve.step.march import march, record
from samara.system.memory.blocks import ETA

XYZ = ("x", "y", "z")


class SmoothSide:
    """A copy of the model with a tie for each member of a subsystem, and loads on the nodes that carry its surfaces."""

    def __init__(self, subsystem: NonsmoothSubsystem, method: Method, timeline: Timeline) -> None:
        self.step, self.tolerance = timeline.step or 0.0, method.tolerance
        step = self.step
        free = Simulation(subsystem.smooth, method=method)
        _require_apart(free, subsystem)
        start(free, step)
        self.members = list(subsystem.members.values())
        nodes = subsystem.smooth.nodes
        carried = {twin: _moving(free, nodes[name], Placement()) for twin, name in subsystem.carriers.items()}
        self.begun = {m.name: _begun(_moving(free, nodes[m.node], m.place), m, carried) for m in self.members}
        model = copy.deepcopy(subsystem.smooth)
        self._ties = {m.name: self._tie(model, subsystem.name, m) for m in self.members}
        self._carriers = {twin: model.nodes[name] for twin, name in subsystem.carriers.items()}
        self._loads = {
            twin: _load(model, f"{subsystem.name}.{node.name}", node)
            for twin, node in self._carriers.items()
            if node.free
        }
        self.sim = sim = Simulation(model, method=method)
        _require_laws(sim, step)
        self._followed = {name: Followed(sim.system, node) for name, node in self._ties.items()}
        for name, moving in self.begun.items():
            self._followed[name].move(0.0, step, moving.pose, moving.twist, moving.after(step))
        start_with_laws(sim, step)
        self.channels, self._columns = chosen(sim.system, timeline.outputs)
        self._forces = np.concatenate(
            [
                chosen(sim.system, (f"{subsystem.name}.{m.name}.tie.{what}",))[1]
                for m in self.members
                for what in ("force", "couple")[: max(1, m.freedoms // 3)]
            ]
        )
        self._all = np.concatenate([self._columns, self._forces])
        self._times, self._rows = np.zeros(1), np.zeros((1, self._all.size))
        self._kept = sim.step_state()
        self.steps = 0

    def _tie(self, model: Model, owner: str, m: Member) -> Node:
        name, pose = f"{owner}.{m.name}", self.begun[m.name].pose
        node = add_followed(model, f"{name}.follower", Placement(pose.p, pose.R))
        joint: Joint
        if m.guide is not None:
            joint = InPlane(node, model.nodes[m.node], place_b=m.place)
        else:
            joint = (Spherical if m.inertia is None else Clamp)(model.nodes[m.node], node, place_a=m.place)
        model.add(f"{name}.tie", RelaxedJoint(joint=joint, compliance=m.compliance) if m.compliance else joint)
        return node

    # ---- what it shows
    def carriers(self) -> dict[str, Moving]:
        """What carries surfaces, as it is now."""
        return {twin: _moving(self.sim, node, Placement()) for twin, node in self._carriers.items()}

    @property
    def free_carriers(self) -> list[str]:
        """Names of those that move freely, so that pushes act on them."""
        return list(self._loads)

    def twists(self) -> np.ndarray:
        """Of those, in world axes, as they are now."""
        twists = [_moving(self.sim, self._carriers[twin], Placement()).twist for twin in self._loads]
        return np.concatenate([np.zeros(0), *twists])

    def carrier_axes(self) -> np.ndarray:
        """Their axes, as a block diagonal matrix, each twice."""
        axes = np.zeros((6 * len(self._loads),) * 2)
        for k, twin in enumerate(twin for twin in self._loads for _ in range(2)):
            axes[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = self.sim.system.state.pose(self._carriers[twin]).R
        return axes

    def speed(self) -> float:
        """The largest of any node, against its carrier [m/s]."""
        return float(np.abs(self.sim.system.state.components(ETA, 3)).max(initial=0.0))

    def axes(self) -> dict[str, np.ndarray]:
        """Of the nodes that members are tied to."""
        nodes = self.sim.model.nodes
        return {m.name: self.sim.system.state.pose(nodes[m.node]).R for m in self.members}

    def row(self) -> np.ndarray:
        """What is recorded, at the present time."""
        record(self.sim.work, self._all, self._times, self._rows, 0)
        return self.recorded()

    def recorded(self) -> np.ndarray:
        """What the last step has recorded."""
        return self._rows[0, : self._columns.size].copy()

    # ---- a step
    def keep(self) -> None:
        """Where the next steps are taken from."""
        self._kept = self.sim.step_state()

    def put_back(self) -> None:
        """Back to there; factors stay, for they are still good."""
        trust = self.sim.memory.trust
        factored = trust.factored_for, trust.factored_second
        self.sim.put_step_state(self._kept)
        trust.factored_for, trust.factored_second = factored

    def attempt(
        self,
        begin: Mapping[str, Moving],
        end: Mapping[str, Moving],
        pushes: np.ndarray,
        event: bool,
    ) -> tuple[Status, np.ndarray]:
        """A step from where it was kept, with ties moved so and carriers pushed so; forces of the ties at its end."""
        self.put_back()
        sim, time = self.sim, self.sim.time
        for name, followed in self._followed.items():
            followed.move(time, self.step, begin[name].pose, begin[name].twist, end[name].pose)
        names = [name for inputs in self._loads.values() for name in inputs]
        for name, value in zip(names, pushes, strict=True):
            sim.system.set_input(name, float(value))
        if event:
            sim.memory.clock.event = True
        status = self._march()
        self.steps += 1
        return status, self._tie_forces(end)

    def _march(self) -> Status:
        recorded = self._all, self._times, self._rows
        return self.sim.advance(lambda n: march(self.sim.work, self.step, n, 1, 0, *recorded), 1, self.step).status

    def _tie_forces(self, end: Mapping[str, Moving]) -> np.ndarray:
        """On the members, world axes [N, N m]."""
        rows, first, forces = self._rows[0, self._columns.size :], 0, []
        nodes = self.sim.model.nodes
        for m in self.members:
            parts = rows[first : first + max(3, m.freedoms)].reshape(-1, 3)
            first += parts.size
            if m.guide is None:
                forces.append((parts @ end[m.name].pose.R.T).ravel())
            else:  # the joint tells what acts on the model's node
                R = self.sim.system.state.pose(nodes[m.node]).R @ m.place.rotation
                forces.append(-end[m.name].pose.R[:, 2:].T @ (R @ parts[0]))
        return np.concatenate(forces)


def _require_laws(sim: Simulation, step: float) -> None:
    """Discrete laws must be native code, for steps are taken again and again, and sample at whole numbers of steps."""
    sampling = sampling_of(sim)
    if sampling is not None:
        sampling.require_native("cosimulate", sim.model.name)
        sampling.require("cosimulate", sim, step)


def _require_apart(sim: Simulation, subsystem: NonsmoothSubsystem) -> None:
    """Refuses contacts of the model on nodes that rigid ties move: they could push nothing there."""
    tied = {m.node: m.name for m in subsystem.members.values() if not m.compliance}
    for element in sim.model.elements.values():
        on = [node.name for node in element.nodes() if node.name in tied]
        if on and sim.system.touches(element):
            raise ModelError(
                f"cosimulate: contact {element.name!r} of model {sim.model.name!r} is on node {on[0]!r}, which "
                f"'{subsystem.name}.{tied[on[0]]}' is tied to and moves: put the contact into the subsystem, or give "
                "the tie of a point or a body a compliance"
            )


def _moving(sim: Simulation, node: Node, place: Placement) -> Moving:
    """A place on a node, in motion."""
    R, p = sim.system.state.pose(node)
    twist = sim.system.state.twist(node)
    v, w = R @ twist[:3], R @ twist[3:]
    arm = R @ place.position
    return Moving(Pose(R @ place.rotation, p + arm), np.concatenate([v + cross(w, arm), w]))


def _begun(moving: Moving, m: Member, carriers: Mapping[str, Moving]) -> Moving:
    """A member at the start; a point does not turn, a slider turns with its carrier."""
    if m.inertia is not None:
        return moving
    if m.guide is None:
        return Moving(Pose(np.eye(3), moving.pose.p), moving.twist * (1, 1, 1, 0, 0, 0))
    carrier = carriers.get(m.guide.carrier, GROUND)
    rate = float(carrier.pose.R @ m.guide.along @ (moving.twist[:3] - carrier.velocity(moving.pose.p)))
    return m.guide.at(carriers, m.guide.slide(moving, carriers), rate)


def _load(model: Model, name: str, node: Node) -> tuple[str, ...]:
    """Inputs of a force and a couple in world axes on a node."""
    names = tuple(f"{name}.{what}.{axis}" for what in ("force", "couple") for axis in XYZ)
    units = ("N",) * 3 + ("N m",) * 3
    inputs = [Input(n, unit=u) for n, u in zip(names, units, strict=True)]
    model.add(f"{name}.force", Force(node, force=tuple(inputs[:3])))
    model.add(f"{name}.couple", Couple(node, couple=tuple(inputs[3:])))
    return names
