"""Eigenvalues of the soft-in-plane tiltrotor: modes about steady rotation over speed, pitch and airspeed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.analysis import Modes, Periodic, floquet, modes, periodic
from samara.experiments.tiltrotors.tiltrotor_runs import SoftInPlane
from samara.models.tiltrotors.soft_in_plane import SPEED_RPM, WING_HZ, windmill_collective
from samara.solve import Diverged, SolveError

#: Steps per revolution, revolutions to settle and change per revolution of the motion linearised about; modes kept.
STEPS, TURNS, PERIODIC, COUNT = 48, 200, 1e-6, 12
#: The same for elastic blades that settle by themselves. A revolution is cheap and an instant is not: with a change of
#: 1e-6 blades are not identical in significant digits, so modes use 24 instants per revolution, not 8 per third.
TURNS_ELASTIC, PERIODIC_ELASTIC = 1000, 1e-9
AEROPLANE_RPM = 742.0  # from the V-22's model in aeroplane mode
AEROPLANE: dict[str, Any] = {"wing": "modes", "air": True, "nacelle_deg": 0.0, "lag_damping": 0.4}
#: Airspeeds of the flutter search [m/s], and the accuracy of the flutter speed.
FIRST_WIND, WIND_STEP, LAST_WIND, WIND_ERROR = 30.0, 10.0, 200.0, 0.02
#: The same for elastic blades, where each airspeed costs much more.
WIND_STEP_ELASTIC, WIND_ERROR_ELASTIC = 20.0, 0.2
#: A fixed wing.
HELD = 1e6


def steady_modes(machine: SoftInPlane, **settings: Any) -> Modes:
    """Modes of small motions about steady rotation, in multiblade coordinates; takes settings of the ready model.

    The slowest modes; for elastic blades in an airstream, the least stable by Floquet theory.
    """
    period = 60.0 / settings.get("speed_rpm", SPEED_RPM)

    def turning(method: Any, turns: int = TURNS, tolerance: float = PERIODIC) -> Periodic:
        return periodic(
            machine.make(**settings),
            period,
            period / STEPS,
            tolerance=tolerance,
            periods=turns,
            outputs="model.violation",
            method=method,
        )

    if not machine.beams:
        return modes(turning("shooting" if settings.get("wind") else "auto"), COUNT)
    # elastic blades have many directions to shoot in: only the growing ones are used, which marching cannot reach
    if settings.get("wind"):  # fluttering modes are not among the slowest
        return floquet(turning("shooting"), count=COUNT)
    if settings.get("lag_damping"):
        with suppress(Diverged):  # a growing motion departs from the one sought, and may diverge
            found = turning("marching", TURNS_ELASTIC, PERIODIC_ELASTIC)
            if found.settled:
                return modes(found, COUNT)
    return modes(turning("shooting"), COUNT)


def least_stable(found: Modes) -> complex:
    """The oscillatory exponent with the largest real part."""
    swinging = found.eigenvalues[found.eigenvalues.imag > 0.0]
    return complex(swinging[np.argmax(swinging.real)])


def lag_meets_wing(machine: SoftInPlane, low: float = 0.85, high: float = 0.95) -> float:
    """Fraction of the speed at which regressing lag, with a fixed wing, has the wing's frequency; without damping."""
    held = SoftInPlane(machine.beams, HELD)
    gaps = []
    for part in (low, high):
        found = steady_modes(held, lag_damping=0.0, wing_damping=0.0, speed_rpm=part * SPEED_RPM)
        lag = [f for f, name in zip(found.frequencies_hz, found.names, strict=True) if "lag regressing" in name]
        gaps.append(min(lag, key=lambda f: abs(f - WING_HZ)) - WING_HZ * np.sqrt(machine.wing_stiffness))
    return float(np.interp(0.0, gaps, (low, high)))


