"""What a helicopter lands on: ground, level or on a slope, or the deck of a ship."""

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
    """A plane below the origin, endless, whose outside is up.

    height: of the plane at the start [m]; below the origin it is negative. slope: of the ground, down towards -x, where
    the machine looks to [rad].
    ship: moves it; above: of the deck over the ship's axes of roll and pitch [m].
    """

    height: float
    slope: float = 0.0
    ship: ShipMotion = STILL
    above: float = 5.0

    def __post_init__(self) -> None:
        if not abs(self.slope) < 0.5 * np.pi:
            raise ModelError(f"deck: the slope must be less than 90 deg, got {np.degrees(self.slope):g} deg")

    def add(self, model: Model) -> tuple[Node, Placement]:
        """The node that carries the plane, and the plane on it: the ground, or a node "ship" where one moves."""
        tilt = rotation_y(-self.slope)
        if self.ship.still:
            return model.ground, Placement((0.0, 0.0, self.height), tilt)
        ship = self.ship.add(model, position=(0.0, 0.0, self.height - self.above))
        return ship, Placement((0.0, 0.0, self.above), tilt)


def deck_of(kind: str, low: float | None, clearance: float, ship: ShipMotion = SEA, **more: Any) -> Deck | None:
    """The deck of that kind, so far below a gear that reaches down to `low` [m], None without one; None for "none"."""
    if kind not in KINDS:
        raise ModelError(f"deck must be one of {', '.join(KINDS)}, got {kind!r}")
    if kind == "none":
        return None
    if low is None:
        raise ModelError(f"a deck of kind {kind!r} needs landing gear: give gear=wheels or gear=skids, or deck=none")
    return Deck(low - clearance, ship=ship if kind == "ship" else STILL, **more)
