"""Flight 123 of the Puma in real time, at the sampling rate of the source."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.real_time import LABELS, aligned, in_real_time, off_line
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.rotors import puma_flight as flight
from samara.experiments.rotors.puma_flight_123 import BETA1C, BETA1S, CT_SIGMA
from samara.models.articulated_rotors import puma
from samara.models.registry import Quantity
from samara.realtime.loop import Job, Options
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEPS = 90  # one revolution
SENSORS = (
    "rotor.CT_sigma",
    "rotor.torque",
    "blade_1.flap.angle",
    "blade_1.lag.angle",
    "blade_1.pitch.angle",
    "model.*",
)
HEAD = ("case", "CT/sigma", "beta0 deg", "beta1c deg", "beta1s deg", "torque N m")


def run(
    blades: Annotated[str, Quantity("", "rigid or elastic")] = "rigid",
    turns: Annotated[int, Quantity("1", "of the rotor; it turns 4.46 times a second", positive=True)] = 40,
    policy: Annotated[str, Quantity("", "what to do about late steps")] = "skip",
) -> Outcome:
    """With the measured controls, starting without flapping; the means of the last revolution are compared."""
    job = setup(blades, policy)
    duration = turns * puma.TURN
    taken = in_real_time(job, None, duration)
    results = taken.results
    twin = aligned(off_line(job, None, float(results.time[-1])), results)
    mine, alone = (_row(last_turn(r)) for r in (results, twin))
    nan = float("nan")
    rows = ((LABELS[0].partition(",")[0], *mine), (LABELS[1], *alone), ("flight", CT_SIGMA, nan, BETA1C, BETA1S, nan))
    findings = (
        Finding("thrust_difference", 100.0 * (mine[0] / alone[0] - 1.0), "%", "0: off-line"),
        Finding("torque_difference", 100.0 * (mine[4] / alone[4] - 1.0), "%", "0: off-line"),
        Finding("flap_difference", float(np.abs(results[flight.FLAP] - twin[flight.FLAP]).max()), "rad", "0: off-line"),
        Finding("thrust_error", 100.0 * (mine[0] / CT_SIGMA - 1.0), "%", "flight, same controls"),
        *(f for f in taken.findings() if f.name in ("real_over_sim", "overruns", "wake_up_p99", "dropped_rows")),
    )
    return Outcome(results, findings, lambda: draw(results, twin), Sheet(HEAD, rows))


def setup(blades: str, policy: str) -> Job:
    """The simulator; no controller drives it."""
    return Job(
        "puma", {"blades": blades}, Options(STEPS / puma.TURN, policy, sensors=SENSORS, session="puma-experiment")
    )


def last_turn(results: Results) -> Results:
    """The last complete revolution of a run."""
    return Results(results.channels, results.time[-STEPS:], results.table[-STEPS:], results.attrs)


def _row(results: Results) -> tuple[float, ...]:
    means = (float(results["rotor.CT_sigma"].mean()), float(results["rotor.torque"].mean()))
    return (means[0], *flight.first_harmonics(results), means[1])


def draw(results: Results, twin: Results) -> Figure:
    """Flap, lag, pitch and thrust of the last two seconds."""
    figure = canvas(10.0, 6.0)
    panels = figure.subplots(2, 2, sharex=True)
    shown = (
        ("flap [deg]", flight.FLAP, 180 / np.pi),
        ("lag, back positive [deg]", "blade_1.lag.angle", 180 / np.pi),
        ("pitch [deg]", "blade_1.pitch.angle", 180 / np.pi),
        (r"$C_T/\sigma$", "rotor.CT_sigma", 1.0),
    )
    late = results.time > results.time[-1] - 2.0
    for axes, (label, channel, factor) in zip(panels.flat, shown, strict=True):
        axes.plot(results.time[late], factor * results[channel][late], label="real time")
        axes.plot(twin.time[late], factor * twin[channel][late], "k--", linewidth=0.8, label=LABELS[1])
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
    panels[1, 1].axhline(CT_SIGMA, color="k", linestyle=":", linewidth=0.9, label="flight, mean")
    panels[1, 1].legend(fontsize="x-small")
    for axes in panels[-1]:
        axes.set_xlabel("simulated time [s]")
    figure.suptitle("Puma, flight 123, in real time at 401 Hz, 90 steps per turn")
    return figure


EXPERIMENT = Experiment(
    "puma-realtime",
    "main rotor of the Puma in flight 123 in real time, with the measured controls, beside the same off-line",
    f"Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; {flight.SOURCE}",
    run,
    "pitch links, actuators and control stiffness of the model",
)
