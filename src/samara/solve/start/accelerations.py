"""Initial accelerations and multipliers, with the rates and values of states that follow from their equations."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.sparse import diags

from samara.model import State
from samara.solve.constraints.singularity import factorised
from samara.solve.errors import SolveError
from samara.solve.linear.culprits import not_finite
from samara.solve.linear_systems.units import lend
from samara.solve.mechanism.tied_states import tie
from samara.solve.report.algebraic_loops import in_words
from samara.solve.report.diagnosis import owner
from samara.solve.simulation import Simulation

#: of Newton's method, and how often a correction is halved that leads off
ITERATIONS, SHORTER_TRIES = 30, 12
#: A correction is taken if it lessens what is left by this part of itself: Armijo's rule, for Newton's method.
LEAST_DECREASE = 0.1
#: What may be left of the equations, of the largest load.
BALANCED_PART = 1e-9
#: Acceleration of a static node, of the usual ones, that tells that it has found no balance.
UNSETTLED_CHANGE = 1e5
#: What is left of the equation of a state of order zero, by the largest load, from which on it has found no value.
NO_VALUE = 1e-6
#: Inertia that nodes without mass are given, of what they are tied to, and how often it is taken back.
LENT_INERTIA, TAKEN_BACK = 1e-9, 3


def accelerations(sim: Simulation) -> None:
    """[M G^T; G 0] (acc, lam) = (loads, -gamma), all at the present positions and velocities.

    With the accelerations come the rates of states of order one and the values of those of order zero and of settled
    ones, whose rate is zero. Newton's method: one step does for all that is linear in them. What does not converge is
    warned of, with the element's name: the run starts from where it got.
    """
    s = sim.system
    static, order = orders(sim)
    tie(sim)
    s.state.accelerations = 0.0
    settled = np.array([state.settled and sim.settles for state in s.layout.states], dtype=bool)
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
        f"iterations; {left[worst] / loads:.2g} of the loads remains unbalanced at {owner(sim, worst)}: "
        f"check for a discontinuous law there, or start closer to equilibrium",
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
        slopes = acceleration_slopes(sim, order, static)
        x = without_light(sim, factorised(sim, slopes, redundant=False), slopes, static, rows)
        # a static node out of balance has no acceleration to speak of: the first step settles its pose
        change = x[: s.layout.coordinates]
        usual = 1.0 + np.abs(change[~static]).max(initial=0.0)
        unsettled = static & (np.abs(change) > UNSETTLED_CHANGE * usual)
        change[unsettled] = 0.0
        rows = _moved_by(sim, order, change, x[s.layout.coordinates :], rows, static, tries)
        left = np.abs(rows)
        left[: s.layout.coordinates][static] = 0.0
        worst = int(np.argmax(left))
        if not np.isfinite(left[worst]):
            raise SolveError(
                f"model {s.model.name!r}: the initial accelerations are not finite, first found at "
                f"{not_finite(sim.system) or owner(sim, worst)}: check for a division by zero or a square root of a "
                f"negative number there"
            )
        if left[worst] <= BALANCED_PART * loads:
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
            f"model {sim.model.name!r}: state {state.name!r} has no initial value: {worst:.2g} of the "
            f"loads remains unbalanced after {ITERATIONS} iterations: {in_words(sim.model, state)}"
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
        if left < (1.0 - LEAST_DECREASE * part) * last or left <= BALANCED_PART * max(last, 1.0):
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
    order = [2] * len(still) + [_order(state, sim.settles) for state in layout.states]
    return np.array(still + [False] * len(layout.states), dtype=bool), np.array(order, dtype=np.int64)


def _order(state: State, settles: bool) -> int:
    """Of the derivative of a state that follows from its equation at the start."""
    return 0 if state.settled and settles else state.order


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
    values[s.pattern.diagonal[: static.size]] += light(sim, values, static)
    return values


def light(sim: Simulation, slopes: np.ndarray, static: np.ndarray) -> np.ndarray:
    """Inertia of each coordinate that stands in for none: a massless node's acceleration may follow from nothing.

    Masses and moments of inertia apart, of the lightest that the node is tied to by joints, or else by forces.
    """
    s, found, nodes = sim.system, np.zeros(static.size), 6 * len(sim.system.layout.free)
    if not static.any():
        return found
    mass = np.where(static[:nodes], 0.0, np.abs(slopes[s.pattern.diagonal[:nodes]])).reshape(-1, 2, 3)
    usual = mass.sum(axis=(0, 2)) / np.maximum((mass > 0.0).sum(axis=(0, 2)), 1)
    rows, columns = np.repeat(np.arange(s.unknowns.size), np.diff(s.pattern.indptr)), s.pattern.indices
    for some in (rows >= static.size, rows < nodes):
        some &= columns < nodes
        lend(mass, rows[some], columns[some])
    mass = np.where(mass > 0.0, mass, np.where(usual > 0.0, usual, 1.0)[:, None])
    found[:nodes] = np.where(static[:nodes], LENT_INERTIA * mass.ravel(), 0.0)
    return found


def without_light(
    sim: Simulation, solve: Callable[[np.ndarray], np.ndarray], slopes: np.ndarray, static: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """Solutions of equations with `light` inertia, as if it were not there.

    With E the light inertia, P = (A + E)^-1 E leaves accelerations that nothing tells as they are, and makes others
    1e-9 of themselves. The former are taken away: forces that do not balance would make them as large as inertia is
    small. What is left of the equations without E is solved for again, which takes back rounding of small pivots too.
    """
    x, inertia = solve(rows), light(sim, slopes, static)
    if not inertia.any():
        return x
    inertia = np.append(inertia, np.zeros(len(rows) - inertia.size))
    matrix = sim.system.pattern.matrix(slopes) - diags(inertia)

    def untold(x: np.ndarray) -> np.ndarray:
        return solve((inertia * x.T).T)

    for _ in range(TAKEN_BACK):
        change = solve(rows - matrix @ x)
        x = x + change - untold(change)
    return x - untold(untold(x))
