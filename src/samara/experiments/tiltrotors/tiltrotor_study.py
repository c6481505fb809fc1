"""All computations of the soft-in-plane tiltrotor study: transients, modes, identified damping."""

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
LOWEST, HIGHEST = 0.3, 1.2  # fractions of the speed
#: Speeds of the Coleman plot's lines, with rigid and with elastic blades.
SPEEDS, SPEEDS_ELASTIC = 19, 10
COLLECTIVE = 8.0  # deg, in conversion
#: Collective pitches for the damping [deg]: the first is the source's.
PITCHES = (3.5, 12.0)
COUPLE = 20.0  # N m, in plotted runs
#: Wing damping printed in the source, fraction of critical.
PRINTED_WING_DAMPING = 0.002


@dataclass(frozen=True)
class Lift:
    """Damping at a collective pitch [deg], in air with 30 %: run, identified mode, exponent [rad/s]."""

    pitch: float
    run: Results
    identified: Identified
    exponent: complex


@dataclass(frozen=True)
class TiltrotorStudy:
    """The whole study; each part is computed on first access, so finished parts remain if a later one fails.

    For the arguments see `samara.experiments.tiltrotors.tiltrotor_stability.run`. last: highest airspeed of the flutter
    search [m/s].
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
        """With the nominal wing."""
        return SoftInPlane(self.beams)

    @cached_property
    def line_count(self) -> int:
        """Number of speeds on the Coleman plot's lines: fewer with elastic blades by default."""
        return self.speeds or (SPEEDS_ELASTIC if self.beams else SPEEDS)

    @cached_property
    def wind_ups(self) -> dict[float, Results]:
        """By lag damping."""
        return {ratio: self.machine.wind_up(ratio, self.end) for ratio in RATIOS}

    @cached_property
    def conversion(self) -> Results:
        """With smooth start and end."""
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
        """Modes identified from transients, by lag damping and fraction of the speed."""
        tested = np.linspace(0.6, HIGHEST, self.circle_count)
        tested = np.sort(np.append(tested[~np.isclose(tested, 1.0)], 1.0))
        return {
            ratio: {float(p): self.machine.identified(lag_damping=ratio, speed_rpm=p * SPEED_RPM) for p in tested}
            for ratio in RATIOS
        }

    @cached_property
    def meets(self) -> float:
        """Fraction of the speed at which lag and wing have equal frequencies."""
        return lag_meets_wing(self.machine)

    @cached_property
    def printed(self) -> complex:
        """Least stable exponent with 30 % in air and the wing damping printed in the source [rad/s]."""
        settings = {"lag_damping": 0.3, "wing_damping": PRINTED_WING_DAMPING, "air": True, "collective_deg": 3.5}
        return least_stable(steady_modes(self.machine, **settings))

    @cached_property
    def flutters(self) -> dict[float, Flutter]:
        """By wing stiffness."""
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
    """Creates the study, with nothing computed yet; see `samara.experiments.tiltrotors.tiltrotor_stability.run`."""
    return TiltrotorStudy(beams, wing_stiffness, end, speeds, circles, pitches, smoothing, last)


def _lift(machine: SoftInPlane, pitch: float) -> Lift:
    settings = {"lag_damping": 0.3, "air": True, "collective_deg": pitch}
    run, quiet = machine.disturbed(COUPLE, **settings)
    return Lift(pitch, run, identify(run, quiet), least_stable(steady_modes(machine, **settings)))
