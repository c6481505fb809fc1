"""Tiltrotor wing in gusts, damped by predictive control of the swashplate: attenuation with and without noise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.registry import Quantity
from samara.models.tiltrotors import tiltrotor_gusts
from samara.models.tiltrotors.tiltrotor import RATE, TOLERANCE
from samara.realtime.controllers import Controller, SimulatedLink
from samara.realtime.controllers import run as control
from samara.realtime.controllers.ready.wing_vibration import WING, WingVibration, WingVibrationFed
from samara.results import Results
from samara.results.plotting import canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GUSTS = ("turbulence", "harmonic")
LEARNING = 4.0  # s of dither before the loop is closed
SETTLED = 8.0  # s, from which the vibration is measured
HEAD = ("gust", "noise %", "beam dB", "chord dB", "torsion dB", "all dB", "pitch deg", "control")
NAMES = {"none": "no control", "felt": "by the wing alone", "fed": "gust fed forward"}


def run(
    duration: Annotated[float, Quantity("s", "of each run, more than 10", lower=10.0)] = 20.0,
    noise: Annotated[float, Quantity("%", "of the measurements, by 2 mm", lower=0.0)] = 5.0,
    seed: Annotated[int, Quantity("", "of the turbulence", lower=0.0)] = 0,
) -> Outcome:
    """Each gust without control, with feedback of the wing's motion, and with feedforward of a vane's gust measurement.

    Decibels are based on root mean squares about the mean, of each mode and of all three, after settling.
    """
    rows, findings, kept = [], [], {}
    for gust in GUSTS:
        before = _shaken(gust, None, duration, seed)
        kept[gust, "none"] = before
        for name, kind in (("felt", WingVibration), ("fed", WingVibrationFed)):
            for part in (0.0, noise / 100.0) if noise else (0.0,):
                after = _shaken(gust, kind(noise=part, learning=LEARNING), duration, seed)
                falls = _fall(after, before)
                rows.append((gust, 100.0 * part, *falls, _pitch(after), NAMES[name]))
                findings.append(Finding(f"{gust}_{name}{'_noise' if part else ''}", falls[3], "dB", "below 0"))
                if not part:
                    kept[gust, name] = after
    return Outcome(
        kept["turbulence", "fed"], tuple(findings), lambda: _draw(kept), Sheet(HEAD, tuple(rows)),
        figures={"time": lambda: _draw(kept), "spectrum": lambda: _draw_spectra(kept)},
    )  # fmt: skip


def _shaken(gust: str, law: Controller | None, duration: float, seed: int) -> Results:
    model = tiltrotor_gusts.build(gust=gust, seed=seed)
    every = round(RATE / WingVibration.rate)
    outputs = (*WING, "rotor.speed", "vane*", "blade_1.pitch.angle")
    link = SimulatedLink(model, WingVibration.rate, duration, substeps=every, tolerance=TOLERANCE, outputs=outputs)
    if law is None:
        link.stepper.advance(round(duration * RATE))
    else:
        control(law, link, report=lambda line: None)
    return link.results()


def vibration(results: Results) -> np.ndarray:
    """Amplitudes of three modes about their mean [m], after settling."""
    found = np.column_stack([results[name] for name in WING])[results.time >= SETTLED]
    return found - found.mean(axis=0)


def _fall(after: Results, before: Results) -> tuple[float, ...]:
    new, old = (np.mean(vibration(r) ** 2, axis=0) for r in (after, before))
    ratios = [*(new / old), new.sum() / old.sum()]
    return tuple(float(10.0 * np.log10(ratio)) for ratio in ratios)


def _pitch(results: Results) -> float:
    """Root mean square of a blade's pitch about its mean, after settling [deg]."""
    return float(np.degrees(np.std(results["blade_1.pitch.angle"][results.time >= SETTLED])))


def _draw(kept: dict[tuple[str, str], Results]) -> Figure:
    figure = canvas(10.0, 6.4)
    panels = figure.subplots(3, len(GUSTS), sharex=True, squeeze=False)
    for column, gust in enumerate(GUSTS):
        for row, (channel, label) in enumerate(zip(WING, ("beam bending", "chord bending", "torsion"), strict=True)):
            axes = panels[row, column]
            for name in ("none", "felt", "fed"):
                results = kept[gust, name]
                axes.plot(results.time, 1e3 * results[channel], linewidth=0.6, label=NAMES[name])
            axes.axvline(LEARNING, color="grey", linestyle=":", linewidth=0.8)
            axes.set_ylabel(f"{label} [mm]")
            axes.grid(alpha=0.3)
        panels[0, column].set_title(f"{gust}, 1 m/s; loop closed at {LEARNING:g} s", fontsize="small")
        panels[-1, column].set_xlabel("time [s]")
    panels[0, 0].legend(fontsize="x-small")
    return figure


def _draw_spectra(kept: dict[tuple[str, str], Results]) -> Figure:
    figure = canvas(10.0, 3.4)
    for axes, gust in zip(figure.subplots(1, len(GUSTS)), GUSTS, strict=True):
        for name in ("none", "felt", "fed"):
            found = vibration(kept[gust, name])[:: round(RATE / WingVibration.rate)]
            window = np.hanning(len(found))[:, None]
            power = np.sum(np.abs(np.fft.rfft(found * window, axis=0)) ** 2, axis=1)
            hertz = np.fft.rfftfreq(len(found), 1.0 / WingVibration.rate)
            axes.semilogy(hertz, 1e3 * np.sqrt(power) * 2.0 / window.sum(), linewidth=0.8, label=NAMES[name])
        axes.set(xlim=(0.0, 30.0), xlabel="frequency [Hz]", ylabel="amplitude of all modes [mm]", title=gust)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    return figure


EXPERIMENT = Experiment(
    "wing-vibration",
    "wing of the tiltrotor in gusts, quieted by predictive control of the swashplate that learns on the way",
    "Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005, say that such a control was made",
    run,
    tiltrotor_gusts.STAND_IN,
    figures=("time", "spectrum"),
)
