"""Angular velocities of shafts, and what sits between two shafts on one axis."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from samara.elements.families import Placed
from samara.model import Frame, Measure, Output, Site
from samara.rotations import dot


def spin(z: Any, carrier: Frame, wheel: Frame) -> Any:
    """Angular velocity of a wheel against its carrier about z, a direction in the carrier [rad/s]."""
    return dot(carrier.direction(z), wheel.angular_velocity() - carrier.angular_velocity())


def checked_sense(given: Any) -> int:
    """A sense of rotation as it may be given: 1 or -1, of any kind of number."""
    plain = given.item() if isinstance(given, np.ndarray) and given.size == 1 else given
    if isinstance(plain, (bool, np.bool_)) or not isinstance(plain, numbers.Real) or plain not in (1, -1):
        raise ValueError(f"sense must be 1 or -1, got {given!r}")
    return 1 if plain == 1 else -1


class OnShaft(Placed):
    """Between two parts that turn about one axis, the z axis of frame A.

    The frames are given as for a joint: put it where the hinge is, with the same `at` and `axis`.
    """

    def slip(self, site: Site) -> Measure:
        """Angular velocity of b against a about z of frame A [rad/s], one number."""

        def turning(a: Frame, b: Frame) -> list:
            a = a.at(self.place_a)
            return [dot(a.z, b.angular_velocity() - a.angular_velocity())]

        return site.measure_rates(turning)


def slipping(rate: Any, torque: Any) -> list[Output]:
    """Outputs that all of them have."""
    return [
        Output("slip", "rad/s", rate, description="angular velocity of b against a"),
        Output("torque", "N m", torque, description="couple on b about z"),
    ]
