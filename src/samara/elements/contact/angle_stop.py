"""Angle stop: a rigid end stop of a hinge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from samara.elements.contact.touching import require_movable
from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Contribution, Element, Grip, Output, Site, Surveying, Touch, number, option


class AngleStop(Placed, Surveying):
    """A rigid end stop of a hinge: a droop stop, an anti-flap stop, the end of an actuator's travel.

        gap = angle - limit ("lower"),  or  limit - angle ("upper");      gap >= 0,  couple >= 0 along it
        rate(+) = -restitution rate(-) in an impact (Newton's law)

    The angle is that of b relative to a about the z axis of the two frames, from -pi to pi; give it the same `at` and
    `axis` as the joint. limit [rad], within half a turn: the angle of a hinge that turns beyond half a turn wraps
    around.
    side: "lower" stops angles that become smaller, "upper" those that
    grow. restitution: 0 (plastic) to 1 (elastic).

    The couple is set-valued: there is no stiffness. For a stop with stiffness use a `Torsion` with a `StopLaw`.
    Channels: gap [rad], rate of the gap [rad/s], couple that opens it [N m].
    """

    grip = Grip.NONE

    limit: float = number(default=0.0, unit="rad")
    side: Literal["lower", "upper"] = option(default="lower", choices=("lower", "upper"))
    restitution: float = number(default=0.0, nonnegative=True)

    def validate(self) -> None:
        super().validate()
        if float(self.restitution) > 1.0:
            raise ValueError(f"restitution must be from 0 to 1, got {float(self.restitution):g}")
        if abs(float(self.limit)) >= np.pi:
            raise ValueError(
                f"limit must be within half a turn, between -pi and pi, got {float(self.limit):g} rad: angles are "
                "counted from -pi to pi"
            )

    def survey(self, elements: Iterable[Element]) -> None:
        require_movable(self.nodes())

    def formulate(self, site: Site) -> Contribution:
        sign = 1.0 if self.side == "lower" else -1.0
        gap = site.measure(lambda a, b: [sign * (hinge_angle(a.at(self.place_a), b.at(self.place_b)) - self.limit)])
        couple = site.multipliers(1)
        return Contribution(
            wrenches=gap.wrenches(-couple),
            touch=Touch(gap.value[0], gap.rate, 0.0, self.restitution, passable=False),
            supplied=couple[0] * (gap.rate[0] - gap.drift[0]),
            outputs=[
                Output("gap", "rad", gap.value[0], description="how far the stop is"),
                Output("gap_rate", "rad/s", gap.rate[0], description="rate of the gap"),
                Output("couple", "N m", couple[0], description="that the stop pushes with"),
            ],
        )
