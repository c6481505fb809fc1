"""The function `trim`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from samara.analysis.periodic_motion.periodic import drives_repeat
from samara.analysis.trim.problem.plan import Period
from samara.analysis.trim.problem.problem import Problem
from samara.analysis.trim.problem.request import Limits, clock_of, requested
from samara.analysis.trim.problem.target import Target
from samara.analysis.trim.safety import searched
from samara.analysis.trim.search import Explorer, Search, SearchEnd
from samara.analysis.trim.solution import Trim
from samara.analysis.trim.trials.drift import drift
from samara.analysis.trim.trials.marching import Marching
from samara.analysis.trim.trials.orbit import Orbit
from samara.analysis.trim.trials.turn import described
from samara.arguments import ArgumentError, finite, names, one_of, positive, whole
from samara.method.given import method_of
from samara.model import Model
from samara.solve import Integrator, Simulation
from samara.solve.as_simulation import as_simulation
from samara.solve.store.checkpoint import restore
from samara.system.system import System

Method = Literal["auto", "orbit", "marching"]
#: Ends of a search along orbits that marching looks at once more.
DOUBTED = ("singular", "not met", "iterations", "not periodic")
#: Change of the state a period that counts as settled, of the tolerance, and its bounds.
SETTLE, LEAST_SETTLE, MOST_SETTLE = 1e-2, 1e-9, 1e-5


def trim(
    model: Model | System | Simulation,
    controls: Mapping[str, float],
    targets: Mapping[Target, float],
    *,
    period: Period,
    step: float | None = None,
    steps: int | None = None,
    limits: Limits | None = None,
    safe: Mapping[str, float] | None = None,
    nudges: Mapping[str, float] | None = None,
    sizes: Mapping[Target, float] | None = None,
    tolerance: float = 1e-4,
    settle: float | None = None,
    periods: int | None = None,
    iterations: int = 30,
    integrator: Integrator | None = None,
    outputs: str | tuple[str, ...] = (),
    method: Method = "auto",
    turning: float = 0.0,
) -> Trim:
    """Trims a model: finds controls for which averages or harmonics of a periodic motion have given values.

        y(x) = y_target,   y: evaluated over one period of the periodic motion with the controls x

    controls:  {name of a `Parameter` or an `Input`: first guess}; changed without recompilation, gradually over a
               period.
    targets:   {what: value}, as many as controls. What: the name of a channel for its mean ("rotor.thrust",
               "rotor.moment.x"), a `Harmonic`, or a function of one period's `Results`. Zero torque is autorotation: by
               pitch or wind at a given speed, or with the speed as a control, of a hub held by a `PrescribedRate`.
    period:    of the motion [s], one revolution. Where the speed of the rotor is a control, a function of the controls:
               ``lambda controls: 2 * np.pi / controls["speed"]``. A `Harmonic` then needs an azimuth channel.
    step, steps: the step [s], which must divide the period, or how many there are in a period.
    limits:    {control: (lowest, highest)}, besides those of the parameter itself.
    safe:      {control: value} for which the motion settles, to restart from if the guess fails; by default the guess
               scaled down, zero controls, and the middle of the limits.
    nudges:    {control: a small change of it}; 1 percent of the control, 0.002 at least.
    sizes:     {target: size}; a target is met within tolerance times its size. Without: the value itself, or, where
               that is zero, how much the target changes when all controls change by their guess (0.1 at least).
    settle:    change of the state a period with which a motion counts as periodic, see `periodic`; without: a hundredth
               of the tolerance. periods: that a motion may take for it; without: as many as it needs, as long as it
               comes closer. iterations: on the controls. outputs: channels to keep in the results, besides those of the
               targets.
    method:    "orbit": the periodic motion and the controls are found together, with derivatives of both
               (`analysis.trim.trials.orbit`); "marching": each trial is marched until it settles, and sensitivities
               come from nudges; "auto": the first, and the second where forces jump or the period follows a control.

    turning:   rate at which the motion as a whole turns about the world's z axis [rad/s], that of a craft in a steady
               turn, see `periodic`; it is found by marching.

    Newton's method with Broyden updates in a trust region that shrinks after unsuccessful steps and avoids stall. A
    guess that fails, or leads to mostly stalled blades, is abandoned for a safe point. Targets that cannot be met are
    not an error: the best point is returned, with the reason: see `Trim.table`.
    """
    what = requested(controls, targets, limits=limits, safe=safe, nudges=nudges, sizes=sizes)
    clock = clock_of("trim", period, step, steps, what.targets)
    tolerance = positive("trim: tolerance", tolerance)
    settle = None if settle is None else positive("trim: settle", settle)
    periods = None if periods is None else whole("trim: periods", periods)
    iterations = whole("trim: iterations", iterations)
    one_of("trim: method", method, get_args(Method))
    if finite("trim: turning", turning) and method == "orbit":
        raise ArgumentError("trim: a motion that turns is found by marching: leave out method, or turning")
    kept = names("trim: outputs", outputs, "") if outputs else ()
    sim = as_simulation("trim", model, method_of(trim, None, {"integrator": integrator}))
    wanted = np.array(list(what.targets.values()))
    problem = Problem(sim, list(what.controls), list(what.targets), wanted, clock, kept)
    low, high = problem.limits(what.limits)
    start = problem.start("the first guess", what.controls, low, high)
    problem.timing(start)
    nudge = problem.nudges(what.nudges, start)
    given = np.array([what.sizes.get(t, abs(v)) for t, v in what.targets.items()], float)
    close = _settle(tolerance) if settle is None else settle
    ways = _ways(problem, "marching" if turning else method, low, high, nudge, close, periods, turning)
    search = Search(problem, ways[0](), low, high, nudge, given, tolerance, close, iterations)
    begin = None if what.safe is None else problem.start("safe", what.safe, low, high)
    outcome, said = searched(search, ways, start, begin)
    if method == "auto" and outcome.status in DOUBTED and not search.explorer.exact and outcome.best is not None:
        # derivatives of the orbit may mislead: what stands in the way is said by motions that were marched to
        problem.put(outcome.best.x)
        restore(sim, outcome.best.saved)
        again = Search(problem, ways[-1](), low, high, nudge, given, tolerance, close, iterations)
        again.history.extend(search.history)
        search = again
        outcome, said = searched(search, ways[-1:], outcome.best.x, begin)
    usual = _settle(tolerance)
    if settle is not None and settle > usual and outcome.best is not None:
        outcome = _examined(search, outcome, tolerance, settle, usual)
    return _result(search, outcome, start, said)


def _ways(
    problem: Problem,
    method: Method,
    low: np.ndarray,
    high: np.ndarray,
    nudge: np.ndarray,
    close: float,
    periods: int | None,
    turning: float,
) -> list[Callable[[], Explorer]]:
    """What makes the explorers that a method may take, in order; with "auto", marching is the last."""

    def march() -> Explorer:
        return Marching(problem, low, high, nudge, close, periods, turning)

    def orbit() -> Explorer:
        return Orbit(problem, nudge, close, periods)

    if method == "orbit":
        return [orbit]
    if method == "auto" and not problem.clock.variable and problem.sim.division.is_whole:
        return [orbit, march]
    return [march]


def _settle(tolerance: float) -> float:
    """Change of the state a period that counts as settled, for targets that are met to a tolerance."""
    return float(np.clip(SETTLE * tolerance, LEAST_SETTLE, MOST_SETTLE))


def _examined(search: Search, outcome: SearchEnd, tolerance: float, settle: float, usual: float) -> SearchEnd:
    """Names a settle that is too coarse as the reason, instead of the controls."""
    assert outcome.best is not None
    rest = float((drift(search.problem, outcome.best) / outcome.size).max())
    search.explorer.here = None
    if rest <= tolerance or outcome.status in ("limited", "diverged"):
        return outcome
    reason = (
        f"settle = {settle:g} is too coarse for a tolerance of {tolerance:g}: the targets still change by {rest:.1g} "
        f"of their size; leave it out, or give {usual:g}"
    )
    return replace(outcome, status="not periodic", reason=reason, best=replace(outcome.best, settled=False))


def _result(search: Search, outcome: SearchEnd, start: np.ndarray, said: str) -> Trim:
    problem, best = search.problem, outcome.best
    limits = dict(zip(problem.controls, zip(map(float, search.low), map(float, search.high)), strict=True))
    method = "marching" if search.explorer.exact else "orbit"
    labels = problem.labels
    if best is None:
        problem.put(start)
        nothing = dict.fromkeys(labels, float("nan"))
        return Trim(
            problem.named(start), nothing, nothing, np.inf, np.inf, outcome.status, outcome.reason, outcome.J,
            search.history, None, problem.sim, limits=limits, tolerance=search.tolerance, method=method,
        )  # fmt: skip
    if search.explorer.here is not best:
        problem.put(best.x)
        restore(problem.sim, best.saved)
    missed, status, message = best.y - problem.wanted, outcome.status, outcome.reason
    error = float(np.abs(missed / outcome.size).max())
    worst = int(np.argmax(np.abs(missed / outcome.size)))
    aim = f"{labels[worst]} is {best.y[worst]:.5g} where {problem.wanted[worst]:.5g} is wanted"
    warnings = [said] if said else []
    if status == "met":
        message = f"all targets within {error:.1g} of their size"
        if best.air.deep:
            status, message = "stalled", f"{message}, but sections are stalled: {best.air.said}"
        elif best.air.said:
            warnings.append(f"sections may stall: {best.air.said}")
    elif status != "not periodic":
        message = f"{aim}: {message}"
    if not best.settled:
        message += f"; the motion still changes by {best.change:.2g} a period"
        if not drives_repeat(problem.sim, problem.timing(best.x)[0]):
            message += ", and the drives are not the same a period later: let what ramps or steps end before"
    _, step, _ = problem.timing(best.x)
    return Trim(
        problem.named(best.x), dict(zip(labels, map(float, best.y), strict=True)),
        dict(zip(labels, map(float, missed), strict=True)), error, best.change, status, message, outcome.J,
        search.history, described(problem.sim, problem.kept(best.results), step), problem.sim, problem.plan(best.x),
        limits, dict(zip(labels, map(float, outcome.size), strict=True)), search.tolerance, best.air, tuple(warnings),
        method,
    )  # fmt: skip
