"""How carriers move with a parameter: the derivative of `solve.redundant.carrier`.

A cluster that floats goes by V + P / M, with its momentum P against V, so that

    D' = V'(first) + (P' - (P / M) M') / M - V',     P' = sum of (R (m v + w x s))'

and one that is tied by the velocity of the node it is tied to. Whatever V is, the equations are the same, but what a
step errs by depends on it, and so do derivatives of the numerical solution. Masses m and first moments s are those of
the start; of what a parameter does to them, its own share in the elements that have it counts, not that of a start that
moves with it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from samara.solve.redundant.carrier import BASE, CHANGE, FIRST, MASS, NEXT, ROOT, TINY_MASS, momenta_of
from samara.solve.redundant.carrier import P as MOMENTUM
from samara.solve.redundant.carrier import V as VELOCITY
from samara.solve.simulation import Simulation
from samara.system.memory.blocks import CARRIER, ETA, ROTATION
from samara.system.state.tangents import Change
from samara.tracing.driver.driver_cache import inner, routine


def lumps_along(sim: Simulation, changes: Sequence[Change]) -> np.ndarray:
    """Derivatives of the masses and first moments that carriers go by: (changes, members, 4)."""
    s, m = sim.system, sim.machine
    found = np.zeros((len(changes), *m.carriers.lumps.shape))
    node_of = {s.layout.block(n): k for k, n in enumerate(s.layout.free)}
    nodes = [node_of[int(block)] for block in m.carriers.members[:, 1]]
    named = np.array([s.layout.free[k].name in sim.model.followed for k in nodes], bool)
    for k, change in enumerate(changes if nodes else ()):
        groups = _massive(sim, change) if change.parameters else []
        if groups:
            with sim.state.kept():
                sim.state.weigh(0.0, 0.0, 1.0)
                entries = np.zeros(s.pattern.nnz + 1)
                s.tangents.set(change)
                s.tangents.run("jacobian", entries, groups)
                found[k] = momenta_of(sim, s.pattern.matrix(entries[:-1]))[nodes]
    for first, end in m.carriers.rules[:, [FIRST, NEXT]]:
        some = slice(first, end)
        if named[some].any() or m.carriers.lumps[some, 0].sum() <= TINY_MASS:  # one node alone tells the velocity
            found[:, some] = 0.0
    return found


def _massive(sim: Simulation, change: Change) -> list[int]:
    """Groups of elements in which a parameter changes a mass: their forces along it depend on accelerations."""
    s, found = sim.system, []
    with sim.state.kept():
        s.tangents.set(change)
        for k, group in enumerate(s.groups):
            if not s.tangents.par(group).any():
                continue
            forces = np.zeros((2, s.arrays.res.size))
            for row, size in zip(forces, (0.0, 1.0), strict=True):
                s.state.accelerations = size * (1.0 + np.arange(s.layout.coordinates) % 7)
                s.tangents.run("residual", row, [k])
            if (forces[0] != forces[1]).any():
                found.append(k)
    return found


@inner
def _turned_along(state, t, at, w, u, du, i):
    """Change of component i in the world of a vector u in axes of the node whose block begins at `at`."""
    r, total = at + (ROTATION + 3 * i) * w, 0.0
    for j in range(3):
        total += state[r + j * w] * du[j] + t[r + j * w] * u[j]
    return total


@routine
def _add_up_along(m, state, t, lumps, room, cluster, u, du):
    """Changes of the mass of a cluster and of its momentum against its carrier."""
    w = m.layout.width
    for k in range(m.carriers.rules[cluster, FIRST], m.carriers.rules[cluster, NEXT]):
        at, lump, slope = m.carriers.members[k, 1], m.carriers.lumps[k], lumps[k]
        for j in range(3):
            a, b = (j + 1) % 3, (j + 2) % 3
            v, wa, wb = at + (ETA + j) * w, at + (ETA + 3 + a) * w, at + (ETA + 3 + b) * w
            u[j] = lump[0] * state[v] + state[wa] * lump[1 + b] - state[wb] * lump[1 + a]
            du[j] = lump[0] * t[v] + t[wa] * lump[1 + b] - t[wb] * lump[1 + a]
            du[j] += slope[0] * state[v] + state[wa] * slope[1 + b] - state[wb] * slope[1 + a]
        room[cluster, MASS] += slope[0]
        for i in range(3):
            room[cluster, MOMENTUM + i] += _turned_along(state, t, at, w, u, du, i)


@routine
def carriers_along(m, state, t, lumps, room, vectors, x):
    """What carriers change by along the tangents t of a state, into the places of unknowns x.

    state: before `follow`, which has left its sums in `m.carriers.changes`; room: as large; vectors: two of three.
    """
    w, rules, sums = m.layout.width, m.carriers.rules, m.carriers.changes
    u, du = vectors[0], vectors[1]
    for cluster in range(rules.shape[0]):
        for i in range(room.shape[1]):
            room[cluster, i] = 0.0
        first = m.carriers.members[rules[cluster, FIRST], 1]
        for i in range(3):
            room[cluster, VELOCITY + i] = t[first + (CARRIER + i) * w]
        if rules[rules[cluster, ROOT], BASE] < 0:
            _add_up_along(m, state, t, lumps, room, cluster, u, du)
    for cluster in range(rules.shape[0]):
        root = rules[cluster, ROOT]
        if root != cluster:
            for i in range(3):
                at = VELOCITY + i
                room[root, MOMENTUM + i] += room[cluster, MOMENTUM + i]
                room[root, MOMENTUM + i] += room[cluster, MASS] * (sums[cluster, at] - sums[root, at])
                room[root, MOMENTUM + i] += sums[cluster, MASS] * (room[cluster, at] - room[root, at])
            room[root, MASS] += room[cluster, MASS]
    for cluster in range(rules.shape[0]):
        root = rules[cluster, ROOT]
        base = rules[root, BASE]
        if base >= 0:
            for j in range(3):
                u[j], du[j] = state[base + (ETA + j) * w], t[base + (ETA + j) * w]
        for i in range(3):
            if base >= 0:
                gain = _turned_along(state, t, base, w, u, du, i)
            else:
                mean = sums[root, MOMENTUM + i] / sums[root, MASS]
                gain = room[root, VELOCITY + i]
                gain += (room[root, MOMENTUM + i] - mean * room[root, MASS]) / sums[root, MASS]
            room[cluster, CHANGE + i] = gain - room[cluster, VELOCITY + i]
    for k in range(m.carriers.members.shape[0]):
        for i in range(3):
            x[m.carriers.members[k, 2] + i * w] = room[m.carriers.members[k, 0], CHANGE + i]
