"""Propagation of small motions about a run: all of them at once, by the tangent of the step itself.

A two-step formula looks at the step before. So a small motion at an instant is one of the state and of its past: the
past of a given motion is set to first order in the step here, and what is wrong with it dies out within some steps, as
fast as the formula damps what is infinitely stiff. Whoever wants exact tangents of the discrete motion takes them so
many steps later: `preroll`.
"""

from __future__ import annotations

import numpy as np

from samara.rotations import exp_so3
from samara.solve.errors import SolveError
from samara.solve.native.codes import Status
from samara.solve.simulation import Simulation
from samara.solve.tangent.sensitivity_march import failure, make_along, march_along
from samara.system.memory.blocks import (
    ACC,
    ACC_1,
    BEFORE,
    CARRIER,
    ETA,
    ETA_1,
    INCREMENT,
    POSITION,
    RATE,
    RATE_1,
    ROTATION,
    SECOND,
    SECOND_1,
    SIZE,
    STATE_SIZE,
    VALUE,
    VALUE_1,
)
from samara.system.state.tangents import Change
from samara.tracing.driver.reference import refer

#: Numbers of all small motions together, at most: 8 GB.
MOST_NUMBERS = 1_000_000_000
#: Part of what is wrong with the past of a small motion, of second order in the step itself, that may be left of it;
#: fewest and most steps to wait for that.
PART_LEFT, FEWEST_STEPS, MOST_STEPS = 1e-5, 8, 60
#: Radius of a formula that is taken at most, since a past that does not fade is not waited for.
LARGEST_RADIUS = 0.99


def preroll(sim: Simulation) -> int:
    """Steps after which tangents are those of the discrete motion, but for rounding."""
    radius = sim.scheme.radius
    if sim.settings.project or not radius > 0.0:
        return FEWEST_STEPS
    return int(np.clip(np.ceil(np.log(PART_LEFT) / np.log(min(radius, LARGEST_RADIUS))), FEWEST_STEPS, MOST_STEPS))


