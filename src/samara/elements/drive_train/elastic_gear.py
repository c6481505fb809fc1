"""Elastic gear."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.gear_pair import GearPair
from samara.elements.drive_train.windup import ElasticWindup
from samara.model import Output, Site


class ElasticGear(ElasticWindup, GearPair):
    """Two gear wheels in mesh with elastic teeth or shafts, with or without backlash.

        d windup/dt = speed_a - ratio speed_b,     C = law(windup, its rate) [N m]: -C on a, ratio C on b

    law:   of the angle by which a leads b, referred to a [rad]: ``LinearLaw(stiffness, damping)`` [N m/rad,
           N m s/rad]; with backlash ``StopLaw(LinearLaw(stiffness, damping), lower=-play / 2, upper=play / 2)``. Teeth
           of a stiffness k [N/m] along the line of action at the base radius r of wheel a: k r^2.
    start: windup at the start [rad].

    See `GearPair` for nodes, axes, ratio and reactions. The windup is a state without limit of turns. In a static
    solution it changes with the rotation of the wheels from their initial positions.
    """

    wound = "angle by which a is ahead"

    def told(self, site: Site, rate: Any, effort: Any) -> list[Output]:
        return [*self.report(site, effort), Output("slip", "rad/s", rate, description="rate of the windup")]
