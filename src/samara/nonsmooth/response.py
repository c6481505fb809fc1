"""Response of the smooth model as seen by a nonsmooth subsystem: to motions of the ties and to wrenches on carriers.

    F = F_i - Z (y - y_i) + D^T (w - w_i),     c = c_i + D (y - y_i) + Y (w - w_i)

y: velocities of the ties after a step, w: contact wrenches on the nodes that carry surfaces; F: mean forces of the
ties, c: twists of those nodes after the step. Index i: values of the last evaluation. Z: impedance of the ties, Y:
mobility of the carriers, D: motion of the carriers due to the ties.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Matrices:
    """Z, D and Y, in node axes, where they are nearly constant."""

    Z: np.ndarray
    D: np.ndarray
    Y: np.ndarray

    @classmethod
    def none(cls, ties: int, carriers: int) -> Matrices:
        """Of a model of which nothing is known."""
        return cls(np.zeros((ties, ties)), np.zeros((carriers, ties)), np.zeros((carriers, carriers)))

    @classmethod
    def measured(cls, Z: np.ndarray, D: np.ndarray, Y: np.ndarray) -> Matrices:
        """From differences: Z and Y without what is not symmetric, or would give energy."""
        return cls(_positive(Z), D, _positive(Y))

    def turned(self, ties: np.ndarray, carriers: np.ndarray) -> Matrices:
        """In world axes, from rotations of the nodes' axes."""
        return Matrices(ties @ self.Z @ ties.T, carriers @ self.D @ ties.T, carriers @ self.Y @ carriers.T)


@dataclass(frozen=True)
class Response:
    """Matrices, inputs (y, w) and outputs (F, c), all in world axes."""

    matrices: Matrices
    y: np.ndarray
    w: np.ndarray
    F: np.ndarray
    c: np.ndarray

    def forces(self, y: np.ndarray, w: np.ndarray) -> np.ndarray:
        """F at other velocities and wrenches."""
        return self.F - self.matrices.Z @ (y - self.y) + self.matrices.D.T @ (w - self.w)

    def twists(self, y: np.ndarray, w: np.ndarray) -> np.ndarray:
        """c there."""
        return self.c + self.matrices.D @ (y - self.y) + self.matrices.Y @ (w - self.w)


def _positive(matrix: np.ndarray) -> np.ndarray:
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    return vectors @ np.diag(np.maximum(values, 0.0)) @ vectors.T
