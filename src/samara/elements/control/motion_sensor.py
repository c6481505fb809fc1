"""Sensor of the motion of one node against another, as a signal."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.control.quantiser import staircase
from samara.elements.control.signal_block import SignalBlock
from samara.elements.families import Placed
from samara.elements.joints.alignment import hinge_angle
from samara.model import Contribution, Output, Site, number, option, signal
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


class MotionSensor(SignalBlock, Placed):
    """Measures how frame B on node b moves against frame A on node a, and gives it as a signal.

        y = gain q + offset + noise,     then to the nearest multiple of `quantum`, if one is given

    quantity: what q is:
        "angle":            about the z axis that both frames share, within half a turn [rad]
        "x", "y", "z":      of B's origin along the axes of A [m]
        "distance":         of the origins [m]
        the same with "_rate": its time derivative [rad/s, m/s]
    gain, offset: of the instrument. noise: a signal that is added, such as a `BandLimitedNoise`, in the unit of y.
    quantum: of an analogue-to-digital converter, in the unit of y; width: of its smooth risers, see `Quantiser`.
    The frames are given as for a joint. The sensor has no lag: put a `Lag` or a `ContinuousTransferFunction` behind it.
    It takes no force. Records `true`, q itself. See `SignalBlock` for the rest.
    """

    quantity: str = option(default="angle", choices=tuple(QUANTITIES))
    gain: float = number(default=1.0)
    offset: float = number(default=0.0)
    noise: Any = signal(default=0.0)
    quantum: float = number(default=None, positive=True)
    width: float = number(default=0.02, positive=True)
    quantised: bool = option(default=False, init=False)  # follows from quantum

    def prepare(self) -> None:
        super().prepare()
        self.quantised = self.quantum is not None
        if self.quantum is None:
            self.quantum = 1.0

    def examine(self) -> None:
        if not float(self.width) < 1.0:
            raise ValueError(f"width must be less than 1, got {float(self.width):g}")

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
        y = self.gain * true + self.offset + self.received(site, "noise")
        if self.quantised:
            y = self.quantum * staircase(y / self.quantum, self.width)
        return Contribution(
            wrenches=[np.zeros(6) for _ in site.frames],
            balances=[site.states[-1].value - y],
            outputs=[Output("true", "1", true, description="what is measured, without gain and noise")],
        )
