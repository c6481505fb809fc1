"""The block Hankel matrix of signals, its signal subspace, and the effect of noise in the samples on its poles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.analysis.identification.exponentials import known_motions
from samara.analysis.identification.signals import FEWEST_SAMPLES, Signals
from samara.arguments import whole
from samara.model import ArgumentError

#: Rows of the matrix, blocks times channels: the decomposition costs their square times the samples.
MOST_ROWS = 300
#: The highest order that is chosen without being asked for.
HIGHEST_CHOICE = 40
#: Singular values below this part of the first one are rounding.
ROUNDING = 1e-10
#: Noise of Hankel form reaches further than that of independent entries, for which the threshold was derived.
HANKEL_EXCESS = 1.5
#: Channels smaller than this part of the largest, or of a reference, are not scaled to one: they are rounding.
SILENT = 1e-12


@dataclass(frozen=True)
class Hankel:
    """H[(i, c), j] = y_c[i d + j] / scale_c, known motions projected out of its rows; H = U S V^T cut at the order.

    later is the same d samples later. rows: blocks i; spacing: d samples; scale: root mean square of each channel.
    singular: all singular values.
    """

    U: np.ndarray
    S: np.ndarray
    V: np.ndarray
    later: np.ndarray
    known: np.ndarray
    rows: int
    spacing: int
    scale: np.ndarray
    singular: np.ndarray

    @property
    def channels(self) -> int:
        """Channels, rows of a block."""
        return len(self.scale)

    def spread(self, left: np.ndarray, right: np.ndarray, samples: int) -> np.ndarray:
        """Sums over antidiagonals: g[n, c] with left^T dH right = sum g[n, c] dy_c[n], shape (samples, c)."""
        from scipy.signal import fftconvolve  # loads much, and only identification needs it

        sparse = np.zeros(((self.rows - 1) * self.spacing + 1, self.channels), complex)
        sparse[:: self.spacing] = left.reshape(self.rows, self.channels) / self.scale
        found = fftconvolve(sparse, right[:, None], axes=0)
        return np.vstack([found, np.zeros((samples - len(found), self.channels))])


def hankel(signals: Signals, order: int | None, rows: int | None) -> Hankel:
    """The matrix whose rows span about half the window, and its subspace of the order asked for or chosen.

    With many samples, a row takes every d-th of them, so that the rows still span half the window.
    """
    n, c = signals.values.shape
    spacing = 1 if rows is not None else min(-(-(n // 2) * c // MOST_ROWS), n // FEWEST_SAMPLES)
    rows = max(2, n // 2 // spacing) if rows is None else whole(f"{signals.method}: rows", rows, 2)
    columns = n - rows * spacing
    if columns < 2:
        raise ArgumentError(f"{signals.method}: {n} samples are too few for {rows} rows: lower rows or lengthen window")
    size = np.sqrt((signals.values**2).mean(axis=0))
    scale = np.where(size > SILENT * max(size.max(), signals.measured), size, size.max())
    y = signals.values / scale
    index = (spacing * np.arange(rows))[:, None] + np.arange(columns)
    motions = known_motions(signals, signals.step * np.arange(columns))
    if motions.shape[1] >= columns:
        raise ArgumentError(
            f"{signals.method}: {n} samples are too few to remove this many motions: lengthen the window"
        )
    known = np.linalg.qr(motions)[0]

    def block(shift: int) -> np.ndarray:
        H = y[index + shift].transpose(0, 2, 1).reshape(rows * c, columns)
        return H - (H @ known) @ known.T

    U, S, Vt = np.linalg.svd(block(0), full_matrices=False)
    highest = min((rows - 1) * c, columns - known.shape[1], len(S))
    chosen = _choose(S, rows * c / columns, highest) if order is None else _given(signals, order, S, highest)
    if chosen == 0:
        raise ArgumentError(
            f"{signals.method}: no signal above the noise in the window: disturb the model more, or give order"
        )
    return Hankel(U[:, :chosen], S[:chosen], Vt[:chosen].T, block(spacing), known, rows, spacing, scale, S)


def _choose(S: np.ndarray, ratio: float, highest: int) -> int:
    """Number of singular values above noise and rounding error.

    Threshold for noise of unknown size: M. Gavish and D. Donoho, "The optimal hard threshold for singular values is
    4/sqrt(3)", IEEE Trans. Information Theory 60 (2014), equation 5 (their omega(beta), as a cubic).
    """
    b = min(ratio, 1.0 / ratio)
    threshold = HANKEL_EXCESS * (0.56 * b**3 - 0.95 * b**2 + 1.82 * b + 1.43) * np.median(S)
    return int(min((S > max(threshold, ROUNDING * S[0])).sum(), highest, HIGHEST_CHOICE))


def _given(signals: Signals, order: int, S: np.ndarray, highest: int) -> int:
    order = whole(f"{signals.method}: order", order)
    if order > highest:
        raise ArgumentError(
            f"{signals.method}: order {order} is too high for {len(signals.time)} samples: at most {highest}; lower it "
            "or lengthen the window"
        )
    full = int((S > 1e-14 * len(S) * S[0]).sum())
    if order > full:
        raise ArgumentError(f"{signals.method}: order {order} is too high: the signals hold {full} exponentials")
    return order
