"""Consistent start: positions, then velocities, then accelerations and multipliers that satisfy the constraints.

Positions and velocities move as little as possible (least squares, lengths against angles weighed by the size of the
mechanism), and flexible parts keep their shape: they go along with their roots. Accelerations and multipliers follow
from the equations of motion; what has no mass is in balance (`solve.balance`).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_matrix, vstack

from samara.model import State
from samara.model.arguments import positive, whole
from samara.solve.adjusted import CONTRADICTION, Motion, adjusted, keep_velocities, motion
from samara.solve.algebraic_loops import in_words, loop_through
from samara.solve.balance import settle
from samara.solve.carrier import carry, drop
from samara.solve.close_loops import SETTLED, Closing, pieces_of
from samara.solve.diagnose import owner
from samara.solve.doubled import doubled
from samara.solve.errors import SingularModel, SolveError
from samara.solve.given import require_simulation
from samara.solve.held_starts import HeldStarts, bordered
from samara.solve.kernels import set_time
from samara.solve.locked import check_locks
from samara.solve.lu import SingularMatrix, analyse, new_storage, refactor, solve
from samara.solve.moved import open_joints, with_balanced, with_closed
from samara.solve.redundancy import redundancy
from samara.solve.release import release
from samara.solve.simulation import Simulation
from samara.solve.sparse import LARGE_SYSTEM, least_squares, solver
from samara.solve.tangent import weights
from samara.solve.tied import tie
from samara.system.start import is_as_placed, place_again
from samara.system.system import Group

#: of Newton's method for the accelerations, and how often a correction is halved that leads off
ITERATIONS, SHORTER_TRIES = 30, 12
#: What is left of the equation of a state of order zero, by the largest load, from which on it has found no value.
NO_VALUE = 1e-6
#: Step of a run that is not known yet [s].
STEP = 1e-3
#: Where no motion closes a gap at first sight, as of a chain stretched out straight whose end must come nearer: a move
#: shorter than this part of the gap; then all nodes are turned a little [rad], a few times, always in the same way.
STUCK, NUDGE, NUDGES = 1e-3, 1e-3, 3


def assemble(
    sim: Simulation, tolerance: float = 1e-12, iterations: int = 50, *, balance: bool = True, step: float = STEP
) -> None:
    """Makes the present state consistent; raises an error that names the joints that cannot be closed or repeat.

    balance: whether what has no mass is put into balance; not before a static solution, which finds that of all.
    step:    of the run that follows [s]: nodes without mass whose damped motion outlasts it stay where they are.
    """
    require_simulation("assemble", sim, trees=True, runs=True)
    tolerance, iterations = positive("assemble: tolerance", tolerance), whole("assemble: iterations", iterations)
    with sim.alone():
        _assemble(sim, tolerance, iterations, balance, step)


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
    _accelerations(sim)
    if balance and settle(sim, step):
        _accelerations(sim)
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
    return any(element.elastic for element in group.elements[:1])


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
    nudges, turns = NUDGES, np.tile([0.0] * 3 + [1.0] * 3, len(s.layout.free))
    for _ in range(iterations):
        sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
        sim.state.multipliers[:] = 0.0
        rows = s.state.residual(joints)
        rows[: s.layout.coordinates] = 0.0
        gap, last = float(np.abs(rows).max()), gap
        closed = gap <= tolerance * max(1.0, sim.length) or (gap < 1e-9 and gap >= 0.5 * last)
        if closed and moved <= SETTLED * sim.length:
            sim.state.multipliers[:] = 0.0
            return
        if shapes:
            rows[: s.layout.coordinates] = _elastic_forces(sim, shapes) - before
        try:
            x = projector(sim, joints, shapes, moving=0.0, named=False)(rows)
        except SingularModel:  # stretched out, or joints that repeat each other: told apart once the gaps are closed
            x = _least_squares(sim, joints, rows)
            if nudges and not closed and np.abs(x[: s.layout.coordinates]).max(initial=0.0) < STUCK * gap:
                nudges -= 1
                x[: turns.size] = NUDGE * np.random.default_rng(nudges).normal(size=turns.size) * turns
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
    x[:nodes] = scale * np.linalg.lstsq(G.toarray() * scale, gaps, rcond=1e-9)[0]
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
    if missed > CONTRADICTION * max(1.0, np.abs(x[: s.layout.coordinates]).max()):
        s.state.twists = given - plain[: s.layout.coordinates]
    sim.state.multipliers[:] = 0.0


def factorised(sim: Simulation, values: np.ndarray, redundant: bool, named: bool = True):
    """A function rows -> unknowns, for a matrix with these entries; errors name what is redundant, or free."""
    s = sim.system
    sim.check_finite(values)
    if s.unknowns.size > LARGE_SYSTEM:
        if (found := solver(s, values)) is not None:
            return found
        if not named:
            raise SingularModel(s.model.name)
    try:
        lu = analyse(s.unknowns.size, s.pattern.indptr, s.pattern.indices, values)
    except SingularMatrix as error:
        if not named:
            raise SingularModel(s.model.name) from None
        message = _name_redundant(sim, error) if redundant else sim._name_singular(error)
        raise SingularModel(message + _named_loop(sim, error)) from None
    v = new_storage(lu)
    v[lu.slot] += values
    refactor(lu, v)

    def apply(rows: np.ndarray) -> np.ndarray:
        x = np.zeros(s.unknowns.size)
        solve(lu, v, np.ascontiguousarray(rows), x)
        return x

    return apply


def _accelerations(sim: Simulation) -> None:
    """[M G^T; G 0] (acc, lam) = (loads, -gamma), all at the present positions and velocities.

    With the accelerations come the rates of states of order one and the values of those of order zero and of settled
    ones, whose rate is zero. Newton's method: one step does for all that is linear in them. What does not converge is
    warned of, with the element's name: the run starts from where it got.
    """
    s = sim.system
    static, order = orders(sim)
    tie(sim)
    s.state.accelerations = 0.0
    settled = np.array([state.settled for state in s.layout.states], dtype=bool)
    twists = s.state.twists
    twists[6 * len(s.layout.free) :][settled] = 0.0
    s.state.twists = twists
    sim.state.multipliers[:] = 0.0
    rows, begun = _equations(sim), sim.state.copy()
    loads = np.abs(rows).max(initial=1.0)
    try:  # whole corrections first: what follows from another unknown, as heat from a current, may grow on the way
        _, unsettled, found = _newton(sim, order, static, rows, loads, 0)
        if found or unsettled.any():  # `settle` finds the balance of what is not settled
            return
    except SolveError:  # where halved ones do not lead either, they say why
        pass
    sim.state.restore(begun)
    left, unsettled, found = _newton(sim, order, static, rows, loads, SHORTER_TRIES)
    if found or unsettled.any():
        return
    worst = int(np.argmax(left))
    _require_values(sim, left / loads)
    warnings.warn(
        f"model {s.model.name!r}: the accelerations and states at the start did not converge in {ITERATIONS} "
        f"iterations; {left[worst] / loads:.2g} of the loads is left at {owner(sim, worst)}: look for a "
        "law that jumps there, or start nearer to its balance",
        stacklevel=4,
    )


def _newton(
    sim: Simulation, order: np.ndarray, static: np.ndarray, rows: np.ndarray, loads: float, tries: int
) -> tuple[np.ndarray, np.ndarray, bool]:
    """What is left of the equations, static nodes that found no balance, and whether nothing else is left.

    tries: how often a correction that leads off is halved.
    """
    s = sim.system
    for _ in range(ITERATIONS):
        x = factorised(sim, acceleration_slopes(sim, order, static), redundant=False)(rows)
        # a static node out of balance has no acceleration to speak of: the first step settles its pose
        change = x[: s.layout.coordinates]
        usual = 1.0 + np.abs(change[~static]).max(initial=0.0)
        unsettled = static & (np.abs(change) > 1e5 * usual)
        change[unsettled] = 0.0
        rows = _moved_by(sim, order, change, x[s.layout.coordinates :], rows, static, tries)
        left = np.abs(rows)
        left[: s.layout.coordinates][static] = 0.0
        worst = int(np.argmax(left))
        if not np.isfinite(left[worst]):
            raise SolveError(
                f"model {s.model.name!r}: the accelerations at the start are not finite, first seen at "
                f"{sim.not_finite() or owner(sim, worst)}; look for a division by zero or a square root "
                "of a negative number there"
            )
        if left[worst] <= 1e-9 * loads:
            return left, unsettled, True
    return left, unsettled, False


def _require_values(sim: Simulation, left: np.ndarray) -> None:
    """Refuses states of order zero that have found no value; left: of every equation, of the largest load."""
    layout = sim.system.layout
    first = 6 * len(layout.free)
    lost = [(left[first + k], state) for k, state in enumerate(layout.states) if state.order == 0]
    worst, state = max(lost, key=lambda pair: pair[0], default=(0.0, None))
    if state is not None and worst > NO_VALUE:
        raise SolveError(
            f"model {sim.model.name!r}: state {state.name!r} finds no value at the start, {worst:.2g} of the loads is "
            f"left after {ITERATIONS} iterations: {in_words(sim.model, state)}; or start nearer to one"
        )


def _moved_by(
    sim: Simulation,
    order: np.ndarray,
    change: np.ndarray,
    multipliers: np.ndarray,
    rows: np.ndarray,
    static: np.ndarray,
    tries: int,
) -> np.ndarray:
    """The equations after a correction; a shorter one where all of it would lead further off, as past a square root."""
    n, part, before = sim.system.layout.coordinates, 1.0, sim.state.copy()
    free = np.append(~static, np.ones(rows.size - n, bool))
    last = np.abs(rows[free]).max(initial=0.0)
    for _ in range(tries):
        sim.state.add(order, -part * change)
        sim.state.multipliers[:] -= part * multipliers
        found = _equations(sim)
        left = np.abs(found[free]).max(initial=0.0)
        if left < (1.0 - 0.1 * part) * last or left <= 1e-9 * max(last, 1.0):
            return found
        sim.state.restore(before)
        part *= 0.5
    sim.state.add(order, -change)
    sim.state.multipliers[:] -= multipliers
    return _equations(sim)


def orders(sim: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Which coordinates are of nodes without mass; and the order of the derivative that each one's equation tells."""
    layout = sim.system.layout
    still = [n.kind == "static" for n in layout.free for _ in range(6)]
    order = [2] * len(still) + [_order(state) for state in layout.states]
    return np.array(still + [False] * len(layout.states), dtype=bool), np.array(order, dtype=np.int64)


