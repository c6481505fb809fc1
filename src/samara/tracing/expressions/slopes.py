"""Slopes of a curve at its points, which determine its cubics."""

from __future__ import annotations

import numpy as np


def cubics(x: np.ndarray, y: np.ndarray, slopes: np.ndarray) -> np.ndarray:
    """Rows (c0, c1, c2, c3) of the polynomials in x - x_k that match the values and slopes at both ends."""
    h = np.diff(x)
    m = np.diff(y) / h
    c2 = (3 * m - 2 * slopes[:-1] - slopes[1:]) / h
    c3 = (slopes[:-1] + slopes[1:] - 2 * m) / h**2
    return np.column_stack([y[:-1], slopes[:-1], c2, c3])


def smooth_slopes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slopes that preserve the shape of the data: weighted harmonic means, zero at peaks.

    F. N. Fritsch and J. Butland, A method for constructing local monotone piecewise cubic interpolants, SIAM J. Sci.
    Stat. Comput. 5 (1984); at the ends the three-point formula, limited.
    """
    h = np.diff(x)
    m = np.diff(y) / h
    if m.size == 1:
        return np.repeat(m, 2)
    before, after = m[:-1], m[1:]
    w1, w2 = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    alike = before * after > 0
    mean = (w1 + w2) / (w1 / np.where(alike, before, 1.0) + w2 / np.where(alike, after, 1.0))
    first, last = _end_slope(h[0], h[1], m[0], m[1]), _end_slope(h[-1], h[-2], m[-1], m[-2])
    return np.concatenate([[first], np.where(alike, mean, 0.0), [last]])


def _end_slope(h0: float, h1: float, m0: float, m1: float) -> float:
    slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    if np.sign(slope) != np.sign(m0):
        return 0.0
    if np.sign(m0) != np.sign(m1) and abs(slope) > 3 * abs(m0):
        return 3 * m0
    return slope


def spline_slopes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Slopes with continuous curvature; the first two pieces are one cubic, and so are the last two (not-a-knot)."""
    from scipy.interpolate import CubicSpline  # rarely needed, and slow to import

    return CubicSpline(x, y)(x, 1)
