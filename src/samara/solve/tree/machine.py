"""The data of a tree for native code: its block of numbers, its kernels, and the table of its integrator."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.recursive.native.compiled import CompiledTree
from samara.solve.integrators import Integrator
from samara.solve.native.ownership import Owned
from samara.solve.tree.contacts import ContactMachine, contact_machine, no_contacts
from samara.solve.tree.implicit import ImplicitMachine, implicit_machine, no_implicit, past_of
from samara.solve.tree.long import LongMachine, long_machine, no_long_tree
from samara.solve.tree.schemes import IMPLICIT, MoreauJean, TreeIntegrator
from samara.tracing.driver.reference import refer

#: Words of `status`: whether the results in the block are of its present numbers, now and at the end of a step that is
#: shown between; the node whose joint is singular (`long.SINGULAR_JOINT`), -1 for none.
FRESH, SHOWN = 0, 1
#: Columns of `TreePlan.moving`: place of a number in the block, that of its derivative, and its level: a coordinate, a
#: speed or a state; of what closing loops corrects a quaternion too.
PLACE, DERIVATIVE, LEVEL = range(3)
COORDINATE, SPEED, STATE, QUATERNION = range(4)
#: Columns of `TreePlan.factors`: by which derivatives and errors are multiplied, and whether a speed is a velocity.
FACTOR, ERROR_WEIGHT, IS_VELOCITY = range(3)


class TreePlan(NamedTuple):
    """What a step only reads: where numbers are, and the table of the integrator."""

    parameters: np.ndarray
    indices: np.ndarray
    copies: np.ndarray  # (place in the state, place in the block)
    moving: np.ndarray  # of each number that is integrated, see `PLACE`
    factors: np.ndarray  # see `FACTOR`
    spins: np.ndarray  # where angular velocities that drives give to joints lie in the state
    prescribed: np.ndarray  # (place in the state, place in the block, whether a place) of what jumps velocities
    driven: np.ndarray  # (place in the state, place in the block) of each value of a drive that is a place of a joint
    bases: np.ndarray  # (place in the block, places of its rotation and position in the state) of each prescribed node
    led: np.ndarray  # (coordinate, place of its speed in the results) of each that follows what is prescribed
    corrected: np.ndarray  # (place, place of its correction, level) of each number that closing loops corrects
    balls: np.ndarray  # (place of the quaternion, place of the angular velocity)
    table: np.ndarray  # of the integrator
    dense: np.ndarray  # its weights between steps
    speeds_at: int  # where speeds begin in the block
    results_at: int  # where their rates do
    method: int
    order: int


class TreeKernels(NamedTuple):
    """Addresses of what is compiled of a tree, 0 for what it has not."""

    forward: int
    place: int
    reactions: int
    project: int  # 0 without loops
    twists: int  # 0 where nothing is prescribed that may jump
    kick: int
    touch: int  # 0 without contacts


class TreeScratch(NamedTuple):
    """Room that is worth nothing after a step."""

    before: np.ndarray  # the block at the beginning of the step, and
    after: np.ndarray  # at its end, while it is shown between
    kept: np.ndarray  # room for weights
    total: np.ndarray  # room for a combination of slopes
    turned: np.ndarray  # quaternions at the beginning of the step
    turning: np.ndarray  # rotation vectors of the balls since then, of an implicit formula


class TreeMachine(NamedTuple):
    """A tree in the driver's hands; of a model in redundant coordinates all arrays are empty, and the method is 0."""

    plan: TreePlan
    kernels: TreeKernels
    block: Owned
    #: derivatives at the stages: of the numbers, then of the balls' rotation vectors; of an implicit formula the past
    #: of its numbers (`implicit.past_of`)
    slopes: Owned
    status: Owned
    scratch: TreeScratch
    implicit: ImplicitMachine  # of an implicit formula
    long: LongMachine  # of a tree that is treated by kinds of segments
    contacts: ContactMachine


def no_tree() -> TreeMachine:
    """Of a model in redundant coordinates."""
    empty, table, whole = np.zeros(0), np.zeros((0, 0)), np.zeros(0, np.int64)
    pairs, triples = np.zeros((0, 2), np.int64), np.zeros((0, 3), np.int64)
    plan = TreePlan(
        parameters=empty, indices=np.zeros(0, np.uint32), copies=pairs, moving=triples, factors=table, spins=whole,
        prescribed=triples, driven=pairs, bases=triples, led=pairs, corrected=triples, balls=pairs, table=table,
        dense=table, speeds_at=0, results_at=0, method=0, order=0,
    )  # fmt: skip
    return _tree(plan, TreeKernels(*[0] * len(TreeKernels._fields)), empty, table, no_implicit(), no_long_tree(),
                 no_contacts())  # fmt: skip


