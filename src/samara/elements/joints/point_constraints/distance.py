"""Distance joint."""

from __future__ import annotations

from typing import Any

from samara.elements.families import Joint
from samara.model import Constant, Extended, Placement, driven
from samara.rotations import norm


class Distance(Joint, Extended):
    """Prescribes the distance of two points: |p_AB| - length(t) = 0 [m]. A massless bar with a ball joint at each end.

    length: a drive, positive at all times [m]; by default the distance in the reference pose. The points are the
    origins of `place_a` and `place_b`; they must not coincide, since the direction of the bar would be undefined.
    """

    returning = True

    length: Any = driven(default=None, unit="m")

    def prepare(self) -> None:
        if any(given is not None for given in (self.at, self.axis, self.axis_x)):
            raise ValueError("at, axis and axis_x put both ends at the same point: give place_a and place_b instead")
        if self.length is None:
            self.length = float(norm(_point(self.b, self.place_b) - _point(self.a, self.place_a)))

    def examine(self) -> None:
        if isinstance(self.length, Constant) and float(self.length.value) <= 0:
            raise ValueError(f"length must be positive, got {float(self.length.value):g} m")

    def constraint(self, a, b):
        return [norm(b.p - a.p) - self.length]

    def motion(self, a, b):
        return {"distance": (norm(b.p - a.p), "m")}


def _point(node, place):
    """The origin of a place on a node, in the world, in the reference pose."""
    if not isinstance(place, Placement):
        place = Placement() if place is None else Placement(place)
    return node.place.point(place.position)
