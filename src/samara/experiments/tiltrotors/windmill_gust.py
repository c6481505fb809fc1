"""Windmilling tiltrotor in an oscillating airstream."""

from __future__ import annotations

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.wind.air import Air
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.experiments.tiltrotors import windmill
from samara.model import Sine
from samara.models.tiltrotors.tiltrotor import BLADE, GUST_FREQUENCY, SPEED, STAND_IN, WIND

AMPLITUDE, FREQUENCY = 10.0, GUST_FREQUENCY  # m/s, rad/s: those of the source
START, END = 5.0, 30.0  # s


def run() -> Outcome:
    """The rotor at its nominal speed in 50 m/s; from 5 s on the airspeed oscillates by 10 m/s at 0.2 Hz."""
    wind = Sine(AMPLITUDE, FREQUENCY, offset=WIND, start=START)
    pitch = BLADE.windmill_pitch(naca0012(), Air.standard(), WIND, SPEED)
    results = windmill.run(wind, speed=SPEED, pitch=pitch, end=END)
    t, error = results.time, results["rotor.speed"] / SPEED - 1.0
    settled = t > START + 2 * np.pi / FREQUENCY
    angle = np.rad2deg(results["blade_1.pitch.angle"][settled])
    findings = (
        Finding("largest_error", 100.0 * float(np.abs(error[settled]).max()), "%", "roughly 1 % in the source"),
        Finding("largest_error_at_onset", 100.0 * float(np.abs(error[t > START]).max()), "%"),
        Finding("least_pitch", float(angle.min()), "deg"),
        Finding("largest_pitch", float(angle.max()), "deg"),
        Finding("largest_flap", float(np.rad2deg(np.abs(windmill.flap(results)).max())), "deg"),
    )
    title = "Wind-mill in an airstream of 50 m/s, 10 m/s up and down at 0.2 Hz"
    return Outcome(results, findings, lambda: windmill.draw(results, wind, title))


EXPERIMENT = Experiment(
    "windmill-gust",
    "a wind-milling tiltrotor whose airstream swings by 10 m/s at 0.2 Hz, its speed held by the collective pitch",
    f"{windmill.SOURCE}, figures 7 and 8",
    run,
    STAND_IN,
)
