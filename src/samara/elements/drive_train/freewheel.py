"""Freewheel."""

from __future__ import annotations

from samara.elements.drive_train.shafts import OnShaft, checked_sense, slipping
from samara.elements.drive_train.windup import WoundUp
from samara.model import Contribution, Output, Site, number, option
from samara.tracing import fmax


class Freewheel(WoundUp, OnShaft):
    """Lets a turn b in one sense, and b overrun a: sprags between two races on one axis.

        s = sense z_A . (w_A - w_B),     d windup/dt = max(s, -stiffness windup / damping)
        C = stiffness windup + damping d windup/dt = max(stiffness windup + damping s, 0) [N m], on b, in the sense

    The sprags are a spring and a damper side by side that can push but not pull. They let go where their torque would
    turn negative, relax by themselves while b overruns, and grip again at once where a has caught up: no play.

    a: the driving part; b: the driven one. sense: of rotation about z in which a drives, 1 or -1.
    stiffness [N m/rad], damping [N m s/rad]: damping / stiffness is the time in which sprags without load relax [s]; a
    time below a step costs iterations. start: windup at the start [rad], torque / stiffness.

    Limits: nothing resists overrun, and no torque is too large. A static solution winds up what drives.
    """

    wound = "of the sprags"

    stiffness: float = number(unit="N m/rad", positive=True)
    damping: float = number(unit="N m s/rad", positive=True)
    sense: int = option(default=1, choices=(1, -1))
    start: float = number(default=0.0, unit="rad", nonnegative=True, plain=True)

    def prepare(self) -> None:
        super().prepare()
        self.sense = checked_sense(self.sense)

    def formulate(self, site: Site) -> Contribution:
        slip = self.slip(site)
        windup, ahead = site.states[0], -self.sense * slip.value[0]
        pushing = self.stiffness * windup.value
        rate, torque = fmax(ahead, -pushing / self.damping), fmax(pushing + self.damping * ahead, 0.0)
        return Contribution(
            wrenches=slip.wrenches([-self.sense * torque]),
            balances=[windup.rate - rate],
            potential=0.5 * self.stiffness * windup.value**2,
            dissipated=self.damping * rate**2,
            outputs=[
                *slipping(slip.value[0], self.sense * torque),
                Output("overrun", "rad/s", -ahead, description="by which b is faster, in the sense of rotation"),
            ],
        )
