"""What the study of the soft-in-plane tiltrotor computes, all of it: transients, modes, identified damping."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from samara.analysis import Identified
from samara.experiments.tiltrotors.tiltrotor_modes import (
    Coleman,
    Flutter,
    coleman,
    flutter,
    lag_meets_wing,
    least_stable,
    steady_modes,
)
from samara.experiments.tiltrotors.tiltrotor_runs import SoftInPlane, identify
from samara.models.tiltrotors.soft_in_plane import SPEED_RPM
from samara.results import Results

RATIOS = (0.2, 0.3, 0.4)  # of lag damping
LOWEST, HIGHEST = 0.3, 1.2  # parts of the speed
#: Speeds of the Coleman plot's lines, with rigid and with elastic blades.
SPEEDS, SPEEDS_ELASTIC = 19, 10
COLLECTIVE = 8.0  # deg, in conversion
#: Collective pitches of the damping [deg]: the first is the source's.
PITCHES = (3.5, 12.0)
COUPLE = 20.0  # N m, in runs that are shown
#: Wing damping that the source prints, of critical.
PRINTED_WING_DAMPING = 0.002


@dataclass(frozen=True)
class Lift:
    """Damping with a collective pitch [deg], in air and with 30 %: run, identified mode, exponent [rad/s]."""

    pitch: float
    run: Results
    identified: Identified
    exponent: complex


@dataclass(frozen=True)
class TiltrotorStudy:
    """All of it, each part when it is first asked for: what was computed is there when a later part fails.

    For the arguments see `samara.experiments.tiltrotors.tiltrotor_stability.run`. last: airstream up to which flutter
    is looked for [m/s].
    """

    beams: int = 0
    wing_stiffness: float = 1.5
    end: float = 20.0
    speeds: int = 0
    circle_count: int = 7
    pitches: int = 4
    smoothing: float = 0.2
    last: float = 200.0

    @cached_property
    def machine(self) -> SoftInPlane:
        """With the wing as it is."""
        return SoftInPlane(self.beams)

    @cached_property
    def line_count(self) -> int:
        """Speeds of the Coleman plot's lines: fewer with elastic blades, unless told."""
        return self.speeds or (SPEEDS_ELASTIC if self.beams else SPEEDS)

    @cached_property
    def wind_ups(self) -> dict[float, Results]:
        """By lag damping."""
        return {ratio: self.machine.wind_up(ratio, self.end) for ratio in RATIOS}

    @cached_property
    def conversion(self) -> Results:
        """With ends that are smoothed."""
        return self.machine.convert(26.0, COLLECTIVE, self.smoothing)

    @cached_property
    def lifts(self) -> tuple[Lift, ...]:
        """By collective pitch."""
        return tuple(_lift(self.machine, float(pitch)) for pitch in np.linspace(*PITCHES, self.pitches))

    @cached_property
    def full_speed(self) -> Coleman:
        """Exponents at 888 rpm: one column of the Coleman plot's lines."""
        return coleman(self.machine, np.ones(1), RATIOS)

    @cached_property
    def coleman(self) -> Coleman:
        """Exponents over the speed."""
        parts = np.linspace(LOWEST, HIGHEST, self.line_count)
        others = coleman(self.machine, parts[~np.isclose(parts, 1.0)], RATIOS)
        return others.joined(self.full_speed)

    @cached_property
    def circles(self) -> dict[float, dict[float, Identified]]:
        """What was identified from transients, by lag damping and part of the speed."""
        tested = np.linspace(0.6, HIGHEST, self.circle_count)
        tested = np.sort(np.append(tested[~np.isclose(tested, 1.0)], 1.0))
        return {
            ratio: {float(p): self.machine.identified(lag_damping=ratio, speed_rpm=p * SPEED_RPM) for p in tested}
            for ratio in RATIOS
        }

    @cached_property
    def meets(self) -> float:
        """Part of the speed at which lag and wing have one frequency."""
        return lag_meets_wing(self.machine)

    @cached_property
    def printed(self) -> complex:
        """Least stable exponent with 30 % in air and the wing damping that the source prints [rad/s]."""
        settings = {"lag_damping": 0.3, "wing_damping": PRINTED_WING_DAMPING, "air": True, "collective_deg": 3.5}
        return least_stable(steady_modes(self.machine, **settings))

    @cached_property
    def flutters(self) -> dict[float, Flutter]:
        """By stiffness of the wing."""
        stiffnesses = dict.fromkeys((1.0, self.wing_stiffness))
        return {s: flutter(SoftInPlane(self.beams, s), self.last) for s in stiffnesses}

    def rate(self, ratio: float) -> complex:
        """Exponent of the least stable mode at full speed [rad/s]."""
        return complex(self.full_speed.damped[ratio][0])


def study(
    beams: int,
    wing_stiffness: float,
    end: float,
    speeds: int,
    circles: int,
    pitches: int,
    smoothing: float,
    last: float,
) -> TiltrotorStudy:
    """The study, of which nothing is computed yet; see `samara.experiments.tiltrotors.tiltrotor_stability.run`."""
    return TiltrotorStudy(beams, wing_stiffness, end, speeds, circles, pitches, smoothing, last)


def _lift(machine: SoftInPlane, pitch: float) -> Lift:
    settings = {"lag_damping": 0.3, "air": True, "collective_deg": pitch}
    run, quiet = machine.disturbed(COUPLE, **settings)
    return Lift(pitch, run, identify(run, quiet), least_stable(steady_modes(machine, **settings)))
