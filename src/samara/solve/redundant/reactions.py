"""Reactions among the unknowns: their magnitudes as forces, and their convergence in Newton's method.

A reaction is measured by the largest force [N] it applies to a node, couples being scaled by the mechanism size L,

    w = max(|G_v|, |G_w| / L)

so that neither the units nor the scale of a constraint matter. Reactions are multipliers, and rates of states that are
reactions, such as those of a `Lock`. Forces of closed contacts are computed and stored elsewhere.

Positions are known to rounding error, which limits the accuracy of inertial and elastic forces; the matrix of a step,
c2 M + C + c0 K, gives the limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.native.ownership import Solver
from samara.system.memory.blocks import RATE
from samara.system.system import System
from samara.tracing.driver.bits import bits_of, largest_of, number_of
from samara.tracing.driver.driver_cache import inner

if TYPE_CHECKING:
    from samara.solve.machine import Machine

#: Reactions are held to so many times the tolerance, of the largest of them: accelerations are velocities by the step,
#: and so much less sharp.
REACTION_TOLERANCE = 100.0
#: Rows of the matrix that are looked at together: each takes some kilobytes meanwhile.
ROWS_AT_ONCE = 6 * 1024
#: In `Trust.worst_row`: that of the worst reaction, which `row_of_worst` finds.
OF_REACTION = -1


class Reactions(NamedTuple):
    """What they are as forces, and where those are that are no multipliers."""

    weights: np.ndarray  # force of a unit of each multiplier [N], zero for contacts; then of the others
    rows: np.ndarray  # of the others in the vectors of unknowns
    places: np.ndarray  # and in the state
    slope: Solver  # largest entry of the matrix of a step among the nodes [N s/m], and the c0 it is of [s]


def reactions_of(system: System) -> Reactions:
    """Of a system that has not been analysed: see `weigh_reactions`."""
    layout = system.layout
    states = [k for k, state in enumerate(layout.states) if state.reaction]
    rows = system.unknowns.state_rows + np.array(states, np.int64)
    places = np.array([layout.state_block(layout.states[k]) + RATE * layout.width for k in states], np.int64)
    return Reactions(np.zeros(layout.multiplier_count + layout.force_count + len(states)), rows, places, np.zeros(2))


def weigh_reactions(reactions: Reactions, system: System, values: np.ndarray, length: float, c0: float) -> None:
    """Weights by the entries of the matrix of a step, in the order of the pattern; length: of the mechanism [m]."""
    pattern, unknowns, nodes = system.pattern, system.unknowns, 6 * len(system.layout.free)
    arms = np.where(np.arange(unknowns.size) % 6 < 3, 1.0, length)
    largest, slope = np.zeros(unknowns.size), 0.0
    for first in range(0, nodes, ROWS_AT_ONCE):
        ends = pattern.indptr[first : min(first + ROWS_AT_ONCE, nodes) + 1]
        columns = pattern.indices[ends[0] : ends[-1]]
        forces = np.abs(values[ends[0] : ends[-1]]) / np.repeat(arms[first : first + ends.size - 1], np.diff(ends))
        among = columns < nodes
        slope = max(slope, (forces[among] / arms[columns[among]]).max(initial=0.0))
        np.maximum.at(largest, columns[~among], forces[~among])
    reactions.slope[:] = slope, c0
    force = largest[np.append(np.arange(system.layout.coordinates, unknowns.size), unknowns.dense[reactions.rows])]
    weights, count = np.where(force > 0.0, force, 1.0 / length), system.layout.multiplier_count
    reactions.weights[:] = np.insert(weights, [count] * system.layout.force_count, 0.0)  # none of pools
    for group in (group for group in system.groups if group.kind.touches and not group.pooled):
        for first in group.multiplier[: len(group.elements)]:
            reactions.weights[first : first + group.kind.multiplier_count] = 0.0


def row_of_worst(m: Machine) -> int:
    """Row of the reaction that was corrected most."""
    rows = np.append(m.layout.multiplier_rows + np.arange(m.layout.multiplier_count), m.reactions.rows)
    return int(rows[np.argmax(np.abs(m.x[rows]) * m.reactions.weights)])


@inner
def force_of_rounding(m, rounding, c0):
    """Largest force [N] by which reactions move where velocities move by their rounding [m/s]."""
    of = m.reactions.slope[1]
    return m.reactions.slope[0] * max(c0 / of, of / c0) * rounding if of > 0.0 else 0.0


@inner
def _largest_of_multipliers(x, state, weights, floor):
    """Largest correction, largest force after it."""
    worst, largest = 0, bits_of(floor)
    for i in range(x.size):
        worst = max(worst, bits_of(abs(x[i]) * weights[i]))
        largest = max(largest, bits_of(abs(state[i] - x[i]) * weights[i]))
    return number_of(worst), number_of(largest)


@inner
def size_of_reactions(m, floor):
    """Largest correction of a reaction, of the largest of them after it, or a floor [N]."""
    rows, base, count = m.layout.multiplier_rows, m.layout.multiplier_base, m.layout.multiplier_count
    x, state, weights = m.x, m.state, m.reactions.weights
    worst, largest = _largest_of_multipliers(x[rows : rows + count], state[base : base + count], weights[:count], floor)
    for i in range(count, weights.size):
        row = m.reactions.rows[i - count]
        worst = largest_of(worst, abs(x[row]) * weights[i])
        largest = largest_of(largest, abs(state[m.reactions.places[i - count]] - x[row]) * weights[i])
    # what it corrects is as large as itself at most; a nan anywhere is not lost
    return worst / (largest_of(worst, largest) + LEAST_DIVISOR)
