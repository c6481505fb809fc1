"""The helicopter after an engine failure: autorotation, flare and landing, flown by scheduled controls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from samara.elements.drive_train.brake import Brake
from samara.model import Cosine, Drive, Model, Placement
from samara.models.ground import landing_gear
from samara.models.ground.deck import Deck
from samara.models.helicopters import helicopter
from samara.models.helicopters.helicopter_drive import Turboshaft
from samara.models.helicopters.helicopter_parts import Surroundings
from samara.rotations import rotation_from_axes

#: Height of the wheels over the ground at the start from which the default `Pilot` lands at 35 m/s [m].
HEIGHT = 98.0
#: Torque of the brake of a main wheel [N m] and slip over which it rises [rad/s]: stand-ins.
WHEEL_BRAKE, WHEEL_TRANSITION = 3000.0, 1.0
#: Where the axle of a wheel has its frame: z to the right.
AXLE = Placement((0.0, 0.0, 0.0), rotation_from_axes(z=(0, 1, 0), x=(1, 0, 0)))


@dataclass(frozen=True)
class Pilot:
    """Scheduled controls, and the attitude held by the autopilot; each change follows a cosine.

    failure, reaction, lower: time of the failure, reaction time of the pilot, and time taken to move the controls to
    those of autorotation [s].
    flare, flare_after, flare_in: nose-up attitude [deg], delay after the failure [s], and duration [s].
    check, check_after, check_in: collective pitch added in the flare [deg], delay after its start [s], duration [s].
    level, level_after, level_in: final attitude less that of autorotation [deg], after the start of the flare [s].
    pull, pull_after, pull_in: collective pitch for the touchdown [deg], after the start of the flare [s].
    settle, settle_after, settle_in: reduction of collective pitch on the ground [deg], with the brakes applied.

    Stand-ins, found by trial and error: a real pilot reacts to what he sees.
    """

    failure: float = 3.0
    reaction: float = 0.3
    lower: float = 1.0
    flare: float = 16.4
    flare_after: float = 8.0
    flare_in: float = 3.0
    check: float = 1.7
    check_after: float = 3.0
    check_in: float = 6.8
    level: float = 3.0
    level_after: float = 7.0
    level_in: float = 1.5
    pull: float = 6.0
    pull_after: float = 7.5
    pull_in: float = 2.0
    settle: float = 7.0
    settle_after: float = 9.3
    settle_in: float = 2.0

    @property
    def flares(self) -> float:
        """Time at which the flare starts [s]."""
        return self.failure + self.flare_after

    def controls(self, level: Mapping[str, float], down: Mapping[str, float], landing: bool = True) -> dict[str, Drive]:
        """Drives of controls and attitude [deg], from those of level flight to those of autorotation.

        landing: whether flare and touchdown follow.
        """
        begin, t = self.failure + self.reaction, self.flares
        found: dict[str, Drive] = {
            name: Cosine(down[name] - level[name], self.lower, start=begin, initial=level[name])
            for name in helicopter.CONTROLS
        }
        if landing:
            found["pitch"] = (
                found["pitch"]
                + Cosine(self.flare, self.flare_in, start=t)
                + Cosine(self.level - self.flare, self.level_in, start=t + self.level_after)
            )
            found["collective"] = (
                found["collective"]
                + Cosine(self.check, self.check_in, start=t + self.check_after)
                + Cosine(self.pull, self.pull_in, start=t + self.pull_after)
                + Cosine(-self.settle, self.settle_in, start=t + self.settle_after)
            )
        return found


def machine(
    level: Mapping[str, float],
    down: Mapping[str, float],
    *,
    airspeed: float,
    height: float | None,
    pilot: Pilot | None = None,
    **options: Any,
) -> Model:
    """The helicopter with a turboshaft engine that fails, in level flight at an airspeed [m/s], on wheels.

    level, down: trimmed controls and attitude of level flight and of autorotation [deg].
    height: of the wheels above the ground at the start [m], with ground effect; None: there is no ground, and the
    descent never ends. options: of `helicopter`.
    """
    pilot = pilot or Pilot()
    gear = replace(landing_gear.WHEELS, brakes=False)
    around: dict[str, Any] = {}
    if height is not None:
        around = {"deck": Deck(gear.low - height), "surroundings": Surroundings(ground=gear.low - height)}
    model = helicopter.helicopter(
        pilot.controls(level, down, height is not None), airspeed=airspeed, release=0.5 * pilot.failure, gear=gear,
        engine=Turboshaft(pilot.failure), name="engine failure", **around, **options,
    )  # fmt: skip
    applied = Cosine(1.0, pilot.settle_in, start=pilot.flares + pilot.settle_after)
    for name in ("left", "right"):
        foot, wheel = (model.nodes[f"gear.{name}{part}"] for part in ("", ".wheel"))
        brake = Brake(
            foot, wheel, place_a=AXLE, place_b=AXLE, applied=applied, capacity=WHEEL_BRAKE, transition=WHEEL_TRANSITION
        )
        model.add(f"gear.{name}.brake", brake)
    return model
