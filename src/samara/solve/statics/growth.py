"""Whether small disturbances of a balance at rest grow: eigenvalues of the motion with its scalar states.

Stiffness tells what a displacement meets, but not what a filter, a valve or a regulator makes of it a while later.
About a balance, small changes x of all coordinates obey

    M x'' + C x' + K x + H l = 0,     G x = 0,     Y C x = 0

with the reactions H l of what holds poses, and with what is conserved (`samara.solve.mechanism.at_rest`). With x = N p
along what is left free, and equations combined such that reactions drop out, L^T H = 0, follows a matrix A of z' = A z,
in which directions without mass have no velocity of their own, and those without a rate follow the others. States that
nothing answers stand by themselves: only what acts on each other, there and back, is taken together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, matrix_balance, null_space
from scipy.sparse import csr_matrix, vstack
from scipy.sparse.csgraph import connected_components

from samara.solve.mechanism.at_rest import AtRest, at_rest, followers, reactions
from samara.solve.simulation import Simulation

#: Coordinates that act on each other up to which their eigenvalues are found: beyond, many seconds.
LARGEST_GROWTH = 300
#: What is none beside one: masses and rates, scaled to one; constraints; blocks that can be solved with.
NO_MASS, NO_RATE, NO_ROW, SOLVABLE = 1e-9, 1e-11, 1e-10, 1e12
#: Part of an eigenvalue by which it may be off, and rounding of A by its condition.
SURE, ROUNDING = 1e-7, 1e-13


@dataclass(frozen=True)
class GrowthRate:
    """The disturbance that grows fastest.

    rate:   its eigenvalue [1/s]; nan where none grows.
    change: of all coordinates.
    why:    what was not examined; empty where all was.
    """

    rate: complex = complex(np.nan)
    change: np.ndarray | None = None
    why: str = ""


def growth(sim: Simulation) -> GrowthRate:
    """Of a simulation in balance at rest, as far as states of order one take part."""
    states = followers(sim)
    if not any(sim.system.layout.states[k - _first(sim)].order == 1 for k in states):
        return GrowthRate()
    with sim.state.kept():
        rest = at_rest(sim)
        K, C, M = (sim.jacobian(*unit) for unit in np.eye(3))
    fastest, why = GrowthRate(), ""
    for members in _parts(sim, rest, (K, C, M)):
        found = _grows(sim, rest, (K, C, M), members)
        why = why or found.why
        if np.isfinite(found.rate) and not found.rate.real <= fastest.rate.real:
            fastest = found
    return fastest if np.isfinite(fastest.rate) else GrowthRate(why=why)


def _first(sim: Simulation) -> int:
    return 6 * len(sim.system.layout.free)


def _parts(sim: Simulation, rest: AtRest, matrices: tuple[csr_matrix, ...]) -> list[np.ndarray]:
    """Unknowns that act on each other, of those parts in which a state has a rate of its own."""
    tied = rest.sums.indices[rest.sums.indptr[:-1][np.diff(rest.sums.indptr) == 1]]
    alive = [k for k in followers(sim) if sim.system.layout.states[k - _first(sim)].order == 1 and k not in tied]
    count, label = connected_components(sum(abs(x) for x in matrices) > 0.0, directed=True, connection="strong")
    return [np.flatnonzero(label == k) for k in range(count) if (label[alive] == k).any()]


def _grows(sim: Simulation, rest: AtRest, matrices: tuple[csr_matrix, ...], members: np.ndarray) -> GrowthRate:
    """Of a part."""
    n, locks = sim.system.layout.coordinates, reactions(sim)
    own = np.setdiff1d(members[members < n], locks)
    if own.size > LARGEST_GROWTH:
        name = next(sim.system.layout.states[k - _first(sim)].name for k in own if k >= _first(sim))
        why = f"{own.size} coordinates act on each other with state {name!r}, more than {LARGEST_GROWTH}"
        return GrowthRate(why=f"whether it grows was not examined: {why}")
    held = np.intersect1d(rest.held, members)
    within = np.isin(rest.sums.indices, own)
    sums = [k for k in range(rest.sums.shape[0]) if within[rest.sums.indptr[k] : rest.sums.indptr[k + 1]].all()]
    Y = rest.sums[sums]
    G = vstack([rest.matrix[held], Y @ rest.matrix]).tocsr()[:, own].toarray()
    H = np.hstack([rest.matrix[own][:, held].toarray(), Y[:, own].toarray().T])
    K, C, M = (x[own][:, own].toarray() for x in matrices)
    A, shape = _first_order(K, C, M, G, H, _scale(sim, matrices[2], own))
    if A is None or shape is None:
        return GrowthRate(why="whether it grows was not examined: what has no mass there follows from rates alone")
    rate, z = _fastest(A)
    if z is None:
        return GrowthRate()
    change = np.zeros(n)
    change[own] = (shape @ z).real if np.abs((shape @ z).real).max() > 0.0 else (shape @ z).imag
    return GrowthRate(rate, change)


def _scale(sim: Simulation, M: csr_matrix, own: np.ndarray) -> np.ndarray:
    """Units of the coordinates: in which a mass is one; those of states without any in their own."""
    mass = M.diagonal()[own]
    usual = mass[mass > 0.0].mean() if (mass > 0.0).any() else 1.0
    found = 1.0 / np.sqrt(np.where(mass > 0.0, mass, usual))
    states = own >= _first(sim)
    light = states & ~(mass > 0.0)
    found[light] = sim.state.scales[own[light] - _first(sim)]
    return found


def _first_order(K, C, M, G, H, scale) -> tuple[np.ndarray | None, np.ndarray | None]:
    """A of z' = A z, and the changes of the coordinates that belong to z; None where it cannot be found."""
    K, C, M, G = (x * scale for x in (K, C, M, G))
    size = np.abs(np.hstack([K, C, M])).max(axis=1)
    unit = np.where(np.abs(M).max(axis=1) > 0.0, scale, 1.0 / np.where(size > 0.0, size, 1.0))
    K, C, M, H = (unit[:, None] * x for x in (K, C, M, H))
    N, L = _free(G), _free(H.T)
    if N.shape[1] != L.shape[1]:
        return None, None
    if not N.shape[1]:
        return np.zeros((0, 0)), np.zeros((scale.size, 0))
    K, C, M = (L.T @ x @ N for x in (K, C, M))
    u, sigma, vt = np.linalg.svd(M)
    heavy = int((sigma > NO_MASS * max(sigma.max(), 1.0)).sum())
    K, C = (u.T @ x @ vt.T for x in (K, C))
    a, b = slice(0, heavy), slice(heavy, None)
    light = K.shape[0] - heavy
    E = np.zeros((2 * heavy + light,) * 2)
    E[:heavy, :heavy] = np.eye(heavy)
    E[heavy:, heavy : 2 * heavy] = np.vstack([np.diag(sigma[a]), np.zeros((light, heavy))])
    E[heavy:, 2 * heavy :] = C[:, b]
    A = np.zeros_like(E)
    A[:heavy, heavy : 2 * heavy] = np.eye(heavy)
    A[heavy:] = -np.hstack([K[:, a], C[:, a], K[:, b]])
    solved, by = _explicit(E, A)
    if solved is None or by is None:
        return None, None
    p = vt.T @ np.vstack([by[:heavy], by[2 * heavy :]])
    return solved, scale[:, None] * (N @ p)


