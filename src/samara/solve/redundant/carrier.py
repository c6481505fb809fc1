"""Carriers: reference velocities with which parts of a model move, so that steady flight is integrated exactly.

In the axes of a spinning body a constant velocity rotates, and a time step cannot follow this exactly: the body's path
would curve. Each node therefore has a velocity V in world axes, constant within a step, and its motion relative to V is
integrated,

    v_rel = v - R^T V,     p_k = p_{k-1} + h V + R_{k-1} p(n_k)

Inertia is independent of V (Galilean invariance); elements see v = v_rel + R^T V. All nodes of a cluster
(`solve.topology.clusters`), held together by joints and stiff springs, share one V: the velocity of its centre of mass
or, if it is tied to a node without unknowns, of that node (zero on the ground); `Model.follow` names another node to
use. V is checked before each step; if it has changed, the history is transformed exactly to the new carrier
(`integrators.walks`), and no measurable quantity changes. The equations are the same for any V; it only affects the
accuracy of a step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from samara.model import Engaged
from samara.rotations import unskew
from samara.solve.native.kernels import CARRY, clear, walk
from samara.solve.topology.clusters import Cluster, clusters
from samara.system.memory.blocks import CARRIER, ETA, ROTATION, Coefficient
from samara.tracing.driver.driver_cache import driver, inner, routine

if TYPE_CHECKING:
    from samara.solve.simulation import Simulation

#: A change of velocity below this part of a slow speed, 1e-2 of the length per second, is let pass.
SLIGHT_CHANGE = 1e-9
#: Mass of a node to go by, of that of its cluster, and of a cluster without any [kg].
LEADING_MASS, TINY_MASS = 1e6, 1e-200
#: Columns of the rules: what holds a cluster now, and for itself, the cluster it is joined to, its first member and the
#: first of the next.
BASE, OWN, ROOT, FIRST, NEXT = range(5)
#: Columns of the room for changes: momentum, mass, velocity, change.
P, MASS, V, CHANGE, ROOM = 0, 3, 4, 7, 10
STEP = int(Coefficient.STEP)


class Carriers(NamedTuple):
    """Clusters of nodes that follow something."""

    members: np.ndarray  # cluster, block, first unknown of each node
    lumps: np.ndarray  # their masses and first moments
    rules: np.ndarray  # of each cluster: what holds it (-1: it floats), whom it is joined to, as follows from
    ties: np.ndarray  # those that drives make and break: looked at as each step begins
    changes: np.ndarray  # room for what changes


def no_carriers() -> Carriers:
    """Of a system whose nodes follow nothing."""
    whole = np.int64
    return Carriers(
        members=np.zeros((0, 3), whole),
        lumps=np.zeros((0, 4)),
        rules=np.zeros((0, 5), whole),
        ties=np.zeros((0, 5), whole),
        changes=np.zeros((0, ROOM)),
    )


def carry(sim: Simulation, step: float = np.inf) -> None:
    """Finds out what each node follows, from the present state and for steps of this size [s]; takes up velocities."""
    s = sim.system
    momenta = momenta_of(sim, sim.jacobian(0.0, 0.0, 1.0))
    found = clusters(sim, sim.jacobian(1.0, 0.0, 0.0), momenta[:, 0], step)
    ties = _ties(sim, found)
    if not len(ties):
        found = [c for c in found if c.base is None or c.base.kind != "ground"]
    members = [[k, s.layout.block(n), s.unknowns.row(n)] for k, c in enumerate(found) for n in c.nodes]
    bases = [-1 if c.base is None else s.layout.block(c.base) for c in found]
    ends = np.cumsum([0, *(len(c.nodes) for c in found)])
    carriers = Carriers(
        members=np.array(members, np.int64).reshape(-1, 3),
        lumps=np.concatenate([np.zeros((0, 4)), *(_lumps(sim, c, momenta) for c in found)]),
        rules=np.array([[base, base, k, *ends[k : k + 2]] for k, base in enumerate(bases)], np.int64).reshape(-1, 5),
        ties=ties,
        changes=np.zeros((len(found), ROOM)),
    )
    sim.machine = sim.machine._replace(carriers=carriers)
    sim.machine.coef[STEP] = sim.last_step
    follow(sim.machine, 0.0)


def _ties(sim: Simulation, found: list[Cluster]) -> np.ndarray:
    """Ties that a drive makes and breaks: both clusters, the second -1 where it is a node without unknowns, the block
    of that node, where the drive lies in the state, and whether it was closed when last looked at."""
    s = sim.system
    owner = {n.name: k for k, c in enumerate(found) for n in c.nodes}
    ties = []
    for element in s.model.elements.values():
        if isinstance(element, Engaged) and any(element.held_axes()[1]):
            a, b = sorted(element.nodes(), key=lambda n: not n.free)
            place = s.layout.signal(element.engagement())
            ties.append([owner[a.name], owner.get(b.name, -1), -1 if b.free else s.layout.block(b), place, -1])
    return np.array(ties, np.int64).reshape(-1, 5)


def momenta_of(sim: Simulation, by_acceleration: csr_matrix) -> np.ndarray:
    """Mass [kg] and first moment [kg m, own axes] of each node in the momentum m v + w x s of the whole."""
    s = sim.system
    rows = np.arange(6 * len(s.layout.free)).reshape(-1, 6)
    R_WN = s.state.rotations
    world = np.zeros((3, s.unknowns.size))
    world[:, rows[:, :3].ravel()] = R_WN.transpose(1, 0, 2).reshape(3, -1)
    total = np.asarray((by_acceleration.T @ world.T).T)  # momentum in the world by every twist
    found = np.zeros((len(s.layout.free), 4))
    for k, R in enumerate(R_WN):
        own = R.T @ total[:, rows[k]]
        found[k] = [np.trace(own[:, :3]) / 3.0, *-unskew(own[:, 3:])]
    return found


def _lumps(sim: Simulation, cluster: Cluster, momenta: np.ndarray) -> np.ndarray:
    """Masses and first moments of a cluster's nodes; those of the node to go by alone, where there is one."""
    found = momenta[[sim.system.unknowns.first(n) // 6 for n in cluster.nodes]]
    total = float(found[:, 0].sum())
    leader = next((k for k, n in enumerate(cluster.nodes) if n.name in sim.model.followed), None)
    if leader is not None or total <= 0.0:
        found = np.zeros_like(found)
        found[leader or 0, 0] = LEADING_MASS * total if total > 0.0 else TINY_MASS
    return found


@inner
def _turned(state, at, w, a, b, c, i):
    """Component i in the world of a vector (a, b, c) in axes of the node whose block begins at `at`."""
    r = at + (ROTATION + 3 * i) * w
    return state[r] * a + state[r + w] * b + state[r + 2 * w] * c


@routine
def _join(m):
    """Clusters that closed ties join get one root and one base, those that are apart again their own."""
    rules, ties, state = m.carriers.rules, m.carriers.ties, m.state
    for k in range(rules.shape[0]):
        rules[k, BASE], rules[k, ROOT] = rules[k, OWN], k
    for t in range(ties.shape[0]):
        ties[t, 4] = state[ties[t, 3]] > 0.5
        if ties[t, 4] == 0:
            continue
        a, base = rules[ties[t, 0], ROOT], ties[t, 2]
        if base < 0:
            b = rules[ties[t, 1], ROOT]
            base = rules[b, BASE]
            for k in range(rules.shape[0]):
                if rules[k, ROOT] == b:
                    rules[k, ROOT] = a
        if rules[a, BASE] < 0:
            rules[a, BASE] = base


@routine
def _add_up(m, cluster):
    """Mass of a cluster and its momentum against its carrier."""
    state, w, room = m.state, m.layout.width, m.carriers.changes
    for k in range(m.carriers.rules[cluster, FIRST], m.carriers.rules[cluster, NEXT]):
        at, lump = m.carriers.members[k, 1], m.carriers.lumps[k]
        v, spin = at + ETA * w, at + (ETA + 3) * w
        a = lump[0] * state[v] + state[spin + w] * lump[3] - state[spin + 2 * w] * lump[2]
        b = lump[0] * state[v + w] + state[spin + 2 * w] * lump[1] - state[spin] * lump[3]
        c = lump[0] * state[v + 2 * w] + state[spin] * lump[2] - state[spin + w] * lump[1]
        room[cluster, MASS] += lump[0]
        for i in range(3):
            room[cluster, P + i] += _turned(state, at, w, a, b, c, i)


@driver
def follow(m, floor):
    """Gives every cluster the velocity it goes by, if that changes by more than `floor` [m/s]; `coef` has the step.

    Those that float and are joined: V + P / M, with V of the first of them, and the momentum P against that: the sum
    over their nodes of R (m v + w x s), and of their masses times the difference of their carriers. One that is tied
    has the velocity of the node that it is tied to.
    """
    state, w, room, rules = m.state, m.layout.width, m.carriers.changes, m.carriers.rules
    for t in range(m.carriers.ties.shape[0]):
        if m.carriers.ties[t, 4] != (state[m.carriers.ties[t, 3]] > 0.5):
            _join(m)
            break
    for cluster in range(rules.shape[0]):
        for i in range(room.shape[1]):
            room[cluster, i] = 0.0
        first = m.carriers.members[rules[cluster, FIRST], 1]
        for i in range(3):
            room[cluster, V + i] = state[first + (CARRIER + i) * w]
        if rules[rules[cluster, ROOT], BASE] < 0:
            _add_up(m, cluster)
    for cluster in range(rules.shape[0]):
        root = rules[cluster, ROOT]
        if root != cluster:
            for i in range(3):
                room[root, P + i] += room[cluster, P + i]
                room[root, P + i] += room[cluster, MASS] * (room[cluster, V + i] - room[root, V + i])
            room[root, MASS] += room[cluster, MASS]
    largest = 0.0
    for cluster in range(rules.shape[0]):
        root = rules[cluster, ROOT]
        base = rules[root, BASE]
        for i in range(3):
            if base >= 0:
                v = base + ETA * w
                gain = _turned(state, base, w, state[v], state[v + w], state[v + 2 * w], i)
            else:
                gain = room[root, V + i] + room[root, P + i] / room[root, MASS]
            room[cluster, CHANGE + i] = gain - room[cluster, V + i]
            if base < 0 and root == cluster:  # without rounding of V itself
                room[cluster, CHANGE + i] = room[root, P + i] / room[root, MASS]
            largest = max(largest, abs(room[cluster, CHANGE + i]))
    if largest > floor:
        clear(m.x)
        for k in range(m.carriers.members.shape[0]):
            for i in range(3):
                m.x[m.carriers.members[k, 2] + i * w] = room[m.carriers.members[k, 0], CHANGE + i]
        walk(m, CARRY)


def drop(sim: Simulation) -> None:
    """Carriers at rest: twists and their rates are those against the world again, the past included."""
    s, m = sim.system, sim.machine
    s.arrays.x[:] = 0.0
    for node in s.layout.free:
        s.arrays.x[s.unknowns.row(node) + np.arange(3) * s.layout.width] = -s.state.read(node, CARRIER, 3)
    kept = float(m.coef[STEP])
    m.coef[STEP] = sim.last_step
    walk(m, CARRY)
    m.coef[STEP] = kept
