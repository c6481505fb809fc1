"""Interface of a modal body."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import Held, frame_about
from samara.elements.geometry.alignment import same_rotation
from samara.elements.modal.body import ModalBody
from samara.model import Contribution, Drawn, Frame, Grip, Placement, Site, Sketch, State, numbers, setting
from samara.rotations import exp_so3

#: Half side by length of the bar that is drawn between two nodes of a modal body, of which no section is known.
THICKNESS = 0.02


class ModalInterface(Held, Drawn):
    """Clamps node b to a point of the modal body on node a; b follows the body's deformation there.

        p_BP = 0,   2 tan(x / 2) e = 0     x, e: angle [rad] and axis of R_BP
        P: position + move q, exp(turn q) rotation     in axes of a

    move, turn: mode shapes at the point, taken from the reduction.
    body: the `ModalBody`; point: name of the point in its reduction. b's own frame is `place_b`.
    """

    grip = Grip.SOLID

    body: Any = setting(default=None)
    point: str = setting(default="")
    move: Any = numbers(default=None)
    turn: Any = numbers(default=None)

    def prepare(self) -> None:
        if not isinstance(self.body, ModalBody) or self.body.n is not self.a:
            raise ValueError("body must be the ModalBody on node a")
        known = self.body.reduction.points
        if self.point not in known:
            raise ValueError(f"point: the body has no point {self.point!r} (it has: {', '.join(known) or 'none'})")
        point = known[self.point]
        object.__setattr__(self, "place_a", Placement(point.position, point.rotation))
        object.__setattr__(self, "move", point.move)
        object.__setattr__(self, "turn", point.turn)

    def states(self) -> list[State]:
        return self.body.states()

    def draw(self, sketch: Sketch) -> None:
        """A bar from the body's node to the point that is held, straight whatever the modes do between."""
        here, there = sketch.pose(self.a), sketch.pose(self.b) @ self.place_b
        span = there.position - here.position
        length = float(np.linalg.norm(span)) or 1.0
        axes = frame_about(axis=span) if np.any(span) else np.eye(3)
        rings = []
        for node, at in ((self.a, here.position), (self.b, there.position)):
            corners = at + THICKNESS * length * np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) @ axes.T
            pose = sketch.pose(node)
            rings.append((node, (corners - pose.position) @ pose.rotation))
        sketch.skin("beam", rings)

    def formulate(self, site: Site) -> Contribution:
        def constraint(a: Frame, b: Frame) -> list:
            q = np.array([x.value for x in site.states])
            R = a.R @ exp_so3(self.turn @ q) @ self.place_a.rotation
            b = b.at(self.place_b)
            return [*b.see(a.point(self.place_a.position + self.move @ q)), *same_rotation(b.R.T @ R)]

        g = site.measure(constraint)
        return self._hold(site, g, constraints=g.value)
