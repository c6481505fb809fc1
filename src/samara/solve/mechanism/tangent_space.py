"""A mechanism at rest, linearised about one pose: the motions its joints allow, the forces along them, their stiffness.

The equations are r = f(x) + G^T lam = 0 and g(x) = 0. In coordinates y that weigh a turn by the size of the mechanism
(`weights`), with the rows of G at unit length, the constraints allow the motions z with G z = 0, and along these

    force      c = f + G^T lam with G c = 0: zero in equilibrium
    stiffness  K = d(f + G^T lam) / dy, lam from equilibrium in the constrained directions

Scalar states of order zero and one follow the other coordinates through their own equations. All matrices are sparse.
Motions under a force come from [K + mu, G^T; G, -tiny]. K + mu is positive definite along the allowed motions if and
only if K + mu + rho G^T G is for a large rho (Finsler's lemma): its LU factors without row exchanges then have positive
pivots.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix, diags, identity, vstack
from scipy.sparse.linalg import LinearOperator, SuperLU, eigs, eigsh, splu

from samara.solve.mechanism.at_rest import AtRest, at_rest, followers, react, reactions
from samara.solve.mechanism.at_rest import multipliers as multipliers
from samara.solve.simulation import Simulation

#: Coordinates of nodes and states up to which this is done: beyond, some ten seconds a pose.
LARGEST_TANGENT = 30_000
#: Coordinates up to which all eigenvalues are found rather than a few.
FEW = 60
#: What stands for -0 beside constraints of unit length, so that some may repeat others; and the solutions after which
#: it is forgotten.
SMALLEST_PIVOT, REFINEMENTS = 1e-11, 3
#: Compliance, of the largest and of that of the stiffest entry, below which nothing moves.
RIGID_COMPLIANCE = 1e-9
#: Least pivot, of the largest, of equations of states that are solved by their factors.
SOUND_PIVOT = 1e-12
#: How much stiffer than the loads a constraint is while pivots are looked at.
CONSTRAINT_STIFFNESS = 1e8
#: Part of a stiffness that is not symmetric, or of an eigenvalue that is not real, below which it is rounding.
ODD_PART = 1e-6
#: Rounding of the stiffness by its largest entry, by the loads that are not in balance, and by what constraints add.
STIFFNESS_ROUNDING, LOAD_ROUNDING, CONSTRAINT_ROUNDING = 1e-12, 1e-8, 1e-15


@dataclass(frozen=True)
class Tangent:
    """What a mechanism at rest can do, and what it meets, in coordinates y of the leading ones.

    follow:    states of order zero and one, which follow the leading coordinates.
    scale:     changes of the leading coordinates for those of y.
    holding:   rows of the equations, or sums of such, that hold poses.
    gradient:  G, rows of unit length, and `size` what they were divided by.
    stiffness: K [N/m]; its symmetric part where that is asked for.
    force:     c [N].
    gaps:      of the constraints, as the system has them.
    load:      largest force, those that the constraints carry included [N].
    geometric: stiffness that loads and reactions may have [N/m].
    noise:     an eigenvalue up to this is zero but for rounding [N/m].
    closer:    motions as short as can be.
    """

    follow: _Followers
    scale: np.ndarray
    holding: csr_matrix
    gradient: csr_matrix
    size: np.ndarray
    stiffness: csr_matrix
    force: np.ndarray
    gaps: np.ndarray
    load: float
    geometric: float
    noise: float
    closer: Compliance

    @cached_property
    def largest(self) -> float:
        """Entry of the stiffness [N/m]; 1 where there is none."""
        return float(np.abs(self.stiffness.data).max(initial=0.0)) or 1.0

    @cached_property
    def symmetric(self) -> csr_matrix:
        """Part of the stiffness."""
        return ((self.stiffness + self.stiffness.T) * 0.5).tocsr()

    @cached_property
    def conservative(self) -> bool:
        """Whether the stiffness is symmetric but for rounding."""
        odd = np.abs((self.stiffness - self.stiffness.T).data).max(initial=0.0)
        return bool(odd <= max(ODD_PART * self.largest, self.noise))

    @cached_property
    def _held(self) -> Shifted:
        return Shifted(self.symmetric / self.largest, self.gradient)

    @cached_property
    def _firm(self) -> Shifted:
        firm = self.symmetric + CONSTRAINT_STIFFNESS * self.geometric * (self.gradient.T @ self.gradient)
        return Shifted(firm / self.largest)

    def change(self, y: np.ndarray) -> np.ndarray:
        """Of all coordinates."""
        return self.follow.all(self.scale * y)

    def closing(self, gaps: np.ndarray) -> np.ndarray:
        """The shortest y that closes gaps, those of the constraints as the system has them."""
        return self.closer(np.zeros(self.scale.size), -gaps / self.size)

    def settling(self) -> np.ndarray:
        """Change of all coordinates that closes the gaps and lets the states follow."""
        return self.change(self.closing(self.gaps)) + self.follow.start

    def definite(self, mu: float) -> bool:
        """Whether every motion that is allowed meets a stiffness above -mu."""
        return self.below(mu) == 0

    def below(self, mu: float) -> int:
        """How many motions that are allowed meet a stiffness below -mu: as many pivots are negative (Sylvester)."""
        try:
            lu = splu(
                self._firm.by(mu / self.largest),
                permc_spec="MMD_AT_PLUS_A",
                diag_pivot_thresh=0.0,
                options={"SymmetricMode": True, "Equil": False},
            )
        except RuntimeError:  # a pivot of zero
            return self.scale.size
        off_diagonal = int((lu.perm_r != lu.perm_c).sum())
        return off_diagonal or int((~(lu.U.diagonal() > 0.0)).sum())

    def compliance(self, mu: float) -> Compliance | None:
        """Of K + mu, its symmetric part; None where that is not definite, or only by rounding."""
        try:
            return Compliance(self._held, self.scale.size, self.largest, mu) if self.definite(mu) else None
        except RuntimeError:  # a pivot of zero
            return None

    def softest(self) -> tuple[float, np.ndarray]:
        """The least eigenvalue and its motion; where the stiffness is not symmetric the least that is real, if any.

        Loads that are no gradient make pairs of eigenvalues complex. Whether the motion then grows is a question to
        masses and dampers, not to stiffness. Infinite where nothing can move.
        """
        if not self.scale.size:
            return np.inf, np.zeros(0)
        mu, n, symmetric = max(self.least_shift(), self.noise), self.scale.size, self.conservative
        held = self._held if symmetric else Shifted(self.stiffness / self.largest, self.gradient)
        about = Compliance(held, n, self.largest, mu)
        if n <= FEW:
            compliances, vectors = (np.linalg.eigh if symmetric else np.linalg.eig)(about(np.eye(n)))
        else:
            start = about(np.random.default_rng(0).normal(size=n))
            find, count, which = (eigsh, 1, "LA") if symmetric else (eigs, 8, "LR")
            compliances, vectors = find(about.operator, count, which=which, v0=start)
        moving = compliances.real > RIGID_COMPLIANCE * max(1.0 / (self.largest + mu), compliances.real.max())
        if not moving.any():
            return np.inf, np.zeros(n)
        values, vectors = 1.0 / compliances[moving] - mu, vectors[:, moving]
        real = np.abs(values.imag) <= ODD_PART * np.abs(values) + self.noise
        k = int(np.argmin(np.where(real, values.real, np.abs(values))))
        return float(values[k].real if real[k] else np.abs(values[k])), vectors[:, k].real

    def idle(self) -> int:
        """How many motions meet no resistance, where none is driven on."""
        return self.below(-self.noise)

    def least_shift(self) -> float:
        """A mu with which the symmetric part is definite, not much larger than it must be [N/m]."""
        mu = 0.0
        while not self.definite(mu):
            mu = max(2.0 * self.noise, 2.0 * mu)
        return mu


class Shifted:
    """A matrix to whose diagonal something is added, again and again."""

    def __init__(self, stiffness: csr_matrix, gradient: csr_matrix | None = None) -> None:
        K, n = stiffness.tocoo(), stiffness.shape[0]
        rows, columns, data = [K.row], [K.col], [K.data]
        if gradient is not None:  # [K, G^T; G, -tiny]
            G, m = gradient.tocoo(), gradient.shape[0]
            held = np.arange(n, n + m)
            rows += [G.col, G.row + n, held]
            columns += [G.row + n, G.col, held]
            data += [G.data, G.data, np.full(m, -SMALLEST_PIVOT)]
            n += m
        places = np.concatenate([*rows, np.arange(n)]), np.concatenate([*columns, np.arange(n)])
        self.matrix = coo_matrix((np.concatenate([*data, np.zeros(n)]), places), (n, n)).tocsc()
        self.matrix.sort_indices()
        self.diagonal = np.flatnonzero(self.matrix.indices == np.repeat(np.arange(n), np.diff(self.matrix.indptr)))

    def by(self, mu: float, count: int | None = None) -> csc_matrix:
        """With mu added to the first entries of the diagonal, to all by default."""
        found = self.matrix.copy()
        found.data[self.diagonal[:count]] += mu
        return found


class Compliance:
    """Motions y that are allowed, under given forces and with given gaps: (K + mu) y + G^T l = force, G y = gaps."""

    def __init__(self, equations: Shifted, n: int, unit: float = 1.0, mu: float = 0.0) -> None:
        self.unit, self.n, self.mu = unit, n, mu
        self.lu: SuperLU = splu(equations.by(mu / unit, n))

    def __call__(self, force: np.ndarray, gaps: np.ndarray | None = None) -> np.ndarray:
        return self.both(force, gaps)[0]

    def both(self, force: np.ndarray, gaps: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Motions and multipliers."""
        m = self.lu.shape[0] - self.n
        rows = np.zeros((self.n + m, *force.shape[1:]))
        rows[: self.n] = force / self.unit
        wanted = np.zeros((m, *force.shape[1:])) if gaps is None else gaps
        for _ in range(REFINEMENTS):
            rows[self.n :] = wanted - SMALLEST_PIVOT * rows[self.n :]
            found = self.lu.solve(rows)
            rows[self.n :] = found[self.n :]
        return found[: self.n], found[self.n :] * self.unit

    @property
    def operator(self) -> LinearOperator:
        return LinearOperator((self.n, self.n), matvec=self, dtype=float)


