"""Loop closure with the initial values of joints held.

Large displacements are followed in increments from the reference pose: in each, nodes are displaced along the tree by
the initial values, and the joints are closed again. A loop therefore stays on the branch on which it was drawn, as if
the joint were turned by hand. If the loop cannot be followed, it is closed from the configuration given by the initial
values; if that fails too, it stays in the last configuration reached.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from samara.model import Node
from samara.rotations import Pose, compose_poses, inverse_pose
from samara.solve.errors import SingularModel
from samara.solve.simulation import Simulation
from samara.solve.start.held_starts import HeldStarts, bordered
from samara.system.start.start import is_as_placed, placed_at

#: Way of a coordinate in a piece [rad, sizes of the mechanism].
WAY_OF_A_PIECE = 0.15
#: The longest move at once: turn [rad], and way [sizes of the mechanism, or m for one smaller than a metre].
LONGEST_MOVE = 0.5
#: Last motion, by the size of the mechanism, with which flexible parts have found their shape.
LAST_MOTION = 1e-9
#: Gap that counts as closed where it no longer halves [m or rad].
ROUNDED_GAP = 1e-9


def is_closed(sim: Simulation, gap: float, last: float, tolerance: float) -> bool:
    """Whether a gap is small enough, or small and no smaller than half of the last one: then it is rounding."""
    return gap <= tolerance * max(1.0, sim.length) or (gap < ROUNDED_GAP and gap >= 0.5 * last)


def pieces_of(sim: Simulation, x: np.ndarray) -> float:
    """Into how many pieces a move is cut: the linearisation is only good nearby."""
    near = LONGEST_MOVE * np.array([max(1.0, sim.length)] * 3 + [1.0] * 3)
    return max(float((np.abs(x[: 6 * len(sim.system.layout.free)].reshape(-1, 6)) / near).max(initial=0.0)), 1.0)


@dataclass(frozen=True)
class Closing:
    """What is closed, and how.

    joints:  numbers of the groups that have constraints.
    project: factorises the projection at the present pose; the function it returns takes rows to unknowns.
    spread:  the same for constraints without full rank, (rows, left, H) to unknowns with H x = left on top.
    forces:  of flexible parts on the coordinates; none where there are no such parts.
    """

    sim: Simulation
    starts: HeldStarts
    joints: list[int]
    project: Callable[[], Callable[[np.ndarray], np.ndarray]]
    spread: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
    forces: Callable[[], np.ndarray] | None
    tolerance: float
    iterations: int

    def run(self) -> None:
        """Closes all joints, as far as that is possible with starts held."""
        s = self.sim.system
        if is_closed(self.sim, self._gaps(1.0)[0], np.inf, self.tolerance):
            return
        kept, forces = s.state.copy(), self.forces() if self.forces else np.zeros(0)
        pieces = int(np.ceil(self.starts.way() / WAY_OF_A_PIECE))
        reached = kept
        if pieces > 1 and is_as_placed(s):
            done = self._follow(pieces, forces)
            if done == pieces:
                return
            reached = s.state.copy() if done else kept
        s.state.restore(kept)
        if not self._close(1.0, forces):
            s.state.restore(reached)

    def _follow(self, pieces: int, forces: np.ndarray) -> int:
        """From the reference pose, piece by piece, and how many: the state is left at the last that could be closed."""
        s = self.sim.system
        last = placed_at(s, 0.0)
        for node in s.layout.free:
            self._write(node, last[node.name])
        if not self._close(0.0, forces):
            return 0
        for k in range(1, pieces + 1):
            now, closed = placed_at(s, k / pieces), s.state.copy()
            for node in s.layout.free:
                R, p = s.state.pose(node)
                carried = compose_poses(now[node.name], inverse_pose(last[node.name]))
                self._write(node, compose_poses(carried, Pose(R, p)))
            if not self._close(k / pieces, forces):
                s.state.restore(closed)
                return k - 1
            last = now
        return pieces

    def _write(self, node: Node, pose: Pose) -> None:
        self.sim.state.place(node, pose)

    def _gaps(self, part: float) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
        """The largest gap; rows of the joints; what starts miss, with its gradient."""
        s = self.sim.system
        self.sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
        self.sim.state.multipliers[:] = 0.0
        rows = s.state.residual(self.joints)
        rows[: s.layout.coordinates] = 0.0
        left, H = self.starts.conditions(rates=False, part=part)
        return float(max(np.abs(rows).max(), np.abs(left).max(initial=0.0))), rows, left, H

    def _close(self, part: float, forces: np.ndarray) -> bool:
        """Newton's method from the present pose; flexible parts come back to the forces that they had."""
        sim, s = self.sim, self.sim.system
        last, moved = np.inf, 0.0
        for _ in range(self.iterations):
            gap, rows, left, H = self._gaps(part)
            if is_closed(sim, gap, last, self.tolerance) and moved <= LAST_MOTION * sim.length:
                return True
            if self.forces:
                rows[: s.layout.coordinates] = self.forces() - forces
            try:
                x = bordered(sim, self.project(), rows, left, H)
            except SingularModel:
                x = self.spread(rows, left, H)
            reach = pieces_of(sim, x)
            last, moved = gap, np.abs(x[: s.layout.coordinates]).max(initial=0.0) if self.forces else 0.0
            s.state.move(-x[: s.layout.coordinates] / reach)
        # the joints may be closed, and the shape is what it has come to
        return is_closed(sim, self._gaps(part)[0], np.inf, self.tolerance)
