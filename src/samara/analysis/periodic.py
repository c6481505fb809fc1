"""Periodic motion: march whole periods until one is like the one before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.model import Model, ModelError
from samara.model.arguments import positive, whole
from samara.results import Results
from samara.solve import Integrator, Simulation, transient
from samara.solve.given import simulation_of
from samara.system.blocks import ROTATION
from samara.system.system import System


@dataclass(frozen=True)
class Periodic:
    """A periodic motion, as far as it was found.

    results:    one period: what was asked for at every step, the last at the end of the period.
    residual:   largest change of the state over that period, see `periodic`.
    periods:    marched.
    settled:    whether the residual came below the tolerance.
    simulation: at the end of the period, to go on from.
    """

    results: Results
    residual: float
    periods: int
    settled: bool
    simulation: Simulation


def periodic(
    model: Model | System | Simulation,
    period: float,
    step: float,
    *,
    tolerance: float = 1e-6,
    periods: int = 60,
    least: int = 2,
    outputs: str | tuple[str, ...] = ("*",),
    integrator: Integrator | None = None,
) -> Periodic:
    """Marches period by period [s] until the state is the same as a period before.

    The change of the state is the largest of: positions over the size of the mechanism, entries of the rotations,
    velocities over that size times 2 pi / period, angular velocities over 2 pi / period, scalar states over their value
    and scale. tolerance: of that change; least, periods: at least and at most that many are marched.

    The step [s] must divide the period, so that a rotor is at the same azimuth again. A rotor that is free to choose
    its speed has no such period until it has found it: prescribe the speed, or regulate it, and let `trim` find it.
    """
    period, step = positive("periodic: period", period), positive("periodic: step", step)
    tolerance = positive("periodic: tolerance", tolerance)
    periods, least = whole("periodic: periods", periods), whole("periodic: least", least)
    steps = whole_steps(period, step)
    sim = simulation_of("periodic", model, integrator)
    before, residual, results, count = None, np.inf, None, 0
    while count < max(least, periods):
        results = transient(sim, sim.time + steps * step, step, outputs=outputs, progress=False)
        count += 1
        now = _state(sim, period)
        if before is not None:
            residual = float((np.abs(now - before) / _weight(now, before, sim)).max())
        before = now
        if count >= least and residual < tolerance:
            break
    assert results is not None
    return Periodic(last(results, steps), residual, count, residual < tolerance, sim)


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


def _state(sim: Simulation, period: float) -> np.ndarray:
    """Poses, twists and scalar states, made comparable."""
    s, spin = sim.system, 2.0 * np.pi / period
    parts = [s.state.values]
    for node in s.layout.free:
        twist = s.state.twist(node) / spin
        twist[:3] /= sim.length
        parts += [s.state.pose(node).p / sim.length, s.state.read(node, ROTATION, 9), twist]
    return np.concatenate(parts)


def _weight(now: np.ndarray, before: np.ndarray, sim: Simulation) -> np.ndarray:
    """Sizes that changes are measured by: one, but for the scalar states."""
    weight, count = np.ones(now.size), len(sim.system.layout.states)
    size = np.maximum(np.abs(now[:count]), np.abs(before[:count]))
    weight[:count] = sim.state.scales + size
    return weight