def weights(sim: Simulation) -> np.ndarray:
    """Of squares of the coordinates: a metre weighs like a turn by 1 / length, and like a state by its scale."""
    s, one = sim.system, np.array([1.0, 1.0, 1.0, *[sim.length**2] * 3])
    return np.concatenate([np.tile(one, len(s.layout.free)), (sim.length / s.state.scales) ** 2])


def tangent(sim: Simulation) -> Tangent:
    """About the present pose. The multipliers become those that balance what the constraints hold."""
    sim.state.multipliers[:] = 0.0
    react(sim, reactions(sim), np.zeros(reactions(sim).size))
    rest = at_rest(sim)
    rows, held = rest.rows, rest.held
    follow = _followers(sim, rest)
    scale = 1.0 / np.sqrt(weights(sim)[follow.leads])
    f = scale * follow.reduced(rows, follow.leads)
    holding = _holding(rest, follow)
    G = follow.slopes(holding) @ diags(scale)
    size = np.sqrt(np.asarray(G.multiply(G).sum(axis=1)).ravel())
    size[size == 0.0] = 1.0
    G = csr_matrix(diags(1.0 / size) @ G)
    closer = Compliance(Shifted(identity(scale.size, format="csr"), G), scale.size)
    c, l = closer.both(f)
    react(sim, held, -(l / size)[: held.size])
    follow = _followers(sim, replace(at_rest(sim), rows=rows))
    K = csr_matrix(diags(scale) @ follow.slopes(follow.leads) @ diags(scale))
    load, geometric = (float(x) for x in (np.abs(f).max(initial=0.0), np.abs(G.T @ l).max(initial=0.0)))
    stiffest = float(np.abs(K.data).max(initial=0.0))
    rounding = STIFFNESS_ROUNDING * (max(stiffest, follow.cancelled) or 1.0)
    geometric = max((geometric + load) / sim.length or stiffest or 1.0, rounding)
    of_constraints = CONSTRAINT_ROUNDING * CONSTRAINT_STIFFNESS * geometric * bool(held.size)
    noise = rounding + LOAD_ROUNDING * load / sim.length + of_constraints
    gaps = follow.reduced(rows, holding)
    return Tangent(follow, scale, holding, G, size, K, c, gaps, load, geometric, noise, closer)


