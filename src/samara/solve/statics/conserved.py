"""Exact conservation: the error that a sum of equations between rates has accumulated since the start.

A sum y^T r of equations between rates requires y^T C(x) dx = 0 along the path to equilibrium. If C varies along the
path, like the capacity of a gas with pressure, each Newton correction satisfies it only to first order. The integral of
y^T C(x) dx from the start is a change of a stored quantity and so does not depend on the path; it is evaluated along
the shortest one, and the error is corrected.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import splu

from samara.solve.mechanism.at_rest import AtRest, at_rest, move, sizes, slopes
from samara.solve.simulation import Simulation
from samara.solve.statics.slips import slips

#: Change of y^T C, of its size, that is none; what may be missed, likewise; corrections.
SMALLEST_CHANGE, LARGEST_MISS, MOST_CORRECTIONS = 1e-9, 1e-10, 10
#: Pieces of the way, and points of Gauss and Legendre in each.
PIECES, POINTS = 16, 4


def make_good(sim: Simulation, start: np.ndarray) -> float:
    """Moves a simulation in balance towards what was stored at the start; the change, of the sizes of coordinates."""
    rest = at_rest(sim)
    missed, usual = _missed(sim, start, rest)
    if not (np.abs(missed) > LARGEST_MISS * usual).any():
        missed[:] = 0.0
    slipped = _slipped(sim, start, rest)
    if not (missed.any() or slipped.any()):
        return 0.0
    try:
        return move(sim, splu(csc_matrix(rest.matrix)).solve(rest.rows + rest.sums.T @ missed + slipped))[0]
    except RuntimeError:
        return np.nan


def _missed(sim: Simulation, start: np.ndarray, rest: AtRest) -> tuple[np.ndarray, np.ndarray]:
    """What each sum has let in since the start, and how much that could be."""
    n, Y, here = sim.system.layout.coordinates, rest.sums, sim.state.copy()
    if not Y.shape[0]:
        return np.zeros(0), np.ones(0)

    def told() -> np.ndarray:
        return (Y @ slopes(sim)[1])[:, :n].toarray()

    with sim.state.kept():
        now, size = told(), sizes(sim)
        sim.state.restore(start)
        usual = np.abs(now) @ size + np.finfo(float).tiny
        alive = np.array([not set(Y[k].indices) <= set(rest.loose) for k in range(Y.shape[0])])
        if not ((np.abs(now - told()) @ size > SMALLEST_CHANGE * usual) & alive).any():
            return np.zeros(Y.shape[0]), usual
        way, found = sim.state.difference(here), np.zeros(Y.shape[0])
        points, shares = np.polynomial.legendre.leggauss(POINTS)
        for k in range(PIECES):
            for point, share in zip(points, shares, strict=True):
                sim.state.restore(start)
                sim.state.move((k + 0.5 * (1.0 + point)) / PIECES * way)
                found += 0.5 * share / PIECES * (told() @ way)
    return np.where(alive, found, 0.0), usual


def _slipped(sim: Simulation, start: np.ndarray, rest: AtRest) -> np.ndarray:
    """By how much ties of rates have slipped, of all rows."""
    single = np.flatnonzero(np.diff(rest.sums.indptr) == 1)
    tied = {int(rest.sums.indices[rest.sums.indptr[k]]) for k in single} - set(rest.loose)
    found = slips(sim, start, tied)
    usual = abs(rest.matrix)[:, : sim.system.layout.coordinates] @ sizes(sim)
    return np.where(np.abs(found) > LARGEST_MISS * usual, found, 0.0)
