"""What the study of the soft-in-plane tiltrotor computes, all of it: transients, modes, identified damping."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.analysis import Identified
from samara.experiments.tiltrotor_modes import (
    Coleman,
    Flutter,
    coleman,
    flutter,
    lag_meets_wing,
    least_stable,
    steady_modes,
)
from samara.experiments.tiltrotor_runs import SoftInPlane, identify
from samara.models.soft_in_plane import SPEED_RPM
from samara.results import Results

RATIOS = (0.2, 0.3, 0.4)  # of lag damping
LOWEST, HIGHEST = 0.3, 1.2  # parts of the speed
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
    """All of it.

    wind_ups: by lag damping; conversion, with what its ends are smoothed by [s]; circles: what was identified, by lag
    damping and part of the speed; meets: part of the speed at which lag and wing have one frequency; printed: least
    stable exponent with 30 % in air and the wing damping that the source prints; flutters: by stiffness of the wing.
    """

    machine: SoftInPlane
    wind_ups: dict[float, Results]
    conversion: Results
    smoothing: float
    lifts: tuple[Lift, ...]
    coleman: Coleman
    circles: dict[float, dict[float, Identified]]
    meets: float
    printed: complex
    flutters: dict[float, Flutter]

    def rate(self, ratio: float) -> complex:
        """Exponent of the least stable mode at full speed [rad/s]."""
        return complex(self.coleman.damped[ratio][np.argmin(np.abs(self.coleman.parts - 1.0))])


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
    """Runs it; see `samara.experiments.tiltrotor_stability.run` for the arguments."""
    machine = SoftInPlane(beams)
    parts = np.unique(np.append(np.linspace(LOWEST, HIGHEST, speeds), 1.0))
    tested = np.unique(np.append(np.linspace(0.6, HIGHEST, circles), 1.0))
    found = {
        ratio: {float(p): machine.identified(lag_damping=ratio, speed_rpm=p * SPEED_RPM) for p in tested}
        for ratio in RATIOS
    }
    return TiltrotorStudy(
        machine=machine,
        wind_ups={ratio: machine.wind_up(ratio, end) for ratio in RATIOS},
        conversion=machine.convert(26.0, COLLECTIVE, smoothing),
        smoothing=smoothing,
        lifts=tuple(_lift(machine, float(pitch)) for pitch in np.linspace(*PITCHES, pitches)),
        coleman=coleman(machine, parts, RATIOS),
        circles=found,
        meets=lag_meets_wing(machine),
        printed=least_stable(
            steady_modes(machine, lag_damping=0.3, wing_damping=PRINTED_WING_DAMPING, air=True, collective_deg=3.5)
        ),
        flutters={s: flutter(SoftInPlane(beams, s), last) for s in dict.fromkeys((1.0, wing_stiffness))},
    )


def _lift(machine: SoftInPlane, pitch: float) -> Lift:
    settings = {"lag_damping": 0.3, "air": True, "collective_deg": pitch}
    run, quiet = machine.disturbed(COUPLE, **settings)
    return Lift(pitch, run, identify(run, quiet), least_stable(steady_modes(machine, **settings)))