def _holding(rest: AtRest, follow: _Followers) -> csr_matrix:
    """What holds poses: constraints, and sums of equations of states that no state can satisfy."""
    count, size = rest.held.size, rest.rows.size
    units = csr_matrix((np.ones(count), (np.arange(count), rest.held)), shape=(count, size))
    return csr_matrix(vstack([units, follow.left])) if follow.left.shape[0] else units


@dataclass(frozen=True)
class _Followers:
    """States of order zero and one, solved for by their own equations: s = start + slope q."""

    matrix: csr_matrix
    n: int
    leads: np.ndarray
    states: np.ndarray
    slope: csr_matrix
    start: np.ndarray  # of all coordinates
    left: csr_matrix  # sums of equations that no state can satisfy, but poses can
    endless: tuple[str, ...] = ()  # states whose equations have no solution at rest
    cancelled: float = 0.0  # stiffness by what states do, as much of it as may cancel [N/m]

    def all(self, q: np.ndarray) -> np.ndarray:
        """Changes of all coordinates for those of the leading ones."""
        found = np.zeros((self.n, *q.shape[1:]))
        found[self.leads], found[self.states] = q, self.slope @ q
        return found

    def reduced(self, rows: np.ndarray, chosen: np.ndarray | csr_matrix) -> np.ndarray:
        """Some equations, or sums of them, once the states have followed."""
        own = rows[chosen] if isinstance(chosen, np.ndarray) else chosen @ rows
        if not self.states.size:
            return own
        return own + self._of(chosen)[:, self.states] @ self.start[self.states]

    def slopes(self, chosen: np.ndarray | csr_matrix) -> csr_matrix:
        """Their derivatives by the leading coordinates, with the states following."""
        J = self._of(chosen)
        if not self.states.size:
            return J[:, self.leads]
        return csr_matrix(J[:, self.leads] + J[:, self.states] @ self.slope)

    def _of(self, chosen: np.ndarray | csr_matrix) -> csr_matrix:
        return self.matrix[chosen] if isinstance(chosen, np.ndarray) else csr_matrix(chosen @ self.matrix)


