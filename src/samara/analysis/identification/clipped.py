"""Detection of signals with flat extremes: clipped by the recorder, or held."""

from __future__ import annotations

import numpy as np

from samara.model import ArgumentError

#: Equal samples at an extreme: two may lie on both sides of a smooth one.
FLAT = 3
#: Steps of a signal of whole counts within twice the width of a smooth extreme: 3 of a parabola, 1 of rounding.
ROUND = 8.0
#: A channel that varies less than this part of the largest value is rounding.
SILENT = 1e-12


def refuse_clipped(method: str, time: np.ndarray, values: np.ndarray, channels: tuple[str, ...]) -> None:
    """Rejects a channel of values (n, c) that stays at its largest or smallest value: clipping falsifies the damping.

    A flat extreme is a run of three or more equal samples, on both sides of which the signal falls off by more than
    its rounding explains. A signal that has come to rest at the end of the window is not clipped.
    """
    for name, y in zip(channels, values.T, strict=True):
        if np.ptp(y) <= SILENT * np.abs(values).max():
            continue
        for sign, which in ((1.0, "largest"), (-1.0, "smallest")):
            place = _flat(sign * y)
            if place is not None:
                first, last = place
                raise ArgumentError(
                    f"{method}: {name!r} stays at its {which} value, {y[first]:g}, from {time[first]:g} to "
                    f"{time[last]:g} s, as if clipped or held: choose another window, or accept it with clipped=True"
                )


def _flat(y: np.ndarray) -> tuple[int, int] | None:
    """First and last sample of the longest flat top; None if there is none."""
    at_top = np.concatenate([[False], y == y.max(), [False]])
    edges = np.flatnonzero(np.diff(at_top))
    firsts, lasts = edges[::2], edges[1::2] - 1
    order = np.argsort(firsts - lasts, kind="stable")
    for first, last in zip(firsts[order].tolist(), lasts[order].tolist(), strict=True):
        count = last - first + 1
        if count < FLAT:
            return None
        reach = max(1, count // 2)
        before, after = y[max(0, first - reach) : first], y[last + 1 : last + 1 + reach]
        if not len(after):  # at rest at last
            continue
        falls = [y[first] - side.min() for side in (before, after) if len(side)]
        if min(falls) > ROUND * _count(y):
            return first, last
    return None


def _count(y: np.ndarray) -> float:
    """The smallest difference of values in the upper half: one count of a quantised signal."""
    upper = np.unique(y[y >= y.max() - 0.5 * np.ptp(y)])
    return float(np.diff(upper).min()) if len(upper) > 1 else 0.0
