"""Trials by derivatives of the periodic motion: orbit and controls are found together.

Over a period, small changes of the state move as a' = Phi a, and what a control does to it, s, as s' = Phi s + b: both
come from the tangent of the time step itself (`solve.tangent.sensitivity_march`). Marched from nothing, s_1, s_2, ...
tends to what the control does to the periodic motion, S = (1 - Phi)^-1 b, and the targets with it. A change dx of the
controls then moves the state, past included, by S dx: the run is at once where it would have settled, but for terms of
second order.

What is left is e, by which the motion misses itself after a period. It is let die out, or closed where few motions are
slow: with pairs a_i, Phi a_i that were seen on the way,

    (1 - Phi) c = e,     c = sum_i c_i a_i     in least squares

as Krylov methods do, without the transition matrix of all states. Pairs are kept from trial to trial.
"""

from __future__ import annotations

from itertools import pairwise
from weakref import WeakKeyDictionary

import numpy as np

from samara.analysis.periodic import drives_repeat
from samara.analysis.rotors.motion import read
from samara.analysis.trim.displacement import Displacement
from samara.analysis.trim.marching import lead
from samara.analysis.trim.problem import Problem, TrialPoint
from samara.analysis.trim.target import slope_of
from samara.analysis.trim.turn import Turner
from samara.results import Results
from samara.solve import Diverged, Simulation, SolveError
from samara.solve.errors import NotSmooth
from samara.solve.native.codes import Status
from samara.solve.store.checkpoint import restore, snapshot
from samara.solve.tangent.sensitivity_march import Along, failure, make_along, march_along
from samara.system.tangents import Change

#: Part of a period in which tangents are not looked at, for they start from nothing; most periods of them after it;
#: error of the derivatives that is borne; how fast they settle, unless seen; samples of a period that are enough.
UNSEEN, MOST_TANGENTS, GOOD, USUAL, SAMPLES = 0.6, 12, 0.3, 0.25, 24
#: Part of a period after which they are looked at already, to be compared; and by how much they may differ then.
EARLY, ALIKE = 0.2, 0.5
#: Motion that is made at once, in sizes of the mechanism, rad and sizes of states; a larger one is led.
AT_ONCE = 0.5
#: Pairs of small motions that are kept; part of a miss that may be left of it by closing; singular values that count;
#: change of the state from which on it is tried, and that from which on rounding shows.
PAIRS, LEFT, COUNTS, SMALL, FLOOR = 16, 0.5, 1e-3, 0.05, 1e-9
#: Part of the change of the state that may be left after closing, lest it be given up.
WORTH = 0.5
#: Periods after which a motion must have come closer by half, where their number is not given, and the most of them.
WATCHED, LONGEST = 30, 1000

#: Tangents that were made, by simulation and controls.
_MADE: WeakKeyDictionary[Simulation, dict[tuple[str, ...], Along]] = WeakKeyDictionary()
#: Results of some steps, and their derivatives by each control.
Turn = tuple[Results, list[Results]]


