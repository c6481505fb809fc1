"""Linear servo."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import several
from samara.elements.springs.line import Line
from samara.model import Constant, Contribution, Output, Site, State, driven, number, numbers, setting


class LinearServo(Line):
    """An actuator between two points whose length is commanded by a drive and any number of states.

        F = stiffness (l - c) + damping d(l - length)/dt [N], tension positive,     c = length(t) + sum of gains x

    l: the distance of the points [m]. The stiffness is that of the actuator and its linkage, so the command may jump.
    Typically the drive is the pilot's input and the states are added by an autopilot: three such servos hold a
    swashplate. The servo is not affected by its load; its power counts as supplied.

    x: the states, such as ``[regulator.output]``; gains [m / their unit]; length: a drive [m], by default the distance
    in the reference pose; stiffness [N/m], damping [N s/m]. See `Line` for how to give the points.
    """

    stiffness: float = number(unit="N/m", positive=True)
    damping: float = number(default=0.0, unit="N s/m", nonnegative=True)
    length: Any = driven(default=None, unit="m")
    x: Any = setting(default=())
    gains: Any = numbers(default=())

    def prepare(self) -> None:
        super().prepare()
        self.x = tuple(several("x", self.x))
        if len(self.x) != np.size(self.gains):
            raise ValueError(f"one gain per state is needed, got {len(self.x)} states and {np.size(self.gains)} gains")
        if self.length is None:
            self.length = self.reference_distance()

    def examine(self) -> None:
        super().examine()
        if not self.x and isinstance(self.length, Constant) and float(self.length.value) < 0.0:
            raise ValueError(f"length must not be negative, got {float(self.length.value):g} m")

    def readings(self) -> list[State]:
        return [*self.x]

    def formulate(self, site: Site) -> Contribution:
        def beyond(a, b):
            return [super(LinearServo, self).coordinates(a.at(self.place_a), b.at(self.place_b))[0] - self.length]

        q = site.measure(beyond)
        added = sum(g * s.value for g, s in zip(self.gains, site.states, strict=True))
        added_rate = sum(g * s.rate for g, s in zip(self.gains, site.states, strict=True))
        off, rate = q.value[0] - added, q.rate[0]
        effort = self.stiffness * off + self.damping * rate
        return Contribution(
            wrenches=q.wrenches([effort]),
            potential=0.5 * self.stiffness * off**2,
            dissipated=self.damping * rate**2,
            supplied=effort * q.drift[0] - self.stiffness * off * added_rate,
            outputs=[
                Output("length", "m", q.value[0] + self.length),
                Output("command", "m", self.length + added, description="commanded length"),
                Output("effort", "N", effort, description="tension"),
            ],
        )
