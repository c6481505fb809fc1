"""Safe points: where a search begins anew whose first guess led nowhere, or into stall.

Controls that are small do little: blades at small angles carry little, and do not stall. So the search goes on from the
guess scaled down, from no controls at all, or from the middle of the limits, whichever there is; or from where it is
told to. From there it continues to the targets in small steps, which grow as long as they do what derivatives say.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from samara.analysis.trim.problem.problem import Problem
from samara.analysis.trim.search import FAR, Explorer, Search, SearchEnd
from samara.model import ModelError
from samara.solve import ChangedStart, Simulation
from samara.solve.errors import NotSmooth
from samara.solve.store.checkpoint import restore, snapshot

#: Parts of the guess that are tried.
SCALED = (0.5, 0.0)
#: First change of the controls from a safe point, in nudges: it is some way to the targets, and the way counts.
CAREFUL = FAR / 4.0


class Entry:
    """The state that a simulation came in, to begin with once more."""

    def __init__(self, sim: Simulation) -> None:
        self.sim, self._saved = sim, snapshot(sim) if sim.started else None
        self._own = sim.step_state()
        self._left = False

    def back(self) -> None:
        """The simulation is as it came; parameters stay as they are. The first time it still is."""
        sim = self.sim
        if not self._left:
            self._left = True
            return
        if self._saved is not None:
            restore(sim, self._saved)
            return
        sim.put_step_state(self._own)


def safe_points(problem: Problem, start: np.ndarray, low: np.ndarray, high: np.ndarray) -> Iterator[np.ndarray]:
    """Controls at which a motion may settle, for a guess at which it does not; the nearest first."""
    bounded = np.isfinite(low) & np.isfinite(high)
    middle = 0.5 * (np.where(bounded, low, 0.0) + np.where(bounded, high, 0.0))
    seen = [start]
    for x in (*(np.clip(part * start, low, high) for part in SCALED), np.clip(middle, low, high)):
        try:
            problem.timing(x)
        except (ModelError, ArithmeticError):  # no period belongs to these
            continue
        if not any(np.allclose(x, known, rtol=0.0, atol=1e-3 * np.abs(start).max(initial=1e-3)) for known in seen):
            seen.append(x)
            yield x


def is_sound(outcome: SearchEnd) -> bool:
    """Whether an outcome may stand: met, or stopped for a reason that no other beginning takes away."""
    best = outcome.best
    if best is None or best.air.deep or not best.settled:
        return False
    return outcome.status in ("met", "limited", "singular")


def rank(outcome: SearchEnd, wanted: np.ndarray) -> tuple[int, float]:
    """The smaller, the better: met and not stalled, met, settled, the rest; then by the error."""
    best = outcome.best
    if best is None:
        return 4, np.inf
    error = float(np.abs((best.y - wanted) / outcome.size).max())
    if outcome.status == "met" and best.settled:
        return (1 if best.air.deep else 0), error
    return (2 if best.settled else 3), error


def searched(
    search: Search, ways: Sequence[Callable[[], Explorer]], start: np.ndarray, safe: np.ndarray | None
) -> tuple[SearchEnd, str]:
    """The search from a first guess and, where that is not sound, from safe points; and what is to be said of it.

    ways: new explorers, which know nothing of motions elsewhere; the next one is taken where forces jump on the way.
    """
    problem, entry = search.problem, Entry(search.problem.sim)
    outcome = first = _attempt(search, ways, entry, start, FAR, shy=True)
    others = [safe] if safe is not None else safe_points(problem, start, search.low, search.high)
    found_from = start
    for x in others if not is_sound(first) else ():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ChangedStart)  # the model was not described for these controls
            trial = _attempt(search, ways, entry, x, CAREFUL, shy=True)
        if rank(trial, problem.wanted) < rank(outcome, problem.wanted):
            outcome, found_from = trial, x
        if is_sound(trial):
            break
    if outcome.best is not None and not outcome.J.size:  # stalled wherever one begins
        outcome, found_from = _attempt(search, ways, entry, start, FAR), start
        first = outcome
    if outcome is first:
        return outcome, ""
    controls = ", ".join(f"{name} = {value:.3g}" for name, value in problem.named(found_from).items())
    return (
        outcome,
        f"the first guess led nowhere ({first.status}: {first.reason or 'stalled'}); begun anew at {controls}",
    )


def _attempt(
    search: Search, ways: Sequence[Callable[[], Explorer]], entry: Entry, x: np.ndarray, trust: float, shy: bool = False
) -> SearchEnd:
    """A search from controls x and the state at entry, by the first way that can be gone."""
    for number, make in enumerate(ways, 1):
        search.renew(make())
        search.problem.put(x)
        entry.back()
        try:
            return search.run(x, trust, shy=shy)
        except NotSmooth:
            if number == len(ways):
                raise
    raise AssertionError("there is no way at all")
