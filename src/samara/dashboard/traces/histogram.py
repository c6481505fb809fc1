"""A loop's histogram of durations with fewer bins, to draw."""

from __future__ import annotations

import numpy as np

from samara.realtime.session.accounts import BINS, PER_OCTAVE


def rebinned(histogram: np.ndarray, per_octave: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """(lower edges [us], counts) in bins of 1 / per_octave of an octave, from the first that has any to the last."""
    together = PER_OCTAVE // per_octave
    counts = histogram[:BINS].reshape(-1, together).sum(axis=1)
    full = np.flatnonzero(counts)
    if not full.size:
        return np.zeros(0), np.zeros(0, np.int64)
    places = np.arange(full[0], full[-1] + 1)
    return 2.0 ** (places / per_octave) * 1e-3, counts[places]
