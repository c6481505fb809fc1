"""Sensor of the relative motion of two nodes, with a signal output."""

from __future__ import annotations

import numpy as np

from samara.elements.control.sensors.instrument import Instrument
from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Contribution, Output, Site, option
from samara.rotations import dot

#: What is measured, and its unit.
QUANTITIES = {
    "angle": "rad",
    "angle_rate": "rad/s",
    "x": "m",
    "y": "m",
    "z": "m",
    "x_rate": "m/s",
    "y_rate": "m/s",
    "z_rate": "m/s",
    "distance": "m",
    "distance_rate": "m/s",
}
#: Square of a length [m^2] that is added under the root of a distance, so that it has a slope where points meet.
TOUCHING = 1e-18


class MotionSensor(Instrument, Placed):
    """Measures the motion of frame B on node b relative to frame A on node a.

    quantity: what q is:
        "angle":            about the common z axis of the frames, within half a turn [rad]
        "x", "y", "z":      of B's origin along the axes of A [m]
        "distance":         of the origins [m]
        the same with "_rate": its time derivative [rad/s, m/s]
    Give the frames as for a joint. See `Instrument` for its errors and the other arguments.
    """

    quantity: str = option(default="angle", choices=tuple(QUANTITIES))

    def unit_of(self, output: Output) -> str:
        return QUANTITIES[self.quantity]

    def formulate(self, site: Site) -> Contribution:
        what = self.quantity.removesuffix("_rate")

        def measured(a, b):
            A, B = a.at(self.place_a), b.at(self.place_b)
            if what == "angle":
                return [hinge_angle(A, B)]
            p = B.p - A.p
            return [np.sqrt(dot(p, p) + TOUCHING) if what == "distance" else dot(getattr(A, what), p)]

        q = site.measure(measured)
        true = q.rate[0] if self.quantity.endswith("_rate") else q.value[0]
        return self.shown(site, true)
