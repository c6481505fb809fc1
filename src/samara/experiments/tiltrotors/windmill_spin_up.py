"""Spin-up of the windmilling tiltrotor while the wind tunnel starts."""

from __future__ import annotations

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome
from samara.experiments.tiltrotors import windmill
from samara.model import Cosine
from samara.models.tiltrotors.tiltrotor import PITCH_LIMITS, SPEED, STAND_IN, WIND

START, END = 15.0, 30.0  # s: duration of the tunnel's start, and of the run


def run() -> Outcome:
    """The rotor starts at rest; the airspeed rises to 50 m/s in 15 s along half a cosine; the set point is full speed.

    Pitch starts at its lower limit, where a negative error holds it, and rises when the rotor exceeds its set
    point.
    """
    wind = Cosine(WIND, START)
    results = windmill.run(wind, speed=0.0, pitch=PITCH_LIMITS[0], end=END)
    t, error = results.time, results["rotor.speed"] / SPEED - 1.0
    reached = t[np.argmax(error > -0.01)]
    late = t > END - 5.0
    findings = (
        Finding("time_to_speed", float(reached), "s", "until within 1 % of the set point; during the transient"),
        Finding("overshoot", 100.0 * float(error.max()), "%"),
        Finding("final_error", 100.0 * float(np.abs(error[late]).max()), "%", "an integral controller leaves none"),
        Finding("final_pitch", float(np.rad2deg(results["blade_1.pitch.angle"][-1])), "deg"),
        Finding("final_thrust", float(results["rotor.thrust"][late].mean()), "N", "drag of a wind-mill: below zero"),
        Finding("final_torque", float(-results["rotor.torque"][late].mean()), "N m", "none: nothing is driven"),
    )
    title = "Wind-mill spin-up with integral speed control"
    return Outcome(results, findings, lambda: windmill.draw(results, wind, title))


EXPERIMENT = Experiment(
    "windmill-spin-up",
    "a tiltrotor at rest spins up as the wind tunnel starts, its speed held by the collective pitch",
    f"{windmill.SOURCE}, figures 5 and 6",
    run,
    STAND_IN,
)
