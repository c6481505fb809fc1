"""Inertia of a body, or of an articulated body, as three 3x3 blocks: symmetric ones are computed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.rotations import cross, dot, skew
from samara.rotations.scalars import Matrix, Scalar, Vector, VectorLike


@dataclass(frozen=True)
class Inertia:
    """[[M, H], [H^T, J]] for twists (v, w): M, J symmetric. Wrench (f, n) = (M v + H w, H^T v + J w)."""

    M: Matrix
    H: Matrix
    J: Matrix

    @classmethod
    def of_body(cls, mass: Scalar, com: VectorLike, inertia: Matrix) -> Inertia:
        """M = m I, H = -m c x, J = J_c - m c x c x, c x c x = c c^T - c.c I."""
        c = np.asarray(com)
        first = [mass * x for x in c]
        J = symmetric(
            lambda i, j: inertia[i, j] - first[i] * c[j] + (dot(first, c) if i == j else 0.0),
        )
        return cls(symmetric(lambda i, j: mass if i == j else 0.0), -_object(skew(first)), J)

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(
            symmetric(lambda i, j: self.M[i, j] + other.M[i, j]),
            self.H + other.H,
            symmetric(lambda i, j: self.J[i, j] + other.J[i, j]),
        )

    def times(self, v: VectorLike, w: VectorLike) -> tuple[Vector, Vector]:
        """The wrench of a twist or of its rate."""
        return self.M @ v + self.H @ w, self.H.T @ v + self.J @ w

    def seen_from(self, R: Matrix, p: VectorLike) -> Inertia:
        """The same in a frame in which its own has the pose (R, p)."""
        M, H, J = congruent(R, self.M), R @ self.H @ R.T, congruent(R, self.J)
        P = _object(skew(p))
        HP = H - M @ P
        lifted, dropped = P @ HP, H.T @ P
        return Inertia(M, HP, symmetric(lambda i, j: J[i, j] + lifted[i, j] - dropped[i, j]))

    def matrix(self) -> Matrix:
        """6x6."""
        return np.block([[self.M, self.H], [self.H.T, self.J]])


def nothing() -> Inertia:
    """No inertia at all."""
    zero = np.full((3, 3), 0.0, dtype=object)
    return Inertia(zero, zero, zero)


def symmetric(entry: Any) -> Matrix:
    """A symmetric 3x3 matrix from its upper entries: each is made once, so that traced numbers are shared."""
    found = np.empty((3, 3), dtype=object)
    for i in range(3):
        for j in range(i, 3):
            found[i, j] = found[j, i] = entry(i, j)
    return found


def congruent(R: Matrix, A: Matrix) -> Matrix:
    """R A R^T of a symmetric A."""
    B = R @ A
    return symmetric(lambda i, j: dot(B[i], R[j]))


def _object(a: Any) -> Matrix:
    return np.asarray(a, dtype=object)


def body_bias(mass: Scalar, com: VectorLike, inertia: Matrix, v: VectorLike, w: VectorLike) -> tuple[Vector, Vector]:
    """-Omega(eta)^T M eta: what a body needs to keep its twist constant in its own axes, at the frame's origin.

    f = m w x (v + w x c),  n = w x (J_c w) + c x f
    """
    force = mass * cross(w, v + cross(w, com))
    return force, cross(w, inertia @ w) + cross(com, force)