@dataclass(frozen=True)
class Coleman:
    """Over the speed: exponents [rad/s] of wing and cyclic lag without dampers, and the least stable ones with dampers.

    parts: of 888 rpm, shape (n,); undamped: three by frequency, shape (n, 3); damped: by lag damping, shape (n,).
    """

    parts: np.ndarray
    undamped: np.ndarray
    damped: dict[float, np.ndarray]

    @property
    def speeds(self) -> np.ndarray:
        """Rotor speeds [rad/s]."""
        return self.parts * SPEED_RPM * np.pi / 30

    def joined(self, other: Coleman) -> Coleman:
        """Merged with the speeds of another plot, in order."""
        parts = np.append(self.parts, other.parts)
        order = np.argsort(parts)
        damped = {ratio: np.append(found, other.damped[ratio])[order] for ratio, found in self.damped.items()}
        return Coleman(parts[order], np.vstack([self.undamped, other.undamped])[order], damped)

    def unstable(self, ratio: float) -> tuple[float, float]:
        """Lowest and highest fraction of the speed unstable with this lag damping; linear between the points."""
        growth, ends = self.damped[ratio].real, []
        for k in np.flatnonzero(growth[:-1] * growth[1:] < 0.0):
            ends.append(self.parts[k] - growth[k] * np.diff(self.parts)[k] / np.diff(growth)[k])
        return (float(ends[0]), float(ends[-1])) if len(ends) > 1 else (float("nan"), float("nan"))


def coleman(machine: SoftInPlane, parts: np.ndarray, ratios: tuple[float, ...]) -> Coleman:
    """Modes over the speed, in vacuum."""

    def at(part: float, **damping: float) -> Modes:
        return steady_modes(machine, speed_rpm=part * SPEED_RPM, **damping)

    undamped = np.array([_wing_and_lag(at(part, lag_damping=0.0, wing_damping=0.0)) for part in parts])
    damped = {}
    for ratio in ratios:
        found = [_wing_and_lag(at(part, lag_damping=ratio)) for part in parts]
        damped[ratio] = np.array([s[np.argmax(s.real)] for s in found])
    return Coleman(parts, undamped, damped)


def _wing_and_lag(found: Modes) -> np.ndarray:
    """Exponents of the three modes of wing chordwise bending and cyclic lag, by frequency.

    Where regressing lag crosses the wing the two have equal frequencies: sorting by frequency keeps lines continuous.
    """
    other = ("flap", "torsion", "collective")
    chosen = [
        s
        for s, name in zip(found.eigenvalues, found.names, strict=True)
        if s.imag > 0.0 and not any(word in name for word in other) and not name.startswith("hub")
    ]
    return np.array(sorted(chosen, key=lambda s: s.imag)[:3])


@dataclass(frozen=True)
class Flutter:
    """Aeroplane mode over the airspeed [m/s]: modes at each; speed [m/s] and frequency [Hz] of flutter, or nan."""

    winds: np.ndarray
    sets: tuple[Modes, ...]
    speed: float
    frequency: float


def flutter(machine: SoftInPlane, last: float = LAST_WIND) -> Flutter:
    """Raises the airspeed until a stable mode becomes unstable, and determines its onset.

    The rotor windmills at 742 rpm. A wing mode that is unstable at the lowest airspeed is driven by lag, as on the
    ground, and is ignored. With elastic blades steps are twice as long, and the speed is found to 0.2 m/s.
    """
    step, error = (WIND_STEP_ELASTIC, WIND_ERROR_ELASTIC) if machine.beams else (WIND_STEP, WIND_ERROR)

    def at(wind: float) -> Modes:
        pitch = windmill_collective(wind, AEROPLANE_RPM)
        return steady_modes(machine, wind=wind, collective_deg=pitch, speed_rpm=AEROPLANE_RPM, **AEROPLANE)

    winds: list[float] = []
    sets: list[Modes] = []
    for wind in np.arange(FIRST_WIND, last + 1.0, step):
        try:
            found = at(float(wind))
        except SolveError:  # no steady rotation there
            break
        winds.append(float(wind))
        sets.append(found)
        if len(sets) > 1 and least_stable(sets[-2]).real < 0.0 < least_stable(found).real:
            return Flutter(np.array(winds), tuple(sets), *_onset(at, winds[-2:], sets[-2:], error))
    return Flutter(np.array(winds), tuple(sets), float("nan"), float("nan"))


def _onset(at: Callable[[float], Modes], winds: list[float], sets: list[Modes], error: float) -> tuple[float, float]:
    """Airspeed [m/s] at the onset of growth, between two, and its frequency [Hz], by the secant rule."""
    points = [(w, least_stable(s)) for w, s in zip(winds, sets, strict=True)]
    while True:
        (a, low), (b, high) = points
        wind = a - (b - a) * low.real / (high.real - low.real)
        if min(wind - a, b - wind) < error:
            return wind, float(np.interp(wind, (a, b), (low.imag, high.imag))) / (2 * np.pi)
        found = least_stable(at(wind))
        points = [(wind, found), points[1]] if found.real < 0.0 else [points[0], (wind, found)]
