"""Small motions along a periodic motion in coordinates that are carried along: smooth, periodic, nowhere singular.

Small motions z (`rotors.coleman`) at an instant lie in a space that joints turn in the course of a period. In weights
that make displacements and rates comparable, (Omega sqrt(m), sqrt(m)), U is an orthonormal basis of it, each nearest to
the one before: parallel transport. After the time T in which the motion comes home, blades alike having changed places,
spaces are the same but for signs S of what alternates from blade to blade, and

    polar(U_last^T S U_first) = J exp(X),     U(t) <- U(t) exp(X t / T),     U(T) = S U(0) J

with J = +-1: of what has turned round. No basis is taken as constant, and no chart becomes singular, as a fixed one
does where a teeter hinge turns round: with c = U^T z

    c_dot = A(t) c,     A = (U^T z_dot + U_dot^T z) (U^T z)^-1,     A(t + T) = J A(t) J

where U_dot is that of the trigonometric polynomial through all U.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import expm, schur


@dataclass(frozen=True)
class Generator:
    """A at equal distances of the time T [s], the first at its beginning, and the signs J with which it comes home.

    basis: U at the beginning.
    """

    A: np.ndarray
    J: np.ndarray
    duration: float
    basis: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Over twice the time, when signs are home too."""
        mean = self.A.mean(axis=0)
        return 0.5 * (mean + np.outer(self.J, self.J) * mean)

    def smoothed(self) -> Generator:
        """Without the upper half of its harmonics."""
        both = np.fft.fft(np.concatenate([self.A, np.outer(self.J, self.J) * self.A]), axis=0)
        both[np.abs(np.fft.fftfreq(len(both), 1.0 / len(both))) > 0.5 * len(self.A)] = 0.0
        return replace(self, A=np.fft.ifft(both, axis=0).real[: len(self.A)])

    def refined(self, times: int) -> np.ndarray:
        """A at so many times as many instants."""
        return _trigonometric(self.A, self.duration, np.outer(self.J, self.J), refine=times)


def generator(z: np.ndarray, z_dot: np.ndarray, signs: np.ndarray, duration: float) -> Generator:
    """From weighted motions at equal distances, shape (instants, 2 n, m) each; signs: S, a column."""
    U, J = _carried(z, signs)
    U_dot = _trigonometric(U, duration, signs * J, order=1)
    A = [np.linalg.solve((u.T @ a).T, (u.T @ b + v.T @ a).T).T for u, v, a, b in zip(U, U_dot, z, z_dot, strict=True)]
    return Generator(np.array(A), J, duration, U[0])


def _carried(z: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """U at all instants, and J."""
    U = [np.linalg.qr(z[0])[0]]
    for one in z[1:]:
        q = np.linalg.qr(one)[0]
        U.append(q @ _polar(q.T @ U[-1]))
    R, Q = schur(_polar(U[-1].T @ (signs * U[0])))  # of an orthogonal matrix block by block, a turn each
    J, X, k = np.ones(len(R)), np.zeros_like(R), 0
    while k < len(R):
        if k + 1 < len(R) and abs(R[k + 1, k]) > 1e-9:
            angle = np.arctan2(R[k + 1, k], R[k, k])
            if abs(angle) > 0.5 * np.pi:
                angle, J[k : k + 2] = angle - np.sign(angle) * np.pi, -1.0
            X[k + 1, k], X[k, k + 1] = angle, -angle
            k += 2
        else:
            J[k] = np.sign(R[k, k])
            k += 1
    return np.array([u @ Q @ expm(k / len(U) * X) for k, u in enumerate(U)]), J


def _polar(x: np.ndarray) -> np.ndarray:
    u, _, vt = np.linalg.svd(x)
    return u @ vt


def _trigonometric(x: np.ndarray, duration: float, signs: np.ndarray, order: int = 0, refine: int = 1) -> np.ndarray:
    """Derivative of some order, or more instants, of what comes home as signs times itself."""
    K = len(x)
    F = np.fft.fft(np.concatenate([x, signs * x]), axis=0)  # periodic after twice the time
    number = np.fft.fftfreq(2 * K, 0.5 / K).round().astype(int)
    shape = (-1,) + (1,) * (x.ndim - 1)
    if order:
        inner = np.where(np.abs(number) == K, 0, number)
        return np.fft.ifft(F * ((1j * np.pi / duration * inner) ** order).reshape(shape), axis=0).real[:K]
    F *= np.where(np.abs(number) == K, 0.5, 1.0).reshape(shape)
    fine = np.zeros((2 * K * refine, *x.shape[1:]), complex)
    fine[number] += F
    fine[-number[np.abs(number) == K]] += F[np.abs(number) == K]
    return np.fft.ifft(fine, axis=0).real[: K * refine] * refine
