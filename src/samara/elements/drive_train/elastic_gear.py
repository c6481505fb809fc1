"""Gear with teeth that give way."""

from __future__ import annotations

from samara.elements.drive_train.gear_pair import GearPair
from samara.elements.laws.law import Law
from samara.elements.springs.rod import check_law
from samara.model import Contribution, Output, Site, State, number, record


class ElasticGear(GearPair):
    """Two wheels in mesh whose teeth, or whose shafts, give way, with or without backlash.

        d windup/dt = speed_a - ratio speed_b,     C = law(windup, its rate) [N m]: -C on a, ratio C on b

    law:   of the angle by which a is ahead of b, seen at a [rad]: ``LinearLaw(stiffness, damping)`` [N m/rad,
           N m s/rad]; with backlash ``StopLaw(LinearLaw(stiffness, damping), lower=-play / 2, upper=play / 2)``. Teeth
           of a stiffness k [N/m] along the line of action at the base radius r of wheel a: k r^2.
    start: windup at the start [rad].

    See `GearPair` for nodes, axes, ratio and reactions. The windup is a state: it counts any number of turns. A static
    solution does not move it: the equation is one of rates.
    """

    law: Law = record()
    start: float = number(default=0.0, unit="rad", plain=True)

    def prepare(self) -> None:
        super().prepare()
        check_law(self.law, angular=True)

    @property
    def windup(self) -> State:
        """The state that is the angle by which a is ahead."""
        return self.owned["windup"]

    def own_states(self) -> dict[str, State]:
        return {"windup": State(1, value=self.start, unit="rad", scale=0.01, description="angle by which a is ahead")}

    def formulate(self, site: Site) -> Contribution:
        slip = self.slip(site)
        windup, rate = site.states[0], slip.value[0]
        effort = self.law(windup.value, rate)
        return Contribution(
            wrenches=slip.wrenches([effort]),
            balances=[windup.rate - rate],
            potential=self.law.potential(windup.value),
            dissipated=self.law.dissipation(windup.value, rate),
            outputs=[*self.report(site, effort), Output("slip", "rad/s", rate, description="rate of the windup")],
        )
