"""Exact reduction of equations of motion with constraints to x_dot = A x + B u, without requiring mass.

With X a motion that an input prescribes through a constraint, and N a basis of the null space of the constraints,

    xi = N q + X u,     q_dot = Z w - P q + V u

where Z spans the null space of the rate constraints (Z = 1, P = 0, V = 0 without them). Rates of inputs are taken as
zero. Equations are combined so that reactions drop out: by N where the reactions are G^T lam; friction that depends on
the reactions requires another combination. With Z = [Z_a, Z_b] along motions with and without mass, Q_a orthogonal to
Z_b, and m, c, k the reduced M, C, K,

    Q_a^T q_dot = Q_a^T (Z_a w_a - P q + V u)
    m Z_a w_a_dot + (c Z_b Z_b^T - m P) q_dot = -c (Z_a w_a - P q + V u) - k q - f u

are equations E z_dot = A z + B u of z = (q, w_a): massless coordinates have no independent velocity. Unknowns that E
does not determine follow algebraically, such as massless nodes held only by springs, and states that are functions of
others.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from samara.solve.errors import SolveError
from samara.solve.linear_systems.null_spaces import ZERO_PART, is_regular, null_space, pseudo_inverse
from samara.solve.linear_systems.operator_distance import difference
from samara.solve.linear_systems.units import Equations, unit_masses

_ByBoth = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class FirstOrder:
    """x_dot = A x + B u, and the motion that corresponds to x and u.

    pose, rate, second: (by x, by u) each: xi, xi_dot and xi_ddot of all nodes, own axes.
    bases: of the constraint null spaces, and units, to continue from at a later instant: see `first_order`.
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

    def change(self, later: Equations) -> float:
        """By how much the equations of another instant are others (`operator_distance`)."""
        return difference(self.A, first_order(later, like=self).A)


def first_order(
    lin: Equations, loads=None, gaps=None, slips=None, like: FirstOrder | None = None, units=None
) -> FirstOrder:
    """Reduces equations of motion, such as those of a linearisation, to first-order form.

    loads, gaps, slips: derivatives by the inputs of the equations, of the holonomic and of the rate constraints,
    shapes (n, i), (g, i), (r, i); none by default.
    like: the same of an instant before. Bases of what constraints leave free are then the nearest to those, so that
    A(t), B(t) and their states are continuous along a motion; else they are chosen anew, with any signs and order.
    units: of the unknowns, and factors of the equations; by default those of `unit_masses`.
    """
    n = lin.M.shape[0]
    loads = np.zeros((n, 0)) if loads is None else loads
    if lin.tied.size:
        return _with_tied(lin, loads, gaps, slips, like)
    before = like.bases if like is not None else (None, None, None, None, None)
    inputs = loads.shape[1]
    gaps = np.zeros((lin.G.shape[0], inputs)) if gaps is None else gaps
    slips = np.zeros((lin.D.shape[0], inputs)) if slips is None else slips

    scale, rows = unit_masses(lin) if units is None else units
    if before[3] is not None and before[3].size == n:
        scale, rows = before[3:]
    M, C, K = (rows[:, None] * x * scale for x in (lin.M, lin.C, lin.K))
    G, D, E, f = lin.G * scale, lin.D * scale, lin.E * scale, rows[:, None] * loads
    held, dragged = np.hsplit(rows[:, None] * lin.reactions, [G.shape[0]])
    N, X = null_space(G), -pseudo_inverse(G) @ gaps if inputs else np.zeros((n, 0))
    own = np.abs(held.T - G).max(initial=0.0) <= ZERO_PART * np.abs(G).max(initial=0.0)
    left = N if own else null_space(held.T)  # friction makes the difference
    N = _nearest(N, before[0])
    DN = D @ N
    Z, P, V = null_space(DN), pseudo_inverse(DN) @ (E @ N), -pseudo_inverse(DN) @ (slips + E @ X)
    left = left @ null_space(dragged.T @ left)
    if left.shape[1] != Z.shape[1]:
        raise SolveError("its reactions are more or fewer than what constraints hold")

    m, c, k, f = left.T @ M @ N, left.T @ C @ N, left.T @ K @ N, left.T @ (K @ X + f)
    A, B, motion, (Z_a, by_x) = _in_coordinates(m, c, k, f, Z, P, V, before[1:3])
    back = scale[:, None] * N
    (pose, pose_u), rate, second = ((back @ own, back @ asked) for own, asked in motion)
    return FirstOrder(A, B, (pose, pose_u + scale[:, None] * X), rate, second, bases=(N, Z_a, by_x, scale, rows))


