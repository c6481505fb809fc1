"""From matrices with constraints to x_dot = A x + B u, exactly: constraints solved, massless directions condensed.

With X a motion that an input asks for through a constraint, and N a basis of what the constraints leave free,

    xi = N q + X u,     xi_dot = N (Z w - P q + V u),     state (q, w)

where Z spans what rate constraints leave free (Z = 1, P = 0, V = 0 without them). Rates of inputs are taken as zero.
Equations are combined such that reactions drop out: by N where reactions are the constraints' own, G^T lam; friction
that depends on them makes the difference.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.linalg import get_lapack_funcs, null_space
from scipy.sparse import diags, issparse

from samara.analysis.linear import Linearisation
from samara.analysis.sameness import difference
from samara.solve import SolveError
from samara.solve.mechanism.massless_scale import lend

#: What counts as zero beside one, in matrices scaled to a unit diagonal of the mass.
ZERO_RANK = 1e-11
getrf, gecon = get_lapack_funcs(("getrf", "gecon"))


@dataclass(frozen=True)
class FirstOrder:
    """x_dot = A x + B u, and the motion that belongs to x and u.

    pose, rate, second: (by x, by u) each: xi, xi_dot and xi_ddot of all nodes, own axes.
    bases: of what constraints leave free, and units, to go on from at a later instant: see `first_order`.
    """

    A: np.ndarray
    B: np.ndarray
    pose: tuple[np.ndarray, np.ndarray]
    rate: tuple[np.ndarray, np.ndarray]
    second: tuple[np.ndarray, np.ndarray]
    bases: tuple[np.ndarray, ...] = field(default=(), repr=False)

    @property
    def allowed(self) -> tuple[np.ndarray, np.ndarray]:
        """xi and xi_dot that belong to x, a column each."""
        return self.pose[0], self.rate[0]

    def change(self, later: Linearisation) -> float:
        """By how much the equations of another instant are others (`sameness`)."""
        return difference(self.A, first_order(later, like=self).A)


def first_order(lin: Linearisation, loads=None, gaps=None, slips=None, like: FirstOrder | None = None) -> FirstOrder:
    """Reduces a linearisation to first-order form.

    loads, gaps, slips: derivatives by the inputs of the equations, of the holonomic and of the rate constraints,
    shapes (n, i), (g, i), (r, i); none by default.
    like: the same of an instant before. Bases of what constraints leave free are then the nearest to those, so that
    A(t), B(t) and their states are continuous along a motion; else they are chosen anew, with any signs and order.
    """
    n = lin.M.shape[0]
    loads = np.zeros((n, 0)) if loads is None else loads
    if lin.tied.size:
        return _with_tied(lin, loads, gaps, slips, like)
    if lin.D.shape[0] and (algebraic := _algebraic(lin)).size:
        return _with_algebraic(lin, algebraic, loads, gaps, slips, like)
    before = like.bases if like is not None else (None, None, None, None, None)
    inputs = loads.shape[1]
    gaps = np.zeros((lin.G.shape[0], inputs)) if gaps is None else gaps
    slips = np.zeros((lin.D.shape[0], inputs)) if slips is None else slips

    scale, rows = unit_masses(lin)
    if before[3] is not None and before[3].size == n:
        scale, rows = before[3:]
    M, C, K = (rows[:, None] * x * scale for x in (lin.M, lin.C, lin.K))
    G, D, E, f = lin.G * scale, lin.D * scale, lin.E * scale, rows[:, None] * loads
    held, dragged = np.hsplit(rows[:, None] * lin.reactions, [G.shape[0]])
    N, X = _kernel(G), -_inverse(G) @ gaps if inputs else np.zeros((n, 0))
    own = np.abs(held.T - G).max(initial=0.0) <= ZERO_RANK * np.abs(G).max(initial=0.0)
    left = N if own else _kernel(held.T)  # friction makes the difference
    followers = None
    if not D.size:
        N, left, followers = _condense(N, left, M, C, K)
    N = _nearest(N, before[0])
    DN = D @ N
    Z, P, V = _kernel(DN), _inverse(DN) @ (E @ N), -_inverse(DN) @ (slips + E @ X)
    Z = _nearest(Z, before[1])
    left = left @ _kernel(dragged.T @ left)

    q, w = N.shape[1], Z.shape[1]
    mass, damping, stiffness = left.T @ M @ N, left.T @ C @ N, left.T @ K @ N
    E_z = np.block([[np.eye(q), np.zeros((q, w))], [-mass @ P, mass @ Z]])
    A_z = np.block([[-P, Z], [damping @ P - stiffness, -damping @ Z]])
    B_z = np.vstack([V, -damping @ V - left.T @ (K @ X + f)])
    A, B, by_x, by_u = _explicit(E_z, A_z, B_z)
    turn = _turn(by_x, before[2])
    A, B, by_x = turn.T @ A @ turn, turn.T @ B, by_x @ turn

    # z = (q, w) = by_x x + by_u u, and its rate with constant u
    z, z_dot = (by_x, by_u), (by_x @ A, by_x @ B)
    rate = tuple(Z @ part[q:] - P @ part[:q] for part in z)
    rate = (rate[0], rate[1] + V)
    second = (Z @ z_dot[0][q:] - P @ rate[0], Z @ z_dot[1][q:] - P @ rate[1])
    pose, rate, second = (N @ z[0][:q], N @ z[1][:q] + X), (N @ rate[0], N @ rate[1]), (N @ second[0], N @ second[1])
    if followers is not None:
        d, solved = followers
        y, y_u = (-solved @ (K @ p + C @ r + M @ s) for p, r, s in zip(pose, rate, second, strict=True))
        y_u = y_u - solved @ f
        pose, rate = (pose[0] + d @ y, pose[1] + d @ y_u), (rate[0] + d @ y @ A, rate[1] + d @ y @ B)
        second = (second[0] + d @ y @ A @ A, second[1] + d @ y @ A @ B)
    pose, rate, second = (tuple(scale[:, None] * part for part in both) for both in (pose, rate, second))
    return FirstOrder(A, B, pose, rate, second, bases=(N, Z, by_x, scale, rows))


def _with_tied(lin: Linearisation, loads: np.ndarray, gaps, slips, like: FirstOrder | None) -> FirstOrder:
    """The same for states that are tied to others, K_t xi + f_t u = 0: first without them, xi = T xi' + S u."""
    tied, n = lin.tied, lin.M.shape[0]
    others = np.setdiff1d(np.arange(n), tied)
    own = lin.K[tied][:, tied]
    T, S = np.zeros((n, others.size)), np.zeros((n, loads.shape[1]))
    T[others] = np.eye(others.size)
    T[tied], S[tied] = -np.linalg.solve(own, lin.K[tied][:, others]), -np.linalg.solve(own, loads[tied])
    free = replace(
        lin, M=lin.M[others] @ T, C=lin.C[others] @ T, K=lin.K[others] @ T, G=lin.G @ T, D=lin.D @ T, E=lin.E @ T,
        reactions=lin.reactions[others], **_left(lin, others),
    )  # fmt: skip
    found = first_order(free, loads[others] + (lin.K @ S)[others], gaps, slips, like)
    rate, second = ((T @ by_x, T @ by_u) for by_x, by_u in (found.rate, found.second))
    return replace(found, pose=(T @ found.pose[0], T @ found.pose[1] + S), rate=rate, second=second)


