"""Sensitivity of consistent initial conditions to a parameter: poses, velocities, then accelerations and multipliers.

The assembly moves nodes as little as it can. About a start that fits as it was drawn, that is to first order

    xi' = -P g',     eta' = -P (G v)',     [M G^T; G 0] (acc', lam') = -(r', gamma')

with P the assembly's own projection on the constraints. What has no mass stays in balance
(`solve.start.massless_balance`). Where the assembly has moved something, by a finite way and in many steps, or starts
of joints placed it, xi' and eta' are differences of fourth order of assemblies instead, good to some nine digits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from samara.model import ModelError
from samara.solve.constraints.singularity import factorised
from samara.solve.mechanism.tied_states import tied_states
from samara.solve.simulation import Simulation
from samara.solve.start.accelerations import LENT_INERTIA, acceleration_slopes, light, orders, without_light
from samara.solve.start.assembly import assemble, is_constraint, is_elastic, only, projector
from samara.solve.start.massless_balance import balance_along, is_damped
from samara.system.start.start import PlacedNodes
from samara.system.state.tangents import Change

#: Way that the assembly may move what fits as drawn, in sizes of the mechanism and rad.
ASSEMBLY_ROUNDING = 1e-10
#: Inertia, of the usual, below which a node without mass follows no constraint.
LOOSE_INERTIA = 1e-6
#: Step of differences, as a part of the parameter (or of one, where that is zero); nodes and weights of formulas of
#: fourth order: central ones, or to one side of a limit.
DIFFERENCE_STEP = 1e-3
FORMULAS = (
    ((-2, -1, 1, 2), (1 / 12, -2 / 3, 2 / 3, -1 / 12)),
    ((0, 1, 2, 3, 4), (-25 / 12, 4, -3, 4 / 3, -1 / 4)),
    ((0, -1, -2, -3, -4), (25 / 12, -4, 3, -4 / 3, 1 / 4)),
)


def start_along(sim: Simulation, changes: Sequence[Change], step: float) -> np.ndarray:
    """Assembles for a run of some step [s]; tangents of the whole state, without carriers, a row per change.

    changes: a unit of one parameter or input each.
    """
    start = _Start(sim, step, sim.state.copy(), sim.system.placed)
    start.again()
    fits = not sim.system.placed.pairs and not is_damped(sim) and start.is_as_drawn()
    moved = _projected if fits else start.differences
    return np.array([_all_of_it(sim, change, *moved(sim, change)) for change in changes])


@dataclass
class _Start:
    """A start that can be made again with other numbers."""

    sim: Simulation
    step: float
    drawn: np.ndarray
    placed: PlacedNodes

    def again(self) -> np.ndarray:
        """The start, with the present numbers."""
        self.sim.state.restore(self.drawn)
        self.sim.system.placed = self.placed
        assemble(self.sim, step=self.step)
        return self.sim.state.copy()

    def is_as_drawn(self) -> bool:
        """Whether the assembly has left poses and velocities of what has mass as they were."""
        state, now = self.sim.state, self.sim.state.twists
        static, _ = orders(self.sim)
        way = state.difference(self.drawn)
        with state.kept():
            state.restore(self.drawn)
            speeds = state.twists - now
        nodes = slice(0, 6 * len(self.sim.system.layout.free))
        change = np.abs(np.concatenate([way[nodes][~static[nodes]], speeds[nodes][~static[nodes]]]))
        return bool(change.max(initial=0.0) <= ASSEMBLY_ROUNDING * max(1.0, self.sim.length))

    def differences(self, sim: Simulation, change: Change) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of poses and twists from assemblies with other numbers."""
        value, put = _given(sim, change)
        size = DIFFERENCE_STEP * (abs(value) or 1.0)
        try:
            weighted = self._smooth(put, value, size)
        finally:
            put(value)
            self.again()
        pose, twist, now = *np.zeros((2, sim.system.layout.coordinates)), sim.state.twists
        for weight, (state, twists) in weighted:
            pose += weight / size * sim.state.difference(state)
            twist += weight / size * (twists - now)
        return pose, twist

    def _smooth(self, put: Callable[[float], None], value: float, size: float) -> list:
        """Weights and starts of a formula that keeps within the limits of the parameter."""
        for places, weights in FORMULAS[:-1]:
            with suppress(ModelError):
                return [(w, self._with(put, value + k * size)) for k, w in zip(places, weights, strict=True)]
        return [(w, self._with(put, value + k * size)) for k, w in zip(*FORMULAS[-1], strict=True)]

    def _with(self, put: Callable[[float], None], value: float) -> tuple[np.ndarray, np.ndarray]:
        put(value)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.again(), self.sim.state.twists


