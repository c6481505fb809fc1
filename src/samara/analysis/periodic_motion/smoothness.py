"""Whether forces jump along a motion: derivatives know nothing of a jump, and Floquet's theory needs them.

From a step to the next the state moves by d. With time and drives as they were, forces change by what their derivatives
along d at both ends say, with an error of third order in the step where they are smooth, and of half the change of the
derivative at most where they have a kink:

    e = f(x + d) - f(x) - (f'(x) d + f'(x + d) d) / 2,     |e| <= |f'(x + d) d - f'(x) d| / 2

A larger error is that of a jump, or of a change that is over within a step: a relay, dry friction that turns round.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.analysis.rotors.motion import between, read
from samara.solve import Simulation, transient
from samara.solve.errors import NotSmooth
from samara.solve.report.wording import some
from samara.system.state.tangents import Change

#: Error that is no jump: times the change of the derivative, and of how much forces of its kind vary at all. Many
#: kinks at once, of the tables of airfoils in all sections of a blade, make some thousandths of that.
KINK, VARIED = 0.6, 0.02
#: Rounding of forces, of those on all nodes.
ROUNDING = 1e-9


def require_smooth(sim: Simulation, step: float, steps: int) -> None:
    """Marches a run on by some steps [s]; raises `NotSmooth` where forces jump meanwhile, and says where.

    Forces of elements of each kind are looked at apart, so that a small one is not lost among others. Sums of what many
    elements do to the states of another, loads of a rotor, are left out: of their kinks more is left than of them.
    """
    layout = sim.system.layout
    n, nodes = layout.coordinates, 6 * len(layout.free)
    errors, kinks, forces, states, times = (list[Any]() for _ in range(5))
    own = [np.abs(sim.jacobian(*unit).diagonal()[nodes:n]) for unit in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))]
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
        errors.append(_of_nodes(size * (f_1 - f - 0.5 * (slope + slope_1)), nodes))
        kinks.append(_of_nodes(size * (slope_1 - slope), nodes))
        forces.append(size * f)
        states.append(np.hypot(own[0] * before.values, own[1] * before.rates))  # terms of equations that are in balance
        times.append(start)
    varied = _of_nodes(np.ptp(np.array(forces), axis=0), nodes)
    varied[:, : nodes // 6] = varied[:, : nodes // 6].max(axis=1, keepdims=True, initial=0.0)  # blades take turns
    varied[:, nodes // 6 :] += np.ptp(np.array(states), axis=0)
    limit = KINK * np.array(kinks) + VARIED * varied + ROUNDING * np.abs(np.array(forces)).max(initial=0.0)
    jumps = (np.array(errors) > limit) & _looked_at(sim)  # by step, kind, and node or state
    if jumps.any():
        k, kind, i = (int(x[0]) for x in np.nonzero(jumps))
        count, group = nodes // 6, sim.system.groups[kind]
        where = f"node {layout.free[i].name!r}" if i < count else f"state {layout.states[i - count].name!r}"
        what = (
            repr(group.elements[0].name)
            if len(group.elements) == 1
            else f"one of {some([repr(e.name) for e in group.elements])}"
        )
        raise NotSmooth(
            f"model {sim.model.name!r} at t = {times[k]:g} s: the force of {what} on {where} jumps, or "
            f"changes within a step by more than its derivatives account for, so derivatives of the motion are "
            f"not valid: make the law smooth over several steps, or use a smaller step"
        )


def _looked_at(sim: Simulation) -> np.ndarray:
    """Of each kind, all nodes, and the states of its own elements."""
    layout = sim.system.layout
    found = np.zeros((len(sim.system.groups), len(layout.free) + len(layout.states)), bool)
    found[:, : len(layout.free)] = True
    for own, group in zip(found, sim.system.groups, strict=True):
        names = tuple(f"{element.name}." for element in group.elements)
        own[len(layout.free) :] = [state.name.startswith(names) for state in layout.states]
    return found


def _along(sim: Simulation, d: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
    """Forces of each kind of elements, without accelerations and reactions, drives as at a time; change along d."""
    s, n = sim.system, sim.system.layout.coordinates
    kinds, rows = range(len(s.groups)), s.unknowns.rows[:n]
    pose, twist = np.split(d, 2)
    with sim.state.plain():
        sim.state.set_time(time)
        sim.state.accelerations, sim.state.multipliers[:] = 0.0, 0.0
        forces = np.array([sim.state.residual([k])[:n] for k in kinds])
        s.tangents.set(Change(pose=pose, twist=twist))
        changes = np.zeros((len(kinds), s.arrays.res.size))
        for k in kinds:
            s.tangents.run("residual", changes[k], [k])
    return forces, changes[:, rows]


def _of_nodes(values: np.ndarray, nodes: int) -> np.ndarray:
    """Of each kind, the largest of the six of each node, then those of the states."""
    own = np.abs(values[:, :nodes]).reshape(len(values), -1, 6).max(axis=2, initial=0.0)
    return np.hstack([own, np.abs(values[:, nodes:])])
