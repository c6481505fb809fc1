"""The slowest small motions of large models, from sparse matrices: nothing of the size of the model is dense.

Shift and invert, on the equations with their constraints (`Linearisation`), first order y = (xi, w) with w = xi_dot:

    T b = (A - sigma)^-1 b,     b = (b1, b2):

    w = sigma xi + b1
    [sigma^2 M + sigma C + K,  H ] [xi ]     [M b2 + (C + sigma M) b1]
    [G                      ,  0 ] [lam] = - [0                      ]
    [sigma D + E            ,  0 ]           [D b1                   ]

T has the modes of the model as its vectors, with values theta = 1 / (s - sigma): the slowest are the largest. What has
no rate or no mass of its own, and what constraints hold, has theta = 0 and needs no elimination. The largest are found
by Arnoldi's method with blocks of vectors, so that modes that coincide are found, as many as a block has vectors (where
there may be more, `modes` takes dense matrices or refuses); each is then made more accurate by solutions with sigma
beside it. Constraints that repeat others (`samara.system.layout.release`) are left to
dense matrices.
Source: Saad, Numerical Methods for Large Eigenvalue Problems, 2nd ed., SIAM 2011, chapters 6 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, schur
from scipy.sparse import bmat, csc_matrix, csr_matrix, diags, identity
from scipy.sparse.linalg import splu

from samara.analysis.linearisation.linear import Linearisation
from samara.solve import Simulation, SolveError
from samara.solve.linear_systems.operator_distance import difference
from samara.solve.linear_systems.units import unit_masses
from samara.solve.mechanism.tangent_space import Compliance, Shifted

#: Coordinates from which on a few modes are found by the methods of this file.
LARGE = 1200
#: Where modes are looked for [rad/s]: near zero, and not at zero, where rigid motions are.
SHIFT = 0.1
#: Eigenvalues below this times the root of the largest entry of A may be those of motions that nothing brings back: an
#: error of A, by rounding, makes the root of it of them; and part of such a motion that is apart from others.
RIGID, SAME_MOTION = 1e-7, 1e-4
#: Vectors of a block, and how many values more than are asked for are looked at.
BLOCK, MORE = 8, 10
#: How often what was not found at first is looked for.
ROUNDS = 10
#: Part of a vector that is new beside those before, below which it is rounding.
NEW = 1e-12
#: Values beside the largest that are zeros of T but for rounding: modes so much faster cannot be told from them.
ZERO = 1e-7
#: Part of theta that may be left of T y - theta y when Arnoldi's method ends; where it only looks for what is missing.
CONVERGED, LOOKED = 1e-10, 1e-5
#: Distance of values that are improved together, and of sigma from them, of their size; and how often.
NEAR, BESIDE, IMPROVED = 1e-2, 1e-4, 2
#: Part of the terms of the equations that may be left of them in a mode, and change of s by the last improvement, of
#: |s|, with more where stiffness hides it: rounding of the largest term.
LEFT, SETTLED, ROUNDING = 1e-9, 1e-7, 1e-15
#: Eigenvalue, of the shift, that cannot be told from zero before it is improved.
UNMOVED = 1e-3
#: Speed that is not that of the motion, w - s xi of w, from which on theta is no mode but a zero with rounding.
APART = 1e-3


def is_large(sim: Simulation) -> bool:
    """Whether matrices of a simulation are better kept sparse."""
    return sim.system.layout.coordinates > LARGE


def is_few(sim: Simulation, count: int | None) -> bool:
    """Whether so many modes are few of all those of a large model, whose constraints are independent."""
    few = count is not None and 2 * count + MORE <= sim.system.layout.coordinates // 8
    return few and is_large(sim) and sim.system.releases is None


@dataclass(frozen=True)
class Slowest:
    """The slowest modes, both of each pair where they are slow, and what to compare the equations with later.

    lin:     with sparse matrices.
    values:  s [rad/s]. motions: (xi, xi_dot) of each, a column.
    largest: entry of the equations in units in which masses are one [1/s^2].
    """

    lin: Linearisation
    values: np.ndarray
    motions: np.ndarray
    largest: float
    _equations: _Equations
    _basis: np.ndarray
    _applied: np.ndarray

    @property
    def allowed(self) -> tuple[np.ndarray, np.ndarray]:
        """xi and xi_dot of these modes, real columns."""
        xi, xi_dot = np.vsplit(np.hstack([self.motions.real, self.motions.imag]), 2)
        return xi, xi_dot

    def change(self, later: Linearisation) -> float:
        """How far the equations of another instant are off (`operator_distance`), as these modes feel it."""
        equations = _Equations(later, self._equations.units)
        equations.pace = self._equations.pace
        try:
            found = _Inverse(equations, SHIFT)(self._basis)
        except SolveError:
            return np.inf
        Q = self._basis
        before, after = Q.T @ self._applied, Q.T @ found
        among = difference(_forward(before), _forward(after))
        theta, turned = np.linalg.eig(before)
        across = found - self._applied
        across = (across - Q @ (Q.T @ across)) @ turned  # into faster modes
        return max(among, float((np.linalg.norm(across, axis=0) / np.abs(theta)).max(initial=0.0)))


def slowest(lin: Linearisation, count: int) -> Slowest:
    """The slowest of small motions with sparse matrices, at least so many modes, or all that there are."""
    equations = _Equations(lin)
    inverse = _Inverse(equations, SHIFT)
    equations.pace = _pace(inverse)
    wanted, Q = 2 * count + MORE, np.zeros((2 * equations.n, 0))
    while True:
        Q, complete, hidden = _extended(inverse, Q, wanted)
        applied = inverse(Q)
        theta, turned = np.linalg.eig(Q.T @ applied)
        values, motions = SHIFT + 1.0 / theta, Q @ turned
        real = equations.are_modes(values, motions)
        kept = np.sort(np.abs(values[real & (values.imag >= 0.0)]))
        enough = count + equations.twice(values[real], motions[:, real])
        reach = 1.0 / np.abs(theta).min(initial=np.inf)  # what is nearer to the shift has been found
        if complete or hidden or (kept.size >= enough and kept[enough - 1] + SHIFT <= reach):
            break
        wanted = Q.shape[1] + 2 * BLOCK
    if kept.size < enough and not complete:
        raise SolveError(
            f"{kept.size} modes were found; the others are lost in rounding errors: ask for that many, "
            f"or for all (count=None)"
        )
    if not kept.size:
        raise SolveError("it has no degrees of freedom: joints and drives constrain all of it")
    chosen = real & (np.abs(values) <= kept[:enough][-1] * (1.0 + NEAR) + SHIFT * NEAR)
    values, motions = _improved(equations, inverse, values[chosen], motions[:, chosen])
    return Slowest(lin, values, equations.real(motions), equations.largest, equations, Q, applied)


def least_squares(H: csr_matrix, right: np.ndarray) -> np.ndarray:
    """x for which H x is nearest to the right side, without dense matrices."""
    size = np.sqrt(np.asarray(H.multiply(H).sum(axis=0)).ravel())
    size[size == 0.0] = 1.0
    rows, n = csr_matrix((H @ diags(1.0 / size)).T), H.shape[0]
    solver = Compliance(Shifted(identity(n, format="csr"), rows), n)
    found = solver.both(right.real)[1]
    if np.iscomplexobj(right):
        found = found + 1j * solver.both(right.imag)[1]
    return found / size.reshape(-1, *[1] * (right.ndim - 1))


class _Equations:
    """Equations in units in which masses are one and constraints of unit length; y = (xi, w / pace)."""

    def __init__(self, lin: Linearisation, units: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        self.units = unit_masses(lin) if units is None else units
        self.pace = 1.0
        by, rows = (diags(x) for x in self.units)
        self.n, self.held = lin.M.shape[0], lin.G.shape[0]
        self.M, self.C, self.K = (csr_matrix(rows @ x @ by) for x in (lin.M, lin.C, lin.K))
        H, G, D, E = csr_matrix(rows @ lin.reactions), *(csr_matrix(x @ by) for x in (lin.G, lin.D, lin.E))
        wide, long = _norms(H.T), np.concatenate([_norms(G), np.hypot(_norms(D), _norms(E))])
        wide, long = (np.where(x > 0.0, x, 1.0) for x in (wide, long))
        level, drag = (diags(1.0 / x) for x in (long[: self.held], long[self.held :]))
        self.H, self.G, self.D, self.E = H @ diags(1.0 / wide), level @ G, drag @ D, drag @ E
        self.moves = np.asarray(abs(self.M).sum(axis=0)).ravel() > 0.0  # rates of others are not felt
        self.largest = max(float(abs(x).max()) if x.nnz else 0.0 for x in (self.K, self.C))

    def at(self, s: complex) -> csc_matrix:
        """The matrix of xi and the multipliers for motions exp(s t)."""
        constraints = bmat([[self.G], [s * self.D + self.E]])
        return csc_matrix(bmat([[s * s * self.M + s * self.C + self.K, self.H], [constraints, None]]))

    def real(self, motions: np.ndarray) -> np.ndarray:
        """(xi, xi_dot) in the model's own units."""
        scale = self.units[0][:, None]
        return np.vstack([scale * motions[: self.n], scale * self.pace * motions[self.n :]])

    def are_modes(self, values: np.ndarray, motions: np.ndarray) -> np.ndarray:
        """Which values are those of modes, xi_dot = s xi; the others are zeros of T, but for rounding."""
        xi, w = self.moves[:, None] * motions[: self.n], self.pace * motions[self.n :]
        size = np.linalg.norm(w, axis=0) + SHIFT * np.linalg.norm(xi, axis=0)
        return np.linalg.norm(w - values * xi, axis=0) <= APART * size

    def twice(self, values: np.ndarray, motions: np.ndarray) -> int:
        """How many of the slowest have the motion of another: of a place and of a speed that nothing changes."""
        slow = np.abs(values) <= max(RIGID * np.sqrt(self.largest), UNMOVED * SHIFT)
        xi = motions[: self.n, slow]
        if not xi.size:
            return 0
        return xi.shape[1] - int(np.linalg.matrix_rank(xi / np.linalg.norm(xi, axis=0), SAME_MOTION))

    def require_solved(self, values: np.ndarray, xi: np.ndarray, lam: np.ndarray) -> None:
        """Refuses modes that leave something of the equations."""
        for s, x, l in zip(values, xi.T, lam.T, strict=True):
            P, z = self.at(s), np.concatenate([x, l])
            left, terms = np.linalg.norm(P @ z), np.linalg.norm(abs(P) @ np.abs(z))
            if not left <= LEFT * terms:
                raise SolveError(_failed(s, f"its equations are solved to {left / terms:.1e} only"))


