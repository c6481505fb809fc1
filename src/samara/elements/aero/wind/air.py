"""The air that a model flies in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from samara.elements.aero.wind.atmosphere import GAS, HIGHEST, LOWEST, RATIO, standard_atmosphere, standard_day
from samara.elements.aero.wind.gusts import Gust
from samara.model import ModelError, Record, driven, number, option, records
from samara.model.schema.drives import as_drive


class AirHere(NamedTuple):
    """Properties of the air at a point: density [kg/m^3], sound: speed of sound [m/s]."""

    density: Any
    sound: Any


class Air(Record):
    """Density, speed of sound and motion of the air: a uniform wind, and gusts on top of it.

        velocity(p, t) = wind(t) + sum of the gusts' velocities at p and t

    density [kg/m^3]; sound: speed of sound [m/s]; wind: three drives, the velocity of the air in world axes [m/s] (for
    a rotor held in a wind tunnel; a flying model has its own speed); gusts: records such as `OneMinusCosine`, `Front`,
    `Dryden`. Defaults are the standard atmosphere at sea level.

    stratified: whether density and speed of sound vary with the height z in the world. The given values then apply at z
    = 0, which is at the geopotential altitude h_0 = `altitude` [m], and vary as in a standard atmosphere with a
    constant temperature offset:

        T = T_0 + T_s(h_0 + z) - T_s(h_0),   T_0 = sound^2 / (1.4 R)
        density(z) = density p_s(h_0 + z) / p_s(h_0) T_0 / T,   sound(z) = sqrt(1.4 R T)

    T_s, p_s: of the standard day, see `standard_atmosphere`; -2 to 20 km, end values beyond. `Air.standard` gives it
    consistent numbers. Without stratification `altitude` has no effect.

    It is a record: elements that use the air have it as a field, ``air: Air = record()``, and call
    ``self.air.velocity(p, site.time)`` and ``self.air.at(p)`` with traced numbers, p in the world.
    """

    density: float = number(default=1.225, unit="kg/m^3", nonnegative=True)
    sound: float = number(default=340.294, unit="m/s", positive=True)
    wind: Any = driven(default=(0.0, 0.0, 0.0), unit="m/s", size=3)
    gusts: Sequence[Gust] | Any = records(default=())
    stratified: bool = option(default=False, choices=(False, True))
    altitude: float = number(default=0.0, unit="m")

    def __post_init__(self) -> None:
        if isinstance(self.gusts, Gust):
            self.gusts = (self.gusts,)
        if isinstance(self.gusts, str) or not isinstance(self.gusts, Iterable):
            raise ModelError(f"Air: gusts must be gusts such as OneMinusCosine(...), in a list, got {self.gusts!r}")
        self.gusts = tuple(self.gusts)

    @classmethod
    def standard(
        cls,
        altitude: float = 0.0,
        offset: float = 0.0,
        wind=(0.0, 0.0, 0.0),
        gusts=(),
        stratified: bool = False,
    ) -> Air:
        """Standard atmosphere at an altitude [m], with a temperature offset `offset` [K].

        stratified: whether the air varies with height in the world instead of being uniform.
        """
        day = standard_atmosphere(altitude, offset)
        return cls(float(day.density), float(day.sound), wind, gusts, stratified, altitude)

    def validate(self) -> None:
        for gust in self.gusts:
            if not isinstance(gust, Gust):
                raise ModelError(f"Air: gusts: {gust!r} is not a gust")
        super().validate()
        if self.stratified and not LOWEST <= float(self.altitude) <= HIGHEST:
            raise ModelError(
                f"Air: altitude of the world's origin must be between {LOWEST:g} and {HIGHEST:g} m for "
                f"stratified air, got {float(self.altitude):g} m"
            )

    def at(self, p) -> Air | AirHere:
        """Density and speed of sound at the world point p [m]: the air itself if it is uniform."""
        if not self.stratified:
            return self
        here, ground = (standard_day(self.altitude + z) for z in (p[2], 0.0))
        warmth = self.sound**2 / (RATIO * GAS)
        temperature = warmth + here[0] - ground[0]
        density = self.density * here[1] / ground[1] * warmth / temperature
        return AirHere(density, np.sqrt(RATIO * GAS * temperature))

    def velocity(self, p, t) -> Any:
        """Velocity of the air [m/s] in world axes at the world point p [m] at the time t [s]."""
        total, local = self.uniform_velocity(p, t), self.local_velocity(p, t)
        return total if local is None else total + local

    def uniform_velocity(self, p, t) -> Any:
        """The uniform part: the wind, and gusts that do not travel."""
        total = np.array([_now(wind, t) for wind in self.wind])
        return sum((gust.velocity(p, t) for gust in self.gusts if gust.uniform), total)

    def local_velocity(self, p, t) -> Any:
        """The part that varies in space; None if no gust does."""
        found = [gust.velocity(p, t) for gust in self.gusts if not gust.uniform]
        return sum(found[1:], found[0]) if found else None


def _now(wind, t):
    """A component of the wind: in an element it is the drive's value already, before that a drive or what makes one."""
    return as_drive(wind)(t) if callable(wind) else wind
