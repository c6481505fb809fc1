"""Landing surfaces for helicopters: level or sloping ground, or the deck of a ship."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.model import Model, ModelError, Node, Placement
from samara.models.ground.ship import STILL, ShipMotion
from samara.rotations import rotation_y

KINDS = ("none", "ground", "ship")

#: A rough sea, made up: amplitudes of roll and pitch [rad] and of heave [m].
SEA = ShipMotion(float(np.radians(5.0)), float(np.radians(2.0)), 1.0)


@dataclass(frozen=True)
class Deck:
    """An infinite plane below the origin, with its outside up.

    height: of the plane at the start [m], negative below the origin. slope: of the ground, down towards -x, the
    machine's forward direction [rad].
    ship: moves it; above: height of the deck above the ship's roll and pitch axes [m].
    """

    height: float
    slope: float = 0.0
    ship: ShipMotion = STILL
    above: float = 5.0

    def __post_init__(self) -> None:
        if not abs(self.slope) < 0.5 * np.pi:
            raise ModelError(f"deck: the slope must be less than 90 deg, got {np.degrees(self.slope):g} deg")

    def add(self, model: Model) -> tuple[Node, Placement]:
        """The node that carries the plane, and the plane on it: the ground, or a moving node "ship"."""
        tilt = rotation_y(-self.slope)
        if self.ship.still:
            return model.ground, Placement((0.0, 0.0, self.height), tilt)
        ship = self.ship.add(model, position=(0.0, 0.0, self.height - self.above))
        return ship, Placement((0.0, 0.0, self.above), tilt)


def deck_of(kind: str, low: float | None, clearance: float, ship: ShipMotion = SEA, **more: Any) -> Deck | None:
    """The deck of that kind, at a clearance below a gear with lowest point `low` [m] (None: no gear); or None."""
    if kind not in KINDS:
        raise ModelError(f"deck must be one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "none":
        return None
    if low is None:
        raise ModelError(f"a deck of kind {kind!r} needs landing gear: give gear=wheels or gear=skids, or deck=none")
    return Deck(low - clearance, ship=ship if kind == "ship" else STILL, **more)
