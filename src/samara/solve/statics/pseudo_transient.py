"""Pseudo-transient continuation: states evolve to equilibrium in growing time steps; nodes follow as if overdamped.

Newton's method may diverge, for example at the square root of an orifice, or stop where states drive each other on.
Integration in time then helps: with r the equations at rest and C their derivatives with respect to rates,

    r(x) + (C_s + honey) (x - x_0) / h = 0      C_s: of the equations of states alone

is a backward Euler step, which follows states as they would move; "honey" is the artificial damping of the nodes. Each
step is solved to convergence. Steps grow while changes are small, and shrink if they are too large or the iterations
fail (Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508). Conserved quantities stay conserved, and constraints on
rates apply to the steps.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix, diags
from scipy.sparse.linalg import splu

from samara.solve.mechanism.at_rest import at_rest, followers, react, reactions, remains, sizes, slopes
from samara.solve.mechanism.tangent_space import weights
from samara.solve.simulation import Simulation

#: Bounds on the steps and on the iterations of each; first step, shortest and longest [s].
MOST_STEPS, MOST_ITERATIONS, FIRST_STEP, SHORTEST_STEP, LONGEST_STEP = 250, 12, 1e-3, 1e-12, 1e12
#: Changes, of the sizes of coordinates: that a step may make, up to which it grows, and that are none; how it grows and
#: shrinks; and quiet steps after which the way is at its end.
LARGEST_CHANGE, SMALL_CHANGE, NO_CHANGE, STEP_GROWTH, STEP_CUT, QUIET_STEPS = 0.25, 0.1, 1e-7, 4.0, 0.25, 4
#: Part of a step that its iterations leave; and how large states may grow, of what they were.
PART_LEFT, LOST_GROWTH = 1e-6, 1e6
#: Growth of a correction over the last one, and of a step over its bound, that tells of iterations that lead off; and a
#: correction that is none, of a change that is none.
WILD_GROWTH, NO_CORRECTION = 4.0, 1e-3


def can_settle(sim: Simulation) -> bool:
    """Whether there are states that go their own way."""
    first = 6 * len(sim.system.layout.free)
    return any(sim.system.layout.states[k - first].order == 1 for k in followers(sim))


def settle_in_time(sim: Simulation) -> bool:
    """Moves a simulation at rest on until nothing changes; whether it got there."""
    h, quiet, viscous, loose = FIRST_STEP, 0, _honey(sim), at_rest(sim).loose
    largest = LOST_GROWTH * (sim.state.scales + np.abs(sim.state.values))
    for _ in range(MOST_STEPS):
        before = sim.state.copy()
        size = _stepped(sim, h, viscous, loose)
        if not size <= LARGEST_CHANGE:
            sim.state.restore(before)
            h *= STEP_CUT
        if h < SHORTEST_STEP or (np.abs(sim.state.values) > largest).any():
            return False
        if not size <= LARGEST_CHANGE:
            continue
        quiet = quiet + 1 if size < NO_CHANGE else 0
        if quiet == QUIET_STEPS or (quiet and h >= LONGEST_STEP):
            return True
        if size < SMALL_CHANGE:
            h = min(STEP_GROWTH * h, LONGEST_STEP)
    return False


def _honey(sim: Simulation) -> np.ndarray:
    """Damping of the nodes [N s/m, N m s/rad]: as strong in the first step as the stiffest spring."""
    n, nodes = sim.system.layout.coordinates, 6 * len(sim.system.layout.free)
    found, unit = np.zeros(n), 1.0 / np.sqrt(weights(sim))
    stiff = diags(unit) @ sim.jacobian(1.0, 0.0, 0.0)[:n, :n] @ diags(unit)
    leads = np.setdiff1d(np.arange(n), np.concatenate([followers(sim), reactions(sim)]))
    stiffest = float(np.abs(stiff[:nodes, :nodes].data).max(initial=0.0)) or 1.0
    found[leads] = FIRST_STEP * stiffest * weights(sim)[leads]
    return found


def _stepped(sim: Simulation, h: float, viscous: np.ndarray, loose: tuple[int, ...]) -> float:
    """Makes a step; the change that it makes, of the sizes of coordinates, nan where its iterations fail."""
    n, gone, size = sim.system.layout.coordinates, np.zeros(sim.system.layout.coordinates), sizes(sim)
    last = np.inf
    for _ in range(MOST_ITERATIONS):
        K, C = slopes(sim)
        D = _dragging(sim, C, viscous / h, h, loose)
        try:
            x = splu(csc_matrix(K + D)).solve(remains(sim) + D[:, :n] @ gone)
        except RuntimeError:
            return np.nan
        gone -= x[:n]
        more, total = (float(np.abs(y / size).max(initial=0.0)) for y in (x[:n], gone))
        if not (more < WILD_GROWTH * last and total < WILD_GROWTH * LARGEST_CHANGE):
            return np.nan
        _move(sim, x)
        if more <= PART_LEFT * total or more < NO_CORRECTION * NO_CHANGE:
            return total
        last = more
    return np.nan


def _move(sim: Simulation, x: np.ndarray) -> None:
    locks = reactions(sim)
    x = x.copy()
    more = x[locks]
    x[locks] = 0.0
    sim.state.move(-x)
    if locks.size:
        react(sim, locks, sim.state.twists[locks] - more)


def _dragging(sim: Simulation, C: csr_matrix, viscous: np.ndarray, h: float, loose: tuple[int, ...]) -> csr_matrix:
    """What holds a step back: rates of states, and honey."""
    chosen, stay = np.zeros(C.shape[0]), np.append(viscous, np.zeros(C.shape[0] - viscous.size))
    chosen[followers(sim)] = 1.0 / h
    chosen[list(loose)], stay[list(loose)] = 0.0, 1.0 / h
    return csr_matrix(diags(chosen) @ C + diags(stay))
