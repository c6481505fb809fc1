"""Shaft that twists."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.shafts import OnShaft, slipping
from samara.elements.drive_train.windup import ElasticWindup
from samara.model import Output, Site


class FlexibleShaft(ElasticWindup, OnShaft):
    """A shaft without mass that twists between two wheels on one axis, by any number of turns.

        d windup/dt = z_A . (w_B - w_A),     C = law(windup, its rate) [N m], which takes b back

    law:   of the angle by which b is ahead of a [rad]: ``LinearLaw(stiffness, damping)``, of a round bar G I_p / length
           [N m/rad].
    start: windup at the start [rad].

    Give half of its inertia to the body at each end, or divide it by nodes in between. The windup is a state, so that
    it may be more than half a turn, and counts from where the run starts; a `Torsion` is the same without a state,
    knows the angle itself and is good for less than half a turn. A static solution counts on.
    """

    wound = "angle by which b is ahead"

    def told(self, site: Site, rate: Any, effort: Any) -> list[Output]:
        return slipping(rate, -effort)
