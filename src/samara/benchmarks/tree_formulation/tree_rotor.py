"""A rigid rotor in vacuum in the recursive formulation and in MuJoCo: time at equal accuracy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np

from samara.benchmarks.cases import trees
from samara.benchmarks.cases.samara_tree import TreeRun
from samara.benchmarks.peers import missing
from samara.benchmarks.rows import Row, Timing, interleave, ratio
from samara.solve.tree.schemes import RungeKutta4, SemiImplicitEuler

CASE = "rotor-4"
#: Steps per revolution that are compared, and those whose errors are known besides.
COMPARED = 90
TRIED = (12, 18, 24, 36, 48, 60, 90, 120, 180, 360, 720, 1440)
TURN = 2.0 * np.pi / trees.SPEED


class RotorRun(Protocol):
    """A rotor that can be reset and advanced."""

    def fresh(self) -> None:
        """Returns to the start."""

    def advance(self, step: float, steps: int) -> None:
        """Takes this many steps [s]."""

    @property
    def coordinates(self) -> np.ndarray:
        """The hub's angle, then flap and lag of each blade [rad]."""


def rotor(repeats: int, revolutions: int, finest: int) -> Iterator[Row]:
    """Errors of the blade angles over the steps, time per step, and both together."""
    spec, without = trees.rotor(), missing("mujoco")
    runs: dict[str, RotorRun] = {
        "RungeKutta4": TreeRun(spec, RungeKutta4()),
        "SemiImplicitEuler": TreeRun(spec, SemiImplicitEuler()),
    }
    if without is None:
        from samara.benchmarks.peers import mujoco_tree

        runs |= {"MuJoCo RK4": mujoco_tree.MujocoRun(spec, "RK4"), "MuJoCo Euler": mujoco_tree.MujocoRun(spec, "Euler")}
    right = angles(runs["RungeKutta4"], 2 * finest, revolutions)
    errors = {name: errors_of(run, right, revolutions, finest) for name, run in runs.items()}
    timings = _timings(runs, repeats)
    spent = {name: timing.scaled(1e6 / COMPARED) for name, timing in timings.items()}
    if without is None:
        other = float(np.sqrt(np.mean((angles(runs["MuJoCo RK4"], 2 * finest, revolutions) - right) ** 2)))
        note = f"of the reference, RungeKutta4 at {2 * finest} steps per revolution, and MuJoCo's RK4 at the same"
        yield Row(CASE, "reference_difference", other, "rad", "", note)
    for name, suffix in (("RungeKutta4", ""), ("SemiImplicitEuler", "_semi_implicit")):
        yield from _run_rows(name, "", suffix, spent[name], errors[name], revolutions)
    if without is not None:
        yield Row(CASE, "speedup_at_equal_accuracy", float("nan"), "x", "", f"left out: {without}")
        return
    for name, suffix in (("MuJoCo RK4", "_rk4"), ("MuJoCo Euler", "_euler")):
        yield from _run_rows(name, "mujoco_", suffix, spent[name], errors[name], revolutions)
    for ours, theirs, suffix in (
        ("RungeKutta4", "MuJoCo RK4", ""),
        ("SemiImplicitEuler", "MuJoCo Euler", "_euler"),
    ):
        wanted = errors[theirs][COMPARED]
        steps, bound = steps_for(errors[ours], wanted)
        gain = ratio(timings[theirs], timings[ours]) * COMPARED / steps
        note = f"{theirs} at {COMPARED} steps per revolution, {ours} at {bound}{steps:.0f}: errors of {wanted:.2g} rad"
        yield Row(CASE, f"speedup_at_equal_accuracy{suffix}", gain, "x", "", note)


def _run_rows(
    name: str, before: str, after: str, spent: Timing, errors: Mapping[int, float], revolutions: int
) -> Iterator[Row]:
    note = f"{name}, {COMPARED} steps per revolution; {spent.best:.2f} to {spent.percentile(95):.2f} us"
    yield Row(CASE, f"{before}us_per_step{after}", spent.median, "us", "", note)
    others = ", ".join(f"{n}: {e:.1e}" for n, e in errors.items() if n != COMPARED)
    note = f"of flap and lag, root mean square over {revolutions} revolutions; by steps per revolution {others}"
    yield Row(CASE, f"{before}error{after}", errors[COMPARED], "rad", "", note)


def _timings(runs: Mapping[str, RotorRun], repeats: int) -> dict[str, Timing]:
    """CPU times of one revolution [s], each from the start."""
    calls: dict[str, Any] = {name: partial(_revolution, run) for name, run in runs.items()}
    return interleave(calls, setups={name: run.fresh for name, run in runs.items()}, repeats=repeats)


def _revolution(run: RotorRun, _: None) -> None:
    run.advance(TURN / COMPARED, COMPARED)


def angles(run: RotorRun, steps: int, revolutions: int) -> np.ndarray:
    """Flap and lag of all blades after each revolution of the nominal speed, shape (revolutions, 8) [rad]."""
    run.fresh()
    found = []
    for _ in range(revolutions):
        run.advance(TURN / steps, steps)
        found.append(run.coordinates[1:])
    return np.array(found)


def errors_of(run: RotorRun, right: np.ndarray, revolutions: int, finest: int) -> dict[int, float]:
    """Root mean square of the differences [rad], by steps per revolution; what diverges is left out."""
    found = {}
    for steps in TRIED:
        if steps <= max(finest, COMPARED):
            try:
                error = float(np.sqrt(np.mean((angles(run, steps, revolutions) - right) ** 2)))
            except RuntimeError:
                continue
            if np.isfinite(error) and error < 1.0:
                found[steps] = error
    return found


def steps_for(errors: Mapping[int, float], wanted: float) -> tuple[float, str]:
    """Steps per revolution for an error, between those tried, log-log; "at most " where the fewest tried are enough.

    An error below all that were tried is extrapolated from the last two.
    """
    steps = np.array(sorted(errors, reverse=True), float)
    sizes = np.array([errors[int(n)] for n in steps])
    rising = np.maximum.accumulate(sizes)  # with longer steps
    if wanted >= rising[-1]:
        return float(steps[-1]), "at most "
    if wanted < rising[0]:
        slope = np.log(steps[0] / steps[1]) / np.log(rising[1] / rising[0])
        return float(steps[0] * (rising[0] / wanted) ** slope), ""
    return float(np.exp(np.interp(np.log(wanted), np.log(rising), np.log(steps)))), ""
