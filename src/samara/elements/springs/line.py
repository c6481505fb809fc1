"""Elements that act along the line between two points."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import Coupling
from samara.elements.laws.law import Law
from samara.model import Extended, Node, Placement, number, setting
from samara.rotations import dot
from samara.tracing import fmax

#: Below this distance two points have no direction [m].
COINCIDENT = 1e-9


class Line(Coupling, Extended):
    """Base of elements along the line from a point P of node a to a point Q of node b; coordinate: the distance |p_PQ|.

    Give the points in the nodes' axes (`place_a`, `place_b`; the nodes themselves by default), or both in the world, in
    the reference pose: ``ends=((0, 0, 0), (1, 0, 0))``.

    Limit: the direction is undefined for points closer than 1e-9 m, where the element exerts no force. The ends of a
    loaded rod must not pass through each other: for such motions use a signed coordinate (`Axial`).
    """

    ends: Any = setting(default=None)

    def prepare(self) -> None:
        if self.at is not None or self.axis is not None or self.axis_x is not None:
            raise ValueError(
                "at and axis do not apply, as it has two points: give ends=(point, point) in the world, "
                "or place_a and place_b in the nodes"
            )
        if self.ends is None:
            return
        if self.place_a is not None or self.place_b is not None:
            raise ValueError("give either ends in the world, or place_a/place_b in the nodes, not both")
        if np.shape(self.ends) != (2, 3):
            raise ValueError(f"ends must be two points of three numbers, got {self.ends!r}")
        self.place_a = self.a.local(Placement(self.ends[0]))
        self.place_b = self.b.local(Placement(self.ends[1]))

    def reference_distance(self) -> float:
        """|p_PQ| as the model is described [m]."""
        p_WP, p_WQ = _end(self.a, self.place_a), _end(self.b, self.place_b)
        return float(np.linalg.norm(p_WQ - p_WP))

    def coordinates(self, a, b):
        p_PQ = b.p - a.p
        return [np.sqrt(fmax(dot(p_PQ, p_PQ), COINCIDENT**2))]


class Elastic(Line):
    """An element along a line with a natural length and a law of the elongation; a subclass defines
    `characteristic`."""

    length: float = number(default=None, unit="m", nonnegative=True)

    def characteristic(self) -> Law:
        """The law of elongation [m] and its rate [m/s]."""
        raise NotImplementedError

    def prepare(self) -> None:
        super().prepare()
        if self.length is None:
            self.length = self.reference_distance()

    def examine(self) -> None:
        if float(self.length) > 0 and self.reference_distance() < COINCIDENT:
            raise ValueError(
                f"its ends coincide in the reference pose, so it has no direction, but its length is "
                f"{float(self.length):g} m: move one end, or give length=0"
            )

    def effort(self, q, q_rate):
        return [self.characteristic()(q[0] - self.length, q_rate[0])]

    def potential(self, q):
        return self.characteristic().potential(q[0] - self.length)

    def dissipation(self, q, q_rate):
        return self.characteristic().dissipation(q[0] - self.length, q_rate[0])


def _end(node: Node, place) -> np.ndarray:
    """A point of a node in the world, in the reference pose, from what a placement field takes."""
    p_NP = np.zeros(3) if place is None else place.position if isinstance(place, Placement) else place
    return node.place.point(p_NP)
