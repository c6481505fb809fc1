"""Multiblade (Coleman) coordinates: the motion of the blades described as motion of the rotor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np

from samara.arguments import names
from samara.model import ArgumentError, DeclaredRotor, ModelError
from samara.results import Results
from samara.results.columns import column


@dataclass(frozen=True)
class Multiblade:
    """Multiblade coordinates of N blades over time.

        mean = sum b_k / N,   cosine_n = 2 sum b_k cos(n psi_k) / N,   sine_n = 2 sum b_k sin(n psi_k) / N
        differential = sum b_k (-1)^k / N

    time (t,); mean (t,): coning, or collective lag; cosine, sine (t, n), n = 1 .. (N - 1) // 2: the first are the tilt
    of the disk backwards at psi = 0 and towards psi = 90 degrees; differential (t,) for even N, else None.
    Source: W. Johnson, Helicopter Theory, chapter 8: Fourier coordinate transformation.
    """

    time: np.ndarray
    mean: np.ndarray
    cosine: np.ndarray
    sine: np.ndarray
    differential: np.ndarray | None

    def blades(self, psi: np.ndarray) -> np.ndarray:
        """The blades' own angles again (t, N), from their azimuths (t, N)."""
        count = psi.shape[1]
        found = np.repeat(self.mean[:, None], count, axis=1)
        for n in range(self.cosine.shape[1]):
            found += self.cosine[:, n, None] * np.cos((n + 1) * psi) + self.sine[:, n, None] * np.sin((n + 1) * psi)
        if self.differential is not None:
            found += self.differential[:, None] * (-1.0) ** np.arange(count)
        return found


def azimuths(results: Results, count: int, azimuth: str | np.ndarray, sense: float = 1.0) -> np.ndarray:
    """Azimuth of every blade (t, N) in the sense of rotation [rad], each 2 pi / N ahead of the one before."""
    if not isinstance(sense, Real) or sense not in (1, -1):
        raise ArgumentError(f"multiblade: sense must be 1 (counter-clockwise) or -1 (clockwise), got {sense!r}")
    first = sense * _first_azimuth(results, azimuth)
    return first[:, None] + 2.0 * np.pi * np.arange(count) / count


def _first_azimuth(results: Results, azimuth: str | np.ndarray) -> np.ndarray:
    """Of the first blade, (t,) [rad]."""
    if isinstance(azimuth, str):
        found, what = column(results, azimuth), repr(azimuth)
    else:
        try:
            found, what = np.asarray(azimuth, float), "azimuth"
        except (TypeError, ValueError):
            raise ArgumentError(f"multiblade: azimuth must be a channel or numbers [rad], got {azimuth!r}") from None
    if found.shape != results.time.shape:
        raise ArgumentError(
            f"multiblade: azimuth has the shape {found.shape}, and {results.time.shape} is needed: one for each time"
        )
    wrong = np.flatnonzero(~np.isfinite(found))
    if wrong.size:
        raise ArgumentError(f"multiblade: {what} is {found[wrong[0]]} at {results.time[wrong[0]]:g} s")
    return found


def multiblade(
    results: Results,
    channels: Sequence[str] | str,
    azimuth: str | np.ndarray | None = None,
    sense: float = 1.0,
    *,
    rotor: DeclaredRotor | None = None,
) -> Multiblade:
    """Multiblade coordinates of one channel of every blade, such as flap or lag angles.

    channels: of all blades in order, each leading the one before by 2 pi / N in the sense of rotation:
              "blade_1.flap.angle", ...; or with a rotor just the measure, "flap.angle".
    azimuth:  of the first blade, a channel or an array [rad]; that of the rotor, or "rotor.azimuth", by default.
    sense:    -1 for a rotor that turns clockwise, whose azimuth (about the shaft's z axis) falls.
    rotor:    as the model declares it, `model.rotor()`: it knows its blades, its azimuth and its sense.
    """
    if not isinstance(results, Results):
        raise ArgumentError(f"multiblade: give the results of a run, got {results!r}")
    if rotor is not None:
        if not isinstance(rotor, DeclaredRotor):
            raise ArgumentError(f"multiblade: rotor must be a declared rotor, such as model.rotor(), got {rotor!r}")
        if azimuth is None and not rotor.azimuth:
            raise ModelError(
                f"multiblade: rotor {rotor.name!r} measures no azimuth: give azimuth=... of its first blade"
            )
        channels = rotor.channels(channels) if isinstance(channels, str) else channels
        azimuth, sense = rotor.azimuth if azimuth is None else azimuth, rotor.sense
    if isinstance(channels, str):
        raise ModelError(
            f"multiblade: {channels!r} is one channel: give those of all blades, or add rotor=model.rotor()"
        )
    azimuth = "rotor.azimuth" if azimuth is None else azimuth
    channels = names("multiblade: channels", channels, "give one of each blade")
    count = len(channels)
    if count < 2:
        raise ModelError(f"multiblade coordinates need at least two blades, got {count} channel")
    b = np.column_stack([column(results, name) for name in channels])
    return coordinates(results.time, b, azimuths(results, count, azimuth, sense))


def coordinates(time: np.ndarray, b: np.ndarray, psi: np.ndarray) -> Multiblade:
    """From the blade motions b (t, N) at the azimuths psi (t, N) in the sense of rotation [rad]."""
    count = b.shape[1]
    orders = np.arange(1, (count - 1) // 2 + 1)
    wave = orders[None, None, :] * psi[:, :, None]
    cosine = 2.0 / count * np.einsum("tk,tkn->tn", b, np.cos(wave))
    sine = 2.0 / count * np.einsum("tk,tkn->tn", b, np.sin(wave))
    differential = b @ (-1.0) ** np.arange(count) / count if count % 2 == 0 else None
    return Multiblade(time, b.mean(axis=1), cosine, sine, differential)
