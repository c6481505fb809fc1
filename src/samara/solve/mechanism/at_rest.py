"""The equations of a model at rest, with replacements for those that are trivially satisfied there.

An equation between rates, E x' = 0, holds at any pose: meshing gears, the windup of a shaft, a chamber without an
outlet. At rest it gives no condition. Integrated from the initial pose to equilibrium it gives E dx = 0, and it is used
in this form here: the pose may only change along motions that it allows. Such equations are

    constraints of rates, f(x, x') = 0, and of locks that are engaged, whose reactions are the rates of states
    equations of states, one by one or sums y^T r of them, in which no value is left: y^T dr/dx = 0

The second kind are conservation laws: flow out of one junction enters others, and the total stored is constant. If such
a sum y^T r is not zero, the flow never stops and there is no equilibrium. The rows are exact for equations linear in
the rates with constant coefficients, and for shafts whose axes keep their directions; the error elsewhere is corrected
afterwards (`samara.solve.statics.conserved`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix, diags
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from samara.solve.simulation import Simulation

#: A row, a singular value or a sum of equations, scaled to one, that is none; a pivot below which one looks at them.
ZERO_ROW, NO_SUM, SMALL_PIVOT = 1e-13, 1e-10, 1e-10
#: States that hang together among which sums are looked for: beyond, minutes.
MOST_TOGETHER = 1500
#: Entries of a full matrix in which states without a value are looked for.
MOST_ENTRIES = 4_000_000
#: What may be left of a sum, of its terms; and of what is stored, per second.
SUM_ROUNDING, SLOW_LEAK = 1e-10, 1e-9
#: Rates [1/s, of sizes] at which equations are tried forth and back, and the part by which they may differ.
TRIAL_RATE, RATE_DIFFERENCE = 1e-3, 1e-6
#: Part of a change that nothing feels from which on a state takes part in it, and, of the largest, is named for it.
NOTICED_PART, NAMED_PART = 1e-6, 0.1


@dataclass(frozen=True)
class AtRest:
    """All equations at rest and their derivatives by all unknowns, in their order.

    held:    rows that constrain poses: constraints, and engaged locks.
    sums:    y, one row for each sum of equations between rates, over all equations; orthonormal.
    loose:   coordinates of states whose rate equations are irreversible, such as sliding bristles or heat; they keep
             their values.
    endless: names of the states whose values change forever; empty if an equilibrium may exist.
    """

    matrix: csr_matrix
    rows: np.ndarray
    held: np.ndarray
    sums: csr_matrix
    loose: tuple[int, ...] = ()
    endless: tuple[str, ...] = ()


def multipliers(sim: Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the multipliers of holonomic constraints, and of rate constraints."""
    holonomic: list[int] = []
    rates: list[int] = []
    for group in sim.system.groups:
        kind = group.kind
        if kind.multiplier_count:
            for start in group.multiplier:
                middle = int(start) + kind.constraint_count
                holonomic += range(int(start), middle)
                rates += range(middle, int(start) + kind.multiplier_count)
    return np.array(holonomic, dtype=np.int64), np.array(rates, dtype=np.int64)


def followers(sim: Simulation) -> np.ndarray:
    """Coordinates that are states of order zero and one, and no reactions."""
    layout = sim.system.layout
    chosen = [k for k, x in enumerate(layout.states) if x.order < 2 and not x.reaction]
    return 6 * len(layout.free) + np.array(chosen, dtype=np.int64)


def reactions(sim: Simulation) -> np.ndarray:
    """Coordinates that are states whose rates are reactions."""
    layout = sim.system.layout
    return 6 * len(layout.free) + np.array([k for k, x in enumerate(layout.states) if x.reaction], dtype=np.int64)


def at_rest(sim: Simulation) -> AtRest:
    """At the present pose."""
    n, states, locks = sim.system.layout.coordinates, followers(sim), reactions(sim)
    K, C = slopes(sim)
    rows, held = remains(sim), n + np.concatenate(multipliers(sim))
    held = np.concatenate([held, [k for k in locks if abs(C[k]).sum() > abs(C[k, k])]]).astype(np.int64)
    Y = _sums(sim, K, C, states) if states.size else csr_matrix((0, K.shape[0]))
    if not Y.shape[0]:
        return AtRest(K, rows, held, Y)
    over, loose = Y @ rows, _loose(sim, C, Y)
    told = _with_loose(csr_matrix(Y @ C), Y, loose)
    return AtRest(csr_matrix(K + Y.T @ told), rows - Y.T @ over, held, Y, loose, _endless(sim, K, C, Y, over))


def slopes(sim: Simulation) -> tuple[csr_matrix, csr_matrix]:
    """Derivatives of all equations by values, and by rates: K and C.

    In K, constraints of rates and locks hold poses, and the rates of locks stand for their values.
    """
    n, rates, locks = sim.system.layout.coordinates, multipliers(sim)[1], reactions(sim)
    K = sim.jacobian(1.0, 0.0, 0.0)
    if not (rates.size or locks.size or followers(sim).size):
        return K, csr_matrix(K.shape)
    C = sim.jacobian(0.0, 1.0, 0.0)
    K = _replaced(K, C, np.concatenate([n + rates, locks]), locks)
    return K, csr_matrix(C @ diags(np.append(np.ones(n), np.zeros(K.shape[0] - n))))


