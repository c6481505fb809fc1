"""Sensitivities of the eigenvalues of small motions about an equilibrium to parameters.

    P(s) phi = 0,   psi^H P(s) = 0,   P(s) = J_p + J_t (s + ad(eta)) + J_a (s^2 + s ad(eta) + ad(eta_dot))

An eigenvalue moves by ds/dp = -psi^H (dP/dp) phi / psi^H (dP/ds) phi, where P follows the parameter and the state that
follows it (`analysis.sensitivities.sensitivity`). Where several coincide, Phi and Psi have as many columns, and the
branches move by the eigenvalues of

    -(Psi^H (dP/ds) Phi)^-1 Psi^H (dP/dp) Phi .
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csc_matrix, csr_matrix, diags
from scipy.sparse.linalg import splu

from samara.analysis.linearisation.linear import along, split
from samara.analysis.modal.modes import Modes
from samara.analysis.sensitivities.sensitivity import Sensitivities, moved, sizes_of
from samara.solve import Simulation, SolveError
from samara.solve.mechanism.tangent_space import multipliers
from samara.system.state.tangents import Change

#: How far an eigenvalue is moved off to find its vectors, as a part of itself; within how much others coincide with it.
OFF, CLOSE = 1e-7, 1e-6
#: An eigenvalue below this part of the largest is that of a rigid motion, which has no derivative: it is not a number.
#: Double zeros come out at the square root of the rounding, some 1e-8 of the largest.
RIGID = 1e-7


def mode_sensitivity(sim: Simulation, found: Modes, names: tuple[str, ...]) -> Sensitivities:
    """Derivatives of eigenvalues about the present state of a simulation."""
    values = np.full((len(found), len(names)), np.nan, complex)
    with sim.state.plain():
        pencil = _Pencil(sim)
        clusters = _clusters(found.eigenvalues)
        pairs = [pencil.vectors(found.eigenvalues[rows].mean(), rows) for rows in clusters]
        for j, (_, change) in enumerate(moved(sim, names)):
            slopes = pencil.along(change)
            for rows, pair in zip(clusters, pairs, strict=True):
                if pair is not None:
                    values[rows, j] = -pencil.rates(slopes, found.eigenvalues[rows].mean(), *pair)
    labels = tuple(f"mode {k}" for k in range(1, len(found) + 1))
    return Sensitivities(values, labels, names, found.eigenvalues, sizes_of(sim, names))


def _clusters(eigenvalues: np.ndarray) -> list[list[int]]:
    """Numbers of eigenvalues that coincide; rigid motions are left out."""
    sizes, found = np.abs(eigenvalues), list[list[int]]()
    for k in np.flatnonzero(sizes > RIGID * sizes.max(initial=0.0)):
        near = [c for c in found if abs(eigenvalues[c[0]] - eigenvalues[k]) <= CLOSE * sizes[k]]
        near[0].append(int(k)) if near else found.append([int(k)])
    return found


class _Pencil:
    """P(s) of all equations and unknowns, as J_p, J_t, J_a and ad(eta), ad(eta_dot); and how it changes."""

    def __init__(self, sim: Simulation) -> None:
        s = self.system = sim.system
        self.n, self.nodes = s.layout.coordinates, 6 * len(s.layout.free)
        self.parts = split(sim)
        self.spin, self.gain = (self._ad(x) for x in (s.state.twists, s.state.accelerations))
        rows, columns = np.ones(s.unknowns.size), np.ones(s.unknowns.size)
        rows[self.n + multipliers(sim)[0]] = 0.0
        columns[self.n :] = 0.0
        self._rows, self._columns = diags(rows), diags(columns)

    def _ad(self, twists: np.ndarray) -> csr_matrix:
        """ad of the nodes' twists, for all unknowns."""
        return along(twists[: self.nodes].reshape(-1, 6), self.system.unknowns.size)

    def at(self, s: complex) -> csr_matrix:
        by_pose, by_twist, by_acceleration = self.parts
        one = self._columns
        return csr_matrix(
            by_pose + by_twist @ (s * one + self.spin) + by_acceleration @ (s * s * one + s * self.spin + self.gain)
        )

    def slope(self, s: complex) -> csr_matrix:
        """dP/ds."""
        _, by_twist, by_acceleration = self.parts
        return csr_matrix(by_twist @ self._columns + by_acceleration @ (2.0 * s * self._columns + self.spin))

    def vectors(self, s: complex, modes: list[int]) -> tuple[np.ndarray, np.ndarray] | None:
        """Right and left null vectors of P(s), multipliers included, a column per mode.

        They are those of P(s_0)^-1 P'(s_0), near its eigenvalues 1 / (s_0 - s), by inverse iteration from s_0 beside s.
        One more is looked at, so that none that coincides with them is left out. None where there are fewer vectors
        than modes, as of a critically damped motion.
        """
        start = (1.0 + OFF) * s
        lu, slope = splu(csc_matrix(self.at(start), dtype=complex)), self.slope(start)
        right, off = _invariant(lambda x: lu.solve(slope @ x), len(modes) + 1, slope.shape[0])
        left, _ = _invariant(lambda x: lu.solve(slope.conj().T @ x, trans="H"), len(modes) + 1, slope.shape[0])
        near = int((np.abs(off * (start - s) - 1.0) <= 10.0 * CLOSE * np.abs(off * s)).sum())
        if near < len(modes):
            return None
        if near > len(modes):
            which = ", ".join(f"{k + 1}" for k in modes)
            raise SolveError(
                f"model {self.system.model.name!r}: mode {which} coincides with another one that was not found: ask "
                "modes(...) for more, or for all"
            )
        return right[:, : len(modes)], left[:, : len(modes)]

    def along(self, change: Change) -> tuple[csr_matrix, csr_matrix, csr_matrix, csr_matrix]:
        """Changes of the three parts, and of ad(eta); twists stay constant in time."""
        s, found = self.system, []
        for weights in np.eye(3):
            with s.state.weighed(*weights):
                found.append(s.tangents.jacobian(change))
        pose, twist, gain = found
        spin = self._ad(np.zeros(self.n) if change.twist is None else change.twist)
        return pose, self._rows @ twist @ self._columns, self._rows @ gain @ self._columns, spin

    def rates(self, slopes, s: complex, right: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Eigenvalues of (Psi^H (dP/ds) Phi)^-1 Psi^H (dP/dp) Phi; none near a double root, where dP/ds vanishes."""
        pose, twist, gain, spin = slopes
        _, by_twist, by_acceleration = self.parts
        first = s * (self._columns @ right) + self.spin @ right
        second = s * s * (self._columns @ right) + s * (self.spin @ right) + self.gain @ right
        total = pose @ right + twist @ first + gain @ second
        total += by_twist @ (spin @ right) + by_acceleration @ (s * (spin @ right))
        slope, bend = (left.conj().T @ D @ right for D in (self.slope(s), 2.0 * by_acceleration))
        if np.linalg.norm(slope, -2) <= 10.0 * CLOSE * abs(s) * np.linalg.norm(bend, 2):
            return np.full(right.shape[1], np.nan)
        return np.linalg.eigvals(np.linalg.solve(slope, left.conj().T @ total))


def _invariant(apply, count: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of an operator's largest eigenvalues, by iteration on a block; those too, largest first."""
    block = np.random.default_rng(0).normal(size=(size, count)) + 0j
    for _ in range(4):
        block = np.linalg.qr(apply(block))[0]
    values, turned = np.linalg.eig(block.conj().T @ apply(block))
    order = np.argsort(-np.abs(values))
    return block @ turned[:, order], values[order]
