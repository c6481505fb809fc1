"""Two wheels in mesh, and what carries them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from samara.elements.drive_train.shafts import spin
from samara.elements.joints.cylindrical import Cylindrical
from samara.elements.joints.revolute import Revolute
from samara.model import (
    Element,
    EnergyBooks,
    Frame,
    Grip,
    Measure,
    Node,
    Output,
    Site,
    Surveying,
    direction,
    node,
    number,
    setting,
)
from samara.model.quantities.placement import as_vector

#: Angle between shaft and bearing above which they are not taken for one axis [rad].
ASKEW = 1e-3


class GearPair(Surveying, EnergyBooks):
    """Base of gears: two wheels in mesh on shafts of any direction, on one carrier or two.

        speed_a = z_a . (w_a - w_carrier),     speed_b = z_b . (w_b - w_carrier),     slip = speed_a - ratio speed_b

    a, b:      nodes of the wheels. carrier: node of the casing; carrier_b: that of b, if different.
    ratio:     turns of a per turn of b; negative if they turn in opposite senses about the given axes.
    axis_a, axis_b: axes of the shafts, in the world, in the reference pose; by default the z axes of the wheels' nodes.
    shaft_a, shaft_b: instead of these, the same in axes of the carriers.

    The bearings are separate joints: a `Revolute` between carrier and wheel, about the same axis; others are rejected.
    With the torque C on a, b receives -ratio C, each about its axis, and the carriers receive the opposite of both.
    Bearing forces due to the teeth are internal to the casing and are neglected.

    With a rotating carrier it is a planetary gear: with the sun a, the ring b and the arm as the carrier, all about one
    axis, ratio = -teeth of the ring / teeth of the sun (Willis).
    """

    grip = Grip.FORCE

    a: Node = node(kw_only=False)
    b: Node = node(kw_only=False)
    carrier: Node = node(kw_only=False)
    ratio: float = number()
    carrier_b: Any = setting(default=None)
    axis_a: Any = setting(default=None)
    axis_b: Any = setting(default=None)
    shaft_a: Any = direction(default=None)
    shaft_b: Any = direction(default=None)

    def nodes(self) -> list[Node]:
        return [self.a, self.b, self.carrier, *([] if self.carrier_b is None else [self.carrier_b])]

    def structure(self) -> tuple:
        return (*super().structure(), self.carrier_b is None)

    def prepare(self) -> None:
        super().prepare()
        other = self.carrier if self.carrier_b is None else self.carrier_b
        self.shaft_a = _shaft(self.shaft_a, self.axis_a, "a", self.a, self.carrier)
        self.shaft_b = _shaft(self.shaft_b, self.axis_b, "b", self.b, other)

    def examine(self) -> None:
        super().examine()
        if float(self.ratio) == 0.0:
            raise ValueError("ratio must not be zero: it is the number of turns of a per turn of b")

    def survey(self, elements: Iterable[Element]) -> None:
        bearings = [e for e in elements if isinstance(e, (Revolute, Cylindrical))]
        other = self.carrier if self.carrier_b is None else self.carrier_b
        for name, wheel, carrier, shaft in (
            ("a", self.a, self.carrier, self.shaft_a),
            ("b", self.b, other, self.shaft_b),
        ):
            for bearing in bearings:
                _check_bearing(name, wheel, carrier, shaft, bearing)

    def speeds(self, *frames: Frame) -> tuple[Any, Any]:
        """Of both wheels against their carriers [rad/s]."""
        a, b, carrier, *more = frames
        return spin(self.shaft_a, carrier, a), spin(self.shaft_b, more[0] if more else carrier, b)

    def slip(self, site: Site) -> Measure:
        """By how much a is faster than the ratio says [rad/s], one number."""

        def slipping(*frames: Frame) -> list:
            speed_a, speed_b = self.speeds(*frames)
            return [speed_a - self.ratio * speed_b]

        return site.measure_rates(slipping)

    def report(self, site: Site, effort: Any) -> list[Output]:
        """Speeds, torques and power, from the effort that takes slip back [N m]."""
        speed_a, speed_b = self.speeds(*site.frames)
        return [
            Output("speed_a", "rad/s", speed_a, description="of a against its carrier"),
            Output("speed_b", "rad/s", speed_b, description="of b against its carrier"),
            Output("torque_a", "N m", -effort, description="couple on a about its axis"),
            Output("torque_b", "N m", self.ratio * effort, description="couple on b about its axis"),
            Output("power", "W", effort * speed_a, description="that the gear takes from a"),
        ]


def _check_bearing(name: str, wheel: Node, carrier: Node, shaft: Any, bearing: Revolute | Cylindrical) -> None:
    """Refuses a bearing of a wheel in its carrier that is not about the shaft."""
    if bearing.a is carrier and bearing.b is wheel:
        place = bearing.place_a
    elif bearing.a is wheel and bearing.b is carrier:
        place = bearing.place_b
    else:
        return
    z, hinge = np.asarray(shaft, float), np.asarray(place.rotation, float)[:, 2]
    if np.linalg.norm(np.cross(z, hinge)) > ASKEW:
        angle = np.degrees(np.arccos(min(abs(float(z @ hinge)), 1.0)))
        raise ValueError(
            f"the axis of wheel {name}, node {wheel.name!r}, is {angle:.3g} degrees off that of its bearing "
            f"{bearing.name!r}: give axis_{name} along the bearing"
        )


def _shaft(shaft: Any, axis: Any, name: str, wheel: Node, carrier: Node) -> Any:
    """The axis of a shaft in its carrier, as it is given there, or from that in the world or the wheel's z axis."""
    if shaft is not None:
        if axis is not None:
            raise ValueError(f"give either axis_{name} in the world or shaft_{name} in the carrier, not both")
        return shaft
    z = wheel.rotation[:, 2] if axis is None else as_vector(axis, f"axis_{name}")
    length = float(np.linalg.norm(z))
    if length < 1e-12:
        raise ValueError(f"axis_{name} is a direction: it must not be zero")
    return carrier.rotation.T @ (z / length)
