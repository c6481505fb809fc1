"""Trials by marching: each starts from another motion, is led to its controls, and marched until it settles."""

from __future__ import annotations

import numpy as np

from samara.analysis.periodic_motion.periodic import periodic
from samara.analysis.trim.problem.problem import Problem, TrialPoint
from samara.solve import Diverged, SolveError, transient
from samara.solve.store.checkpoint import restore, snapshot

#: Pieces in which a change of the controls is made, over one period.
PIECES = 20


class Marching:
    """Periodic motions under given controls, and what nudges of these do: of any model, whatever the period."""

    exact = True  # every point is settled
    gentle = True  # controls are changed gradually
    here: TrialPoint | None = None  # where the simulation is: it is not looked at

    def __init__(
        self,
        problem: Problem,
        low: np.ndarray,
        high: np.ndarray,
        nudge: np.ndarray,
        settle: float,
        periods: int | None,
        turning: float = 0.0,
    ) -> None:
        self.problem, self.low, self.high, self.nudge = problem, low, high, nudge
        self.settle, self.periods, self.turning, self.failure = settle, periods, turning, ""

    def reach(self, x: np.ndarray, base: TrialPoint | None, needed: float = 0.0) -> TrialPoint | None:
        """The periodic motion under controls x, from another one; None if the motion breaks down on the way."""
        problem, sim = self.problem, self.problem.sim
        try:
            if base is None:
                problem.put(x)
            else:
                restore(sim, base.saved)
                lead(problem, base.x, x)
            period, step, _ = problem.timing(x)
            found = periodic(
                sim, period, step, tolerance=self.settle, periods=self.periods, outputs=problem.watched,
                turning=self.turning,
            )  # fmt: skip
        except (Diverged, SolveError) as error:
            self.failure = str(error)
            return None
        y = problem.measure(found.results)
        if not np.isfinite(y).all():
            self.failure = "a target is not finite"
            return None
        air = problem.angles(found.results)
        return TrialPoint(
            np.array(x), y, found.residual, found.periods, found.settled, found.results, snapshot(sim), air
        )

    def settled(self, point: TrialPoint, needed: float) -> TrialPoint | None:
        """The same motion, closer to its period: as close as it gets."""
        return point

    def slopes(self, base: TrialPoint) -> tuple[np.ndarray, TrialPoint]:
        """d(targets) / d(controls) by nudging each control, away from a limit; and the motion itself."""
        J = np.zeros((len(self.problem.targets), len(self.nudge)))
        for k in range(len(self.nudge)):
            for sign in (1.0, -1.0):
                x = base.x.copy()
                x[k] = np.clip(x[k] + sign * self.nudge[k], self.low[k], self.high[k])
                moved = x[k] - base.x[k]
                there = self.reach(x, base) if abs(moved) > 0.1 * self.nudge[k] else None
                if there is not None:
                    J[:, k] = (there.y - base.y) / moved
                    break
        return J, base


def lead(problem: Problem, old: np.ndarray, new: np.ndarray) -> None:
    """From the old controls to the new, over a period: a jump would shake what is held by a driven joint."""
    _, step, steps = problem.timing(new)
    ends = np.unique(np.linspace(0, steps, min(PIECES, steps) + 1).round().astype(int))
    start = problem.sim.time
    for end in ends[1:]:
        problem.put(old + (new - old) * (end / steps))
        transient(problem.sim, start + end * step, step, outputs="model.violation", progress=False)
