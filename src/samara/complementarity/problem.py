"""Python interface to the complementarity solvers, with methods chosen by name.

Native code calls `lemke`, `gauss_seidel`, `semismooth`, `solve_friction_cone` and `solve_friction_polyhedral` with work
arrays of its own; here the input is checked, the arrays are allocated, and the outcome is described in words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from samara.arguments import ANY, ArgumentError, finite_numbers, fraction, one_of, positive, whole
from samara.complementarity.codes import NOT_FINITE, RAY, SOLVED, STUCK, TOO_MANY, LCPStatus
from samara.complementarity.cones import friction_work, solve_friction_cone
from samara.complementarity.gauss_seidel import gauss_seidel, sweep_work
from samara.complementarity.lemke import lcp_work, lemke
from samara.complementarity.polyhedral import polyhedral_work, solve_friction_polyhedral
from samara.complementarity.scaling import drive, equilibrate, multiply, natural_residual
from samara.complementarity.semismooth import newton_work, semismooth

CONTACT_METHODS = ("cone", "polyhedral", "frictionless")
#: Facets of a cone of friction: the problem of a contact has as many unknowns.
MOST_FACETS = 1000
#: Pivots, sweeps and iterations by default.
PIVOTS_PER_UNKNOWN, LEAST_PIVOTS, MOST_SWEEPS, MOST_ITERATIONS, MOST_CONTACT_SWEEPS = 50, 10_000, 20_000, 200, 5000


class ComplementarityError(RuntimeError):
    """A complementarity problem that was not solved."""


class NoSolution(ComplementarityError):  # noqa: N818
    """A complementarity problem of which no solution was found because there is none, as far as the method can tell."""


class LCPSolution(NamedTuple):
    """z and w = M z + q, how the method ended and how many pivots, sweeps or iterations it took.

    residual is the largest |min(z_i, w_i)| without units, see `scaling`.
    """

    z: np.ndarray
    w: np.ndarray
    status: LCPStatus
    iterations: int
    residual: float


class ContactSolution(NamedTuple):
    """Impulses [N s] and velocities after them [m/s], both (n_c, 3): normal, tangent 1, tangent 2.

    residual has no units: of the cones as `cones` tells, otherwise that of the linear complementarity problem.
    """

    impulses: np.ndarray
    velocities: np.ndarray
    status: LCPStatus
    iterations: int
    residual: float


def solve_lcp(
    M: Any,
    q: Any,
    method: str = "lemke",
    *,
    start: Any = None,
    most: int | None = None,
    tolerance: float = 1e-12,
    relaxation: float = 1.0,
    check: bool = True,
) -> LCPSolution:
    """Solves w = M z + q, w >= 0, z >= 0, w.z = 0.

    method      "lemke" (pivots: exact, also for degenerate problems), "gauss-seidel" (sweeps; a positive diagonal),
                or "semismooth" (Newton's method)
    start       z to start from, for the last two
    most        pivots, sweeps or iterations
    tolerance   of the residual without units, for the last two
    relaxation  of Gauss-Seidel, between 0 and 2
    check       raise NoSolution, or ComplementarityError where it is not known; otherwise `status` tells
    """
    one_of("solve_lcp: method", method, _WORK)
    q = _array("solve_lcp: q", q, (ANY,))
    n = q.size
    M = _array("solve_lcp: M", M, (n, n))
    z = np.zeros(n) if start is None else _array("solve_lcp: start", start, (n,)).copy()
    tolerance = positive("solve_lcp: tolerance", tolerance)
    relaxation = fraction("solve_lcp: relaxation", relaxation, 2.0)
    w, work = np.zeros(n), _WORK[method](n)
    if method == "lemke":
        status = lemke(M, q, z, w, work, _most(most, _pivots(n)))
    elif method == "gauss-seidel":
        status = gauss_seidel(M, q, z, w, work, _most(most, MOST_SWEEPS), tolerance, relaxation)
    else:
        status = semismooth(M, q, z, w, work, _most(most, MOST_ITERATIONS), tolerance)
    count = int(work.counts[0])
    if check:
        _raise(status, count, method)
    if status != SOLVED:
        w = M @ z + q
    return LCPSolution(z, w, LCPStatus(status), count, _residual(M, q, z))


_WORK: dict[str, Callable[[int], Any]] = {"lemke": lcp_work, "gauss-seidel": sweep_work, "semismooth": newton_work}


def solve_contact(
    W: Any,
    u: Any,
    mu: Any,
    method: str = "cone",
    *,
    facets: int = 8,
    start: Any = None,
    most: int | None = None,
    tolerance: float = 1e-10,
    check: bool = True,
) -> ContactSolution:
    """Impulses of contacts with Coulomb friction, v = W P + u.

    W       Delassus operator [1/kg], (3 n_c, 3 n_c): per contact normal, tangent 1, tangent 2
    u       velocities without impulses [m/s], (3 n_c,) or (n_c, 3); restitution e adds e v_n before to the normal
    mu      friction coefficient, one number or (n_c,)
    method  "cone" (exact), "polyhedral" (Lemke's method, `facets` of them), "frictionless" (mu does not matter)
    start   impulses to start from, for "cone": those of the last step
    most, tolerance, check   as of `solve_lcp`; the tolerance is for "cone"
    """
    one_of("solve_contact: method", method, CONTACT_METHODS)
    facets = whole("solve_contact: facets", facets, 3, MOST_FACETS)
    tolerance = positive("solve_contact: tolerance", tolerance)
    u = finite_numbers("solve_contact: u", u).ravel()
    if u.size % 3:
        raise ArgumentError("solve_contact: u", f"must have three components per contact, got {u.size} in all")
    contacts = u.size // 3
    W = _array("solve_contact: W", W, (u.size, u.size))
    mu = _array("solve_contact: mu", [mu] * contacts if np.ndim(mu) == 0 else mu, (contacts,))
    if (mu < 0.0).any():
        raise ArgumentError("solve_contact: mu", f"must not be negative, got {mu.min():g}")
    before = np.zeros(u.size) if start is None else finite_numbers("solve_contact: start", start).ravel()
    P = _array("solve_contact: start", before, (u.size,)).copy()
    if method == "frictionless" or (method == "polyhedral" and not mu.any()):
        return _frictionless(W, u, most, check)
    solve = _by_cone if method == "cone" else _by_polyhedra
    v, status, count, residual = solve(W, u, mu, P, facets, most, tolerance)
    if check:
        _raise(status, count, method)
    return ContactSolution(P.reshape(-1, 3), v.reshape(-1, 3), LCPStatus(status), count, residual)


def _frictionless(W, u, most, check):
    """The linear complementarity problem of the normals."""
    P = np.zeros(u.size)
    z, _, status, count, residual = solve_lcp(W[::3, ::3], u[::3], most=most, check=check)
    P[::3] = z
    return ContactSolution(P.reshape(-1, 3), (W @ P + u).reshape(-1, 3), status, count, residual)


def _by_cone(W, u, mu, P, facets, most, tolerance):
    v, work = np.zeros(u.size), friction_work(mu.size)
    status = solve_friction_cone(W, u, mu, P, v, work, _most(most, MOST_CONTACT_SWEEPS), tolerance)
    return v, status, int(work.counts[0]), float(work.residual[0])


def _by_polyhedra(W, u, mu, P, facets, most, tolerance):
    v, work = np.zeros(u.size), polyhedral_work(mu.size, int(facets))
    status = solve_friction_polyhedral(W, u, mu, P, v, work, _most(most, _pivots(work.matrix.shape[0])))
    residual = _residual(work.matrix, *work.vectors[:2])
    return v, status, int(work.lcp.counts[0]), residual


def _array(what: str, given: Any, shape: Sequence[int]) -> np.ndarray:
    """Finite doubles of that shape in one piece; an empty matrix is written in many ways."""
    array = finite_numbers(what, given)
    if 0 in shape and not array.size:
        return array.reshape(shape)
    return np.ascontiguousarray(finite_numbers(what, array, shape))


def _most(given: int | None, default: int) -> int:
    return default if given is None else whole("solve_lcp: most", given)


def _pivots(n: int) -> int:
    return max(LEAST_PIVOTS, PIVOTS_PER_UNKNOWN * n)


def _residual(M: np.ndarray, q: np.ndarray, z: np.ndarray) -> float:
    w, scale = np.zeros(q.size), np.ones(q.size)
    if not equilibrate(M, scale):
        return np.inf
    multiply(M, q, z, w)
    return float(natural_residual(z, w, scale, drive(q, scale)))


def _raise(status: int, count: int, method: str) -> None:
    """Says what was found, if it is no solution."""
    if status == RAY:
        raise NoSolution(
            f"{method}: no solution; Lemke's path ends in a secondary ray (after {count} {_COUNTED[method]}). If the "
            "matrix is positive semidefinite then the constraints contradict each other"
        )
    if status == TOO_MANY:
        raise ComplementarityError(f"{method}: no solution within {count} {_COUNTED[method]}; `most` allows more")
    if status == STUCK:
        raise ComplementarityError(f"{method}: {_WHY_STUCK[method]}")
    if status == NOT_FINITE:
        raise ComplementarityError(f"{method}: numbers have become infinite after {count} {_COUNTED[method]}")


_COUNTED = {
    "lemke": "pivots",
    "polyhedral": "pivots",
    "gauss-seidel": "sweeps",
    "cone": "sweeps",
    "semismooth": "iterations",
}
_WHY_STUCK = {
    "lemke": "the pivots have lost too many digits; M is nearly singular",
    "polyhedral": "the pivots have lost too many digits; W is nearly singular",
    "gauss-seidel": "the diagonal of M must be positive; use lemke",
    "cone": "a contact closes that no impulse can move: its entry W_nn is zero",
    "semismooth": "the residual has a minimum that is no solution, as where there is none; lemke can tell",
}
