"""The international standard atmosphere up to 20 km."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from samara.arguments import real_numbers
from samara.model import ArgumentError
from samara.tracing import fmax, fmin

GRAVITY = 9.80665  # m/s^2
GAS = 287.05287  # J/(kg K), of dry air
RATIO = 1.4  # of the specific heats
SEA_TEMPERATURE, SEA_PRESSURE = 288.15, 101325.0  # K, Pa
LAPSE, TROPOPAUSE = -6.5e-3, 11e3  # K/m up to this altitude, isothermal above [m]
LOWEST, HIGHEST = -2e3, 20e3  # m
SUTHERLAND = 1.458e-6, 110.4  # kg/(m s K^1/2), K


class Atmosphere(NamedTuple):
    """Air at rest: temperature [K], pressure [Pa], density [kg/m^3], sound: its speed [m/s], viscosity [Pa s]."""

    temperature: Any
    pressure: Any
    density: Any
    sound: Any
    viscosity: Any


def standard_atmosphere(altitude: Any, offset: Any = 0.0) -> Atmosphere:
    """The standard atmosphere at a geopotential altitude of -2 to 20 km [m], with a temperature offset `offset` [K].

        T = 288.15 - 0.0065 h + offset   (216.65 + offset above 11 km),   p by hydrostatic balance of the standard day,
        rho = p / (R T),   a = sqrt(1.4 R T),   mu = 1.458e-6 T^1.5 / (T + 110.4)

    The altitude is pressure altitude, so the offset does not change the pressure. Accepts arrays. Source: ISO
    2533:1975, the same as U.S. Standard Atmosphere 1976 (NOAA-S/T 76-1562), equations 23, 33,
    42, 50, 51.
    """
    h = real_numbers("standard_atmosphere: altitude", altitude)
    offset = real_numbers("standard_atmosphere: offset", offset)
    if not np.all((h >= LOWEST) & (h <= HIGHEST)):
        raise ArgumentError(
            f"standard_atmosphere: altitude must be between {LOWEST:g} and {HIGHEST:g} m, got {altitude}"
        )
    standard, pressure = standard_day(h)
    temperature = standard + offset
    if not np.all(temperature > 0):
        raise ArgumentError(
            f"standard_atmosphere: offset {offset} K gives a negative absolute temperature at {altitude} m"
        )
    factor, constant = SUTHERLAND
    return Atmosphere(
        temperature,
        pressure,
        pressure / (GAS * temperature),
        np.sqrt(RATIO * GAS * temperature),
        factor * temperature**1.5 / (temperature + constant),
    )


def standard_day(altitude: Any) -> tuple[Any, Any]:
    """Temperature [K] and pressure [Pa] of the standard day at a geopotential altitude [m], plain or traced.

    Below and above what the standard covers here, -2 and 20 km, the end values hold: nothing stops a run there.
    """
    h = fmin(fmax(altitude, LOWEST), HIGHEST)
    low = fmin(h, TROPOPAUSE)
    temperature = SEA_TEMPERATURE + LAPSE * low
    pressure = SEA_PRESSURE * (temperature / SEA_TEMPERATURE) ** (-GRAVITY / (GAS * LAPSE))
    return temperature, pressure * np.exp(-GRAVITY * (h - low) / (GAS * temperature))