def _order(state: State) -> int:
    """Of the derivative of a state that follows from its equation at the start."""
    return 0 if state.settled else state.order


def _equations(sim: Simulation) -> np.ndarray:
    """Equations of nodes and states, those of tied ones between rates, and the constraints at acceleration level."""
    sim.state.weigh(0.0, 0.0, 1.0)
    with sim.state.tied_by_rates():
        forces = sim.state.residual()[: sim.system.layout.coordinates]
    return np.concatenate([forces, sim.state.level("acceleration")])


def acceleration_slopes(sim: Simulation, order: np.ndarray, static: np.ndarray) -> np.ndarray:
    """Their derivative by what is unknown of each coordinate, in the order of the pattern."""
    with sim.state.tied_by_rates():
        return _acceleration_slopes(sim, order, static)


def _acceleration_slopes(sim: Simulation, order: np.ndarray, static: np.ndarray) -> np.ndarray:
    s = sim.system
    sim.state.weigh(0.0, 0.0, 1.0)
    values = sim.matrix_values()
    sim.state.weigh(0.0, 1.0, 0.0)  # a rate constraint holds accelerations as it holds twists
    held, rates = s.pattern.indptr[s.layout.coordinates], sim.matrix_values()
    values[held:] = rates[held:]
    if s.layout.states:
        columns = np.append(order, np.full(s.layout.multiplier_count, 2))[s.pattern.indices]
        values[columns == 1] = rates[columns == 1]
        if (order == 0).any():
            sim.state.weigh(1.0, 0.0, 0.0)
            values[columns == 0] = sim.matrix_values()[columns == 0]
        values[held:][columns[held:] < 2] = 0.0
    if static.any():  # a node without mass: its acceleration follows from the constraints, or is immaterial
        scale = np.abs(values[s.pattern.diagonal][~static]).mean() if not static.all() else 1.0
        values[s.pattern.diagonal[static]] += 1e-9 * scale
    return values


def _named_loop(sim: Simulation, error: SingularMatrix) -> str:
    """Of states of order zero that nothing determines: the loop that they make, if they make one."""
    layout = sim.system.layout
    first = 6 * len(layout.free)
    for row in (*error.columns, *error.rows):
        k = int(row) - first
        if 0 <= k < len(layout.states) and layout.states[k].order == 0:
            names = loop_through(sim.model, layout.states[k])
            if len(names) > 1:
                return f"; {in_words(sim.model, layout.states[k])}"
    return ""


def _name_redundant(sim: Simulation, error: SingularMatrix) -> str:
    """Which joints repeat each other, and in which directions."""
    s, found = sim.system, redundancy(sim)
    if not found.count:  # too many loops to look at, or a singular matrix for another reason
        return sim._name_singular(error)
    names = dict.fromkeys(s.unknowns.owner(s.layout.coordinates + int(k)) for k in found.rows)
    return (
        f"model {s.model.name!r} has {found.count} redundant constraint(s) among {', '.join(names)}: "
        f"{'; '.join(map(str, doubled(sim, found)))}; replace a joint by one that leaves more freedom (a spherical or "
        "in-line joint closes most loops), or give Model(..., redundant='least-squares')"
    )
