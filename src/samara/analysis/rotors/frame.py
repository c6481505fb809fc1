"""Which unknowns of a model turn with a rotor, which of them its blades share, and how to see them from outside.

The blades of a rotor are alike: what one of them does is done by the next a little later. Two things follow from that,
both linear maps of the small motions xi of a model (`analysis.linearisation.linear`):

- *multiblade coordinates* eta (Coleman's transformation): xi = T(psi) eta. What all N blades have is told as its mean,
  its waves of order 1 to (N - 1) / 2 around the disk, and, for even N, what alternates from blade to blade,

      xi_k = ( eta_0 + sqrt(2) sum_n [ cos(n psi_k) eta_nc + sin(n psi_k) eta_ns ] + (-1)^k eta_d ) / sqrt(N)

  with psi_k = psi + 2 pi k / N; what else turns is told in axes that do not. T is orthogonal.
- *exchange of the blades*: after 1 / N of a turn blade k is where blade k + 1 was. The same motion told of the blades
  by their places is xi <- P xi: a change of names for the blades, a turn by 2 pi / N for what else turns.

Source of the transformation: Coleman and Feingold, NACA Report 1351, 1958; Johnson, Helicopter Theory, chapter 8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, identity, kron

from samara.model import DeclaredRotor
from samara.rotations import exp_so3, skew


@dataclass(frozen=True)
class TurningNode:
    """A node that turns with a rotor and is no blade's: number of its first coordinate, the shaft in its own axes."""

    first: int
    axis: np.ndarray
    name: str


@dataclass(frozen=True)
class RotorFrame:
    """How a rotor stands in the small motions of a model.

    speed:    angular velocity of the hub against the craft about the disk's z axis, in the rotor's sense [rad/s].
    azimuth:  of the hub against its reference pose, in the rotor's sense [rad].
    blades:   coordinates of the blades, shape (N, m): a column has the same one of every blade.
    align:    for each blade what turns the axes of its nodes from those of the first, (m, m); None where nothing does.
    others:   nodes that turn along.
    alike:    whether the blades are: the same forces act when they have changed places.
    fault:    why the blades cannot be told as one rotor; empty where they can.
    """

    rotor: DeclaredRotor
    size: int
    speed: float
    azimuth: float
    blades: np.ndarray
    align: tuple[csr_matrix, ...] | None
    others: tuple[TurningNode, ...]
    alike: bool = False
    fault: str = ""

    @property
    def count(self) -> int:
        """Number of blades."""
        return len(self.rotor.blades)

    def kinds(self) -> list[tuple[str, int]]:
        """What the N multiblade coordinates of each unknown are, in order: ("mean", 0), ("cos", 1), ("sin", 1), ..."""
        if not self.count:
            return []
        waves = [(part, n) for n in range(1, (self.count - 1) // 2 + 1) for part in ("cos", "sin")]
        return [("mean", 0), *waves, *([("differential", 0)] if self.count % 2 == 0 else [])]

    def weights(self, psi: float, order: int = 0) -> np.ndarray:
        """What each multiblade coordinate (column) does to each blade (row); derivatives by psi of some order."""
        count, k = self.count, np.arange(self.count)
        at = psi + 2.0 * np.pi * k / count
        columns: list[np.ndarray] = []
        for kind, n in self.kinds():
            if kind == "mean":
                columns.append(np.ones(count) * (order == 0))
            elif kind == "differential":
                columns.append((-1.0) ** k * (order == 0))
            else:
                phase = 0.5 * np.pi * (order if kind == "cos" else order - 1)
                columns.append(np.sqrt(2.0) * float(n) ** order * np.cos(n * at + phase))
        return np.column_stack(columns) / np.sqrt(count) if columns else np.zeros((0, 0))

    def transformation(self, psi: float, order: int = 0) -> csr_matrix:
        """T(psi) of what this rotor has, or its derivative by psi of some order; one elsewhere (or zero)."""
        nothing = csr_matrix((0, 0))
        T = kron(self.weights(psi, order), identity(self.blades.shape[1])) if self.blades.size else nothing
        return csr_matrix(self._alignment() @ self._placed(T, -self.rotor.sense, psi, order))

    def exchange(self) -> csr_matrix:
        """P: the motion after 1 / N of a turn, told of the blades by the places where they were at its beginning."""
        names = kron(np.roll(np.eye(self.count), 1, axis=0), identity(self.blades.shape[1]))
        W = self._alignment()
        return csr_matrix(W @ self._placed(names, self.rotor.sense, 2.0 * np.pi / self.count, 0) @ W.T)

    def _placed(self, blades: csr_matrix, sense: float, angle: float, order: int) -> csr_matrix:
        """A map of all blades, blade by blade, and a turn of what else turns; one elsewhere (or zero)."""
        own = blades.tocoo()
        at = self.blades.ravel()
        rows, columns, values = [at[own.row]], [at[own.col]], [own.data]
        rest = np.ones(self.size, bool)
        rest[at] = False
        i, j = np.divmod(np.arange(9), 3)
        for node in self.others:
            turned = _turned(node.axis, sense, angle, order).ravel()
            for half in (node.first, node.first + 3):
                rest[half : half + 3] = False
                rows.append(half + i)
                columns.append(half + j)
                values.append(turned)
        if order == 0:
            rows.append(np.flatnonzero(rest))
            columns.append(np.flatnonzero(rest))
            values.append(np.ones(int(rest.sum())))
        places = np.concatenate(rows), np.concatenate(columns)
        return csr_matrix((np.concatenate(values), places), (self.size, self.size))

    def _alignment(self) -> csr_matrix:
        if self.align is None:
            return identity(self.size, format="csr")
        W = identity(self.size, format="lil")
        for coordinates, turned in zip(self.blades, self.align, strict=True):
            W[np.ix_(coordinates, coordinates)] = turned.toarray()
        return csr_matrix(W)


def _turned(axis: np.ndarray, sense: float, angle: float, order: int) -> np.ndarray:
    """Rotation about an axis by sense times an angle, or its derivative by the angle."""
    return np.linalg.matrix_power(sense * skew(axis), order) @ exp_so3(sense * angle * axis)
