"""Tiltrotor wing in gusts, damped by a controller in another process that is tuned while it runs."""

from __future__ import annotations

import os
import threading
import time as clock
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.real_time import START, ReadyController, in_real_time
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.models.registry import Quantity
from samara.models.tiltrotors import tiltrotor_gusts
from samara.models.tiltrotors.tiltrotor import RATE
from samara.realtime.controllers.ready.wing_vibration import SWASHPLATE, VANE, WING
from samara.realtime.loop import Job, Options
from samara.realtime.session import Session
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SESSION = "gusts-experiment"
#: Sections of the run at whose ends controller parameters are changed, and the changes.
ORDERS: tuple[tuple[float, dict[str, float]], ...] = (
    (0.45, {"loop": 0.0, "dither": 0.0}),
    (0.70, {"loop": 1.0, "horizon": 30.0, "controls": 15.0}),
)
LOOK = 0.02  # s, between two reads of the simulator's clock
QUIET = 1.5  # s after a change that are ignored


def run(
    duration: Annotated[float, Quantity("s", "of the run, more than 15", lower=15.0)] = 20.0,
    policy: Annotated[str, Quantity("", "what to do about late steps")] = "slip",
) -> Outcome:
    """Simulator at 1 kHz, controller at 100 Hz, and a third process that opens the loop and closes it differently.

    Decibels are those of all three modes about their mean, relative to the section with the open loop.
    """
    options = Options(RATE, policy, sensors=(*WING, *VANE, "rotor.speed"), session=SESSION)
    job = Job("tiltrotor-gusts", {"gust": "turbulence"}, options)
    hand = threading.Thread(target=_tune, args=(f"{SESSION}-{os.getpid()}", duration), daemon=True)
    hand.start()
    taken = in_real_time(job, ReadyController("wing-vibration"), duration)
    hand.join(timeout=1.0)
    first, opened, closed = (_size(taken.results, part) for part in _parts(taken.begin, duration))
    findings = (
        Finding("closed_first", 10.0 * np.log10(first / opened), "dB", "below 0"),
        Finding("closed_again", 10.0 * np.log10(closed / opened), "dB", "below 0; with other horizons"),
        *taken.findings(),
    )
    return Outcome(taken.results, findings, lambda: _draw(taken.results, taken.begin, duration))


def _parts(begin: float, duration: float) -> list[tuple[float, float]]:
    """Sections [s, simulated] with the loop first closed, open, and closed again; after settling."""
    ends = [begin + part * duration for part, _ in ORDERS]
    return [(begin + 4.0 + QUIET, ends[0]), (ends[0] + QUIET, ends[1]), (ends[1] + QUIET, begin + duration)]


def _size(results: Results, part: tuple[float, float]) -> float:
    inside = (results.time >= part[0]) & (results.time < part[1])
    return float(sum(np.var(results[name][inside]) for name in WING))


def _tune(session: str, duration: float) -> None:
    """Simulates an operator at the panel: changes tunable parameters of the controller's own session."""
    with Session.connect(f"{session}.wingvibration", timeout=START) as controller:
        with Session.connect(session, timeout=START) as simulator:
            for part, values in ORDERS:
                while simulator.alive and simulator.sensors.read().time < part * duration:
                    clock.sleep(LOOK)
                controller.tune(values)


def _draw(results: Results, begin: float, duration: float) -> Figure:
    figure = canvas(9.0, 5.2)
    panels = figure.subplots(4, 1, sharex=True)
    for axes, name, label in zip(panels, WING, ("beam", "chord", "torsion"), strict=False):
        axes.plot(results.time, 1e3 * results[name], linewidth=0.6)
        axes.set_ylabel(f"{label} [mm]")
    for name in SWASHPLATE:
        panels[3].plot(results.time, np.degrees(results[name]), linewidth=0.6, label=name)
    panels[3].set(xlabel="time [s]", ylabel="pitch [deg]")
    panels[3].legend(fontsize="x-small", ncols=3)
    at_ends = [begin + part * duration for part, _ in ORDERS]
    marks = list(zip(("closed", "opened", "closed"), (begin + 4.0, *at_ends), strict=True))
    for axes in panels:
        for _, at in marks:
            axes.axvline(at, color="grey", linestyle=":", linewidth=0.8)
        axes.grid(alpha=0.3)
    panels[0].set_title(", ".join(f"{word} at {at:.3g} s" for word, at in marks), fontsize="small")
    return figure


EXPERIMENT = Experiment(
    "wing-vibration-realtime",
    "wing of the tiltrotor in gusts in real time, quieted by a controller in another process, tuned while it runs",
    "as wing-vibration",
    run,
    tiltrotor_gusts.STAND_IN,
)