class Flow:
    """Small motions that are carried along by a run.

    pose, twist, acceleration: a column for each, at the present state of the run, as in `Change`.
    step: of the run [s].
    """

    def __init__(
        self, sim: Simulation, pose: np.ndarray, twist: np.ndarray, acceleration: np.ndarray, step: float
    ) -> None:
        layout = sim.system.layout
        self.sim, self.step = sim, step
        count = pose.shape[1]
        if count * layout.state_size > MOST_NUMBERS:
            raise SolveError(
                f"model {sim.model.name!r} has {count} small motions of {layout.state_size} numbers "
                f"each, which do not fit into memory: use fewer beams, or modal bodies (craig_bampton)"
            )
        self._nodes = layout.blocks(layout.free)
        self._states = np.array([layout.state_block(x) for x in layout.states], np.int64)
        tangents = sim.system.tangents.rows(pose, twist, acceleration)
        tangents[:, self._at(self._nodes, ETA, 3)] -= self._of_carriers(tangents)
        self._give_past(tangents)
        self.along = make_along(sim, [Change()] * count, tangents)

    def march(self, steps: int) -> None:
        """Goes on by some steps; raises `NotSmooth` where something jumps."""
        nothing = (np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0)), np.zeros((1, len(self.along.tangents), 0)))
        status, *_ = march_along(self.sim, self.along, self.step, steps, steps + 1, *nothing)
        if status != Status.OK:
            raise failure(self.sim, status)

    def combine(self, amounts: np.ndarray) -> None:
        """Goes on with combinations of the small motions, a column each, fewer perhaps."""
        if amounts.shape[1] > len(self.along.tangents):
            raise ValueError(f"at most {len(self.along.tangents)} combinations, not {amounts.shape[1]}")
        self.along = refer(self.along._replace(tangents=np.ascontiguousarray(amounts.T @ self.along.tangents)))

    def levels(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each small motion, a column: poses in own axes and values of states; twists and rates of states.

        Twists are against the world, whatever the carriers.
        """
        tangents, w, count = self.along.tangents, self.sim.system.layout.width, len(self.along.tangents)
        turns = self._turns(tangents)
        moved = tangents[:, self._at(self._nodes, POSITION, 3)].reshape(count, -1, 3)
        moved = np.einsum("nji,knj->kni", self.sim.system.state.rotations, moved)
        eta = tangents[:, self._at(self._nodes, ETA, 6)].reshape(count, -1, 6)
        eta[..., :3] += self._of_carriers(tangents).reshape(count, -1, 3)
        pose = np.concatenate([moved, turns], axis=-1).reshape(count, -1)
        values, rates = (tangents[:, self._states + k * w] for k in (VALUE, RATE))
        return np.hstack([pose, values]).T, np.hstack([eta.reshape(count, -1), rates]).T

    def shift(self, amounts: np.ndarray) -> None:
        """Adds a combination of the small motions to the state and its past, as if the run had always gone so."""
        layout, state = self.sim.system.layout, self.sim.system.arrays.state
        change = np.asarray(amounts, float) @ self.along.tangents
        for first in (ROTATION, BEFORE):
            at = self._at(self._nodes, first, 9).reshape(-1, 9)
            for row, R, turn in zip(at, state[at].reshape(-1, 3, 3), self._turns(change[None], first)[0], strict=True):
                change[row] = (R @ exp_so3(turn) - R).ravel()
        own = [self._at(self._nodes, 0, SIZE), self._at(self._states, 0, STATE_SIZE)]
        places = np.concatenate([*own, np.arange(state.size)[layout.multipliers]])
        state[places] += change[places]

    def _at(self, blocks: np.ndarray, first: int, count: int) -> np.ndarray:
        return (blocks[:, None] + (first + np.arange(count)) * self.sim.system.layout.width).ravel()

    def _turns(self, tangents: np.ndarray, first: int = ROTATION) -> np.ndarray:
        """Rotation vectors of nodes in their own axes, (k, nodes, 3), from changes of rotation matrices."""
        at = self._at(self._nodes, first, 9)
        R = self.sim.system.arrays.state[at].reshape(-1, 3, 3)
        S = np.einsum("nji,knjl->knil", R, tangents[:, at].reshape(len(tangents), -1, 3, 3))
        S = 0.5 * (S - S.transpose(0, 1, 3, 2))
        return np.stack([S[..., 2, 1], S[..., 0, 2], S[..., 1, 0]], axis=-1)

    def _of_carriers(self, tangents: np.ndarray) -> np.ndarray:
        """Changes of the carriers' velocities in own axes: delta (R^T V) = (R^T V) x theta + R^T delta V."""
        state, count = self.sim.system.state, len(tangents)
        carried = state.carried[: 6 * len(self._nodes)].reshape(-1, 6)[:, :3]
        changed = tangents[:, self._at(self._nodes, CARRIER, 3)].reshape(count, -1, 3)
        changed = np.einsum("nji,knj->kni", state.rotations, changed)
        return (np.cross(carried[None], self._turns(tangents)) + changed).reshape(count, -1)

    def _give_past(self, tangents: np.ndarray) -> None:
        """To first order: the past moves as the present does, less what its rates have made of it since."""
        h, nodes, states = self.step, self._nodes, self._states
        eta, acc = tangents[:, self._at(nodes, ETA, 6)], tangents[:, self._at(nodes, ACC, 6)]
        tangents[:, self._at(nodes, ETA_1, 6)] = eta - h * acc
        tangents[:, self._at(nodes, ACC_1, 6)] = acc
        tangents[:, self._at(nodes, INCREMENT, 6)] = h * eta - 0.5 * h * h * acc
        tangents[:, self._at(nodes, BEFORE, 12)] = tangents[:, self._at(nodes, ROTATION, 12)]
        value, rate, second = (tangents[:, self._at(states, k, 1)] for k in (VALUE, RATE, SECOND))
        tangents[:, self._at(states, VALUE_1, 1)] = value - h * rate
        tangents[:, self._at(states, RATE_1, 1)] = rate - h * second
        tangents[:, self._at(states, SECOND_1, 1)] = second