def _left(lin: Linearisation, others: np.ndarray) -> dict[str, Any]:
    """What is said of the states that are among some unknowns; none of them is tied."""
    first = lin.M.shape[0] - len(lin.states)
    left = others[others >= first] - first
    return {"states": tuple(lin.states[k] for k in left), "scales": lin.scales[left], "tied": lin.tied[:0]}


def _algebraic(lin: Linearisation) -> np.ndarray:
    """Numbers of states of which no rate is felt, and that their own equations determine."""
    n, first = lin.M.shape[0], lin.M.shape[0] - len(lin.states)
    felt = sum(np.abs(x).sum(axis=0) for x in (lin.M, lin.C, lin.G, lin.D, lin.E)) + np.abs(lin.reactions).sum(axis=1)
    found = first + np.flatnonzero(felt[first:n] == 0.0)
    scale, rows = unit_masses(lin)
    return found if _regular(rows[found, None] * lin.K[found][:, found] * scale[found]) else found[:0]


def _with_algebraic(lin: Linearisation, own: np.ndarray, loads: np.ndarray, gaps, slips, like) -> FirstOrder:
    """The same where states follow at once: y = -S (M xi_ddot + C xi_dot + K xi + f u), S the inverse of their K."""
    others = np.setdiff1d(np.arange(lin.M.shape[0]), own)
    S = np.linalg.inv(lin.K[own][:, own])
    back = lin.K[others][:, own] @ S
    M, C, K = (x[own][:, others] for x in (lin.M, lin.C, lin.K))
    free = replace(
        lin, M=lin.M[others][:, others] - back @ M, C=lin.C[others][:, others] - back @ C,
        K=lin.K[others][:, others] - back @ K, G=lin.G[:, others], D=lin.D[:, others], E=lin.E[:, others],
        reactions=lin.reactions[others], **_left(lin, others),
    )  # fmt: skip
    found = first_order(free, loads[others] - back @ loads[own], gaps, slips, like)
    xi, rate, second = found.pose, found.rate, found.second
    y, y_u = (-S @ (K @ xi[k] + C @ rate[k] + M @ second[k]) for k in (0, 1))
    y_u = y_u - S @ loads[own]

    def whole(known: np.ndarray, followed: np.ndarray) -> np.ndarray:
        both = np.zeros((lin.M.shape[0], known.shape[1]))
        both[others], both[own] = known, followed
        return both

    A, B = found.A, found.B
    return replace(
        found, pose=(whole(xi[0], y), whole(xi[1], y_u)), rate=(whole(rate[0], y @ A), whole(rate[1], y @ B)),
        second=(whole(second[0], y @ A @ A), whole(second[1], y @ A @ B)),
    )  # fmt: skip


