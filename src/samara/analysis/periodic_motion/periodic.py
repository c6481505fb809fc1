"""Periodic motion by marching whole periods until they repeat, or by shooting."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from samara.analysis.periodic_motion.shooting import shoot
from samara.analysis.periodic_motion.transition import largest
from samara.analysis.rotors.find import rotor_frames
from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import Posture, apart, read
from samara.arguments import ArgumentError, finite, one_of, positive, whole
from samara.method.given import method_of
from samara.model import Model, ModelError
from samara.results import Results
from samara.solve import Integrator, Simulation, SolveError, transient
from samara.solve.as_simulation import as_simulation
from samara.solve.errors import NotSmooth
from samara.system.system import System

#: By how much of a turn a period may miss it: the speed may pulsate.
ONE_TURN = 1e-3
Method = Literal["auto", "marching", "shooting"]
#: Changes of the state that are looked at to tell how fast a motion settles, and the shots that shooting may take.
SEEN, SHOTS = 5, 4
#: Periods that are marched where no number is given; after them so many must bring the motion closer by half; the most.
PERIODS, WATCHED, LONGEST = 60, 30, 1000
#: Periods that must be ahead before shooting is worth its preparations.
LEAST = 15
#: A step with the derivative along one direction, in plain steps.
DIRECTION = 0.2
#: Change below which rounding shows, and shooting is of no use.
FLOOR = 1e-10
#: Times the periods granted that shooting may cost.
GRANTED = 3.0
#: Most shots.
MOST = 12
#: Parts of a period at which drives are looked at: of no symmetry.
PHASES = (0.0, 0.137, 0.519, 0.781)
#: Part by which forces and gaps of joints may differ a period later, with the same state; and forces that are none [N].
REPEATS, TINY = 1e-6, 1e-9


@dataclass(frozen=True)
class Periodic:
    """The result of `periodic`.

    results:    one period: the requested outputs at every step, the last at the end of the period.
    residual:   largest change of the state over that period, see `periodic`.
    periods:    marched, those of shots included.
    settled:    whether the residual came below the tolerance, and drives are the same a period later.
    simulation: at the end of the period, to go on from.
    period, step [s]; shots: by how many it was found, 0 where it was marched to.
    """

    results: Results
    residual: float
    periods: int
    settled: bool
    simulation: Simulation
    period: float = 0.0
    step: float = 0.0
    shots: int = 0


def periodic(
    model: Model | System | Simulation,
    period: float,
    step: float,
    *,
    tolerance: float = 1e-6,
    periods: int | None = None,
    least: int = 2,
    outputs: str | tuple[str, ...] = ("*",),
    integrator: Integrator | None = None,
    method: Method = "auto",
    turning: float = 0.0,
) -> Periodic:
    """Finds a periodic motion of the given period [s], from the present motion or from the start.

    method: "marching": in time until the motion settles; "shooting": after the first periods by Newton's method, with
    the transition matrix of the period (`analysis.periodic_motion.shooting`); "auto": the cheaper one, judged from how
    fast the motion settles.

    The change of the state is the largest of: positions over the size of the mechanism, entries of the rotations,
    velocities over that size times 2 pi / period, angular velocities over 2 pi / period, scalar states over their value
    and scale. tolerance: of that change; least, periods: at least and at most that many are marched; without: 60, and
    on, to 1000, as long as 30 of them bring the motion closer by half. A part that nothing ties to the ground may fly
    on as a whole.

    turning: rate at which the whole motion turns about the world's z axis [rad/s], as of a craft flying a circle about
    it, whose motion repeats except for the turn made in a period. Found by marching; drives are not compared.

    The step [s] must divide the period, so that a rotor is at the same azimuth again. A rotor of free speed has no
    fixed period until it is steady: prescribe the speed, or regulate it, or use `trim` to find it.
    """
    period, step = positive("periodic: period", period), positive("periodic: step", step)
    tolerance = positive("periodic: tolerance", tolerance)
    periods, least = None if periods is None else whole("periodic: periods", periods), whole("periodic: least", least)
    one_of("periodic: method", method, get_args(Method))
    turning = finite("periodic: turning", turning)
    if turning and method == "shooting":
        raise ArgumentError("periodic: a motion that turns is marched to: leave out method, or turning")
    steps = whole_steps(period, step)
    sim = as_simulation("periodic", model, method_of(periodic, None, {"integrator": integrator}))
    before, results, count, shots, best = None, None, 0.0, 0, np.inf
    residuals, changes = [np.inf], list[float]()
    due = True
    while due or count < least or _granted(count, periods, changes):
        due = False
        results = transient(sim, sim.time + steps * step, step, outputs=outputs, progress=False)
        count += 1
        now = read(sim)
        if before is not None:
            residuals.append(change(sim, before.turned(turning * period), now, period))
            changes.append(residuals[-1])
        before = now
        if count >= least and residuals[-1] < tolerance and (turning or drives_repeat(sim, period)):
            break
        if turning:
            continue
        worth = FLOOR < residuals[-1] < 0.5 * best and _worth(sim, method, periods or PERIODS, residuals[1:], tolerance)
        if worth and drives_repeat(sim, period):
            best, residuals = residuals[-1], [np.inf]
            with suppress(NotSmooth):
                shot = shoot(sim, step, steps, exchangeable(sim, period, steps), 0.5 * tolerance, MOST)
                count, shots, before = count + shot.turns, shots + shot.shots, read(sim)
                due = True  # a period after every shot, to be looked at
    assert results is not None
    return Periodic(
        results=last(results, steps),
        residual=residuals[-1],
        periods=int(np.ceil(count)),
        settled=bool(residuals[-1] < tolerance and (turning or drives_repeat(sim, period))),
        simulation=sim,
        period=period,
        step=step,
        shots=shots,
    )


def _worth(sim: Simulation, method: Method, periods: int, residuals: list[float], tolerance: float) -> bool:
    """Whether shooting is expected to cost less than marching on, and not many times the allowed effort."""
    if method != "auto":
        return method == "shooting" and bool(residuals)
    if len(residuals) < SEEN:
        return False
    layout = sim.system.layout
    directions = 2 * max(1, layout.coordinates - layout.multiplier_count)
    ratio = (residuals[-1] / residuals[-SEEN]) ** (1.0 / (SEEN - 1))
    ahead = np.log(tolerance / residuals[-1]) / np.log(ratio) if ratio < 1.0 else np.inf
    return bool(LEAST + SHOTS * (1.0 + DIRECTION * directions) < min(ahead, GRANTED * periods))


def _granted(count: float, periods: int | None, changes: list[float]) -> bool:
    """Whether one more period may be marched; without a limit, as long as that brings the motion closer."""
    if periods is not None or count < PERIODS:
        return count < (periods or PERIODS)
    closer = len(changes) <= WATCHED or min(changes[-WATCHED:]) < 0.5 * min(changes[:-WATCHED])
    return closer and count < LONGEST


def drives_repeat(sim: Simulation, period: float) -> bool:
    """Whether forces and joints are those of a period later, in the present state at some times of a period."""
    n = sim.system.layout.coordinates
    loads, gaps, size = 0.0, 0.0, 0.0
    with sim.state.plain():
        time = sim.state.time
        for part in PHASES:
            now, later = (_rows_at(sim, time + (part + turns) * period) for turns in (0.0, 1.0))
            change = np.abs(later - now)
            loads, gaps = max(loads, change[:n].max(initial=0.0)), max(gaps, change[n:].max(initial=0.0))
            size = max(size, np.abs(now[:n]).max(initial=0.0))
    return bool(loads <= REPEATS * size + TINY and gaps <= REPEATS * max(1.0, sim.length))


def _rows_at(sim: Simulation, time: float) -> np.ndarray:
    sim.state.set_time(time)
    return sim.state.residual()


def require_repeating(sim: Simulation, period: float) -> None:
    """Rejects drives that differ a period later: no motion can then be periodic."""
    if not drives_repeat(sim, period):
        raise SolveError(
            f"the drives of model {sim.model.name!r} are not the same {period:.6g} s later, at t = {sim.time:.6g} s: "
            "give the period of the drives, and let ramps and steps end first (transient(sim, ...))"
        )


def exchangeable(sim: Simulation, period: float, steps: int) -> RotorFrame | None:
    """The rotor whose blades change places within the period: the only one, in one turn, with blades that are alike."""
    return exchanged(rotor_frames(sim), period, steps)


def exchanged(frames: Sequence[RotorFrame], period: float, steps: int) -> RotorFrame | None:
    """The same of known rotors."""
    if len(frames) != 1 or frames[0].count < 2 or not frames[0].alike or steps % frames[0].count:
        return None
    return frames[0] if abs(frames[0].speed * period / (2.0 * np.pi) - 1.0) < ONE_TURN else None


def change(sim: Simulation, before: Posture, now: Posture, period: float) -> float:
    """Of the state from one instant to another, in the measure of `periodic`."""
    return largest(sim, apart(sim, before, now, None), period)


def whole_steps(period: float, step: float) -> int:
    """Number of steps in a period; refuses a step that does not divide it."""
    steps = round(period / step)
    if steps < 1 or abs(steps * step - period) > 1e-9 * period:
        near = period / max(steps, 1)
        raise ModelError(
            f"a step of {step:.12g} s does not divide the period of {period:.12g} s; the nearest that does is "
            f"{near:.12g} s, {max(steps, 1)} steps"
        )
    return steps


def last(results: Results, count: int) -> Results:
    """The last samples of a run."""
    return Results(results.channels, results.time[-count:], results.table[-count:], results.attrs)
