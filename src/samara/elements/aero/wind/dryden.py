"""Dryden turbulence as a frozen field, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import finite, positive, real_numbers, yes_or_no
from samara.elements.aero.wind.gusts import Gust
from samara.model import ModelError, Record, matrix, number, record, setting, table, vector
from samara.rotations import dot
from samara.tracing import Curve
from samara.tracing.expressions.table import plain_numbers

FOOT = 0.3048  # m
#: points of the tables in the shortest wave, and periodic points beyond each end
POINTS_A_WAVE, MARGIN = 8, 16
#: default period and shortest wave, in largest scales
PERIOD, SHORTEST = 40.0, 1.0 / 50.0


def dryden_spectrum(omega, intensity: float, scale: float, along: bool):
    """One-sided Dryden power spectral density [(m/s)^2/(rad/m)] over the wave number omega >= 0 [rad/m].

        along the flight:     sigma^2 (2 L / pi) / (1 + (L Omega)^2)
        across it:            sigma^2 (L / pi) (1 + 3 (L Omega)^2) / (1 + (L Omega)^2)^2

    Both integrate to sigma^2 over 0 .. infinity. Source: MIL-F-8785C (1980), 3.7.1.2. MIL-HDBK-1797 writes the same
    across spectra with half this L. omega may be an array.
    """
    intensity, scale = finite("dryden_spectrum: intensity", intensity), positive("dryden_spectrum: scale", scale)
    x = (scale * real_numbers("dryden_spectrum: omega", omega)) ** 2
    if yes_or_no("dryden_spectrum: along", along):
        return intensity**2 * (2.0 * scale / np.pi) / (1.0 + x)
    return intensity**2 * (scale / np.pi) * (1.0 + 3.0 * x) / (1.0 + x) ** 2


def dryden_power(omega, along: bool):
    """Fraction of the variance at wave numbers below omega / L: the integral of `dryden_spectrum` for L = sigma = 1."""
    x, along = real_numbers("dryden_power: omega", omega), yes_or_no("dryden_power: along", along)
    return (2.0 / np.pi) * np.arctan(x) if along else (2.0 * np.arctan(x) - x / (1.0 + x * x)) / np.pi


class FrozenField(Record):
    """Three components tabulated along a line, repeated with the period; axes: columns are the directions of u, v, w.

    velocity = axes (u(s), v(s), w(s))
    """

    u: Curve = table(unit="m/s")
    v: Curve = table(unit="m/s")
    w: Curve = table(unit="m/s")
    axes: np.ndarray = matrix((3, 3))
    period: float = number(unit="m", positive=True)

    def __call__(self, s):
        s = s - self.period * np.floor(np.real(s) / self.period)
        return np.asarray(self.axes) @ np.array([self.u(s), self.v(s), self.w(s)])


class Dryden(Gust):
    """Continuous Dryden turbulence as a frozen field convected with the air.

        s = speed t - n . (p - point),     velocity(p, t) = u(s) n + v(s) y + w(s) z

    intensity: root mean squares of u (along n), v, w (across) [m/s].
    scale:     their scale lengths L as defined by MIL-F-8785C [m].
    speed:     velocity of the field over the world along n [m/s]: the wind V for a rotor held in a wind or a trimmed
               aircraft held at rest in it; 0 for a model that flies through calm air.
    direction: n in world axes. up: w lies in the plane of n and this vector. A point upstream of another by d meets the
               same gust earlier by d / speed, so a gust does not reach a whole rotor disk at once.
    point:     origin of s [m]. seed: each whole number gives another sample of the same turbulence.
    period:    length [m] after which the field repeats; by default 40 times the largest scale.
    shortest:  shortest wave of the field [m]; by default 1/50 of the largest scale.

    Each component is a sum of waves at multiples of 2 pi / period with random phases; a wave has the power of the
    spectrum in its band, the first also that below it (M. Shinozuka and G. Deodatis, Simulation of stochastic
    processes by spectral representation, Appl. Mech. Rev. 44 (1991) 191). So the variance over a period is that of the
    spectrum for all seeds, except for waves shorter than the shortest: u loses about shortest / (pi^2 L) of it, v and w
    half as much again; see `dryden_power`. The sums are tabulated, eight points per shortest wave, and interpolated by
    splines. v and w also depend on s only: variation across the stream (v over y) is neglected.
    """

    intensity: Any = setting(default=None)
    scale: Any = setting(default=None)
    speed: float = number(default=0.0, unit="m/s")
    seed: int = setting(default=0)
    direction: Any = setting(default=(1.0, 0.0, 0.0))
    up: Any = setting(default=(0.0, 0.0, 1.0))
    point: Any = vector(default=(0.0, 0.0, 0.0), unit="m")
    period: float | None = setting(default=None)
    shortest: float | None = setting(default=None)
    field: FrozenField = record(default=None)  # follows from the others

    def __post_init__(self) -> None:
        sigma, scale = _three("intensity", self.intensity), _three("scale", self.scale)
        if np.any(scale <= 0) or np.any(sigma < 0):
            raise ModelError("Dryden: scale must be positive and intensity not negative")
        period = positive("Dryden: period", self.period or PERIOD * scale.max())
        shortest = positive("Dryden: shortest", self.shortest or SHORTEST * scale.max())
        if not 0 < shortest < period / 4:
            raise ModelError(f"Dryden: shortest ({shortest:g} m) must be well below the period ({period:g} m)")
        axes = _axes(_three("direction", self.direction), _three("up", self.up))
        chance = np.random.default_rng(self.seed)
        u, v, w = (_wave(chance, s, L, i == 0, period, shortest) for i, (s, L) in enumerate(zip(sigma, scale)))
        self.field = FrozenField(u, v, w, axes, period)

    @classmethod
    def low_altitude(cls, height: float, wind_20ft: float, **options) -> Dryden:
        """Turbulence at a height of 3 to 305 m above ground, from the mean wind W at 20 ft (6.1 m) [m/s].

            L_w = h,  L_u = L_v = h / (0.177 + 0.000823 h)^1.2,  sigma_w = 0.1 W,
            sigma_u = sigma_v = sigma_w / (0.177 + 0.000823 h)^0.4,     h in ft

        W = 15, 30, 45 knots is light, moderate, severe. Source: MIL-F-8785C (1980), 3.7.3.4, figures 10 and 11.
        Above 2000 ft (610 m) the same source takes 1750 ft (533.4 m) for all scales and equal intensities.
        """
        h = height / FOOT
        if not 10.0 <= h <= 1000.0:
            raise ModelError(f"Dryden: low altitude is 3.05 to 304.8 m (10 to 1000 ft), got {height:g} m")
        base = 0.177 + 0.000823 * h
        sigma_w, across = 0.1 * wind_20ft, height / base**1.2
        sigma_u = sigma_w / base**0.4
        return cls((sigma_u, sigma_u, sigma_w), (across, across, height), **options)

    def velocity(self, p, t):
        n = np.asarray(self.field.axes)[:, 0]
        return self.field(self.speed * t - dot(n, np.asarray(p) - np.asarray(self.point)))


def _wave(
    chance: np.random.Generator, sigma: float, scale: float, along: bool, period: float, shortest: float
) -> Curve:
    """One component over a period, with a margin at both ends, as a spline."""
    waves = int(period / shortest)
    step = 2.0 * np.pi / period
    edges = step * np.append(0.0, np.arange(1, waves + 1) + 0.5)
    power = sigma**2 * np.diff(dryden_power(scale * edges, along))
    points = POINTS_A_WAVE * waves
    transform = np.zeros(points // 2 + 1, dtype=complex)
    phases = chance.uniform(0.0, 2.0 * np.pi, waves)
    transform[1 : waves + 1] = 0.5 * points * np.sqrt(2.0 * power) * np.exp(1j * phases)
    values = np.fft.irfft(transform, points)
    index = np.arange(-MARGIN, points + MARGIN + 1)
    return Curve(index * (period / points), values[index % points], "spline")


def _axes(n: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Unit vectors of u, v, w as columns."""
    across = np.cross(up, n)
    if not np.linalg.norm(across) > 1e-9 * np.linalg.norm(up) * np.linalg.norm(n):
        raise ModelError("Dryden: direction and up must not be parallel or zero")
    n, y = n / np.linalg.norm(n), across / np.linalg.norm(across)
    return np.column_stack([n, y, np.cross(n, y)])


def _three(name: str, value) -> np.ndarray:
    array = plain_numbers(value, f"Dryden: {name}") if value is not None else np.zeros(0)
    if array.shape != (3,) or not np.all(np.isfinite(array)):
        raise ModelError(f"Dryden: {name} must be three numbers, got {value!r}")
    return array
