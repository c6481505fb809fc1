"""What is wound up between two wheels: an angle that counts any number of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from samara.elements.laws.law import Law
from samara.elements.springs.rod import check_law
from samara.model import Contribution, EnergyBooks, Grip, Measure, Output, Site, State, number, record


class WoundUp(EnergyBooks):
    """Has a windup [rad], a state, which is not an angle of nodes and may be more than half a turn.

    start: windup at the start [rad].
    """

    grip = Grip.FORCE
    #: what the windup is, in words
    wound: ClassVar[str]

    start: float = number(default=0.0, unit="rad", plain=True)

    @property
    def windup(self) -> State:
        """The state that is the angle wound up."""
        return self.owned["windup"]

    def own_states(self) -> dict[str, State]:
        return {"windup": State(1, value=self.start, unit="rad", scale=0.01, description=self.wound)}


class ElasticWindup(WoundUp):
    """A spring that a slip winds up; a family gives the slip.

        d windup/dt = slip,     C = law(windup, slip) [N m], which takes the slip back

    law: of the windup [rad]. A static solution counts on from where it starts.
    """

    law: Law = record(of=Law, such_as="LinearLaw(stiffness, damping)")

    def examine(self) -> None:
        super().examine()
        check_law(self.law, angular=True)

    if TYPE_CHECKING:

        def slip(self, site: Site) -> Measure:
            """Rate of the windup [rad/s], one number: the other base of an element has it."""

    def told(self, site: Site, rate: Any, effort: Any) -> list[Output]:
        """Outputs, from the slip [rad/s] and the effort that takes it back [N m]."""
        raise NotImplementedError

    def formulate(self, site: Site) -> Contribution:
        slip = self.slip(site)
        windup, rate = site.states[0], slip.value[0]
        effort = self.law(windup.value, rate)
        return Contribution(
            wrenches=slip.wrenches([effort]),
            balances=[windup.rate - rate],
            potential=self.law.potential(windup.value),
            dissipated=self.law.dissipation(windup.value, rate),
            outputs=self.told(site, rate, effort),
        )
