"""Reactions among the unknowns: what they are as forces, and by how much Newton's method still moves them.

A reaction counts by the largest force [N] that it puts on a node, a couple by the size L of the mechanism,

    w = max(|G_v|, |G_w| / L)

so that neither the units nor the scale of a constraint matter. Reactions are multipliers, and rates of states that are
reactions, as those of a `Lock`. Forces of closed contacts are found, and held, elsewhere.

Positions are known to rounding, hence forces of inertia and of stiffness: the matrix of a step, c2 M + C + c0 K, tells
by how much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from samara.system.blocks import RATE
from samara.system.system import System
from samara.tracing.driver_cache import inner

if TYPE_CHECKING:
    from samara.solve.machine import Machine

#: In `Memory.WORST_ROW`: that of the worst reaction, which `row_of_worst` finds.
OF_REACTION = -1


class Reactions(NamedTuple):
    """What they are as forces, and where those are that are no multipliers."""

    weights: np.ndarray  # force of a unit of each multiplier [N], zero for contacts; then of the others
    rows: np.ndarray  # of the others in the vectors of unknowns
    places: np.ndarray  # and in the state
    slope: np.ndarray  # largest entry of the matrix of a step among the nodes [N s/m], and the c0 it is of [s]


def reactions_of(system: System) -> Reactions:
    """Of a system that has not been analysed: see `weigh_reactions`."""
    layout = system.layout
    states = [k for k, state in enumerate(layout.states) if state.reaction]
    rows = system.unknowns.state_rows + np.array(states, np.int64)
    places = np.array([layout.state_block(layout.states[k]) + RATE * layout.width for k in states], np.int64)
    return Reactions(np.zeros(layout.multiplier_count + len(states)), rows, places, np.zeros(2))


def weigh_reactions(reactions: Reactions, system: System, values: np.ndarray, length: float, c0: float) -> None:
    """Weights by the entries of the matrix of a step, in the order of the pattern; length: of the mechanism [m]."""
    pattern, unknowns, nodes = system.pattern, system.unknowns, 6 * len(system.layout.free)
    end = pattern.indptr[nodes]
    columns = pattern.indices[:end]
    rows = np.repeat(np.arange(nodes), np.diff(pattern.indptr[: nodes + 1]))
    arms = np.where(np.arange(unknowns.size) % 6 < 3, 1.0, length)
    forces = np.abs(values[:end]) / arms[rows]
    among = columns < nodes
    reactions.slope[:] = (forces[among] / arms[columns[among]]).max(initial=0.0), c0
    largest = np.zeros(unknowns.size)
    np.maximum.at(largest, columns[~among], forces[~among])
    force = largest[np.append(np.arange(system.layout.coordinates, unknowns.size), unknowns.dense[reactions.rows])]
    reactions.weights[:] = np.where(force > 0.0, force, 1.0 / length)  # on states alone, or of a lock that is open
    for group in (group for group in system.groups if group.kind.touches):
        for first in group.multiplier[: len(group.elements)]:
            reactions.weights[first : first + group.kind.multiplier_count] = 0.0


def row_of_worst(m: Machine) -> int:
    """Row of the reaction that was corrected most."""
    rows = np.append(m.multiplier_rows + np.arange(m.multiplier_count), m.reactions.rows)
    return int(rows[np.argmax(np.abs(m.x[rows]) * m.reactions.weights)])


@inner
def force_of_rounding(m, rounding, c0):
    """Largest force [N] by which reactions move where velocities move by their rounding [m/s]."""
    of = m.reactions.slope[1]
    return m.reactions.slope[0] * max(c0 / of, of / c0) * rounding if of > 0.0 else 0.0


@inner
def size_of_reactions(m, floor):
    """Largest correction of a reaction, of the largest of them after it, or a floor [N]."""
    x, state, weights = m.x, m.state, m.reactions.weights
    rows, base, count = m.multiplier_rows, m.multiplier_base, m.multiplier_count
    worst = worst_2 = total = total_2 = 0.0
    largest = largest_2 = floor
    for i in range(0, count - 1, 2):  # two abreast: neither waits for the other
        w, w_2 = weights[i], weights[i + 1]
        e, e_2 = abs(x[rows + i]) * w, abs(x[rows + i + 1]) * w_2
        f = abs(state[base + i] - x[rows + i]) * w
        f_2 = abs(state[base + i + 1] - x[rows + i + 1]) * w_2
        total, total_2 = total + e, total_2 + e_2
        worst, worst_2 = e if e > worst else worst, e_2 if e_2 > worst_2 else worst_2
        largest, largest_2 = f if f > largest else largest, f_2 if f_2 > largest_2 else largest_2
    if count % 2 != 0:
        last, w = count - 1, weights[count - 1]
        e, f = abs(x[rows + last]) * w, abs(state[base + last] - x[rows + last]) * w
        total, worst, largest = total + e, max(worst, e), max(largest, f)
    for i in range(m.reactions.rows.size):
        w = weights[count + i]
        row, place = m.reactions.rows[i], m.reactions.places[i]
        e, f = abs(x[row]) * w, abs(state[place] - x[row]) * w
        total, worst, largest = total + e, max(worst, e), max(largest, f)
    worst = max(worst, worst_2)
    largest = max(largest, largest_2, worst)  # what it corrects is as large as itself at most
    return (worst + 0.0 * (total + total_2)) / (largest + 1e-300)  # a nan anywhere is not lost