def _followers(sim: Simulation, rest: AtRest) -> _Followers:
    n, J, rows = sim.system.layout.coordinates, rest.matrix, rest.rows
    states, start = followers(sim), np.zeros(sim.system.layout.coordinates)
    leads = np.setdiff1d(np.arange(n), np.concatenate([states, reactions(sim)]))
    none = csr_matrix((0, rows.size))
    if not states.size:
        return _Followers(J, n, leads, states, csr_matrix((0, leads.size)), start, none)
    size = sim.state.scales[states - 6 * len(sim.system.layout.free)]
    once, left = _inverse(J[states][:, states], size)

    def apply(rows: np.ndarray) -> np.ndarray:
        found = once(rows)
        return found + once(rows - J[states][:, states] @ found)  # what scales apart have mixed

    start[states] = -apply(rows[states])
    felt = J[states][:, leads].toarray()
    slope = csr_matrix(-apply(felt)) if leads.size else csr_matrix((states.size, 0))
    left = left[np.abs(left @ felt).max(axis=1, initial=0.0) > SOUND_PIVOT * np.abs(felt).max(initial=0.0)]
    sums = np.zeros((left.shape[0], rows.size))
    sums[:, states] = left
    cancelled = _cancelled(sim, leads, J[leads][:, states], apply, felt)
    return _Followers(J, n, leads, states, slope, start, csr_matrix(sums), rest.endless, cancelled)


def _cancelled(
    sim: Simulation, leads: np.ndarray, pushed: csr_matrix, apply: Callable[[np.ndarray], np.ndarray], felt: np.ndarray
) -> float:
    """Stiffness of which rounding may be left [N/m]: liquid that is pushed out flows in elsewhere, pressures cancel.

    By forces of the states' own sizes; and by what states do where poses change, its terms weighed at random, in a few
    sums of columns.
    """
    rng, states = np.random.default_rng(0), followers(sim)
    unit = 1.0 / np.sqrt(weights(sim)[leads])
    own = np.append(np.zeros(6 * len(sim.system.layout.free)), sim.state.scales + np.abs(sim.state.values))[states]
    some = (rng.normal(size=felt.shape) * felt * unit) @ rng.normal(size=(unit.size, 4))
    terms = np.column_stack([own / sim.length, np.abs(apply(some))])
    return float((unit[:, None] * (abs(pushed) @ terms)).max(initial=0.0))


def _inverse(J: csr_matrix, size: np.ndarray) -> tuple[Callable[[np.ndarray], np.ndarray], np.ndarray]:
    """What solves the states' own equations, and sums of these in which no state is left, as rows.

    With the least change, of their sizes, where the equations repeat each other, or hold nothing.
    """
    nothing = np.zeros((0, size.size))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            lu = splu(csc_matrix(J))
        pivots = np.abs(lu.U.diagonal())
        if J.shape[0] > FEW and pivots.min() > SOUND_PIVOT * pivots.max():
            return lu.solve, nothing
    except (RuntimeError, Warning):  # singular
        pass
    A = J.toarray() * size
    unit = np.abs(A).max(axis=1)
    unit = 1.0 / np.where(unit > 0.0, unit, 1.0)
    u, sigma, vt = np.linalg.svd(unit[:, None] * A)
    rank = int((sigma > SOUND_PIVOT * sigma.max(initial=0.0)).sum())
    inverse = size[:, None] * (vt[:rank].T / sigma[:rank]) @ u[:, :rank].T * unit
    return lambda rows: inverse @ rows, u[:, rank:].T * unit