def _turn(basis: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """The rotation of a basis that brings it nearest to the one before (Procrustes); none where sizes differ."""
    if before is None or before.shape != basis.shape or not basis.size:
        return np.eye(basis.shape[1])
    u, _, vt = np.linalg.svd(np.linalg.lstsq(basis, before, rcond=None)[0])
    return u @ vt


def _nearest(basis: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """Another basis of the same space, nearest to the one before."""
    return basis if before is None else basis @ _turn(basis, before)


def unit_masses(lin: Linearisation) -> tuple[np.ndarray, np.ndarray]:
    """Units of the unknowns, and factors of the equations, in which each mass is one.

    Massless nodes are taken like the lightest of those that they are tied to, where there is none like the average of
    their sort; states without mass in their own scale, and their equations by their largest term. Matrices may be
    sparse.
    """
    mass = lin.M.diagonal().copy()
    nodes = mass.size - len(lin.states)
    if (mass[:nodes] <= 0.0).any():
        for tied in (lin.G, lin.D, abs(lin.K[:nodes]) + abs(lin.C[:nodes])):  # by joints, else by forces
            lend(mass[:nodes].reshape(-1, 2, 3), *tied[:, :nodes].nonzero())
    sort = np.where(np.arange(mass.size) < nodes, np.arange(mass.size) % 6 >= 3, 2)
    for which in (sort == 0, sort == 1):
        some = which & (mass > 0.0)
        mass[which & ~some] = mass[some].mean() if some.any() else 0.0
    heavy = mass[:nodes].max(initial=0.0) or 1.0
    idle = mass <= 0.0
    mass[idle] = heavy
    scale = 1.0 / np.sqrt(mass)
    rows = scale.copy()
    light = idle & (sort == 2)
    scale[light] = lin.scales[light[nodes:]]
    if light.any():
        size = np.maximum(*(_largest(x[light], np.ones(int(light.sum())), scale) for x in (lin.C, lin.K)))
        rows[light] = 1.0 / np.where(size > 0.0, size, 1.0)
        damped = _largest(lin.C[~light], rows[~light], scale).max(initial=0.0)
        rows[light] *= max(float(damped), 1.0)  # else what stores little would count as nothing beside strong dampers
    return scale, rows


def _largest(x: Any, rows: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Entry of each row of a matrix, sparse or not, whose rows and columns are scaled."""
    if issparse(x):
        found = abs(diags(rows) @ x @ diags(scale)).max(axis=1)
        return np.asarray(found.toarray()).ravel() if x.shape[0] else np.zeros(0)
    return np.abs(rows[:, None] * x * scale).max(axis=1, initial=0.0)


def _kernel(G: np.ndarray) -> np.ndarray:
    """Orthonormal basis of what constraints leave free."""
    if not G.shape[0]:
        return np.eye(G.shape[1])
    return null_space(G / np.maximum(np.linalg.norm(G, axis=1, keepdims=True), 1e-300), rcond=1e-10)


def _inverse(G: np.ndarray) -> np.ndarray:
    """Pseudo-inverse with rows brought to the same size first."""
    if not G.size:
        return np.zeros((G.shape[1], G.shape[0]))
    size = np.maximum(np.linalg.norm(G, axis=1), 1e-300)
    return np.linalg.pinv(G / size[:, None], rcond=1e-10) / size


def _regular(E: np.ndarray) -> bool:
    """Whether a matrix can be solved with, by an estimate of its condition."""
    if not E.size:
        return True
    factor, _, info = getrf(E)
    return info == 0 and gecon(factor, np.abs(E).sum(axis=0).max())[0] > ZERO_RANK


def _condense(N, left, M, C, K):
    """Directions without mass and damping follow the others: (right basis, left basis, followers).

    d y are these motions, y = -S (M xi_ddot + C xi_dot + K xi + f), with followers (d, S), and equations are combined
    such that they drop out. S takes the equations without mass and damping first, as in statics; where these are fewer,
    others in which y is felt: a state that is a thrust or a regulator's output follows rates.
    """
    Mq = left.T @ M @ N
    if _regular(Mq):
        return N, left, None
    Cq = left.T @ C @ N
    size = np.abs(Cq).max(initial=0.0) or 1.0
    both = np.vstack([Mq, Cq / size]) if N.size else np.zeros((0, 0))
    idle = null_space(both, rcond=ZERO_RANK) if N.size else np.zeros((0, 0))  # motions that only stiffness feels
    still = null_space(np.vstack([Mq.T, Cq.T / size]), rcond=ZERO_RANK) if N.size else np.zeros((0, 0))
    count, apart = idle.shape[1], still.shape[1]
    if not count or apart > count:
        return N, left, None
    d, rest = N @ idle, N @ null_space(idle.T)
    felt = left.T @ K @ d
    left_over = felt @ (null_space(still.T @ felt) if apart else np.eye(count))  # what these do not determine
    e = np.hstack([still, np.linalg.svd(left_over, full_matrices=False)[0]])
    if e.shape[1] != count:
        return N, left, None
    others, e = left @ null_space(e.T), left @ e
    own = e.T @ K @ d
    if np.linalg.cond(own) > 1.0 / ZERO_RANK:
        raise SolveError("a node without mass is held by nothing: give it stiffness, damping or inertia")
    solved = np.linalg.solve(own, e.T)
    return rest, others - solved.T @ (d.T @ K.T @ others), (d, solved)


def _explicit(E, A, B):
    """Solves E z_dot = A z + B u for the rates; what E does not determine follows algebraically."""
    if _regular(E):
        return np.linalg.solve(E, A), np.linalg.solve(E, B), np.eye(len(E)), np.zeros(B.shape)
    u, sigma, vt = np.linalg.svd(E)
    rank = int((sigma > ZERO_RANK * sigma.max(initial=0.0)).sum())
    u1, u2, v1, v2 = u[:, :rank], u[:, rank:], vt[:rank].T, vt[rank:].T
    own = u2.T @ A @ v2
    if np.linalg.cond(own) > 1.0 / ZERO_RANK:
        raise SolveError("a direction without mass is only partly damped or held: give it stiffness or inertia")
    by_x = v1 - v2 @ np.linalg.solve(own, u2.T @ A @ v1)
    by_u = -v2 @ np.linalg.solve(own, u2.T @ B)
    inverse = u1.T / sigma[:rank, None]
    return inverse @ A @ by_x, inverse @ (A @ by_u + B), by_x, by_u
