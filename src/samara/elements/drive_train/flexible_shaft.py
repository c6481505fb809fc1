"""Shaft that twists."""

from __future__ import annotations

from samara.elements.drive_train.shafts import OnShaft, slipping
from samara.elements.laws.law import Law
from samara.elements.springs.rod import check_law
from samara.model import Contribution, Grip, Site, State, number, record


class FlexibleShaft(OnShaft):
    """A shaft without mass that twists between two wheels on one axis, by any number of turns.

        d windup/dt = z_A . (w_B - w_A),     C = law(windup, its rate) [N m], which takes b back

    law:   of the angle by which b is ahead of a [rad]: ``LinearLaw(stiffness, damping)``, of a round bar G I_p / length
           [N m/rad].
    start: windup at the start [rad].

    Give half of its inertia to the body at each end, or divide it by nodes in between. The windup is a state, so that
    it may be more than half a turn, and counts from where the run starts; a `Torsion` is the same without a state,
    knows the angle itself and is good for less than half a turn. A static solution does not move the windup.
    """

    grip = Grip.FORCE

    law: Law = record()
    start: float = number(default=0.0, unit="rad", plain=True)

    def prepare(self) -> None:
        super().prepare()
        check_law(self.law, angular=True)

    @property
    def windup(self) -> State:
        """The state that is the angle by which b is ahead."""
        return self.owned["windup"]

    def own_states(self) -> dict[str, State]:
        return {"windup": State(1, value=self.start, unit="rad", scale=0.01, description="angle by which b is ahead")}

    def formulate(self, site: Site) -> Contribution:
        slip = self.slip(site)
        windup, rate = site.states[0], slip.value[0]
        effort = self.law(windup.value, rate)
        return Contribution(
            wrenches=slip.wrenches([effort]),
            balances=[windup.rate - rate],
            potential=self.law.potential(windup.value),
            dissipated=self.law.dissipation(windup.value, rate),
            outputs=slipping(rate, -effort),
        )
