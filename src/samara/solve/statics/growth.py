"""Growth of small disturbances of a static equilibrium: eigenvalues of the motion including scalar states.

Stiffness gives the immediate resistance to a displacement, but not the delayed response of a filter, valve or
controller. About an equilibrium, small changes x of all coordinates obey

    M x'' + C x' + K x + H l = 0,     G x = 0,     Y C x = 0

with the reactions H l of constraints and engaged locks, and with conserved quantities
(`samara.solve.mechanism.at_rest`). With x = N p along the free motions, and equations combined so that reactions drop
out, L^T H = 0, this gives a matrix A of z' = A z (`samara.solve.linear_systems.first_order`). Only states that are
mutually coupled are grouped together; states without feedback are treated separately.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, matrix_balance
from scipy.sparse import csr_matrix, vstack
from scipy.sparse.csgraph import connected_components

from samara.rotations.scalars import LEAST_DIVISOR
from samara.solve.errors import SolveError
from samara.solve.linear_systems.first_order import first_order
from samara.solve.linear_systems.units import Equations, unit_masses
from samara.solve.mechanism.at_rest import AtRest, at_rest, followers, reactions
from samara.solve.simulation import Simulation

#: Coordinates that act on each other up to which their eigenvalues are found: beyond, many seconds.
LARGEST_GROWTH = 300
#: Part of an eigenvalue by which it may be off, and rounding of A by its condition.
EIGENVALUE_ERROR, MATRIX_ROUNDING = 1e-7, 1e-13


@dataclass(frozen=True)
class GrowthRate:
    """The fastest-growing disturbance.

    rate:   its eigenvalue [1/s]; nan if none grows.
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
    none = np.zeros((0, own.size))
    scale, rows = _units(sim, rest, matrices)
    try:
        reduced = first_order(Equations(M, C, K, G, none, none, H), units=(scale[own], rows[own]))
    except SolveError as error:
        return GrowthRate(why=f"whether it grows was not examined: {error}")
    rate, z = _fastest(reduced.A)
    if z is None:
        return GrowthRate()
    change, along = np.zeros(n), reduced.pose[0] @ z
    change[own] = along.real if np.abs(along.real).max() > 0.0 else along.imag
    return GrowthRate(rate, change)


def _units(sim: Simulation, rest: AtRest, matrices: tuple[csr_matrix, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Of all coordinates and their equations, in which masses are one."""
    n = sim.system.layout.coordinates
    K, C, M = (x[:n, :n] for x in matrices)
    return unit_masses(Equations(M, C, K, rest.matrix[rest.held][:, :n], K[:0], K[:0], K[:, :0], sim.state.scales))


def _fastest(A: np.ndarray) -> tuple[complex, np.ndarray | None]:
    """The eigenvalue that grows fastest, beyond doubt, and its vector; none where none does."""
    if not A.size:
        return complex(np.nan), None
    balanced, turn = matrix_balance(A)
    values, left, right = eig(balanced, left=True, right=True)
    along = np.abs(np.einsum("ij,ij->j", left.conj(), right))
    doubt = EIGENVALUE_ERROR * np.abs(values) + MATRIX_ROUNDING * np.linalg.norm(balanced, 2) / np.maximum(
        along, LEAST_DIVISOR
    )
    over = values.real - doubt
    k = int(np.argmax(over))
    return (complex(values[k]), turn @ right[:, k]) if over[k] > 0.0 else (complex(np.nan), None)