def _replaced(K: csr_matrix, C: csr_matrix, rows: np.ndarray, columns: np.ndarray) -> csr_matrix:
    """K with these rows, then columns, of C."""
    for chosen, left in ((columns, False), (rows, True)):
        if chosen.size:
            one = np.zeros(K.shape[0])
            one[chosen] = 1.0
            other = diags(1.0 - one)
            K = other @ K + diags(one) @ C if left else K @ other + C @ diags(one)
    return csr_matrix(K)


def remains(sim: Simulation) -> np.ndarray:
    """What is left of the equations; constraints of rates and locks hold, but for what is released."""
    s = sim.system
    sim.state.weigh(1.0, 0.0, 0.0)
    rows = s.state.residual()
    rates = multipliers(sim)[1]
    if rates.size:
        released = 0.0 if s.releases is None else s.releases.give[rates] * sim.state.multipliers[rates]
        rows[s.layout.coordinates + rates] = -released
    rows[reactions(sim)] = 0.0
    return rows


def move(sim: Simulation, x: np.ndarray) -> tuple[float, int]:
    """`Simulation.move`, with what belongs to reactions added to these."""
    locks = reactions(sim)
    if not locks.size:
        return sim.move(x)
    x, more = x.copy(), x[locks]
    x[locks] = 0.0
    found = sim.move(x)
    if np.isfinite(found[0]):
        react(sim, locks, sim.state.twists[locks] - more)
    return found


def react(sim: Simulation, held: np.ndarray, forces: np.ndarray) -> None:
    """Sets what constraints and locks carry, by their rows."""
    n = sim.system.layout.coordinates
    sim.state.multipliers[held[held >= n] - n] = forces[held >= n]
    if (held < n).any():
        twists = sim.state.twists
        twists[held[held < n]] = forces[held < n]
        sim.state.twists = twists


def _loose(sim: Simulation, C: csr_matrix, Y: csr_matrix) -> tuple[int, ...]:
    """Coordinates of states whose equations are not the same forth and back, near the present values."""
    n, first = sim.system.layout.coordinates, 6 * len(sim.system.layout.free)
    own = Y.indices[Y.indptr[:-1][np.diff(Y.indptr) == 1]]
    if not own.size:
        return ()
    d = TRIAL_RATE * np.random.default_rng(0).normal(size=n) * np.append(sizes(sim)[:first], sim.state.scales)
    d[reactions(sim)] = 0.0
    with sim.state.kept():
        values = sim.state.values
        values[own - first] += sim.state.scales[own - first]
        sim.state.values = values
        found = []
        for twists in (d, -d, 0.0 * d):
            sim.state.twists = twists
            found.append(sim.state.residual()[own])
    odd = np.abs(found[0] + found[1] - 2.0 * found[2])
    return tuple(int(k) for k in own[odd > RATE_DIFFERENCE * (abs(C[own])[:, :n] @ np.abs(d))])


def _with_loose(told: csr_matrix, Y: csr_matrix, loose: tuple[int, ...]) -> csr_matrix:
    """Rows of what takes the place of sums; those of loose states say that these stay."""
    if not loose:
        return told
    found = told.tolil()
    for k in range(Y.shape[0]):
        own = Y.indices[Y.indptr[k] : Y.indptr[k + 1]]
        if own.size == 1 and int(own[0]) in loose:
            found[k] = 0.0
            found[k, int(own[0])] = 1.0
    return csr_matrix(found)


def sizes(sim: Simulation) -> np.ndarray:
    """Of all coordinates: a length, a turn, a state."""
    s = sim.system
    nodes = np.tile([sim.length] * 3 + [1.0] * 3, len(s.layout.free))
    return np.concatenate([nodes, s.state.scales + np.abs(s.state.values)])


def _sums(sim: Simulation, K: csr_matrix, C: csr_matrix, states: np.ndarray) -> csr_matrix:
    """y of all sums of equations of states in which no value is left."""
    size = np.append(sizes(sim), np.ones(K.shape[0] - sim.system.layout.coordinates))
    scaled, rates = csr_matrix(K[states] @ diags(size)), csr_matrix(C[states] @ diags(size))
    own, moving = (np.ravel(abs(x).max(axis=1).toarray()) for x in (scaled, rates))
    silent = (own <= ZERO_ROW * moving) & (moving > 0.0)
    units = [(states[k : k + 1], np.ones(1)) for k in np.flatnonzero(silent)]
    rest = np.flatnonzero(~silent & (own > 0.0))
    unit = 1.0 / np.where(own > 0.0, own, 1.0)
    scaled = csr_matrix(diags(unit) @ scaled)
    among = csr_matrix(scaled[:, states])
    found = units
    if rest.size and not _regular(among, rates[:, states], silent):
        count, label = connected_components(abs(among) + abs(among).T, directed=False)
        for part in range(count):
            members = np.flatnonzero(label == part)
            chosen = np.intersect1d(members, rest)
            if chosen.size and members.size <= MOST_TOGETHER:
                sums = _silent_sums(scaled[chosen], members, states)
                found += [(states[chosen], unit[chosen] * y) for y in sums]
    return _orthonormal(found, K.shape[0]) if found else csr_matrix((0, K.shape[0]))


