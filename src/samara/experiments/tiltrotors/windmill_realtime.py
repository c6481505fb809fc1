"""Windmilling tiltrotor in an oscillating airstream, its speed held by a controller in another process."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.experiments.real_time import LABELS, ReadyController, aligned, in_real_time, off_line
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.experiments.tiltrotors import windmill
from samara.experiments.tiltrotors.windmill_gust import AMPLITUDE, FREQUENCY
from samara.model import Sine
from samara.models.registry import Quantity
from samara.models.tiltrotors.tiltrotor import RATE, SPEED, STAND_IN, WIND
from samara.realtime.loop import Job, Options
from samara.results import Results

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SENSORS = (
    "rotor.speed", "rotor.thrust", "rotor.torque", "collective.output.value", "hub.spring.rotation",
    "blade_1.pitch.angle", "model.*",
)  # fmt: skip


def run(
    start: Annotated[float, Quantity("s", "when the airstream begins to swing", positive=True)] = 1.0,
    duration: Annotated[float, Quantity("s", "of the run; it swings once in 5 s", positive=True)] = 12.0,
    policy: Annotated[str, Quantity("", "what to do about late steps")] = "skip",
) -> Outcome:
    """The experiment `windmill-gust` at 1 kHz with its controller outside the model, in another process."""
    job, law = setup(start, policy)
    taken = in_real_time(job, law, duration)
    results = taken.results
    twin = aligned(off_line(job, law, taken.begin + duration, taken.begin), results)
    settled = results.time > start + 2 * np.pi / FREQUENCY
    found, alone = (100.0 * (r["rotor.speed"] / SPEED - 1.0) for r in (results, twin))
    findings = (
        Finding("largest_error", _largest(found[settled]), "%", "roughly 1 % in the source"),
        Finding("largest_error_off_line", _largest(alone[settled]), "%"),
        Finding("difference_from_off_line", _largest(found - alone), "%", "0 if every answer came at once"),
        *taken.findings(),
    )
    problem = "" if settled.any() else f"it swings for less than a period: give it more than {start + 5.0:g} s"
    return Outcome(results, findings, lambda: draw(results, twin, start), problem=problem)


def setup(start: float, policy: str) -> tuple[Job, ReadyController]:
    """The simulator and the controller."""
    settings: dict[str, Any] = {"outside": True, "gust": AMPLITUDE, "gust_start": start}
    return Job(
        "tiltrotor", settings, Options(RATE, policy, sensors=SENSORS, session="windmill-experiment")
    ), ReadyController("tiltrotor")


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max(initial=0.0))


def draw(results: Results, twin: Results, start: float) -> Figure:
    """The panels of the windmill experiments, with the off-line run on top."""
    wind = Sine(AMPLITUDE, FREQUENCY, offset=WIND, start=start)
    title = "Wind-mill, airstream of 50 m/s, 10 m/s up and down at 0.2 Hz; controller in another process"
    figure = windmill.draw(results, wind, title)
    windmill.lay_over(figure, twin, wind, LABELS)
    return figure


EXPERIMENT = Experiment(
    "windmill-realtime",
    "a wind-milling tiltrotor in real time, held at its speed in a swinging airstream by another process",
    f"{windmill.SOURCE}, figures 7 and 8",
    run,
    STAND_IN,
)
