"""Pitch control of a blade without a swashplate's parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.geometry.alignment import hinge_angle
from samara.model import (
    Contribution,
    Element,
    Grip,
    Node,
    Output,
    Placement,
    Site,
    State,
    node,
    number,
    numbers,
    option,
    placement,
    reads,
)
from samara.rotations import dot


class PitchControl(Element):
    """A spring and damper that drive a blade to the pitch commanded by an ideal swashplate.

        C = stiffness (theta - c) + damping d(theta - c)/dt [N m]
        c = g_0 collective + g_1 lateral cos(psi) + g_2 longitudinal sin(psi)

    theta: angle of the blade relative to the arm that carries its bearing, about their common z axis [rad]; psi:
    azimuth of the hub's frame relative to the craft's, between their x axes, in the sense of rotation. C acts on the
    blade as a restoring couple, its opposite on the arm; by virtual work, hub and craft receive the same as from a
    swashplate: the couple C dc/dpsi about the shaft.

    craft, hub, arm, blade: the nodes; place_craft: x at zero azimuth, z along the shaft; place_hub: x along
    the blade's span; place_arm, place_blade: frames of the pitch bearing. collective, lateral, longitudinal: states
    [rad], such as those of servos; gains: g, three. stiffness [N m/rad], damping [N m s/rad]: of the control system;
    the damper ignores the rates of the states. The servos are not affected by their load, whose power counts as
    supplied. sense: 1, or -1 for clockwise seen against the shaft's z.

    Limits: no swashplate kinematics, so the only pitch-flap and pitch-lag couplings are those due to the order of the
    hinges.
    """

    grip = Grip.FORCE

    craft: Node = node(kw_only=False)
    hub: Node = node(kw_only=False)
    arm: Node = node(kw_only=False)
    blade: Node = node(kw_only=False)
    collective: State = reads(kw_only=False)
    lateral: State = reads(kw_only=False)
    longitudinal: State = reads(kw_only=False)
    place_craft: Placement | Any = placement(default=None)
    place_hub: Placement | Any = placement(default=None)
    place_arm: Placement | Any = placement(default=None)
    place_blade: Placement | Any = placement(default=None)
    gains: Any = numbers(default=(1.0, 1.0, 1.0))
    stiffness: float = number(unit="N m/rad", positive=True)
    damping: float = number(default=0.0, unit="N m s/rad", nonnegative=True)
    sense: int = option(default=1, choices=(1, -1))

    def examine(self) -> None:
        if np.shape(self.gains) != (3,):
            raise ValueError(f"gains must be three, got {np.size(self.gains)}")

    def formulate(self, site: Site) -> Contribution:
        def coordinates(craft, hub, arm, blade):
            disk, out = craft.at(self.place_craft), hub.at(self.place_hub).x
            theta = hinge_angle(arm.at(self.place_arm), blade.at(self.place_blade))
            return [theta, dot(disk.x, out), self.sense * dot(disk.y, out)]

        q = site.measure(coordinates)
        theta, cosine, sine = q.value
        g, (c0, c1, c2) = self.gains, site.states
        a, b = g[1] * c1.value, g[2] * c2.value
        command = g[0] * c0.value + a * cosine + b * sine
        off, rate = theta - command, q.rate[0] - a * q.rate[1] - b * q.rate[2]
        told = g[0] * c0.rate + g[1] * c1.rate * cosine + g[2] * c2.rate * sine
        effort = self.stiffness * off + self.damping * rate
        return Contribution(
            wrenches=q.wrenches([effort, -a * effort, -b * effort]),
            potential=0.5 * self.stiffness * off**2,
            dissipated=self.damping * rate**2,
            supplied=-self.stiffness * off * told,
            outputs=[
                Output("angle", "rad", theta, description="pitch of the blade against its arm"),
                Output("command", "rad", command),
                Output("effort", "N m", effort, description="couple that turns the blade back"),
            ],
        )
