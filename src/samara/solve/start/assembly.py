"""Consistent initial conditions: positions, then velocities, then accelerations and multipliers.

Positions and velocities change as little as possible (least squares, with angles scaled by the size of the mechanism),
and flexible parts keep their shape and move with their roots. Accelerations and multipliers follow from the equations
of motion; massless nodes are in equilibrium (`solve.start.massless_balance`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix, vstack

from samara.arguments import positive, whole, yes_or_no
from samara.model import GivesShape
from samara.solve.as_simulation import require_simulation
from samara.solve.constraints.redundant_locks import check_locks
from samara.solve.constraints.release import release
from samara.solve.constraints.singularity import factorised
from samara.solve.errors import SingularModel, SolveError
from samara.solve.linear.sparse import LARGE_SYSTEM, least_squares
from samara.solve.mechanism.tangent_space import weights
from samara.solve.native.kernels import set_time
from samara.solve.redundant.carrier import carry, drop
from samara.solve.simulation import Simulation
from samara.solve.start.accelerations import accelerations
from samara.solve.start.displaced_nodes import open_joints, with_balanced, with_closed
from samara.solve.start.held_starts import HeldStarts, bordered
from samara.solve.start.loops import LAST_MOTION, Closing, is_closed, pieces_of
from samara.solve.start.massless_balance import settle
from samara.solve.start_report import CONTRADICTING_CHANGE, Motion, adjusted, keep_velocities, motion
from samara.system.memory.aligned_arrays import return_free_memory
from samara.system.start.start import is_as_placed, place_again
from samara.system.system import Group

#: Step of a run that is not known yet [s].
USUAL_STEP = 1e-3
#: Where no motion closes a gap at first sight, as of a chain stretched out straight whose end must come nearer: a move
#: shorter than this part of the gap; then all nodes are turned a little [rad], a few times, always in the same way.
STUCK_MOVE, NUDGE_ANGLE, MOST_NUDGES = 1e-3, 1e-3, 3
#: Singular value of constraints in a mechanism's own sizes, of the largest, below which one repeats others.
REPEATED_VALUE = 1e-9


def assemble(
    sim: Simulation, tolerance: float = 1e-12, iterations: int = 50, *, balance: bool = True, step: float = USUAL_STEP
) -> None:
    """Makes the present state consistent; raises an error that names joints that cannot be closed or are redundant.

    balance: whether to bring massless parts into equilibrium; not needed before a static solution.
    step:    of the run that follows [s]: massless nodes whose damped motion takes longer than it are not moved.
    """
    require_simulation("assemble", sim, trees=True, runs=True)
    tolerance, iterations = positive("assemble: tolerance", tolerance), whole("assemble: iterations", iterations)
    with sim.alone():
        _assemble(sim, tolerance, iterations, yes_or_no("assemble: balance", balance), step)
    return_free_memory(sim.system.unknowns.size)


def _assemble(sim: Simulation, tolerance: float, iterations: int, balance: bool, step: float) -> None:
    drop(sim)
    place_again(sim.system)
    before, joints = motion(sim.system), open_joints(sim)
    starts = HeldStarts(sim, before)
    overruled = sim.system.placed.overruled if is_as_placed(sim.system) else ()
    close_joints(sim, tolerance, iterations, starts)
    if sim.system.layout.multiplier_count:
        release(sim)
        keep_velocities(sim.system, before)
        _velocities(sim, only(sim, is_constraint), only(sim, is_elastic), starts)
    sim.adjusted, before = with_closed(sim, adjusted(sim, before, overruled), joints), motion(sim.system)
    if balance:
        sim.adjusted = replace(sim.adjusted, locks=check_locks(sim))
    carry(sim)  # parts without mass must not feel at which speed they fly
    accelerations(sim)
    if balance and settle(sim, step):
        accelerations(sim)
        sim.adjusted = with_balanced(sim, sim.adjusted, before)
    drop(sim)


def close_joints(
    sim: Simulation, tolerance: float = 1e-12, iterations: int = 50, starts: HeldStarts | None = None
) -> None:
    """Positions alone: moves the nodes as little as possible until all joints are closed.

    starts: what is held meanwhile, if that is possible.
    """
    sim.claim()
    set_time(sim.machine, sim.time)
    if sim.system.layout.multiplier_count:
        joints, shapes = only(sim, is_constraint), only(sim, is_elastic)
        if starts:
            Closing(
                sim,
                starts,
                joints,
                project=lambda: projector(sim, joints, shapes, moving=0.0),
                spread=lambda rows, left, H: _least_squares(sim, joints, rows, left, H),
                forces=(lambda: _elastic_forces(sim, shapes)) if shapes else None,
                tolerance=tolerance,
                iterations=iterations,
            ).run()
        _positions(sim, joints, shapes, tolerance, iterations)


def fit(sim: Simulation, before: Motion) -> None:
    """Positions and velocities alone, of constraints that may repeat each other, and what changed since `before`."""
    starts, joints = HeldStarts(sim, before), open_joints(sim)
    close_joints(sim, starts=starts)
    if sim.system.layout.multiplier_count:
        keep_velocities(sim.system, before)
        _velocities(sim, only(sim, is_constraint), only(sim, is_elastic), starts, repeated=True)
    sim.adjusted = with_closed(sim, adjusted(sim, before), joints)


Groups = list[int]  # numbers of groups of elements


def is_constraint(sim: Simulation, group: Group) -> bool:
    """Whether a group holds by constraints, released ones included."""
    releases = sim.system.releases
    return group.kind.multiplier_count > 0 or (releases is not None and group is releases.group)


def is_elastic(sim: Simulation, group: Group) -> bool:
    """Whether a group gives flexible parts their shape."""
    return any(isinstance(element, GivesShape) for element in group.elements[:1])


def only(sim: Simulation, chosen: Callable[[Simulation, Group], bool]) -> Groups:
    """Numbers of some groups of elements."""
    return [k for k, group in enumerate(sim.system.groups) if chosen(sim, group)]


def _elastic_forces(sim: Simulation, shapes: Groups) -> np.ndarray:
    """On the coordinates, at rest."""
    with sim.state.weighed(1.0, 0.0, 0.0, moving=0.0):
        return sim.state.residual(shapes)[: sim.system.layout.coordinates]


def projector(sim: Simulation, joints: Groups, shapes: Groups, moving: float, named: bool = True):
    """Factorises [[weights + K, G^T], [G, 0]] at the present state; returns a function rows -> unknowns.

    K: stiffness of the flexible parts, so that they rather move than bend.
    named: whether an error says which joints repeat each other.
    """
    s = sim.system
    sim.state.multipliers[:] = 0.0
    sim.state.weigh(1.0, 0.0, 0.0, moving=0.0)
    values = sim.matrix_values(shapes) if shapes else 0.0
    sim.state.weigh(1.0 - moving, 1.0, 1.0, moving)
    values = values + sim.matrix_values(joints)
    values[s.pattern.diagonal] += weights(sim)
    return factorised(sim, values, redundant=True, named=named)


def _positions(sim: Simulation, joints: Groups, shapes: Groups, tolerance: float, iterations: int) -> None:
    s = sim.system
    gap, moved, before = np.inf, 0.0, _elastic_forces(sim, shapes)
    nudges, turns = MOST_NUDGES, np.tile([0.0] * 3 + [1.0] * 3, len(s.layout.free))
    for _ in range(iterations):
        sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
        sim.state.multipliers[:] = 0.0
        rows = s.state.residual(joints)
        rows[: s.layout.coordinates] = 0.0
        gap, last = float(np.abs(rows).max()), gap
        closed = is_closed(sim, gap, last, tolerance)
        if closed and moved <= LAST_MOTION * sim.length:
            sim.state.multipliers[:] = 0.0
            return
        if shapes:
            rows[: s.layout.coordinates] = _elastic_forces(sim, shapes) - before
        try:
            x = projector(sim, joints, shapes, moving=0.0, named=False)(rows)
        except SingularModel:  # stretched out, or joints that repeat each other: told apart once the gaps are closed
            x = _least_squares(sim, joints, rows)
            if nudges and not closed and np.abs(x[: s.layout.coordinates]).max(initial=0.0) < STUCK_MOVE * gap:
                nudges -= 1
                x[: turns.size] = NUDGE_ANGLE * np.random.default_rng(nudges).normal(size=turns.size) * turns
        reach = pieces_of(sim, x)
        moved = np.abs(x[: s.layout.coordinates]).max(initial=0.0) if shapes else 0.0
        s.state.move(-x[: s.layout.coordinates] / reach)
    rows[: s.layout.coordinates] = 0.0
    if closed:  # the joints are, the shape is what it has come to
        return
    worst = s.unknowns.owner(int(np.argmax(np.abs(rows))))
    raise SolveError(
        f"model {s.model.name!r} cannot be assembled: {worst} stays open by {gap:.3g} after {iterations} iterations; "
        "check the positions of the joints and nodes it connects"
    )


def _least_squares(
    sim: Simulation, joints: Groups, rows: np.ndarray, left: np.ndarray | None = None, H: np.ndarray | None = None
) -> np.ndarray:
    """What the projector gives, for constraints without full rank; with conditions H x = left, if there are any."""
    nodes = sim.system.layout.coordinates
    G, gaps = sim.system.pattern.matrix(sim.matrix_values(joints))[nodes:, :nodes], rows[nodes:]
    if left is not None and H is not None:
        G, gaps = csr_matrix(vstack([G, H])), np.concatenate([gaps, left])
    x = np.zeros(rows.size)
    if rows.size > LARGE_SYSTEM:
        x[:nodes] = least_squares(G, gaps, weights(sim))
        return x
    scale = 1.0 / np.sqrt(weights(sim))
    x[:nodes] = scale * np.linalg.lstsq(G.toarray() * scale, gaps, rcond=REPEATED_VALUE)[0]
    return x


def _velocities(sim: Simulation, joints: Groups, shapes: Groups, starts: HeldStarts, repeated: bool = False) -> None:
    """Velocities that the joints allow, and that starts of joints ask for if both go together."""
    s = sim.system
    rows = np.concatenate([np.zeros(s.layout.coordinates), s.state.level("velocity", joints)])
    both = [starts.conditions(rates=True, starts=asked) for asked in (True, False)]
    if repeated:
        sim.state.weigh(0.0, 1.0, 1.0, moving=1.0)
        x, plain = (_least_squares(sim, joints, rows, *held) for held in both)
    else:
        apply = projector(sim, joints, shapes, moving=1.0)
        x, plain = (bordered(sim, apply, rows, *held) for held in both)
    given = s.state.twists
    s.state.twists = given - x[: s.layout.coordinates]
    missed = np.abs(starts.conditions(rates=True)[0]).max(initial=0.0)
    if missed > CONTRADICTING_CHANGE * max(1.0, np.abs(x[: s.layout.coordinates]).max()):
        s.state.twists = given - plain[: s.layout.coordinates]
    sim.state.multipliers[:] = 0.0
