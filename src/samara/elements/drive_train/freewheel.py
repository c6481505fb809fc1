"""Freewheel."""

from __future__ import annotations

from samara.elements.drive_train.shafts import OnShaft, checked_sense, slipping
from samara.elements.drive_train.windup import WoundUp
from samara.model import Contribution, Output, Site, number, option
from samara.tracing import fmax


class Freewheel(WoundUp, OnShaft):
    """A sprag-type freewheel: a drives b in one sense, and b may overrun a.

        s = sense z_A . (w_A - w_B),     d windup/dt = max(s, -stiffness windup / damping)
        C = stiffness windup + damping d windup/dt = max(stiffness windup + damping s, 0) [N m], on b, in the sense

    The sprags are a one-sided spring and damper in parallel. They disengage when their torque would become negative,
    relax while b overruns, and engage again without backlash when a has caught up.

    a: the driving part; b: the driven one. sense: of rotation about z in which a drives, 1 or -1.
    stiffness [N m/rad], damping [N m s/rad]: damping / stiffness is the relaxation time of unloaded sprags [s]; values
    below a time step cost iterations. start: initial windup [rad], torque / stiffness.

    Limits: no drag in overrun and no torque limit. In a static solution a driving freewheel winds up.
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
                Output("overrun", "rad/s", -ahead, description="overrunning speed of b, in the sense of rotation"),
            ],
        )
