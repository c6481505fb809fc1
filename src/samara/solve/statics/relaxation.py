"""Relaxation: descent from any pose to a stable equilibrium, where Newton's method finds none or a wrong one.

Motions that the joints allow follow the forces, c + S p = 0, by a trust-region method (Conn, Gould and Toint, Trust
Region Methods, 2000, ch. 7; More and Sorensen 1983):

    p = -(S + mu)^-1 c,     mu > -least eigenvalue of S,   so large that no part moves by more than the radius

S + mu has no negative eigenvalue, so every step is a descent step, even if the mechanism is unstable; at a maximum,
where c = 0, it follows the most unstable motion. A straight step opens the joints and strains stiff parts; corrections
with the same matrix lead to the pose where the forces have the predicted value c + S p, like a backward Euler step of
an overdamped motion. The work of the forces along the step (trapezoidal rule, constraint gaps counted with their
reactions) is compared with the prediction from c and S: if they agree the radius grows, otherwise it shrinks. No energy
function is needed, and follower loads are allowed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from samara.model import Model
from samara.solve.errors import SolveError
from samara.solve.mechanism.at_rest import remains, sizes
from samara.solve.mechanism.tangent_space import Compliance, Tangent, tangent
from samara.solve.report.wording import in_words, motion, some
from samara.solve.simulation import Simulation

#: Bounds on the steps and on their time [s]; the first radius and the largest, in rad and of the mechanism's size.
MOST_STEPS, MOST_SECONDS, FIRST_RADIUS, LARGEST_RADIUS = 400, 120.0, 0.1, 0.5
#: Work below this, of the largest force over the mechanism's size, says nothing.
WORK_ROUNDING = 1e-9
#: Steps of the largest radius after which it is clear that a motion has no end, if forces stay the same to this part.
ENDLESS_STEPS, STEADY_FORCE = 20, 1e-6
#: Way of a node, of the mechanism's size, after which it is lost.
LOST_WAY = 30.0
#: Forces below this, of the largest, drive nothing.
SLIGHT_FORCE = 1e-6
#: What to do about it.
HOLD = "hold it by a joint, a spring or a stop, or balance its load"
HOLD_STATE = "tie it to what has a value, or lead off what drives it"
NEARER = "start nearer to an equilibrium, let a damped transient settle, or hold it if there is none"
#: Least mu where a motion meets no stiffness, of the largest force by the mechanism's size: rounding moves nothing far.
LEAST_DRAG = 1e-5
#: Bounds on the corrections of a step and on the trials of its mu; the part of the radius that a step must reach.
MOST_CORRECTIONS, MOST_TRIALS, RADIUS_PART = 20, 60, 0.7
#: Work of a step over what was expected: a step is taken back below the first, and the radius grows above the second
#: (the usual bounds of trust regions); how a radius shrinks then, and how far a step must reach for it to grow.
POOR_STEP, GOOD_STEP, RADIUS_CUT, REACH_TO_GROW = 0.1, 0.7, 0.3, 0.8
#: mu: the first, of the least; its growth; two of them that are the same; the part of the radius that is aimed at, and
#: the strongest decrease.
FIRST_DRAG, DRAG_GROWTH, SAME_DRAG, AIM_PART, DRAG_CUT = 4.0, 3.0, 1.02, 0.9, 0.1
#: Growth of mu until a strained pose is stable.
FIRMING = 10.0
#: Ratio of corrections beyond which matrices are renewed, and the last correction, of the step.
SLOW_CONTRACTION, LAST_CORRECTION = 0.3, 1e-3


@dataclass(frozen=True)
class Relaxed:
    """Outcome of a relaxation: final pose, number of steps, and why it is not in equilibrium (empty: it is).

    endless: whether it would move forever because nothing holds it.
    """

    tangent: Tangent
    steps: int
    message: str
    endless: bool = False


@dataclass(frozen=True)
class _Step:
    """A motion y downhill, its mu, how far it goes, and what gives motions under other forces."""

    y: np.ndarray
    mu: float
    size: float
    compliance: Compliance


def relax(sim: Simulation, tolerance: float) -> Relaxed:
    """Moves the simulation, at rest, downhill until steps are below the tolerance where no motion is unstable."""
    radius, size, steps, mu, alike = FIRST_RADIUS, np.inf, 0, 0.0, 0
    here, end = tangent(sim), time.monotonic() + MOST_SECONDS
    change, start = here.settling(), _places(sim)
    while steps < MOST_STEPS and time.monotonic() < end and radius >= tolerance:
        step = _step(sim, here, radius, mu)
        change, mu = here.settling() + here.change(step.y), step.mu
        size = _size(sim, change)
        if size < tolerance:
            endless = here.follow.endless
            return Relaxed(here, steps, restless(sim.model, endless) if endless else "", endless=bool(endless))
        steps += 1
        state = sim.state.copy()
        expected = here.force @ step.y + 0.5 * step.y @ (here.symmetric @ step.y)
        gained = _move(sim, here, change, step)
        ratio = gained / expected if expected < -WORK_ROUNDING * here.load * sim.length else 1.0
        if not ratio > POOR_STEP:
            sim.state.restore(state)
            radius = RADIUS_CUT * min(radius, size)
            continue
        alike = alike + 1 if abs(ratio - 1.0) < STEADY_FORCE and size > 0.5 * RADIUS_PART * LARGEST_RADIUS else 0
        if alike == ENDLESS_STEPS or np.abs(_places(sim) - start).max(initial=0.0) > LOST_WAY * sim.length:
            break
        if ratio > GOOD_STEP and size > REACH_TO_GROW * RADIUS_PART * radius:
            radius = min(2.0 * radius, LARGEST_RADIUS)
        here = tangent(sim)
    words, hold = _in_words(sim, change)
    if alike == ENDLESS_STEPS:
        return Relaxed(here, steps, f"nothing holds it back where {words}; {hold}", endless=True)
    return Relaxed(here, steps, f"it still moves by {size:.2g} a step after {steps} steps: {words}; {NEARER}")


def _in_words(sim: Simulation, change: np.ndarray) -> tuple[str, str]:
    """What moves most, of its size, a joint with its nodes or a state, and what would hold it."""
    first, part = 6 * len(sim.system.layout.free), np.abs(change) / sizes(sim)
    k = int(np.argmax(part))
    if k >= first and part[k] > 0.0:
        return f"state {sim.system.layout.states[k - first].name!r} changes", HOLD_STATE
    return in_words(motion(sim, change)), HOLD


def restless(model: Model, names: tuple[str, ...]) -> str:
    """That what these states store, together, never comes to rest; with the elements that meet there."""
    met = [e.name for e in model.elements.values() if any(x.name in names for x in e.states())]
    one = len(names) == 1
    which = f"equation of state {names[0]!r} has" if one else f"equations of states {some(list(map(repr, names)))} have"
    return (
        f"the {which} no solution at rest: what flows in or drives {'it' if one else 'them'} does not end (look at "
        f"{some(list(map(repr, met)))}); lead it off, or let it run in time"
    )


def _places(sim: Simulation) -> np.ndarray:
    """Where the nodes are [m], shape (nodes, 3)."""
    return sim.state.positions


def drift(sim: Simulation) -> str:
    """Where the forces drive what nothing ties to the ground, in words; nothing where there are none."""
    here = tangent(sim)
    if not np.abs(here.force).max(initial=0.0) > SLIGHT_FORCE * here.load:
        return ""
    about = _firm_enough(here, _least(sim, here))
    return f", and its loads drive it: {in_words(motion(sim, here.change(about(-here.force))))}"


def _least(sim: Simulation, here: Tangent) -> float:
    """Least mu where a motion meets no stiffness [N/m]."""
    return LEAST_DRAG * here.load / sim.length + 2.0 * here.noise


def _step(sim: Simulation, here: Tangent, radius: float, guess: float) -> _Step:
    """Motion downhill, no longer than the radius and, where mu holds it back, not much shorter; mu near the guess."""
    least = _least(sim, here)
    for mu in (0.0, least):
        found = _tried(sim, here, mu)
        if found is not None:
            break
    if found is not None and found.size <= radius:
        return found
    below, unstable, found = mu, found is None, None
    mu = max(guess, FIRST_DRAG * least)
    for _ in range(MOST_TRIALS):
        trial = _tried(sim, here, mu)
        if trial is None or trial.size > radius:
            below, unstable = mu, trial is None
            mu = DRAG_GROWTH * mu if found is None else np.sqrt(mu * found.mu)
        else:
            found = trial
            if found.size >= RADIUS_PART * radius or mu < SAME_DRAG * below:
                break
            mu = max(np.sqrt(max(below, least) * mu), mu * max(found.size / (AIM_PART * radius), DRAG_CUT))
    if found is None:
        raise SolveError(f"model {sim.model.name!r}: relaxation found no descent direction; start elsewhere")
    return _tipped(sim, here, found, radius) if unstable and found.size < RADIUS_PART * radius else found


def _tried(sim: Simulation, here: Tangent, mu: float) -> _Step | None:
    """The step with this mu; None where a motion is unstable in spite of it."""
    about = here.compliance(mu)
    if about is None:
        return None
    y = about(-here.force)
    return _Step(y, mu, _size(sim, here.change(y)), about)


def _tipped(sim: Simulation, here: Tangent, step: _Step, radius: float) -> _Step:
    """A step on top of a hill: along the most unstable motion, to the side where it goes already, up to the radius."""
    side = np.random.default_rng(0).normal(size=step.y.size)
    for _ in range(6):
        side = step.compliance(side)
        side /= np.linalg.norm(side)
    side = side if side @ step.y >= 0.0 else -side
    y = step.y + side * (radius - step.size) / _size(sim, here.change(side))
    return _Step(y, step.mu, radius, step.compliance)


def _size(sim: Simulation, change: np.ndarray) -> float:
    """Largest change of a coordinate: of the mechanism's size, in rad, or of a state's size."""
    return float((np.abs(change) / sizes(sim)).max(initial=0.0))


def _move(sim: Simulation, here: Tangent, change: np.ndarray, step: _Step) -> float:
    """Makes a step, and returns the work that it takes [J]: negative downhill, nan where it leads astray.

    Corrections close the joints and bring the forces to what the step foretold. Old matrices are good as long as they
    contract.
    """
    foretold, leads = here.force + here.stiffness @ step.y, here.follow.leads
    first = _equations(sim)[leads]
    total, length = change.copy(), _size(sim, change)
    about, compliance, last = here, step.compliance, length
    sim.state.move(change)
    for _ in range(MOST_CORRECTIONS):
        rows = _equations(sim)
        goal = foretold - step.mu * (total - change)[leads] / here.scale
        more = _correction(sim, about, compliance, rows, goal)
        if not _size(sim, more) < SLOW_CONTRACTION * last:
            about = tangent(sim)
            compliance = _firm_enough(about, step.mu)
            more = _correction(sim, about, compliance, rows, goal)
        last = _size(sim, more)
        if last < LAST_CORRECTION * length and compliance.mu <= max(step.mu, about.noise):
            return float(0.5 * (first + rows[leads]) @ total[leads])
        if not last < 2.0 * length:
            break
        total += more
        sim.state.move(more)
    return np.nan


def _firm_enough(about: Tangent, mu: float) -> Compliance:
    """With this mu, or as much more as a strained pose needs to be stable."""
    mu = max(mu, about.noise)
    while (found := about.compliance(mu)) is None:
        mu *= FIRMING
    return found


def _equations(sim: Simulation) -> np.ndarray:
    """Forces, and the gaps of all constraints: what is released has its reaction in its row, which is no gap."""
    s = sim.system
    rows = remains(sim)
    if s.releases is not None:
        rows[s.layout.coordinates :] += s.releases.give * sim.state.multipliers
    return rows


def _correction(
    sim: Simulation, about: Tangent, compliance: Compliance, rows: np.ndarray, goal: np.ndarray
) -> np.ndarray:
    """Newton's, towards closed joints and forces as they should be."""
    force = about.scale * rows[about.follow.leads]
    return about.change(about.closing(about.holding @ rows) - compliance(force - goal))
