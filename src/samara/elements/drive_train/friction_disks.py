"""Friction disks: base of clutch and brake."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.shafts import OnShaft, slipping
from samara.elements.laws.friction import smooth_direction
from samara.elements.laws.stribeck import check_peak, stribeck
from samara.model import Contribution, Grip, Output, Site, State, number
from samara.tracing import fmax, fmin


class FrictionDisks(OnShaft):
    """Dry friction between two coaxial parts, commanded by a signal; a subclass defines `pressing`.

        C = p T(|s|) f(|s| / transition) s / |s| [N m], which takes b back;     s = z_A . (w_B - w_A)
        T(s) = capacity + (breakaway - capacity) exp(-(s / stribeck)^2),     f(u) = u (3 - u^2) / 2 for u < 1, 1 beyond

    capacity:   torque transmitted by the slipping disks when fully engaged [N m]. breakaway: torque near rest, by
    default the same, never less; stribeck: slip scale of the transition between the two [rad/s].
    transition: slip below which the torque is regularised [rad/s]; above it the law is exactly Coulomb's. Instead of
                sticking, the disks creep: at low load, by 2/3 of it times the ratio of load to capacity. For
                convergence of Newton's method it should exceed the slip lost to friction in one step.

    The heat generated since the start is a state, "heat" [J]. A `Lock` holds without creep and without a torque limit.
    """

    grip = Grip.FORCE

    capacity: float = number(unit="N m", positive=True)
    transition: float = number(unit="rad/s", positive=True)
    breakaway: float = number(default=None, unit="N m", positive=True)
    stribeck: float = number(default=1.0, unit="rad/s", positive=True)

    def prepare(self) -> None:
        super().prepare()
        if self.breakaway is None:
            self.breakaway = self.capacity

    def examine(self) -> None:
        super().examine()
        check_peak(self, "capacity", "breakaway")

    def pressing(self, site: Site) -> Any:
        """How hard the disks are pressed, 0 to 1; what is beyond is cut."""
        raise NotImplementedError

    @property
    def heat(self) -> State:
        """The state that is the heat since the start [J]."""
        return self.owned["heat"]

    def own_states(self) -> dict[str, State]:
        return {"heat": State(1, unit="J", scale=1.0, description="lost in the disks since the start")}

    def formulate(self, site: Site) -> Contribution:
        measured = self.slip(site)
        slip, heat = measured.value[0], site.states[-1]
        size, _ = stribeck(self.capacity, self.breakaway, slip * slip, self.stribeck)
        pressed = fmin(fmax(self.pressing(site), 0.0), 1.0)
        effort = pressed * size * smooth_direction(slip * slip, self.transition) * slip
        return Contribution(
            wrenches=measured.wrenches([effort]),
            balances=[heat.rate - effort * slip],
            dissipated=effort * slip,
            outputs=[
                *slipping(slip, -effort),
                Output("pressed", "1", pressed, description="how hard the disks are pressed"),
            ],
        )
