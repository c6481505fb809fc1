"""Whether forces jump along a motion: derivatives know nothing of a jump, and Floquet's theory needs them.

From a step to the next the state moves by d. With time and drives as they were, forces change by what their derivatives
along d at both ends say, with an error of third order in the step where they are smooth, and of half the change of the
derivative at most where they have a kink:

    e = f(x + d) - f(x) - (f'(x) d + f'(x + d) d) / 2,     |e| <= |f'(x + d) d - f'(x) d| / 2

A larger error is that of a jump, or of a change that is over within a step: a relay, dry friction that turns round.
"""

from __future__ import annotations

import numpy as np

from samara.analysis.rotors.motion import between, read
from samara.solve import Simulation, transient
from samara.solve.errors import NotSmooth
from samara.system.tangents import Change

#: Error that is no jump: times the change of the derivative, and of how much the force on the node varies at all.
KINK, VARIED = 1.0, 1e-2
#: Rounding of forces, of those on all nodes.
ROUNDING = 1e-9


def require_smooth(sim: Simulation, step: float, steps: int) -> None:
    """Marches a run on by some steps [s]; raises `NotSmooth` where forces jump meanwhile, and says where."""
    layout = sim.system.layout
    n, nodes = layout.coordinates, 6 * len(layout.free)
    errors, kinks, forces, times = list[np.ndarray](), list[np.ndarray](), list[np.ndarray](), list[float]()
    size = np.concatenate([np.tile([1.0] * 3 + [1.0 / sim.length] * 3, nodes // 6), np.ones(n - nodes)])
    begin = sim.time
    for k in range(1, steps + 1):
        before, start, kept = read(sim), sim.state.time, sim.state.copy()
        transient(sim, begin + k * step, step, outputs="model.violation", progress=False)
        d = between(before, read(sim))
        with sim.state.kept():
            sim.state.restore(kept)
            f, slope = _along(sim, d, start)
        f_1, slope_1 = _along(sim, d, start)
        errors.append(np.abs(f_1 - f - 0.5 * (slope + slope_1)))
        kinks.append(np.abs(slope_1 - slope))
        forces.append(f)
        times.append(start)
    e, kink, f = (_of_nodes(np.array(x) * size, nodes) for x in (errors, kinks, np.array(forces) - forces[0]))
    jumps = e > KINK * kink + VARIED * f.max(axis=0) + ROUNDING * np.abs(np.array(forces) * size).max()
    if jumps.any():
        k, i = (int(x[0]) for x in np.nonzero(jumps))
        count = nodes // 6
        what = f"the force on node {layout.free[i].name!r}" if i < count else f"state {layout.states[i - count].name!r}"
        raise NotSmooth(
            f"model {sim.model.name!r} at t = {times[k]:g} s: {what} jumps, or changes within a step by more than its "
            "derivatives tell, and these do not go through that: make the law smooth over several steps, or take a "
            "smaller step"
        )


def _along(sim: Simulation, d: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Forces without those of accelerations and reactions, drives as at a time, and their change along d."""
    n = sim.system.layout.coordinates
    pose, twist = np.split(d, 2)
    with sim.state.plain():
        sim.state.set_time(time)
        sim.state.accelerations, sim.state.multipliers[:] = 0.0, 0.0
        return sim.state.residual()[:n], sim.system.tangents.residual(Change(pose=pose, twist=twist))[:n]


def _of_nodes(values: np.ndarray, nodes: int) -> np.ndarray:
    """Largest of the six of each node, and of the states."""
    own = np.abs(values[:, :nodes]).reshape(len(values), -1, 6).max(axis=2, initial=0.0)
    return np.hstack([own, np.abs(values[:, nodes:])])
