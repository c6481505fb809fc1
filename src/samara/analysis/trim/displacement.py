"""Moving a run to another motion near it, its past included, so that it goes on without an event.

The numbers of a state, as they lie in memory, change with a motion nearby by a `tangent`: an array of the same length,
as `solve.tangent.sensitivity_march` has it. Changes of rotation matrices in it are those of small rotations, R
skew(theta).
"""

from __future__ import annotations

import numpy as np

from samara.rotations import exp_so3
from samara.solve import Simulation
from samara.system.blocks import ALGEBRAIC, BEFORE, ETA, POSITION, ROTATION, SIZE, STATE_SIZE, VALUE


class Displacement:
    """Moves a simulation, and tells how large such a motion is."""

    def __init__(self, sim: Simulation) -> None:
        layout = sim.system.layout
        self.sim, self._width = sim, layout.width
        self._nodes = layout.blocks(layout.free)
        self._states = np.array([layout.state_block(x) for x in layout.states], np.int64)
        kept = [k for k in range(STATE_SIZE) if k != ALGEBRAIC]
        own = (self._states[:, None] + np.array(kept) * self._width).ravel()
        multipliers = np.arange(layout.state_size)[layout.multipliers]
        self._places = np.concatenate([self._at(0, SIZE), own, multipliers])

    def weights(self, period: float) -> np.ndarray:
        """What makes the present poses and twists, and values of states, comparable; the past counts for nothing."""
        state, rate, length = self.sim.system.state, 2.0 * np.pi / period, self.sim.length
        found = np.zeros(self.sim.system.layout.state_size)
        for first, count, size in (
            (ROTATION, 9, np.sqrt(2.0)),
            (POSITION, 3, length),
            (ETA, 3, length * rate),
            (ETA + 3, 3, rate),
        ):
            found[self._at(first, count)] = 1.0 / size
        found[self._states + VALUE * self._width] = 1.0 / (state.scales + np.abs(state.values))
        return found

    def move(self, tangent: np.ndarray) -> None:
        """Adds a motion nearby to the state and its past."""
        state, change = self.sim.system.arrays.state, tangent.copy()
        for first in (ROTATION, BEFORE):
            at = self._at(first, 9)
            R = state[at].reshape(-1, 3, 3)
            S = np.einsum("nji,njk->nik", R, change[at].reshape(-1, 3, 3))
            S = 0.5 * (S - S.transpose(0, 2, 1))
            turned = exp_so3(np.stack([S[:, 2, 1], S[:, 0, 2], S[:, 1, 0]]))
            change[at] = (np.einsum("nij,jkn->nik", R, turned) - R).ravel()
        state[self._places] += change[self._places]

    def _at(self, first: int, count: int) -> np.ndarray:
        return (self._nodes[:, None] + (first + np.arange(count)) * self._width).ravel()