class _Inverse:
    """(A - sigma)^-1 of vectors y = (xi, w / pace), columns."""

    def __init__(self, equations: _Equations, sigma: complex) -> None:
        self.equations, self.sigma = equations, sigma
        try:
            self._factors = splu(equations.at(sigma))
        except RuntimeError:
            raise SolveError(
                "its equations of small motions are singular: a massless node is unconstrained, or "
                "constraints are redundant (redundant='least-squares' allows that)"
            ) from None

    def __call__(self, b: np.ndarray) -> np.ndarray:
        return self.both(b)[0]

    def both(self, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """With the multipliers that belong to it."""
        e, sigma = self.equations, self.sigma
        b1, b2 = b[: e.n], e.pace * b[e.n :]
        gaps = np.zeros((e.held, b.shape[1]))
        z = self._factors.solve(-np.vstack([e.M @ (b2 + sigma * b1) + e.C @ b1, gaps, e.D @ b1]))
        xi = z[: e.n]
        return np.vstack([xi, np.where(e.moves[:, None], sigma * xi + b1, 0.0) / e.pace]), z[e.n :]


def _failed(s: complex, why: str) -> str:
    return f"the mode near {s:.6g} rad/s is not found: {why}; ask for fewer modes, or for all (count=None)"


def _pace(inverse: _Inverse) -> float:
    """Size of the slowest |s|, roughly [rad/s]: with it displacements and speeds of a motion compare."""
    n, growth = inverse.equations.n, 1.0
    b = np.random.default_rng(0).standard_normal((2 * n, 1))
    for _ in range(6):
        b[:n] = 0.0
        b[n:] = inverse(b)[:n]
        growth = float(np.linalg.norm(b))
        if not growth > 0.0:
            return 1.0
        b /= growth
    return max(SHIFT, 1.0 / np.sqrt(growth))


def _extended(inverse: _Inverse, Q: np.ndarray, wanted: int) -> tuple[np.ndarray, bool, bool]:
    """Orthonormal vectors that span so many of the largest modes of T; whether these are all, and all but rounding.

    Q: such vectors that are known. Blocks find as many modes that coincide as they have vectors; what is left after
    them is looked at again, until nothing is as large as what was found.
    """
    while Q.shape[1] < wanted:
        more, complete, hidden = _arnoldi(inverse, Q, wanted - Q.shape[1], CONVERGED)
        Q = np.hstack([Q, more])
        if complete or hidden:
            return Q, complete, hidden
    for _ in range(ROUNDS):
        smallest = np.abs(np.linalg.eigvals(Q.T @ inverse(Q))).min()
        rest, complete, hidden = _arnoldi(inverse, Q, 1, LOOKED)
        size = np.abs(np.linalg.eigvals(rest.T @ inverse(rest))).max(initial=0.0)
        if size <= smallest * (1.0 + LOOKED):
            return Q, complete and not rest.size, hidden and not rest.size
        more, *_ = _arnoldi(inverse, Q, BLOCK, CONVERGED)
        Q = np.hstack([Q, more])
    raise SolveError(_failed(SHIFT + 1.0 / smallest, "others are as near again and again"))


def _arnoldi(inverse: _Inverse, Q: np.ndarray, wanted: int, tolerance: float) -> tuple[np.ndarray, bool, bool]:
    """The same beside Q, for the first time; rows and columns of Q are taken out of T."""
    rng, size = np.random.default_rng(Q.shape[1]), len(Q) or 2 * inverse.equations.n

    def apply(x: np.ndarray) -> np.ndarray:
        y = inverse(x)
        return y - Q @ (Q.T @ y)

    block = rng.standard_normal((size, BLOCK))
    for _ in range(3):  # what is not in the range of T^3 is no motion
        block = np.linalg.qr(apply(block))[0]
    block -= Q @ (Q.T @ block)
    V, H, largest, looked = np.linalg.qr(block)[0], np.zeros((0, 0)), 0.0, 0
    most, last = 6 * wanted + 50 * BLOCK, BLOCK
    while True:
        m = V.shape[1]
        W = apply(V[:, m - last :])
        largest = max(largest, float(np.linalg.norm(W, axis=0).max()))
        h = np.zeros((m, last))
        for _ in range(2):
            part = V.T @ W
            W, h = W - V @ part, h + part
        new, R, order = qr(W, mode="economic", pivoting=True)
        rank = int((np.abs(np.diag(R)) > NEW * largest).sum())
        coupling = np.zeros((rank, last))
        coupling[:, order] = R[:rank]
        new = new[:, :rank]
        new, R = np.linalg.qr(new - V @ (V.T @ new))  # what was small has lost its right angles
        coupling = R @ coupling
        H = np.hstack([np.vstack([H, np.zeros((m - len(H), H.shape[1]))]), h])
        if not rank or (m >= 1.25 * looked and m >= wanted + BLOCK):
            looked = m
            theta, U = np.linalg.eig(H)
            left = np.linalg.norm(coupling @ U[m - last :], axis=0)
            order = np.argsort(-np.abs(theta))[:wanted]
            sizes = np.abs(theta[order])
            zeros = sizes <= ZERO * largest
            done = (left[order] <= tolerance * sizes + ROUNDING * largest) | zeros
            if not rank or done.all():
                cut = sizes[~zeros].min(initial=np.inf) * (1.0 - 1e-9)
                if not rank:
                    cut = min(cut, NEW * largest)
                return V @ _leading(H, cut), not rank, bool(zeros.any())
            if m > most:
                raise SolveError(_failed(SHIFT + 1.0 / theta[order[np.argmin(done)]], "it does not converge"))
        H = np.vstack([H, np.hstack([np.zeros((rank, m - last)), coupling])])
        V, last = np.hstack([V, new]), rank


def _leading(H: np.ndarray, cut: float) -> np.ndarray:
    """Orthonormal vectors that span the modes of H that are at least so large."""
    Z, count = schur(H, sort=lambda re, im: np.hypot(re, im) >= cut)[1:]
    return Z[:, :count]


def _improved(
    equations: _Equations, inverse: _Inverse, values: np.ndarray, motions: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Values and motions with the shift beside them; of pairs the forward one, if they are not slow."""
    theta = 1.0 / (values - SHIFT)
    slow, found = np.abs(values) <= 10.0 * SHIFT, []
    if slow.any():
        lam = inverse.both(motions[:, slow].real)[1] + 1j * inverse.both(motions[:, slow].imag)[1]
        equations.require_solved(values[slow], motions[: equations.n, slow], lam / theta[slow])
        found.append((values[slow], motions[:, slow]))
    left = [int(k) for k in np.lexsort((values.imag, np.abs(values))) if not slow[k] and values[k].imag >= 0.0]
    while left:
        group = [left[0]]
        for k in left[1:]:
            if np.abs(values[group] - values[k]).min() <= NEAR * np.abs(values[k]):
                group.append(k)
        left = [k for k in left if k not in group]
        found.append(_together(equations, values[group], motions[:, group]))
    return np.concatenate([v for v, _ in found]), np.hstack([y for _, y in found])


def _together(equations: _Equations, values: np.ndarray, motions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Modes whose values are about the same."""
    inverse = _Inverse(equations, complex(values.mean() * (1.0 + BESIDE)))
    before, Y = values, motions.astype(complex)
    for _ in range(IMPROVED):
        before = values
        Y = np.linalg.qr(inverse(Y))[0]
        applied, lam = inverse.both(Y)
        theta, turned = np.linalg.eig(Y.conj().T @ applied)
        values, Y, lam = inverse.sigma + 1.0 / theta, Y @ turned, lam @ turned / theta
    change = np.abs(values[:, None] - before[None, :]).min(axis=1)
    bad = change > SETTLED * np.abs(values) + ROUNDING * equations.largest / np.abs(values)
    if bad.any():
        k = int(np.argmax(bad))
        raise SolveError(_failed(values[k], f"it still changes by {change[k] / abs(values[k]):.1e} of its size"))
    equations.require_solved(values, Y[: equations.n], lam)
    return values, Y


def _forward(T: np.ndarray) -> np.ndarray:
    """A of which T is the inverse, shifted."""
    return SHIFT * np.eye(len(T)) + np.linalg.inv(T)


def _norms(x: csr_matrix) -> np.ndarray:
    """Of rows."""
    return np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