class Orbit:
    """Motions under given controls, as periodic as is needed, and what controls do to them."""

    exact = False

    def __init__(self, problem: Problem, nudge: np.ndarray, settle: float, periods: int | None) -> None:
        self.problem, self.nudge, self.settle, self.periods = problem, nudge, settle, periods
        self.turner, self.displacement = Turner(problem.sim, problem.watched), Displacement(problem.sim)
        self.failure = ""
        self.gentle = False  # whether controls are changed gradually, whatever is known of their effect
        self.moved: np.ndarray | None = None  # S: a row a control, at the end of a period
        self._pairs: list[tuple[np.ndarray, np.ndarray]] = []
        self.here: TrialPoint | None = None  # where the simulation is

    # ---- motions
    def reach(self, x: np.ndarray, base: TrialPoint | None, needed: float) -> TrialPoint | None:
        """The motion under controls x, from another one; None if it breaks down on the way."""
        try:
            if base is None:
                self.problem.put(x)
                self.here = None
            else:
                self._go(base)
                self._move(base.x, x)
            return self._marched(np.array(x, float), needed)
        except (Diverged, SolveError) as error:
            self.failure = str(error)
            self.here = None
            return None

    def settled(self, point: TrialPoint, needed: float) -> TrialPoint | None:
        """The same motion, closer to its period."""
        try:
            self._go(point)
            return self._marched(point.x, needed)
        except (Diverged, SolveError) as error:
            self.failure = str(error)
            self.here = None
            return None

    def _go(self, point: TrialPoint) -> None:
        """The simulation is where a motion was left."""
        if self.here is not point:
            self.problem.put(point.x)
            restore(self.problem.sim, point.saved)
            self.here = point

    def _move(self, old: np.ndarray, new: np.ndarray) -> None:
        """From the old controls to the new ones, with the state."""
        dx, self.here = new - old, None
        if not dx.any():
            return
        if self.moved is not None and not self.gentle:
            tangent = dx @ self.moved
            period = self.problem.timing(new)[0]
            if np.abs(tangent * self.displacement.weights(period)).max() < AT_ONCE:
                self.displacement.move(tangent)
                self.problem.put_quietly(new)
                return
        lead(self.problem, old, new)

    def _marched(self, x: np.ndarray, needed: float) -> TrialPoint | None:
        """Periods until the state changes by less than `needed` in one of them."""
        problem, sim = self.problem, self.problem.sim
        period, step, steps = problem.timing(x)
        changes: list[float] = []
        closable, closed = True, np.inf
        miss = None
        if not sim.started:
            self.turner(step, steps)
        while True:
            before, raw = read(sim), sim.system.arrays.state.copy()
            results = self.turner(step, steps)
            changes.append(self.turner.change(before, period))
            y = problem.measure(results)
            if not (np.isfinite(y).all() and np.isfinite(changes[-1])):
                self.failure = "a target is not finite"
                return None
            if changes[-1] < needed or self._long_enough(changes):
                break
            old_miss, miss = miss, sim.system.arrays.state - raw
            if old_miss is not None:
                self._keep(old_miss, miss)
            if changes[-1] > WORTH * closed:  # it was not worth it: here motions are not small, or not smooth
                closable, self._pairs = False, []
            closed = np.inf
            small = changes[-1] < SMALL or (len(changes) > 3 and changes[-1] > WORTH * changes[-3])
            if closable and small and changes[-1] > FLOOR and self._close(miss, period):
                miss, closed = None, changes[-1]
        self.here = TrialPoint(
            x, y, changes[-1], len(changes), changes[-1] < self.settle and drives_repeat(sim, period), results,
            snapshot(sim), problem.angles(results),
        )  # fmt: skip
        return self.here

    def _long_enough(self, changes: list[float]) -> bool:
        if self.periods is not None:
            return len(changes) >= self.periods
        stuck = len(changes) > WATCHED and min(changes[-WATCHED:]) > 0.5 * min(changes[:-WATCHED])
        return stuck or len(changes) >= LONGEST

    # ---- what is left
    def _keep(self, a: np.ndarray, followed: np.ndarray) -> None:
        """A small motion and what becomes of it in a period."""
        self._pairs = [*self._pairs, (a, followed)][-PAIRS:]

    def _close(self, miss: np.ndarray, period: float) -> bool:
        """Moves the run onto its periodic motion, as far as the pairs tell; whether they tell enough."""
        if len(self._pairs) < 2 or self.turner.flies:
            return False
        weights = self.displacement.weights(period)
        A, F = (np.array(part) for part in zip(*self._pairs, strict=True))
        size = np.linalg.norm(A * weights, axis=1)[:, None]
        A, F = A / size, F / size
        missed, D = miss * weights, ((A - F) * weights).T
        amounts = np.linalg.lstsq(D, missed, rcond=COUNTS)[0]
        left = np.linalg.norm(missed - D @ amounts) / np.linalg.norm(missed)
        tangent = amounts @ F
        if not left < LEFT or not np.abs(tangent * weights).max() < AT_ONCE:
            return False
        self.displacement.move(tangent)
        return True

    # ---- what controls do
    def slopes(self, base: TrialPoint) -> tuple[np.ndarray, TrialPoint]:
        """d(targets) / d(controls), and the motion after the periods that this took. Raises `NotSmooth`."""
        self._go(base)
        try:
            return self._with_tangents(base)
        except NotSmooth:  # of pivots, perhaps, that do not suit all of the period
            self.here = None
            self._go(base)
            self.problem.sim.analyse_for(self.problem.timing(base.x)[1])
            return self._with_tangents(base)

    def _with_tangents(self, base: TrialPoint) -> tuple[np.ndarray, TrialPoint]:
        self.here, self._pairs = None, []
        problem, sim = self.problem, self.problem.sim
        period, step, steps = problem.timing(base.x)
        along, weights, every = self._along(), self.displacement.weights(period), _every(steps)
        unseen, early = round(UNSEEN * steps), every * round((UNSEEN - EARLY) * steps / every)
        self._turn(along, step, unseen - early, 0)
        first = self._turn(along, step, early, every)
        states, slopes = [along.tangents.copy()], list[np.ndarray]()
        while True:
            before = read(sim)
            results, moved = self._turn(along, step, steps, every)
            slopes.append(self._slopes(results, moved))
            states.append(along.tangents.copy())
            if len(slopes) == 1 and self._alike(self._slopes(*_earlier(first, (results, moved))), slopes[0]):
                break
            if self._good(states, weights) or len(slopes) >= MOST_TANGENTS:
                break
        J, self.moved = self._limit(slopes, states, weights)
        change = self.turner.change(before, period)
        self.here = TrialPoint(  # of fewer samples: not the last word
            base.x, problem.measure(results), change, base.periods + len(slopes) + 1, False, results, snapshot(sim),
            problem.angles(results),
        )  # fmt: skip
        return J, self.here

    def _slopes(self, results: Results, moved: list[Results]) -> np.ndarray:
        """d(targets) / d(controls) from a period and its tangents."""
        pairs = list(zip(moved, self.nudge, strict=True))
        return np.array([[slope_of(m, results, one, n) for one, n in pairs] for m in self.problem.measures])

    def _alike(self, a: np.ndarray, b: np.ndarray) -> bool:
        """Whether derivatives of the targets over two periods, a little apart, are alike enough."""
        return bool((np.abs(b - a) @ self.nudge <= ALIKE * (np.abs(b) @ self.nudge)).all())

    def _along(self) -> Along:
        """Tangents by the controls, all zero; what is around them is made once for a simulation."""
        sim, controls = self.problem.sim, tuple(self.problem.controls)
        named, layout = sim.system.parameters.named, sim.system.layout
        sim.claim()
        made = _MADE.setdefault(sim, {})
        if controls not in made:
            changes = [
                Change(parameters={name: 1.0}) if name in named else Change(inputs={name: 1.0}) for name in controls
            ]
            made[controls] = make_along(sim, changes, np.zeros((len(controls), layout.state_size)))
        along = made[controls]
        along.tangents[:] = 0.0
        for row, name in zip(along.tangents, controls, strict=True):
            if name not in named:
                row[layout.input(name)] = 1.0
        return along

    def _turn(self, along: Along, step: float, steps: int, every: int) -> Turn:
        """Some steps with their tangents; every: how many of them are between two records, 0 for none at all."""
        sim, columns, count = self.problem.sim, self.turner.columns, len(self.problem.controls)
        size = steps // every if every else 0
        times, rows, slopes = np.zeros(size), np.zeros((size, columns.size)), np.zeros((size, count, columns.size))
        status, *_ = march_along(sim, along, step, steps, every or steps + 1, columns, times, rows, slopes)
        if status != Status.OK:
            raise failure(sim, status)
        channels = self.turner.channels
        return Results(channels, times, rows), [Results(channels, times, slopes[:, k]) for k in range(count)]

    def _good(self, states: list[np.ndarray], weights: np.ndarray) -> bool:
        """Whether derivatives have settled, as far as can be foreseen from their last changes."""
        size = np.maximum(np.linalg.norm(states[-1] * weights, axis=1), 1e-300)

        def step(k: int) -> float:
            return float((np.linalg.norm((states[k] - states[k - 1]) * weights, axis=1) / size).max())

        ratio = USUAL if len(states) < 3 else min(step(-1) / max(step(-2), 1e-300), 0.99)
        return step(-1) * ratio / (1.0 - ratio) < GOOD

    def _limit(
        self, slopes: list[np.ndarray], states: list[np.ndarray], weights: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Where derivatives of the targets and of the state tend to."""
        if len(slopes) < 2:
            return slopes[-1], states[-1]
        changes = [b - a for a, b in pairwise(states)]
        A, F = np.vstack(changes[:-1]), np.vstack(changes[1:])
        for a, f, n in zip(A, F, np.tile(self.nudge, len(changes) - 1), strict=True):
            self._keep(n * a, n * f)
        D, rest = ((A - F) * weights).T, (changes[-1] * weights).T
        amounts = np.linalg.lstsq(D, rest, rcond=COUNTS)[0]
        left = np.linalg.norm(rest - D @ amounts, axis=0) / np.maximum(np.linalg.norm(rest, axis=0), 1e-300)
        if left.max() > LEFT:
            return slopes[-1], states[-1]
        steps = np.hstack([b - a for a, b in pairwise(slopes)])
        return slopes[-1] + steps @ amounts, states[-1] + amounts.T @ F


def _earlier(first: Turn, then: Turn) -> Turn:
    """The period that began with the first of two stretches, of as many records as the second has."""
    count = len(then[0])

    def joined(a: Results, b: Results) -> Results:
        return Results(b.channels, np.concatenate([a.time, b.time])[:count], np.concatenate([a.table, b.table])[:count])

    return joined(first[0], then[0]), [joined(a, b) for a, b in zip(first[1], then[1], strict=True)]


def _every(steps: int) -> int:
    """Steps between two records of tangents: derivatives of low harmonics do not need all."""
    return next((k for k in (4, 3, 2) if steps % k == 0 and steps // k >= SAMPLES), 1)