def _given(sim: Simulation, change: Change) -> tuple[float, Callable[[float], None]]:
    """Value of the parameter or input that changes, and what sets it."""
    s = sim.system
    if change.inputs:
        (name,) = change.inputs
        return float(sim.state.inputs[s.layout.input_index[name]]), partial(s.set_input, name)
    (name,) = change.parameters
    return float(s.parameters.named[name].value), partial(s.set_parameter, name)


def _projected(sim: Simulation, change: Change) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of poses and twists of a start that fits as drawn."""
    s, n = sim.system, sim.system.layout.coordinates
    pose, twist = np.zeros(n), np.zeros(n)
    with sim.state.kept():
        if s.layout.multiplier_count:
            joints, shapes = only(sim, is_constraint), only(sim, is_elastic)
            sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
            pose = -_least(projector(sim, joints, shapes, moving=0.0), s.tangents.residual(change)[n:], n)
            slips = s.tangents.level("velocity", replace(change, pose=pose))
            twist = -_least(projector(sim, joints, shapes, moving=1.0), slips, n)
    with sim.state.kept():
        return balance_along(sim, change, pose, twist)


def _least(apply: Callable[[np.ndarray], np.ndarray], rows: np.ndarray, n: int) -> np.ndarray:
    return apply(np.concatenate([np.zeros(n), rows]))[:n] if rows.any() else np.zeros(n)


def _tied(sim: Simulation, change: Change, pose: np.ndarray) -> np.ndarray:
    """The change of a start with that of the states that are tied to others."""
    tied = np.append(np.zeros(6 * len(sim.system.layout.free), bool), tied_states(sim))
    if not tied.any():
        return pose
    pose = np.where(tied, 0.0, pose)
    rows, slopes = sim.system.tangents.residual(replace(change, pose=pose)), sim.jacobian(1.0, 0.0, 0.0).diagonal()
    return pose - np.where(tied, rows[: tied.size] / np.where(tied, slopes[: tied.size], 1.0), 0.0)


def _all_of_it(sim: Simulation, change: Change, pose: np.ndarray, twist: np.ndarray) -> np.ndarray:
    """The same of accelerations, rates, multipliers and of states that follow from their equations."""
    s, n = sim.system, sim.system.layout.coordinates
    with sim.state.kept():
        static, order = orders(sim)
        sim.state.weigh(0.0, 0.0, 1.0)
        states = np.arange(n) >= 6 * len(s.layout.free)
        pose, twist = np.where(states & (order == 0), 0.0, pose), np.where(states & (order == 1), 0.0, twist)
        pose = _tied(sim, change, pose)
        moved = replace(change, pose=pose, twist=twist)
        with sim.state.tied_by_rates():
            rows = np.concatenate([s.tangents.residual(moved)[:n], s.tangents.level("acceleration", moved)])
        slopes = acceleration_slopes(sim, order, static)
        solve = factorised(sim, slopes, redundant=False)
        x = -without_light(sim, solve, slopes, static, rows)
        if static.any():
            x[:n][_loose(solve, static, x.size, light(sim, slopes, static) / LENT_INERTIA)] = 0.0
        pose, twist = np.where(states & (order == 0), x[:n], pose), np.where(states & (order == 1), x[:n], twist)
        acceleration = np.where(order == 2, x[:n], 0.0)
        s.tangents.set(replace(change, pose=pose, twist=twist, acceleration=acceleration, multipliers=x[n:]))
    return s.tangents.state.copy()


def _loose(solve: Callable[[np.ndarray], np.ndarray], static: np.ndarray, size: int, usual: np.ndarray) -> np.ndarray:
    """Coordinates of nodes without mass whose acceleration no constraint tells: hardly any inertia answers a push."""
    push = np.zeros(size)
    push[: static.size][static] = 1.0 + np.arange(np.count_nonzero(static)) % 7
    return static & (LOOSE_INERTIA * usual * np.abs(solve(push)[: static.size]) > 1.0)