def _free(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis of what rows leave free."""
    if not rows.shape[0]:
        return np.eye(rows.shape[1])
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return null_space(rows / np.where(length > 0.0, length, 1.0), rcond=NO_ROW)


def _explicit(E: np.ndarray, A: np.ndarray) -> tuple[np.ndarray | None, np.ndarray | None]:
    """E z' = A z as x' = (...) x, with z = by x: what has no rate follows the rest."""
    u, sigma, vt = np.linalg.svd(E)
    rank = int((sigma > NO_RATE * sigma.max(initial=1.0)).sum())
    u1, u2, v1, v2 = u[:, :rank], u[:, rank:], vt[:rank].T, vt[rank:].T
    own = u2.T @ A @ v2
    if own.size:
        unit = np.abs(own).max(axis=1)
        if not unit.all() or np.linalg.cond(own / unit[:, None]) > SOLVABLE:
            return None, None
    by = v1 - v2 @ np.linalg.solve(own, u2.T @ A @ v1)
    return (u1.T / sigma[:rank, None]) @ A @ by, by


def _fastest(A: np.ndarray) -> tuple[complex, np.ndarray | None]:
    """The eigenvalue that grows fastest, beyond doubt, and its vector; none where none does."""
    if not A.size:
        return complex(np.nan), None
    balanced, turn = matrix_balance(A)
    values, left, right = eig(balanced, left=True, right=True)
    along = np.abs(np.einsum("ij,ij->j", left.conj(), right))
    doubt = SURE * np.abs(values) + ROUNDING * np.linalg.norm(balanced, 2) / np.maximum(along, 1e-300)
    over = values.real - doubt
    k = int(np.argmax(over))
    return (complex(values[k]), turn @ right[:, k]) if over[k] > 0.0 else (complex(np.nan), None)
