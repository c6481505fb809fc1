"""Accelerometer as a signal."""

from __future__ import annotations

from typing import Any

from samara.elements.control.sensors.instrument import Instrument
from samara.model import Contribution, FeelsGravity, Node, Output, Placement, Site, driven, node, placement
from samara.rotations import cross, dot


class Accelerometer(Instrument, FeelsGravity):
    """An accelerometer: measures the specific force along the z axis of a frame on a node.

        q = z . (a - g)  [m/s^2]

    a: acceleration of the frame's origin in the world, g: acceleration of gravity. It reads 9.81 m/s^2 at rest with z
    up, and zero in free fall. n, place: the node, and the frame on it. gravity [m/s^2]: by default that of the model;
    give zeros to measure the acceleration itself. See `Instrument` for the other arguments.
    """

    n: Node = node(kw_only=False)
    place: Placement | Any = placement(default=None)
    gravity: Any = driven(default=None, unit="m/s^2", size=3)

    def unit_of(self, output: Output) -> str:
        return "m/s^2"

    def formulate(self, site: Site) -> Contribution:
        n = site.frames[-1]
        s = n.at(self.place)
        still = s.carried
        acceleration = s.R @ (still.dv + cross(s.w, still.v))
        return self.shown(site, dot(s.z, acceleration - site.world.R @ self.gravity))
