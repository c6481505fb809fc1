"""Flexible shaft."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.shafts import OnShaft, slipping
from samara.elements.drive_train.windup import ElasticWindup
from samara.model import Output, Site


class FlexibleShaft(ElasticWindup, OnShaft):
    """A massless torsionally flexible shaft between two coaxial wheels, for any number of turns.

        d windup/dt = z_A . (w_B - w_A),     C = law(windup, its rate) [N m], which takes b back

    law:   of the angle by which b is ahead of a [rad]: ``LinearLaw(stiffness, damping)``, of a round bar G I_p / length
           [N m/rad].
    start: windup at the start [rad].

    Add half of its inertia to the body at each end, or divide it by intermediate nodes. The windup is a state, measured
    from the start of the run, and may exceed half a turn; a `Torsion` needs no state but is limited to half a turn. A
    static solution continues from the initial windup.
    """

    wound = "angle by which b is ahead"

    def told(self, site: Site, rate: Any, effort: Any) -> list[Output]:
        return slipping(rate, -effort)
