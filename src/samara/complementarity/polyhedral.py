"""Coulomb friction in a polyhedral cone: a linear complementarity problem, solved by Lemke's method.

The friction of a contact is a sum of beta_k >= 0 along directions d_k, k = 1...m, evenly around the normal, which span
a polygon in the circle |P_t| <= mu P_n. With D_k = (0, d_k) and the normals N, per contact,

    v_n   = N^T (W P + u)                  >= 0,  perpendicular to  P_n    >= 0
    sigma = D^T (W P + u) + (1...1) lambda >= 0,  perpendicular to  beta   >= 0
    zeta  = mu P_n - sum of beta           >= 0,  perpendicular to  lambda >= 0,      P = N P_n + D beta

lambda is the speed of sliding. The matrix is copositive where W is positive semidefinite, so Lemke's method does not
fail, but for rounding errors where W is singular, which `lemke` knows what to do about. Friction is smaller than
Coulomb's by up to 1 - cos(pi / m), about 5 / m^2, and turned by up to pi / m.

Sources: Stewart and Trinkle, Int. J. Numer. Meth. Engng 39, 1996; Anitescu and Potra, Nonlinear Dynamics 14, 1997;
Klarbring, Ingenieur-Archiv 56, 1986.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.complementarity.codes import SOLVED
from samara.complementarity.lemke import LCPWork, lcp_work, lemke
from samara.complementarity.scaling import multiply
from samara.tracing.driver.driver_cache import routine
from samara.tracing.driver.reference import refer


class PolyhedralWork(NamedTuple):
    """The problem of up to n_c contacts with m facets, n = n_c (m + 2), and what Lemke's method writes on."""

    directions: np.ndarray  # (m, 2)
    matrix: np.ndarray  # (n, n)
    vectors: np.ndarray  # (3, n): q, z, w
    lcp: LCPWork


def polyhedral_work(contacts: int, facets: int) -> PolyhedralWork:
    """Work arrays for problems of up to so many contacts with these facets, made once."""
    angles, n = 2.0 * np.pi * np.arange(facets) / facets, contacts * (facets + 2)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return refer(PolyhedralWork(directions, np.zeros((n, n)), np.zeros((3, n)), lcp_work(n)))


@routine
def solve_friction_polyhedral(W, u, mu, P, v, work, most_pivots):
    """Impulses P and velocities v of contacts with friction in polyhedral cones; the status of `lemke`.

    W (3 n_c, 3 n_c) [1/kg], u (3 n_c,) [m/s], mu (n_c,); per contact normal, tangent 1, tangent 2. `work` has the
    facets; `work.lcp.counts[0]` counts the pivots.
    """
    directions = work.directions
    contacts, facets = mu.size, directions.shape[0]
    n = contacts * (facets + 2)
    M, q, z, w = work.matrix[:n, :n], work.vectors[0, :n], work.vectors[1, :n], work.vectors[2, :n]
    build_polyhedral(W, u, mu, directions, M, q)
    status = lemke(M, q, z, w, work.lcp, most_pivots)
    if status != SOLVED:
        return status
    for i in range(contacts):
        along_1, along_2 = 0.0, 0.0
        for k in range(facets):
            beta = z[contacts + i * facets + k]
            along_1 += beta * directions[k, 0]
            along_2 += beta * directions[k, 1]
        P[3 * i], P[3 * i + 1], P[3 * i + 2] = z[i], along_1, along_2
    multiply(W, u, P, v)
    return status


@routine
def build_polyhedral(W, u, mu, directions, M, q):
    """M and q for the unknowns P_n of all contacts, beta of all contacts and facets, lambda of all contacts."""
    contacts, facets = mu.size, directions.shape[0]
    speeds = contacts * (facets + 1)
    M[:, :] = 0.0
    for i in range(contacts):
        q[i], q[speeds + i] = u[3 * i], 0.0
        M[speeds + i, i] = mu[i]
        for k in range(facets):
            row = contacts + i * facets + k
            c, s = directions[k, 0], directions[k, 1]
            q[row] = c * u[3 * i + 1] + s * u[3 * i + 2]
            M[row, speeds + i], M[speeds + i, row] = 1.0, -1.0
        for j in range(contacts):
            _couple(W, directions, M, i, j, contacts)


@routine
def _couple(W, directions, M, i, j, contacts):
    """Velocities of contact i by impulses of contact j."""
    facets, a, b = directions.shape[0], 3 * i, 3 * j
    M[i, j] = W[a, b]
    for k in range(facets):
        c, s = directions[k, 0], directions[k, 1]
        row, column = contacts + i * facets + k, contacts + j * facets + k
        M[row, j] = c * W[a + 1, b] + s * W[a + 2, b]
        M[i, column] = c * W[a, b + 1] + s * W[a, b + 2]
        along_1, along_2 = c * W[a + 1, b + 1] + s * W[a + 2, b + 1], c * W[a + 1, b + 2] + s * W[a + 2, b + 2]
        for m in range(facets):
            M[row, contacts + j * facets + m] = along_1 * directions[m, 0] + along_2 * directions[m, 1]
