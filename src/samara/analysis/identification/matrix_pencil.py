"""Matrix pencil: damped exponentials from the shift invariance of a signal subspace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from samara.analysis.identification.hankel import Hankel, hankel
from samara.analysis.identification.identified import Identified
from samara.analysis.identification.poles import Poles, modes_of
from samara.analysis.identification.signals import Signals, read_signals
from samara.results import Results


def matrix_pencil(
    source: Results | np.ndarray | Sequence[float],
    signals: str | Sequence[str] | np.ndarray,
    *,
    window: tuple[float, float] | None = None,
    order: int | None = None,
    rows: int | None = None,
    remove: Iterable[float] = (),
    reference: Results | np.ndarray | None = None,
    clipped: bool = False,
) -> Identified:
    """Matrix pencil: identifies the modes of a free motion from all channels together.

        H = U S V^T,   U_2 = U_1 A,   z = eig(A) = exp(s d h)

    with U_1, U_2 the signal subspace without its last and its first block of rows, h the step [s], d the samples
    between blocks.

    source:    results, or times [s], shape (n,), at a uniform step.
    signals:   names of channels or of components ("bob.position.x"), or values, shape (n,) or (n, c).
    window:    first and last time [s]; all by default.
    order:     number of exponentials, two for each mode that oscillates; chosen by the singular values by default.
    rows:      blocks of rows of H; half the window by default.
    remove:    frequencies [rad/s] of forced motion, 0 for the mean: fitted together with the modes and removed.
    reference: results of the undisturbed run, or values, subtracted.
    clipped:   whether to accept signals that are flat at their largest or smallest values, which are rejected by
               default.

    Each channel is scaled to a root mean square of one, so that units do not matter. Errors: of first order, for white
    noise of the size of the residual. Limit: a double pole splits into two whose mean is correct.
    Source: Y. Hua and T. K. Sarkar, IEEE Trans. Acoustics, Speech and Signal Processing 38 (1990) 814-824.
    """
    data = read_signals("matrix_pencil", source, signals, window, remove, reference, clipped)
    h = hankel(data, order, rows)
    return modes_of(data, h, pencil_poles(data, h))


def pencil_poles(signals: Signals, h: Hankel) -> Poles:
    """Poles of the subspace."""
    c = h.channels
    inverse = np.linalg.pinv(h.U[:-c])
    z, T = np.linalg.eig(inverse @ h.U[c:])
    left = np.linalg.solve(T, inverse.astype(complex))
    right = (h.V / h.S) @ T
    histories = np.linalg.solve(T, (h.S * h.V).T.astype(complex))
    gap = np.zeros((len(z), c))
    both = np.hstack([gap, left]) - z[:, None] * np.hstack([left, gap])
    noise = np.array([h.spread(p, q, len(signals.time)) for p, q in zip(both, right.T, strict=True)])
    return Poles(z, noise, histories, h.spacing, signals.step)
