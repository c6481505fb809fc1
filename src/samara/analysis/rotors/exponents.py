"""Floquet's exponents of a periodic generator, without a time step: c_dot = A(t) c, A(t + T) = J A(t) J.

    Phi = product of exp(h a0 + h^2 [a1, a0]),     J Phi v = mu v,     s = ln(mu) / T + i pi j / T

with Magnus' series of fourth order and j the strongest harmonic of c exp(-s t), over twice the time. What is faster
than the instants tell, or dies out within T, is split off by the mean of A (ordered Schur form, Sylvester's equation):
it follows at once, and its own exponents are those of the mean. Where J Phi has too few vectors, as in free flight,
where a place and its steady change make one pair of ones, the logarithm of that block is taken.
Source: Blanes, Casas, Oteo and Ros, The Magnus expansion and some of its applications, Physics Reports 470, 2009.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm, logm, schur, solve_sylvester

from samara.analysis.rotors.carried import Generator

#: Instants between those that are known, and rate times their distance that they resolve.
REFINE, RESOLVED = 4, 1.0
#: What is left within T of a mode that rounding hides, as an exponent.
GONE = -14.0
#: Distance of multipliers that are the same, of their size, and of those that are one.
SAME, ONE = 1e-5, 0.05
#: Condition of vectors that tell modes apart.
APART = 1e6
#: Part of an exponent's matrix that is rounding.
REAL = 1e-8


@dataclass(frozen=True)
class Exponents:
    """R with c(t) = P(t) exp(R t) c(0): its modes are Floquet's; complex where a real multiplier is below zero.

    values: of those of its modes that are Floquet's, and not of the mean alone.
    """

    R: np.ndarray
    values: np.ndarray


def exponents(given: Generator) -> Exponents | None:
    """Of a generator; none where modes cannot be told apart."""
    mean, T = given.mean, given.duration
    fine = given.refined(REFINE)
    h = T / len(fine)
    to, back, n = _split(mean, RESOLVED / h, T)
    A, J = to @ fine @ back, ((to * given.J) @ back)[:n, :n]
    fast = A[:, n:, n:].mean(axis=0)
    if n < len(mean):
        A = A[:, :n, :n] - A[:, :n, n:] @ np.linalg.solve(A[:, n:, n:], A[:, n:, :n])
    if not n:
        return Exponents(mean, np.linalg.eigvals(mean))
    path, Phi = _marched(A, J, h)
    found = _logarithm(np.linalg.solve(J, Phi), path, J, (to @ mean @ back)[:n, :n], T)
    if found is None:
        return None
    whole = back[:, :n] @ found @ to[:n] + back[:, n:] @ fast @ to[n:]
    if np.abs(np.imag(whole)).max(initial=0.0) <= REAL * np.abs(whole).max(initial=0.0):
        whole = np.real(whole)
    return Exponents(whole, np.linalg.eigvals(found))


def resonance(given: Generator) -> float:
    """What the mean leaves out: max |S^-1 A_j S|_ab / |s_a - s_b - i j omega| of the harmonics A_j, in its modes S."""
    s, S = np.linalg.eig(given.mean)
    both = np.concatenate([given.A, np.outer(given.J, given.J) * given.A])
    harmonics = np.linalg.solve(S, np.fft.fft(both, axis=0) / len(both) @ S)
    j = np.fft.fftfreq(len(both), 1.0 / len(both)) * np.pi / given.duration
    apart = np.abs((s[:, None] - s)[None] - 1j * j[:, None, None])
    return float((np.abs(harmonics[1:]) / np.maximum(apart[1:], 1e-300)).max(initial=0.0))


def _split(mean: np.ndarray, fastest: float, T: float) -> tuple[np.ndarray, np.ndarray, int]:
    """To coordinates in which what is fast, or dies out, comes last and apart; back; how many are slow."""
    R, Q, n = schur(mean, sort=lambda re, im: np.hypot(re, im) <= fastest and re * T > GONE)
    B = np.eye(len(mean))
    if 0 < n < len(mean):
        B[:n, n:] = solve_sylvester(R[:n, :n], -R[n:, n:], -R[:n, n:])
    back = Q @ B
    return np.linalg.inv(back), back, n


def _marched(A: np.ndarray, J: np.ndarray, h: float) -> tuple[list[np.ndarray], np.ndarray]:
    """The transition matrix up to every second instant, and to the end."""
    path, Phi = [], np.eye(len(J))
    last = np.linalg.solve(J, A[0] @ J)
    for k in range(0, len(A), 2):
        a, b, c = A[k], A[k + 1], A[k + 2] if k + 2 < len(A) else last
        mean, slope = h * (a + 4.0 * b + c) / 3.0, h * (c - a) / 6.0
        path.append(Phi)
        Phi = expm(mean + slope @ mean - mean @ slope) @ Phi
    return path, Phi


def _logarithm(Phi: np.ndarray, path: list[np.ndarray], J: np.ndarray, mean: np.ndarray, T: float) -> np.ndarray | None:
    """R of exp(R T) = Phi, each mode with the multiple of i pi / T at which it moves most."""
    if np.linalg.cond(np.linalg.eig(Phi)[1]) <= APART:
        return _placed(Phi, path, J, mean, T)
    R, Q, n = schur(Phi, output="complex", sort=lambda mu: abs(mu - 1.0) <= ONE)
    if not 0 < n:
        return None
    B = np.eye(len(Phi), dtype=complex)
    if n < len(Phi):
        B[:n, n:] = solve_sylvester(R[:n, :n], -R[n:, n:], -R[:n, n:])
    back = Q @ B
    to = np.linalg.inv(back)
    found = back[:, :n] @ (logm(R[:n, :n]) / T) @ to[:n]
    if n < len(Phi):
        if np.linalg.cond(np.linalg.eig(R[n:, n:])[1]) > APART:
            return None
        rest = back[:, n:]
        inner = _placed(R[n:, n:], [x @ rest for x in path], J, to[n:] @ mean @ rest, T)
        found = found + rest @ inner @ to[n:]
    return found


def _placed(Phi: np.ndarray, path: list[np.ndarray], J: np.ndarray, mean: np.ndarray, T: float) -> np.ndarray:
    mu, v = np.linalg.eig(Phi)
    mu, v = mu.astype(complex), v.astype(complex)
    left = np.ones(mu.size, bool)
    for k in range(mu.size):  # those of one multiplier as the mean tells them apart
        group = np.flatnonzero(left & (np.abs(mu - mu[k]) <= SAME * np.abs(mu[k])))
        if left[k] and group.size > 1:
            turned = np.linalg.eig(np.linalg.lstsq(v[:, group], mean @ v[:, group], rcond=None)[0])[1]
            if np.linalg.cond(turned) < APART:
                v[:, group] = v[:, group] @ turned
        left[group] = False
    base = np.log(np.where(mu == 0.0, 1e-300, mu)) / T
    h = T / len(path)
    s = np.zeros(mu.size, complex)
    for k, one in enumerate(base):
        moved = np.array([x @ v[:, k] * np.exp(-one * i * h) for i, x in enumerate(path)])
        moved = np.fft.fft(np.concatenate([moved, np.linalg.solve(J, moved.T).T]), axis=0)
        strength, number = (np.abs(moved) ** 2).sum(axis=1), np.fft.fftfreq(2 * len(path), 0.5 / len(path))
        s[k] = one + 1j * np.pi / T * number[np.argmax(strength)]
        if abs(mu[k].imag) <= 1e-12 * abs(mu[k]):  # alone: its conjugate is itself
            s[k] = s[k].real + 1j * abs(s[k].imag)
    return (v * s) @ np.linalg.inv(v)
