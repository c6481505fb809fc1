"""Modes of a loop with sampled laws: eigenvalues z of a cycle, as exponents s = ln(z) / T.

A logarithm is known but for multiples of 2 pi i / T: what is faster than half the rate of the samples looks slow to
them. The one is taken at which the plant itself moves just after a sample,

    Im s near Im <x, A x + B h> / <x, x>

which is exact for modes that no law feels, and within half a multiple for what the samples resolve.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from samara.analysis.linearisation.sampled_loop import SampledLoop

#: Part of a mode that is left after a cycle, below which it has died out.
GONE = 1e-6


class SampledEigen(NamedTuple):
    """Exponents [rad/s] and vectors, columns, of z before a sample; from these to (xi, xi_dot) just after it.

    change: of z within a cycle, by z, per second. left_out: how many have died out.
    """

    values: np.ndarray
    vectors: np.ndarray
    basis: np.ndarray
    change: np.ndarray
    left_out: int


def sampled_eigen(loop: SampledLoop) -> SampledEigen:
    """Of all modes that last for a cycle."""
    own = _felt(loop.cycle)
    z, found = np.linalg.eig(loop.cycle[np.ix_(own, own)])
    alive = np.abs(z) > GONE
    z, vectors = z[alive].astype(complex), np.zeros((len(loop.cycle), int(alive.sum())), complex)
    vectors[own] = found[:, alive]
    for _ in range(len(loop.cycle) - own.size):  # what nothing feels follows the others, through each other perhaps
        vectors = loop.cycle @ vectors / z
    form, after = loop.plant.form, loop.held @ vectors
    n, held = form.B.shape
    x, moved = after[:n], form.A @ after[:n] + form.B @ after[n : n + held]
    size = np.sum(np.abs(x) ** 2, axis=0)
    rate = np.sum(x.conj() * moved, axis=0) / np.where(size > 0.0, size, 1.0)
    turns = np.round((rate.imag * loop.period - np.angle(z)) / (2.0 * np.pi))
    turns[(z.imag == 0.0) & (z.real < 0.0)] = 0.0  # at half the rate of the samples, and told so
    none = np.zeros((len(form.pose[0]), len(loop.cycle) - n - held))
    motion = np.vstack([np.hstack([*by, none]) for by in (form.pose, form.rate)])
    return SampledEigen(
        values=(np.log(z) + 2j * np.pi * turns) / loop.period,
        vectors=vectors,
        basis=motion @ loop.held,
        change=(loop.cycle - np.eye(len(loop.cycle))) / loop.period,
        left_out=int(own.size - alive.sum()),
    )


def _felt(cycle: np.ndarray) -> np.ndarray:
    """Numbers of what something else feels within a cycle, or feels it itself: others follow, and have z = 0."""
    own = np.arange(len(cycle))
    while own.size:
        felt = cycle[np.ix_(own, own)].any(axis=0)
        if felt.all():
            break
        own = own[felt]
    return own