def _regular(among: csr_matrix, rates: csr_matrix, silent: np.ndarray) -> bool:
    """Whether states have their values from their own equations, so that no sum says nothing."""
    rate_rows = np.ravel(abs(rates).max(axis=1).toarray())
    held = diags(silent / np.where(rate_rows > 0.0, rate_rows, 1.0)) @ rates
    try:
        pivots = np.abs(splu(csc_matrix(among + held)).U.diagonal())
    except RuntimeError:
        return False
    return bool(pivots.min() > SMALL_PIVOT)


def _silent_sums(rows: csr_matrix, members: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Factors of these rows, of unit size, whose sums vanish; in rows."""
    own = rows[:, states[members]].toarray()
    u, sigma, _ = np.linalg.svd(own, full_matrices=True)
    rank = int((sigma > ZERO_ROW * max(own.shape)).sum())
    left = u[:, rank:].T
    if not left.size:
        return left
    felt = left @ rows  # by poses and multipliers
    felt = np.asarray(felt)[:, np.asarray(abs(rows).max(axis=0).toarray()).ravel() > 0.0]
    u, sigma, _ = np.linalg.svd(felt, full_matrices=True)
    rank = int((sigma > NO_SUM).sum())
    return u[:, rank:].T @ left


def _orthonormal(found: list[tuple[np.ndarray, np.ndarray]], size: int) -> csr_matrix:
    """Sums as rows; those of the same states are made orthonormal."""
    groups: dict[bytes, list[np.ndarray]] = {}
    places: dict[bytes, np.ndarray] = {}
    for where, factors in found:
        groups.setdefault(where.tobytes(), []).append(factors)
        places[where.tobytes()] = where
    data, rows, columns, count = [], [], [], 0
    for key, several in groups.items():
        q = np.linalg.qr(np.array(several).T)[0].T
        q = np.where(np.abs(q) > ZERO_ROW, q, 0.0)
        for y in q:
            used = np.flatnonzero(y)
            data.append(y[used])
            rows.append(np.full(used.size, count))
            columns.append(places[key][used])
            count += 1
    entries = np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))
    return csr_matrix(entries, shape=(count, size))


def _endless(sim: Simulation, K: csr_matrix, C: csr_matrix, Y: csr_matrix, over: np.ndarray) -> tuple[str, ...]:
    """States of the sum of which most is left, if that is more than rounding."""
    n, layout = sim.system.layout.coordinates, sim.system.layout
    size = sizes(sim)
    terms = abs(Y) @ (SUM_ROUNDING * (abs(K)[:, :n] @ size) + SLOW_LEAK * (abs(C)[:, :n] @ size))
    left = np.abs(over) - terms
    k = int(np.argmax(left))
    if not left[k] > 0.0:
        return ()
    first = 6 * len(layout.free)
    own = [layout.states[int(j) - first] for j in Y.indices[Y.indptr[k] : Y.indptr[k + 1]]]
    return tuple(x.name for x in own if x.order == 1) or tuple(x.name for x in own)


def undetermined(sim: Simulation, rest: AtRest) -> tuple[str, ...]:
    """Names of states that may change with no equation feeling it but those of reactions; none in large models."""
    n, states = sim.system.layout.coordinates, followers(sim)
    columns = np.concatenate([states, np.arange(n, rest.rows.size)])
    if not states.size or columns.size > MOST_TOGETHER or columns.size * rest.rows.size > MOST_ENTRIES:
        return ()
    J = csr_matrix(rest.matrix @ diags(np.append(sizes(sim), np.ones(rest.rows.size - n))))
    unit, A = np.ravel(abs(J).max(axis=1).toarray()), J[:, columns].toarray()
    A /= np.where(unit > 0.0, unit, 1.0)[:, None]
    length = np.linalg.norm(A[:, states.size :], axis=0)
    A[:, states.size :] /= np.where(length > 0.0, length, 1.0)
    _, sigma, vt = np.linalg.svd(np.linalg.qr(A, mode="r") if A.shape[0] > A.shape[1] else A)
    free = np.linalg.norm(vt[int((sigma > ZERO_ROW * max(A.shape)).sum()) :, : states.size], axis=0)
    chosen = states[(free > NAMED_PART * free.max()) & (free > NOTICED_PART)]
    return tuple(sim.system.layout.states[k - 6 * len(sim.system.layout.free)].name for k in chosen)
