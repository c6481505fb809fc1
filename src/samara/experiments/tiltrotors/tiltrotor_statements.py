"""Statements of the source on the soft-in-plane tiltrotor's stability, compared with the values found here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.experiments.registry import Sheet
from samara.experiments.tiltrotors.tiltrotor_runs import (
    CONVERT_AT,
    beside_trend,
    chord_bending,
    converted,
    flexbeam,
    onset,
    per_turn,
    swing,
    wing_root,
)
from samara.experiments.tiltrotors.tiltrotor_study import TiltrotorStudy
from samara.models.tiltrotors.soft_in_plane import RELEASE, SPEED_RPM, WIND_UP
from samara.results import Results

HEAD = ("statement of the source", "measured", "found", "verdict")
TURN = 60.0 / SPEED_RPM


@dataclass(frozen=True)
class Statement:
    """A statement of the source, the measured quantity with its unit and value, and whether they agree.

    built_in: whether the surrogate was chosen to satisfy it, so that agreement says nothing about the source's machine.
    """

    text: str
    measured: str
    found: float
    agrees: bool
    built_in: bool = False

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        if not np.isfinite(self.found):
            return "not found"
        return ("agrees, built in" if self.built_in else "agrees") if self.agrees else "does not agree"


def sheet(study: TiltrotorStudy) -> Sheet:
    """All statements as a table."""
    return Sheet(HEAD, tuple((s.text, s.measured, s.found, s.verdict) for s in statements(study)))


def statements(study: TiltrotorStudy) -> list[Statement]:
    """In the order of the source."""
    return [*_wind_up(study), *_full_speed(study), *_conversion(study), *_pitch(study), *_speeds(study)]


def _wind_up(study: TiltrotorStudy) -> list[Statement]:
    at_release = float(50.0 * (1.0 - np.cos(np.pi * RELEASE / WIND_UP)))
    release = [_left(run) for run in study.wind_ups.values()]
    appears = onset(study.wind_ups[0.2])
    return [
        Statement("the lock is released at 30 % of the speed", "speed by the law at 3 s [%]", at_release, False),
        Statement(
            "after the release wing bending is quickly damped, whatever the damper",
            "largest part left 2 s later [%]",
            100.0 * max(release),
            max(release) < 0.3,
        ),
        Statement(
            "with 20 % the unstable response appears at about 8.5 s",
            "wing bending twice its smallest at [s]",
            appears,
            abs(appears - 8.5) < 0.5,
        ),
    ]


def _left(run: Results) -> float:
    """Fraction of the wing's swing after the release that remains two seconds later."""
    first, later = (swing(run.time, chord_bending(run), t, t + 0.5) for t in (RELEASE, RELEASE + 2.0))
    return later / first


def _full_speed(study: TiltrotorStudy) -> list[Statement]:
    measured = "real part of the least stable exponent [1/s]"
    rates = {ratio: study.rate(ratio).real for ratio in study.wind_ups}
    return [
        Statement("20 % grows at 888 rpm", measured, rates[0.2], rates[0.2] > 0.0, built_in=True),
        Statement(
            "30 % is the first stable setting", measured, rates[0.3], rates[0.3] < 0.0 < rates[0.2], built_in=True
        ),
        Statement("40 % is damped", measured, rates[0.4], rates[0.4] < rates[0.3] < 0.0),
        Statement(
            "30 % is stable with 0.2 % of wing damping",
            f"{measured}, in air",
            study.printed.real,
            study.printed.real < 0.0,
        ),
    ]


def _conversion(study: TiltrotorStudy) -> list[Statement]:
    run, end = study.conversion, converted(study.smoothing)
    t = run.time
    lag, flap = flexbeam(run)
    up, forward = wing_root(run, study.machine.wing_stiffness)
    once = per_turn(t, flap, 16.0, 40)
    on_wing = max(per_turn(t, moment, 16.0, 40) for moment in (up, forward))
    left = [beside_trend(t, m, end + 0.5, end + 0.5 + 3 * TURN) / per_turn(t, m, 16.0, 40) for m in (lag, flap)]
    start = [beside_trend(t, m, CONVERT_AT + 0.1, CONVERT_AT + 0.6) for m in (forward, up)]
    after = [beside_trend(t, m, end, end + 0.5) for m in (forward, up)]
    before, final = (float(forward[(t > a) & (t < a + 1.0)].mean()) for a in (CONVERT_AT - 1.0, end + 1.0))
    rise = float(up[(t > CONVERT_AT - 1.0) & (t < CONVERT_AT)].mean())
    return [
        Statement("flapping bends the flexbeam once per turn", "amplitude out of the plane [N m]", once, once > 0.5),
        Statement(
            "that is not transmitted to the wing", "once per turn at its root [N m]", on_wing, on_wing < 0.1 * once
        ),
        Statement(
            "in-plane bending of the flexbeam dampens more slowly than flapping",
            "left 0.5 s after the end, of that once per turn [%]",
            100.0 * left[0],
            left[0] > 3.0 * left[1],
        ),
        Statement(
            "out-of-plane bending disappears with the manoeuvre",
            "left 0.5 s after the end [%]",
            100.0 * left[1],
            left[1] < 0.02,
        ),
        Statement("thrust bends the wing up in the wind-up", "moment at the root [N m]", rise, rise > 0.0),
        Statement("and forward after the conversion", "change of the moment [N m]", final - before, final > before),
        Statement(
            "the beginning excites the wing in its plane",
            "swing in the plane over that out of it [1]",
            start[0] / start[1],
            start[0] > start[1],
        ),
        Statement(
            "the end excites it out of its plane",
            "swing out of the plane over that in it [1]",
            after[1] / after[0],
            after[1] > after[0],
        ),
    ]


def _pitch(study: TiltrotorStudy) -> list[Statement]:
    low, high = study.lifts[0], study.lifts[-1]
    ratio = high.exponent.real / low.exponent.real
    sizes = [swing(x.run.time, chord_bending(x.run), 0.6, 1.1) for x in (low, high)]
    return [
        Statement(
            "at 3.5 degrees 30 % is stable, with little damping",
            "damping ratio [%]",
            -100.0 * low.exponent.real / abs(low.exponent),
            0.0 < -low.exponent.real / abs(low.exponent) < 0.01,
        ),
        Statement(
            "damping rises appreciably with the collective pitch",
            f"at {high.pitch:g} degrees, of that at {low.pitch:g} [1]",
            ratio,
            ratio > 1.5,
        ),
        Statement(
            "the response is larger with more collective pitch",
            f"at {high.pitch:g} degrees, of that at {low.pitch:g} [1]",
            sizes[1] / sizes[0],
            sizes[1] > 1.05 * sizes[0],
        ),
    ]


def _speeds(study: TiltrotorStudy) -> list[Statement]:
    found = study.meets
    grows = study.coleman.unstable(0.2)
    return [
        Statement(
            "regressing lag meets the wing at about 90 % of the speed",
            "part of the speed [1]",
            found,
            abs(found - 0.9) < 0.02,
            built_in=True,
        ),
        Statement(
            "that meeting governs stability",
            "middle of what grows with 20 % [1]",
            0.5 * sum(grows),
            grows[0] < found < grows[1],
        ),
    ]
