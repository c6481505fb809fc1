"""A straight line through points of unequal weight."""

from __future__ import annotations

import numpy as np


def straight_line(x: np.ndarray, y: np.ndarray, size: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    """Offset and slope of y = a + b x, and their standard errors, for errors of y that go as 1 / size."""
    w = (size / np.abs(size).max()) ** 2
    centre = (w * x).sum() / w.sum()
    spread = (w * (x - centre) ** 2).sum()
    slope = float((w * (x - centre) * y).sum() / spread)
    middle = float((w * y).sum() / w.sum())
    variance = (w * (y - middle - slope * (x - centre)) ** 2).sum() / max(len(x) - 2, 1)
    errors = np.sqrt(variance * (1.0 / w.sum() + centre**2 / spread)), np.sqrt(variance / spread)
    return (middle - slope * centre, slope), (float(errors[0]), float(errors[1]))
