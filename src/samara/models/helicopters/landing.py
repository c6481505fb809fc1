"""A helicopter of the Puma's size landing on the ground or on the deck of a ship."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Cosine, Model
from samara.models.ground import landing_gear
from samara.models.ground.deck import deck_of
from samara.models.ground.ship import ShipMotion
from samara.models.helicopters import helicopter
from samara.models.quantity import PITCH
from samara.models.registry import Quantity, ReadyModel, checked

GEARS, DECKS = ("wheels", "skids"), ("ground", "ship")
#: How long the pilot takes for each change of the collective pitch [s].
EASE = 1.0


@checked("landing")
def build(
    gear: Annotated[str, Quantity("", "stand-ins", choices=GEARS)] = "wheels",
    deck: Annotated[str, Quantity("", "what it lands on", choices=DECKS)] = "ground",
    contact: Annotated[str, Quantity("", "of gear and deck", choices=landing_gear.CONTACTS)] = "unilateral",
    clearance: Annotated[float, Quantity("m", "of the gear above the deck at the start", True)] = 2.0,
    sink_deg: Annotated[
        float, Quantity("deg", "by which the collective pitch is lowered to go down", True, upper=90.0)
    ] = 0.8,
    lower: Annotated[float, Quantity("s", "when it is lowered for good; after the touchdown", True)] = 8.0,
    lower_deg: Annotated[float, Quantity("deg", "by which it is lowered then", **PITCH)] = 6.0,
    release: Annotated[
        float, Quantity("s", "when the fuselage is free; until then blades and wakes settle", lower=0.0)
    ] = 2.0,
    friction: Annotated[float, Quantity("1", "between gear and deck", lower=0.0)] = 0.6,
    restitution: Annotated[float, Quantity("1", "of unilateral contacts", lower=0.0, upper=1.0)] = 0.0,
    brakes: Annotated[bool, Quantity("", "whether the wheels are locked")] = True,
    slope_deg: Annotated[
        float, Quantity("deg", "of ground or deck, down to where it looks", lower=-89.0, upper=89.0)
    ] = 0.0,
    roll_deg: Annotated[
        float, Quantity("deg", "amplitude of the ship's roll; stand-in", lower=-89.0, upper=89.0)
    ] = 5.0,
    pitch_deg: Annotated[float, Quantity("deg", "amplitude of its pitch; stand-in", lower=-89.0, upper=89.0)] = 2.0,
    heave: Annotated[float, Quantity("m", "amplitude of its heave; stand-in")] = 1.0,
    ship_speed: Annotated[float, Quantity("m/s", "of the ship, and of the machine over it")] = 0.0,
    blades: Annotated[str, Quantity("", "of the main rotor", choices=helicopter.puma.KINDS)] = "rigid",
) -> Model:
    """The ready model helicopter in hover is released at `release`, descends at reduced collective pitch, and lands.

    The pilot is open-loop: collective pitch is lowered by `sink_deg` at the release, which gives a steady rate of
    descent, and by another `lower_deg` at `lower`, so that the gear carries the weight. The autopilot holds the
    attitude. A ship (`ShipMotion`) moves from the start; with a speed it sails towards -x, and the helicopter follows.

    Gear: wheels on oleo legs or skids on cross tubes (`samara.models.ground.landing_gear`), with unilateral contacts or
    a penalty law. Stand-ins: gear, ship, descent, and those of the ready model helicopter.
    """
    legs = landing_gear.gear_of(gear, contact, friction=friction, restitution=restitution, brakes=brakes)
    assert legs is not None
    sailing = ShipMotion(
        float(np.radians(roll_deg)), float(np.radians(pitch_deg)), heave, velocity=(-ship_speed, 0.0, 0.0)
    )
    guess = helicopter.GUESS
    settings = {name: float(np.interp(ship_speed, guess["airspeed"], guess[name])) for name in helicopter.CONTROLS}
    more: dict[str, Any] = {"slope": float(np.radians(slope_deg))}
    down = Cosine(-float(np.radians(sink_deg)), EASE, start=release)
    settle = Cosine(-float(np.radians(lower_deg)), EASE, start=lower)
    return helicopter.helicopter(
        settings, airspeed=ship_speed, release=release, blades=blades, commands={"collective": down + settle},
        name="landing", gear=legs, deck=deck_of(deck, legs.low, clearance, sailing, **more),
    )  # fmt: skip


LANDING = ReadyModel(
    "landing",
    build,
    "a helicopter of the Puma's size that lands on wheels or skids, on ground or on the deck of a ship",
    source="as the ready model helicopter; landing gear and ship are stand-ins",
    timeline=Timeline(end=12.0, step=2.5e-3),
    method=Method(tolerance=2e-10),
    plot=("fuselage.position", "fuselage.velocity", "autopilot.roll.measured", "main.rotor.thrust"),
)
