"""Motions that nothing brings back: which modes they are, with rounding taken out, and each of them once.

A part that is free has a place and a speed that stay: zero is an eigenvalue twice, with one motion (a Jordan block),
where an oscillation has a pair of eigenvalues with one motion. Rounding e of a matrix A makes +-sqrt(e |A|) of the two
zeros, with two vectors that are the same but for that.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import schur
from scipy.sparse import issparse

from samara.analysis.linearisation.linear import Linearisation
from samara.analysis.linearisation.sparse_modes import RIGID, SAME_MOTION, least_squares

#: Eigenvalues below this, of a rotor's speed, may be zero about its motion: rounding makes roots of higher order; and
#: what may be in them beside a motion of the whole.
SLOW, WHOLE = 1e-4, 1e-3
#: Eigenvalues that are rounding, of a rotor's speed: some of a pair of zeros are real, others not.
NOTHING = 1e-9
#: Real parts that are rounding, of the eigenvalue and of the largest of all.
UNDAMPED, ROUNDED = 1e-13, 2e-15
#: What is left of forces that cancel, of their sizes.
CANCELLED = 1e-12
#: Rounding of A where forces of inertia cancel, of the square of what turns fastest.
SPIN_NOISE = 1e-14


def cleaned(lin: Linearisation, largest: float, values: np.ndarray, poses: np.ndarray) -> np.ndarray:
    """Eigenvalues with rounding taken out: those of motions that nothing brings back, and real parts of undamped ones.

    Motions (columns of poses) whose forces, reactions included, cancel but for rounding have the eigenvalue zero, of
    which an error of A, of its largest entry, makes its root.
    """
    slow = np.flatnonzero(np.abs(values) <= RIGID * np.sqrt(largest))
    if slow.size:
        phi = poses[:, slow]
        forces = lin.K @ phi
        if issparse(lin.reactions):
            mu = least_squares(lin.reactions, -forces)
        else:
            mu = np.linalg.lstsq(lin.reactions, -forces, rcond=1e-12)[0]
        size = abs(lin.K) @ np.abs(phi) + abs(lin.reactions) @ np.abs(mu)
        left = np.linalg.norm(forces + lin.reactions @ mu, axis=0)
        values[slow[left <= CANCELLED * np.linalg.norm(size, axis=0)]] = 0.0
    undamped = np.abs(values.real) <= UNDAMPED * np.abs(values) + ROUNDED * np.abs(values).max(initial=0.0)
    return np.where(undamped, 1j * values.imag, values)


def at_zero(
    A: np.ndarray, values: np.ndarray, vectors: np.ndarray, poses: np.ndarray, spin: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and vectors with all zeros told, also where gyroscopes turn, and numbers of those without a motion.

    On the space Q of all slow motions A takes those of zero to nothing, or to such that were found before (Jordan
    chains), entry by entry but for rounding; what it takes to nothing at once are motions of their own. Eigenvalues
    that are left over are not zero.
    spin: of what turns fastest [rad/s]; forces of inertia that cancel leave rounding of its square.
    """
    bound = SLOW * spin
    slow = np.flatnonzero(np.abs(values) <= bound)
    if not values[slow].any():  # forces have told them all
        return values, *each_once(values, vectors, poses)
    try:
        _, Z, many = schur(A, output="real", sort=lambda re, im: np.hypot(re, im) <= bound)
    except np.linalg.LinAlgError:  # some are slow or not, by rounding
        return values, *each_once(values, vectors, poses)
    Q, gone, own = Z[:, :many], Z[:, :0], 0
    while Q.shape[1]:
        image = A @ Q
        motions = Q @ np.linalg.svd(image - gone @ (gone.T @ image))[2].T
        image = A @ motions
        left = np.linalg.norm(image - gone @ (gone.T @ image), axis=0)
        noise = CANCELLED * np.linalg.norm(np.abs(A) @ np.abs(motions), axis=0) + SPIN_NOISE * spin**2
        zero = left <= noise
        if not zero.any():
            break
        own = own or int(zero.sum())
        gone, Q = np.hstack([gone, motions[:, zero]]), motions[:, ~zero]
    others = np.linalg.eigvals(Q.T @ A @ Q)
    zeros = np.setdiff1d(slow, [slow[np.argmin(np.abs(values[slow] - s))] for s in others])
    if zeros.size != gone.shape[1] or (values[np.setdiff1d(slow, zeros)] == 0.0).any():
        return values, *each_once(values, vectors, poses)
    found, told = values.copy(), vectors.astype(complex)
    found[zeros], told[:, zeros] = 0.0, gone
    return found, told, zeros[own:]


def takes_no_time(values: np.ndarray, poses: np.ndarray, whole: np.ndarray, speed: float) -> np.ndarray:
    """Which modes about a turning motion, columns of poses, have s = 0.

    Those are motions of free parts as a `whole`, which rounding spoils; others, as the tilt of a gimbal that nothing
    brings back, but for rounding itself.
    """
    slow, nothing = np.abs(values) <= SLOW * speed, np.abs(values) <= NOTHING * speed
    if whole.size and slow.any():
        phi = poses[:, slow]
        left = np.linalg.norm(phi - whole @ np.linalg.lstsq(whole, phi, rcond=None)[0], axis=0)
        slow[slow] = left <= WHOLE * np.linalg.norm(phi, axis=0)
        return slow | nothing
    return nothing


def each_once(values: np.ndarray, vectors: np.ndarray, poses: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vectors in which motions of the eigenvalue zero are apart, and numbers of those without a motion of their own.

    poses: the motion of each vector, in one unit. Vectors of zero are replaced by others that span the same, those
    whose motions are apart and at right angles first.
    """
    zero = np.flatnonzero(values == 0.0)
    if zero.size < 2:
        return vectors, zero[:0]
    size = np.linalg.norm(poses[:, zero], axis=0)
    size[size == 0.0] = 1.0
    both, moved = (np.hstack([x.real, x.imag]) for x in (vectors[:, zero] / size, poses[:, zero] / size))
    _, sigma, vt = np.linalg.svd(moved, full_matrices=False)
    rank = min(int((sigma > SAME_MOTION * sigma[0]).sum()), zero.size)
    apart = both @ (vt[:rank].T / np.maximum(sigma[:rank], 1e-300))
    rest = both - apart @ np.linalg.lstsq(apart, both, rcond=None)[0]
    found = vectors.copy()
    found[:, zero[:rank]] = apart
    found[:, zero[rank:]] = np.linalg.svd(rest, full_matrices=False)[0][:, : zero.size - rank]
    return found, zero[rank:]