def _tree(
    plan: TreePlan, kernels: TreeKernels, block: np.ndarray, slopes: np.ndarray, implicit: ImplicitMachine,
    long: LongMachine, contacts: ContactMachine,
) -> TreeMachine:  # fmt: skip
    balls = len(plan.balls)
    scratch = TreeScratch(
        before=block.copy(), after=block.copy(), kept=np.zeros(len(plan.dense)),
        total=np.zeros(len(plan.moving) + 3 * balls), turned=np.zeros((balls, 4)), turning=np.zeros(3 * balls),
    )  # fmt: skip
    return refer(
        TreeMachine(
            plan=refer(plan), kernels=kernels, block=block, slopes=slopes, status=np.array([0, 0, -1]),
            scratch=refer(scratch), implicit=implicit, long=long, contacts=contacts,
        )
    )  # fmt: skip


def tree_machine(compiled: CompiledTree, integrator: TreeIntegrator | Integrator, length: float) -> TreeMachine:
    """Arrays of a compiled tree, and the formula of an integrator. length: size of the mechanism [m]."""
    room = max(len(compiled.graph.moving()) + 3 * len(compiled.graph.balls()), 1)
    if isinstance(integrator, TreeIntegrator):
        table, method, dense = integrator.table(), integrator.method, integrator.dense_table()
        implicit, slopes = no_implicit(), np.zeros((integrator.stages, room))
    else:
        table, method, dense = np.zeros((0, 0)), IMPLICIT, np.zeros((0, 0))
        implicit = implicit_machine(compiled, integrator, length)
        slopes = past_of(implicit)
    moving, balls = compiled.graph.moving(), np.array(compiled.graph.balls(), np.int64).reshape(-1, 2)
    places = np.array([(x, dx, level) for x, dx, _, level in moving], np.int64).reshape(-1, 3)
    factors = np.zeros((len(moving), 3))
    factors[:, FACTOR] = [factor for _, _, factor, _ in moving]
    factors[:, ERROR_WEIGHT] = _weights(compiled, places, length)
    factors[:, IS_VELOCITY] = np.isin(places[:, PLACE], _sliding(compiled))
    facets = integrator.facets if isinstance(integrator, MoreauJean) else 0
    corrected = np.array(compiled.corrected(), np.int64).reshape(-1, 3)
    driven, bases = compiled.leading()
    speeds = {place for place, _, level in places.tolist() if level == SPEED}
    to_results = compiled.places.results - compiled.places.speeds
    led = [(x, dx + to_results) for x, dx, level in places.tolist() if level == COORDINATE and dx in speeds]
    plan = TreePlan(
        parameters=compiled.parameters, indices=compiled.indices, copies=compiled.copies, moving=places,
        factors=factors, spins=_spins(compiled), prescribed=compiled.prescribed(), driven=driven, bases=bases,
        led=np.array(led, np.int64).reshape(-1, 2), corrected=corrected, balls=balls, table=table, dense=dense,
        speeds_at=compiled.places.speeds, results_at=compiled.places.results, method=method, order=integrator.order,
    )  # fmt: skip
    kernels = TreeKernels(*(compiled.addresses.get(name, 0) for name in TreeKernels._fields))
    contacts = contact_machine(compiled, facets)
    return _tree(plan, kernels, compiled.block, slopes, implicit, long_machine(compiled), contacts)


def _weights(compiled: CompiledTree, places: np.ndarray, length: float) -> np.ndarray:
    """Of errors: lengths by the size of the mechanism, angles in rad, speeds likewise, states by their scale."""
    at = compiled.places
    found = np.zeros(len(places))
    of = {
        at.coordinates + s.q: 1.0 / length if s.freedom.kind == "slide" else 1.0
        for s in compiled.tree.segments
        if s.drive is None and s.freedom.kind != "ball"
    }
    of |= {
        at.speeds + s.v + k: 1.0 / length if s.freedom.kind == "slide" else 1.0
        for s in compiled.tree.free_segments
        for k in range(s.freedom.speeds)
    }
    of |= {at.state(state.name): 1.0 / state.scale for state in compiled.graph.states if state.order}
    for k, (place, _, _) in enumerate(places):
        found[k] = of.get(int(place), 0.0)
    return found


def _spins(compiled: CompiledTree) -> np.ndarray:
    """Places in the state of the angular velocities of joints that drives turn: rates of angles, values of rates."""
    layout, turning = compiled.system.layout, [s for s in compiled.tree.segments if s.freedom.kind != "slide"]
    found = [layout.signal(s.drive) + 1 for s in turning if s.drive is not None]
    return np.array([*found, *(layout.signal(s.rate) for s in turning if s.rate is not None)], np.int64)


def _sliding(compiled: CompiledTree) -> list[int]:
    """Places of the speeds that are velocities."""
    return [compiled.places.speeds + s.v for s in compiled.tree.free_segments if s.freedom.kind == "slide"]
