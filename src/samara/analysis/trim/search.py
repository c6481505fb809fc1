"""The search for controls: Newton's method with derivatives kept up to date, in a box of trust, away from stall."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from scipy.optimize import lsq_linear

from samara.analysis.trim.problem.problem import LEAST, Problem, TrialPoint
from samara.analysis.trim.solution import Status, TrimPoint
from samara.solve.errors import NotSmooth, SolveError

#: Change of a control that is trusted at first, in nudges, and that at which the search ends.
FAR, NEAR = 60.0, 0.25
#: Effect of a nudge on a target that counts as none, over its size and the change that counts as settled.
NO_EFFECT = 10.0
#: Least ratio of sensitivities that are independent.
DEPENDENT = 1e-4
#: What is missing of a target that is out of reach, in effects of all controls of their size together; and the least
#: such effect on what is measured that is one.
BEYOND_REACH, NO_REACH = 100.0, 0.1
#: Change of the state a period with which a motion is good enough for a step: part of the error, and the most of it.
FOR_A_STEP, ROUGH = 0.3, 2e-2
#: Change of the targets, in changes of the state, from which on they tell of the controls.
TELLING = 10.0
#: So many iterations must leave no more than this part of the error, or the search ends.
SLOW, GAIN = 8, 0.97


class Explorer(Protocol):
    """How motions under given controls are found: `marching.Marching`, `orbit.Orbit`."""

    exact: bool
    gentle: bool
    here: TrialPoint | None
    failure: str

    def reach(self, x: np.ndarray, base: TrialPoint | None, needed: float) -> TrialPoint | None: ...
    def settled(self, point: TrialPoint, needed: float) -> TrialPoint | None: ...
    def slopes(self, base: TrialPoint) -> tuple[np.ndarray, TrialPoint]: ...


@dataclass
class SearchEnd:
    """Where a search ended; best is None where it could not begin."""

    best: TrialPoint | None
    size: np.ndarray
    status: Status
    reason: str
    J: np.ndarray


@dataclass
class Search:
    """Of one problem, with one way to find motions. given: sizes of the targets, 0 where they follow from effects."""

    problem: Problem
    explorer: Explorer
    low: np.ndarray
    high: np.ndarray
    nudge: np.ndarray
    given: np.ndarray
    tolerance: float
    settle: float
    iterations: int
    history: list[TrimPoint] = field(default_factory=list)
    beyond: str = ""  # what happened past the best point
    closeness: float = FOR_A_STEP

    def renew(self, explorer: Explorer) -> None:
        """Another way to find motions, and nothing known of them; the history goes on."""
        self.explorer, self.beyond, self.closeness = explorer, "", FOR_A_STEP

    def run(
        self, start: np.ndarray, trust: float = FAR, known: np.ndarray | None = None, shy: bool = False
    ) -> SearchEnd:
        """From first controls on; trust: change of the controls at first, in nudges; known: derivatives from before;
        shy: whether blades that are stalled already end it."""
        best = self.explorer.reach(start, None, ROUGH)
        if best is not None and shy and best.air.deep:
            size = np.where(self.given > 0.0, self.given, 1.0)
            return SearchEnd(best, size, "not met", f"sections are stalled: {best.air.said}", np.zeros((0, 0)))
        found = None if best is None else self._slopes(best) if known is None else (known, best)
        if found is None:
            reason = f"the motion breaks down under the first guess: {self.explorer.failure}"
            return SearchEnd(None, self.given, "diverged", reason, np.zeros((0, 0)))
        fresh, (J, best) = known is None, found
        spread = np.abs(J) @ np.maximum(np.abs(start), 0.1)
        size = np.where(self.given > 0.0, self.given, np.where(spread > 0.0, spread, 1.0))
        self._note(best, size)
        burnt, errors = False, list[float]()
        for _ in range(self.iterations):
            r = (best.y - self.problem.wanted) / size
            error = float(np.abs(r).max())
            errors.append(self._error(best, size))
            if error <= self.tolerance:
                if best.settled:
                    return SearchEnd(best, size, "met", "", J)
                best = self._closest(best, size)
                if not best.settled:
                    return SearchEnd(best, size, "not periodic", "the motion does not settle", J)
                continue
            if len(errors) > SLOW and errors[-1] > GAIN * errors[-1 - SLOW]:  # it creeps up to an edge
                return self._stuck(best, size, J)
            dx = self._correction(J / size[:, None], r, best.x, trust)
            hoped = float(np.linalg.norm(r + J @ dx / size))
            free = self._correction(J / size[:, None], r, best.x, 1e6)
            if np.linalg.norm(r + J @ free / size) > 0.99 * np.linalg.norm(r):  # whatever one does
                if fresh:
                    return self._stuck(best, size, J)
                (J, best), fresh = self._slopes(best) or (J, best), True
                continue
            trial = self.explorer.reach(best.x + dx, best, self._needed(error))
            if trial is not None:
                self._note(trial, size)
            if not self.explorer.gentle and (trial is None or self._lost(trial)):
                self.explorer.gentle = True  # it was thrown off its way
                continue
            if trial is not None and self._better(trial, best, size):
                ratio = self._error(trial, size) / self._error(best, size)
                J = self._updated(J, trial, best, size)
                noise = 0.0 if self.explorer.exact else TELLING * (trial.change + best.change)
                foreseen = self._error(trial, size) < 1.2 * hoped + 1e-2 * self._error(best, size) + noise
                trust, best, fresh, burnt = (4.0 * trust if foreseen and not burnt else trust), trial, False, False
                if ratio < 0.5 or foreseen:
                    continue
            elif self._by_chance(trial, best, size) and (closer := self._closest(best, size)) is not best:
                best, self.closeness = closer, 0.1 * self.closeness
                continue
            elif fresh or trial is None or self._lost(trial):
                self.beyond = self._beyond(trial) or self.beyond
                trust, burnt = 0.25 * float(np.abs(dx / self.nudge).max()), True
                if trust < NEAR:
                    return self._stuck(best, size, J)
                continue
            (J, best), fresh = self._slopes(best) or (J, best), True
        return SearchEnd(self._closest(best, size), size, "iterations", "the iterations are used up", J)

    def _slopes(self, best: TrialPoint) -> tuple[np.ndarray, TrialPoint] | None:
        """Derivatives, and the motion that they are of; None where it breaks down meanwhile."""
        try:
            return self.explorer.slopes(best)
        except NotSmooth:
            raise
        except SolveError as error:
            self.explorer.failure = str(error)
            return None

    def _needed(self, error: float) -> float:
        """Change of the state a period with which a motion tells enough, so far from the targets."""
        return float(np.clip(self.closeness * error, self.settle, ROUGH))

    def _updated(self, J: np.ndarray, trial: TrialPoint, best: TrialPoint, size: np.ndarray) -> np.ndarray:
        """Broyden's formula, where the targets have changed by more than what has not settled."""
        dx, dy = trial.x - best.x, trial.y - best.y
        if np.abs(dy / size).max() < TELLING * max(trial.change, best.change) and not self.explorer.exact:
            return J
        return J + np.outer(dy - J @ dx, dx / self.nudge**2) / ((dx / self.nudge) @ (dx / self.nudge))

    def _error(self, point: TrialPoint, size: np.ndarray) -> float:
        return float(np.linalg.norm((point.y - self.problem.wanted) / size))

    def _lost(self, trial: TrialPoint) -> bool:
        """Whether a motion does not settle."""
        return not trial.settled and (self.explorer.exact or trial.change > ROUGH)

    def _by_chance(self, trial: TrialPoint | None, best: TrialPoint, size: np.ndarray) -> bool:
        """Whether the best motion may be better only by what has not settled of it."""
        if trial is None or best.settled:
            return False
        return self._error(trial, size) < self._error(best, size) + TELLING * (best.change + trial.change)

    def _better(self, trial: TrialPoint, best: TrialPoint, size: np.ndarray) -> bool:
        """Nearer to the targets, not at the cost of a motion that settles, and not by way of stall."""
        settles = not self._lost(trial) or self._lost(best)
        stalls = trial.air.deep and not best.air.deep
        return settles and not stalls and self._error(trial, size) < (1.0 - 1e-3) * self._error(best, size)

    def _correction(self, J: np.ndarray, r: np.ndarray, x: np.ndarray, trust: float) -> np.ndarray:
        """Change of the controls that does best on the straight model, within limits and trust."""
        far = trust * self.nudge  # controls in units of their trust, so that they count alike
        lower, upper = np.maximum((self.low - x) / far, -1.0), np.minimum((self.high - x) / far, 1.0)
        gap = upper - lower
        lower, upper = np.where(gap > 1e-12, lower, -1e-12), np.where(gap > 1e-12, upper, 1e-12)
        return lsq_linear(J * far, -r, bounds=(lower, upper), tol=1e-12).x * far

    # ---- why there is no way on
    def _stuck(self, best: TrialPoint, size: np.ndarray, J: np.ndarray) -> SearchEnd:
        best = self._closest(best, size)
        status, reason = self._why(best, size, J)
        return SearchEnd(best, size, status, reason, J)

    def _closest(self, best: TrialPoint, size: np.ndarray) -> TrialPoint:
        """The best motion, as periodic as it gets."""
        closer = best if best.settled else self.explorer.settled(best, self.settle)
        if closer is None or closer is best:
            return best
        self._note(closer, size)
        return closer

    def _why(self, best: TrialPoint, size: np.ndarray, J: np.ndarray) -> tuple[Status, str]:
        """What stands in the way. A target that is out of reach does not tell whether controls have an effect."""
        controls, labels = self.problem.controls, self.problem.labels
        reach = np.abs(J) @ np.maximum(np.abs(best.x), LEAST)
        missing = np.abs(best.y - self.problem.wanted)
        far = (missing > BEYOND_REACH * reach) & (reach > NO_REACH * np.abs(best.y)) & (reach > 0.0)
        effects = J / np.where(far, reach, size)[:, None] * self.nudge
        at = [
            f"{name!r} is at its {'lower' if x - lo < hi - x else 'upper'} limit, {x:g}"
            for name, x, lo, hi, n in zip(controls, best.x, self.low, self.high, self.nudge, strict=True)
            if min(x - lo, hi - x) < NEAR * n
        ]
        if at:
            return "limited", " and ".join(at)
        none = NO_EFFECT * self.settle
        silent = [n for n, effect in zip(controls, np.abs(effects).max(axis=0), strict=True) if effect < none]
        if silent:
            return "singular", f"{_listed(silent)} changes no target: choose another control"
        deaf = [t for t, effect in zip(labels, np.abs(effects).max(axis=1), strict=True) if effect < none]
        if deaf:
            return "singular", f"no control changes {_listed(deaf)}: choose another target or control"
        if far.any():
            parts = [
                f"{labels[k]!r} is out of reach: controls of their present size change it by {reach[k]:.2g}, and "
                f"{missing[k]:.2g} is missing"
                for k in np.flatnonzero(far)
            ]
            return "not met", "; ".join(parts) + self.beyond
        _, sigma, v = np.linalg.svd(effects / np.abs(effects).max(axis=0))
        if sigma[-1] < DEPENDENT * sigma[0]:
            alike = [name for name, part in zip(controls, v[-1], strict=True) if abs(part) > 0.1]
            return "singular", f"{_listed(alike)} have the same effect on the targets: leave one out with a target"
        stall = f"; sections stall, perhaps: {best.air.said}" if best.air.said else ""
        return "not met", f"no small change of the controls brings it nearer{stall}{self.beyond}"

    def _beyond(self, trial: TrialPoint | None) -> str:
        """What is wrong with the motion a step further."""
        if trial is None:
            return f"; a step further the motion breaks down: {self.explorer.failure}"
        if trial.air.deep:
            return f"; a step further sections stall: {trial.air.said}"
        if not self._lost(trial):
            return ""
        return f"; a step further the motion does not settle, it changes by {trial.change:.2g} a period"

    def _note(self, point: TrialPoint, size: np.ndarray) -> None:
        self.history.append(
            TrimPoint(
                self.problem.named(point.x),
                dict(zip(self.problem.labels, map(float, point.y), strict=True)),
                float(np.abs((point.y - self.problem.wanted) / size).max()),
                point.change,
                point.periods,
            )
        )


def _listed(names: list[str]) -> str:
    return " and ".join(map(repr, names))
