"""The air that a model flies in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from samara.elements.aero.atmosphere import standard_atmosphere
from samara.elements.aero.gusts import Gust
from samara.model import ModelError, Record, driven, number, records
from samara.model.drives import as_drive


class Air(Record):
    """Density, speed of sound and motion of the air: a uniform wind, and gusts on top of it.

        velocity(p, t) = wind(t) + sum of the gusts' velocities at p and t

    density [kg/m^3]; sound: speed of sound [m/s]; wind: three drives, the velocity of the air over the world in world
    axes [m/s] (a rotor held in a wind tunnel feels it; a model that flies has its own speed); gusts: records such as
    `OneMinusCosine`, `Front`, `Dryden`. Defaults are those of the standard day at sea level.

    It is a record: elements that feel the air hold it in a field of their own, ``air: Air = record()``, and call
    ``self.air.velocity(p, site.time)`` with traced numbers.
    """

    density: float = number(default=1.225, unit="kg/m^3", nonnegative=True)
    sound: float = number(default=340.294, unit="m/s", positive=True)
    wind: Any = driven(default=(0.0, 0.0, 0.0), unit="m/s", size=3)
    gusts: Sequence[Gust] | Any = records(default=())

    def __post_init__(self) -> None:
        if isinstance(self.gusts, Gust):
            self.gusts = (self.gusts,)
        if isinstance(self.gusts, str) or not isinstance(self.gusts, Iterable):
            raise ModelError(f"Air: gusts must be gusts such as OneMinusCosine(...), in a list, got {self.gusts!r}")
        self.gusts = tuple(self.gusts)

    @classmethod
    def standard(cls, altitude: float = 0.0, offset: float = 0.0, wind=(0.0, 0.0, 0.0), gusts=()) -> Air:
        """The air of the standard atmosphere at an altitude [m], on a day warmer by `offset` [K]."""
        day = standard_atmosphere(altitude, offset)
        return cls(float(day.density), float(day.sound), wind, gusts)

    def validate(self) -> None:
        for gust in self.gusts:
            if not isinstance(gust, Gust):
                raise ModelError(f"Air: gusts: {gust!r} is not a gust")
        super().validate()

    def velocity(self, p, t) -> Any:
        """Velocity of the air [m/s] in world axes at the world point p [m] at the time t [s]."""
        total = np.array([_now(wind, t) for wind in self.wind])
        for gust in self.gusts:
            total = total + gust.velocity(p, t)
        return total


def _now(wind, t):
    """A component of the wind: in an element it is the drive's value already, before that a drive or what makes one."""
    return as_drive(wind)(t) if callable(wind) else wind
