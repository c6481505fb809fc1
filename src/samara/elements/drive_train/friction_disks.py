"""Disks that are pressed together: what clutch and brake share."""

from __future__ import annotations

from typing import Any

from samara.elements.drive_train.shafts import OnShaft, slipping
from samara.elements.laws.friction import smooth_direction
from samara.elements.laws.stribeck import check_peak, stribeck
from samara.model import Contribution, Grip, Output, Site, State, number
from samara.tracing import fmax, fmin


class FrictionDisks(OnShaft):
    """Dry friction between two parts on one axis, of a size that a signal commands; a subclass gives `pressing`.

        C = p T(|s|) f(|s| / transition) s / |s| [N m], which takes b back;     s = z_A . (w_B - w_A)
        T(s) = capacity + (breakaway - capacity) exp(-(s / stribeck)^2),     f(u) = u (3 - u^2) / 2 for u < 1, 1 beyond

    capacity:   torque that slipping disks pass on when they are fully pressed [N m].
    breakaway:  that near rest, by default the same, not less; stribeck: slip over which it falls to the other [rad/s].
    transition: slip below which the torque rises from zero [rad/s]; beyond it the law is Coulomb's exactly. Disks that
                should stick creep by 2/3 of it times the share of the capacity, for small shares. Newton's method wants
                it above what friction takes off the slip in a step.

    Heat since the start is a state, "heat" [J]. A `Lock` holds without creep, and without a limit of its torque.
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
