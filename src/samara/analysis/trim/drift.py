"""Whether a motion that counts as settled is settled enough for its targets."""

from __future__ import annotations

import numpy as np

from samara.analysis.trim.problem import Problem, TrialPoint
from samara.analysis.trim.turn import Turner
from samara.solve import SolveError
from samara.solve.store.checkpoint import restore

#: Slowest decay that is believed from two periods.
SLOWEST = 0.98


def drift(problem: Problem, point: TrialPoint) -> np.ndarray:
    """By how much the targets are going to change yet: from two more periods, as if it went on like that.

    d_1, d_2 = y_1 - y_0, y_2 - y_1,     rest = |d_1| + |d_2| / (1 - rho),     rho = |d_2| / |d_1|
    """
    turner = Turner(problem.sim, problem.watched)
    problem.put(point.x)
    restore(problem.sim, point.saved)
    _, step, steps = problem.timing(point.x)
    try:
        one, two = (problem.measure(turner(step, steps)) for _ in range(2))
    except SolveError:
        return np.full(point.y.size, np.inf)
    first, second = np.abs(one - point.y), np.abs(two - one)
    rho = np.minimum(second / np.maximum(first, 1e-300), SLOWEST)
    return first + second / (1.0 - rho)
