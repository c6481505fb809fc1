"""A ship in waves: sinusoidal roll, pitch and heave for decks and the rotors on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.model import Constant, Drive, Expression, Model, ModelError, Motion, Node, number
from samara.model.schema.drives import VALUE
from samara.tracing import fmax, fmin


class Swell(Drive):
    """A sine that grows from rest within its first period, so smoothly that integrators need no restart after it.

        x(t) = amplitude sin(2 pi t / period) s^4 (35 - 84 s + 70 s^2 - 20 s^3),     s = t / period, from 0 to 1

    amplitude: in the unit of what it drives. period [s].
    """

    amplitude: float = number(unit=VALUE)
    period: float = number(unit="s", positive=True)

    def __call__(self, t):
        s = fmin(fmax(t / self.period, 0.0), 1.0)
        grown = s**4 * (35.0 - 84.0 * s + 70.0 * s**2 - 20.0 * s**3)
        return self.amplitude * grown * np.sin(2.0 * np.pi * t / self.period)


@dataclass(frozen=True)
class ShipMotion:
    """Three sines that grow from rest within their first period, see `Swell`.

    roll, pitch: amplitudes about the ship's x (aft) and y (to the right) axes [rad]; together they are the rotation
    vector (roll, pitch, 0). heave: amplitude along the world's z [m]. periods: of the three [s].
    velocity: steady, in world axes [m/s].

    A stand-in for a sea state: the ship does not respond to waves, and has no air wake.
    """

    roll: float = 0.0
    pitch: float = 0.0
    heave: float = 0.0
    periods: tuple[float, float, float] = (10.0, 6.0, 8.0)
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        for name, period in zip(("roll", "pitch", "heave"), self.periods, strict=True):
            if not 0.0 < period < np.inf:
                raise ModelError(f"ship: the period of {name} must be positive, got {period:g} s")
        for name in ("roll", "pitch"):
            if not abs(getattr(self, name)) < 0.5 * np.pi:
                raise ModelError(f"ship: {name} must be less than 90 deg, got {np.degrees(getattr(self, name)):g} deg")

    @property
    def still(self) -> bool:
        """Whether it is at rest."""
        return not any((self.roll, self.pitch, self.heave, *self.velocity))

    @property
    def drives(self) -> tuple[Drive, Drive, Drive]:
        """Roll [rad], pitch [rad] and heave [m] as drives of time."""
        roll, pitch, heave = (
            Swell(amplitude, period)
            for amplitude, period in zip((self.roll, self.pitch, self.heave), self.periods, strict=True)
        )
        return roll, pitch, heave

    def add(self, model: Model, name: str = "ship", position=(0.0, 0.0, 0.0), rotation=None) -> Node:
        """The ship as a moving node at its roll axis; rotation: of its axes (aft, right, up) in the world."""
        roll, pitch, heave = self.drives
        along = [Constant(v) * Expression(lambda t: t) for v in self.velocity]
        where = (along[0], along[1], along[2] + heave)
        return model.prescribed(name, Motion(position=where, rotation=(roll, pitch, 0.0)), position, rotation)


STILL = ShipMotion()