def _in_coordinates(
    m, c, k, f, Z, P, V, before
) -> tuple[np.ndarray, np.ndarray, list[_ByBoth], tuple[np.ndarray, ...]]:
    """A and B; q, q_dot and q_ddot by x and u; bases of what has mass and of x, the nearest to some before."""
    left, Z_a, Z_b = _by_mass(m @ Z)
    Z_a, Z_b = _nearest(Z @ Z_a, before[0]), Z @ Z_b
    m, c, k, f = (left.T @ x for x in (m, c, k, f))
    n, across, slack = len(Z), null_space(Z_b.T), Z_b @ Z_b.T
    E_z = np.block([[across.T, np.zeros((across.shape[1], Z_a.shape[1]))], [c @ slack - m @ P, m @ Z_a]])
    A_z = np.block([[-across.T @ P, across.T @ Z_a], [c @ P - k, -c @ Z_a]])
    B_z = np.vstack([across.T @ V, -c @ V - f])
    _scale_massless(E_z, A_z, B_z, Z_b)
    A, B, by_x, by_u = _explicit(E_z, A_z, B_z)
    turn = _turn(by_x, before[1])
    A, B, by_x = turn.T @ A @ turn, turn.T @ B, by_x @ turn

    def by_both(y: np.ndarray, z: np.ndarray, z_1: np.ndarray, z_2: np.ndarray) -> list[np.ndarray]:
        """q, q_dot and q_ddot for some (q, w_a), their first and second derivatives; y what V adds."""
        q_1 = Z_a @ z[n:] + slack @ z_1[:n] - P @ z[:n] + y
        return [z[:n], q_1, Z_a @ z_1[n:] + slack @ z_2[:n] - P @ q_1]

    own = by_both(np.zeros((n, len(A))), by_x, by_x @ A, by_x @ A @ A)
    asked = by_both(V, by_u, by_x @ B, by_x @ A @ B)  # of constant inputs
    return A, B, list(zip(own, asked, strict=True)), (Z_a, by_x)


def _by_mass(m: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Combinations of equations, those without mass last, and of motions, with mass and without."""
    if is_regular(m):
        one = np.eye(len(m))
        return one, one, one[:, :0]
    u, sigma, vt = np.linalg.svd(m)
    heavy = int((sigma > ZERO_PART * max(sigma.max(), 1.0)).sum())
    return u, vt[:heavy].T, vt[heavy:].T


def _scale_massless(E: np.ndarray, A: np.ndarray, B: np.ndarray, Z_b: np.ndarray) -> None:
    """Brings equations without mass, the last, to a largest term of one, and takes rates of what has no mass out of
    those with mass: their dampers may be much larger than a mass."""
    light = Z_b.shape[1]
    if not light:
        return
    low, heavy = slice(len(E) - light, None), slice(0, len(E) - light)
    size = np.abs(np.hstack([E[low], A[low]])).max(axis=1, keepdims=True)
    for x in (E, A, B):
        x[low] /= np.where(size > 0.0, size, 1.0)
    rates = E[:, : len(Z_b)] @ Z_b
    taken = rates[heavy] @ np.linalg.pinv(rates[low], rcond=ZERO_PART)
    for x in (E, A, B):
        x[heavy] -= taken @ x[low]


def _with_tied(lin: Equations, loads: np.ndarray, gaps, slips, like: FirstOrder | None) -> FirstOrder:
    """The same for states that are tied to others, K_t xi + f_t u = 0: first without them, xi = T xi' + S u."""
    tied, n = lin.tied, lin.M.shape[0]
    others = np.setdiff1d(np.arange(n), tied)
    own = lin.K[tied][:, tied]
    T, S = np.zeros((n, others.size)), np.zeros((n, loads.shape[1]))
    T[others] = np.eye(others.size)
    T[tied], S[tied] = -np.linalg.solve(own, lin.K[tied][:, others]), -np.linalg.solve(own, loads[tied])
    free = Equations(
        M=lin.M[others] @ T, C=lin.C[others] @ T, K=lin.K[others] @ T, G=lin.G @ T, D=lin.D @ T, E=lin.E @ T,
        reactions=lin.reactions[others], scales=np.delete(lin.scales, tied - (n - lin.scales.size)),
    )  # fmt: skip
    found = first_order(free, loads[others] + (lin.K @ S)[others], gaps, slips, like)
    rate, second = ((T @ by_x, T @ by_u) for by_x, by_u in (found.rate, found.second))
    return replace(found, pose=(T @ found.pose[0], T @ found.pose[1] + S), rate=rate, second=second)


def _turn(basis: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """The rotation of a basis that brings it nearest to the one before (Procrustes); none where sizes differ."""
    if before is None or before.shape != basis.shape or not basis.size:
        return np.eye(basis.shape[1])
    u, _, vt = np.linalg.svd(np.linalg.lstsq(basis, before, rcond=None)[0])
    return u @ vt


def _nearest(basis: np.ndarray, before: np.ndarray | None) -> np.ndarray:
    """Another basis of the same space, nearest to the one before."""
    return basis if before is None else basis @ _turn(basis, before)


def _explicit(E: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, ...]:
    """Solves E z_dot = A z + B u for the rates; what E does not determine follows algebraically."""
    if is_regular(E):
        return np.linalg.solve(E, A), np.linalg.solve(E, B), np.eye(len(E)), np.zeros(B.shape)
    u, sigma, vt = np.linalg.svd(E)
    rank = int((sigma > ZERO_PART * sigma.max(initial=0.0)).sum())
    u1, u2, v1, v2 = u[:, :rank], u[:, rank:], vt[:rank].T, vt[rank:].T
    own = u2.T @ A @ v2
    if np.linalg.cond(own) > 1.0 / ZERO_PART:
        raise SolveError(
            "a massless direction has no stiffness or damping, or only jointly with others: give it "
            "stiffness, damping or inertia"
        )
    by_x = v1 - v2 @ np.linalg.solve(own, u2.T @ A @ v1)
    by_u = -v2 @ np.linalg.solve(own, u2.T @ B)
    inverse = u1.T / sigma[:rank, None]
    return inverse @ A @ by_x, inverse @ (A @ by_u + B), by_x, by_u
