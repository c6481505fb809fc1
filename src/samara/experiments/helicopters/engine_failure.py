"""Engine failure in flight: autorotation, flare and a landing on wheels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome
from samara.models.articulated_rotors import puma
from samara.models.ground import landing_gear
from samara.models.helicopters import helicopter, helicopter_failure, helicopter_trim, landing
from samara.models.helicopters.helicopter_drive import SPEED
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEP = 2.5e-3
OUTPUTS = (
    "fuselage.*", "gear.*", "main.rotor.*", "tail.rotor.power", "engine.*", "drive.*", "autopilot.*", "model.*",
)  # fmt: skip
#: Time at the end of the descent whose mean is compared with the trim [s].
STEADY = 4.0
#: Speed below which the helicopter is at rest [m/s].
REST = 0.1
FIGURES = ("landing", "descent")
NOTE = "engine, governor, drive train, landing gear and pilot are stand-ins"


def run(
    airspeed: Annotated[float, Quantity("m/s", "of the level flight in which the engine fails", True)] = 35.0,
    height: Annotated[
        float, Quantity("m", "of the wheels over the ground then, for the pilot's schedule", True)
    ] = helicopter_failure.HEIGHT,
    end: Annotated[float, Quantity("s", "how long the run to the ground is", True)] = 30.0,
    descent: Annotated[float, Quantity("s", "how long the run without a ground is", True)] = 26.0,
) -> Outcome:
    """Two runs from the same level flight: one descends steadily, the other flares and lands."""
    level, down = helicopter.trim(airspeed), helicopter_trim.autorotation(airspeed)
    controls = [helicopter.degrees(found.controls) for found in (level, down)]
    runs: dict[str, Results] = {}
    for name, above, until in (("descent", None, descent), ("landing", height, end)):
        model = helicopter_failure.machine(*controls, airspeed=airspeed, height=above)
        runs[name] = transient(
            model, until, STEP, tolerance=landing.LANDING.method.tolerance, outputs=OUTPUTS, progress=False
        )  # fmt: skip
    findings = (*_descent(runs["descent"], down.controls["wind_z"]), *_landing(runs["landing"]))
    problem = "" if level.met and down.met else "a trim was not met: controls are not those of steady flight"
    figures = {"landing": lambda: _draw_landing(runs["landing"]), "descent": lambda: _draw_descent(runs["descent"])}
    return Outcome(runs["landing"], findings, figures["landing"], problem=problem, figures=figures)


def _descent(found: Results, sink: float) -> tuple[Finding, ...]:
    """Steady autorotation compared with its trim."""
    steady, speed = found.time > found.time[-1] - STEADY, np.abs(found["main.rotor.speed"]) / puma.SPEED
    before = (found.time > 1.0) & (found.time < helicopter_failure.Pilot().failure)
    return (
        Finding("governed", 100.0 * float(np.abs(speed[before] - 1.0).max()), "%", "rotor speed off before; below 1"),
        Finding("lowest_speed", 100.0 * float(speed.min()), "%", "of the nominal one, after the failure"),
        Finding("steady_speed", 100.0 * float(speed[steady].mean()), "%", "100, for which the trim is"),
        Finding("sink", -float(found["fuselage.velocity"][steady, 2].mean()), "m/s", f"{sink:.4g} by the trim"),
        Finding(
            "freewheel_torque",
            float(np.abs(found["engine.freewheel.torque"][steady]).max()),
            "N m",
            "0 in autorotation",
        ),
    )


def _landing(found: Results) -> tuple[Finding, ...]:
    """Characteristics of the touchdown."""
    gear = replace(landing_gear.WHEELS, brakes=False)
    first, velocity = touchdown_of(found, gear), found["fuselage.velocity"]
    speed, pitch = np.abs(found["main.rotor.speed"]) / puma.SPEED, np.degrees(found["autopilot.pitch.measured"])
    loads = np.sum([found[f"{name}.effort"] for name in gear.springs()], axis=0)
    moving = np.flatnonzero(np.linalg.norm(velocity, axis=1) > REST)
    rest = float(found.time[moving[-1] + 1] - found.time[first]) if moving[-1] + 1 < len(found.time) else float("nan")
    return (
        Finding("touchdown", float(found.time[first]), "s"),
        Finding("touchdown_sink", -float(velocity[first, 2]), "m/s", "a few at most: legs take them"),
        Finding("touchdown_forward", -float(velocity[first, 0]), "m/s", "a landing with a run"),
        Finding("touchdown_pitch", float(pitch[first]), "deg", "below 14: the tail is clear"),
        Finding("touchdown_speed", 100.0 * float(speed[first]), "%", "of the nominal rotor speed"),
        Finding("peak_legs", float(loads[first:].max()), "N", f"weight {helicopter.WEIGHT:.4g}"),
        Finding("rest", rest, "s", "after the touchdown, by the wheels' brakes"),
    )


def touchdown_of(found: Results, gear: landing_gear.LandingGear) -> int:
    """The sample before the first contact, or the last sample if there is none."""
    pushed = np.any([found[f"{name}.force"][:, 0] > 0.0 for name in gear.contacts()], axis=0)
    return max(int(np.argmax(pushed)) - 1, 0) if pushed.any() else len(found.time) - 1


def _draw_landing(found: Results) -> Figure:
    """Height, speeds, rotor speed, controls and landing-gear loads over time."""
    gear, t = replace(landing_gear.WHEELS, brakes=False), found.time
    gap = np.min([found[f"{name}.gap"] for name in gear.contacts()], axis=0)
    loads = np.sum([found[f"{name}.effort"] for name in gear.springs()], axis=0)
    velocity = found["fuselage.velocity"]
    figure = canvas(10.0, 8.0)
    panels = figure.subplots(3, 2, sharex=True)
    curves = (
        ("height of the wheels [m]", ((gap, ""),)),
        ("speed [m/s]", ((-velocity[:, 0], "forward"), (-velocity[:, 2], "sink"))),
        ("speed by the nominal one [%]", _speeds(found)),
        ("power [MW]", _powers(found)),
        ("attitude [deg]", tuple((np.degrees(found[f"autopilot.{a}.measured"]), a) for a in ("pitch", "roll"))),
        ("load of the legs [kN]", ((1e-3 * loads, ""),)),
    )
    _fill(panels, t, curves, helicopter_failure.Pilot().failure, float(t[touchdown_of(found, gear)]))
    figure.suptitle(f"Engine failure, autorotation and landing ({NOTE})")
    return figure


def _draw_descent(found: Results) -> Figure:
    """Convergence of speeds and power to autorotation."""
    velocity = found["fuselage.velocity"]
    figure = canvas(10.0, 5.0)
    panels = figure.subplots(2, 2, sharex=True)
    curves = (
        ("sink [m/s]", ((-velocity[:, 2], ""),)),
        ("speed by the nominal one [%]", _speeds(found)),
        ("power [MW]", _powers(found)),
        ("torque of the freewheel [kN m]", ((1e-3 * np.abs(found["engine.freewheel.torque"]), ""),)),
    )
    _fill(panels, found.time, curves, helicopter_failure.Pilot().failure)
    figure.suptitle(f"Engine failure ends in autorotation ({NOTE})")
    return figure


def _speeds(found: Results) -> tuple:
    rotor = 100.0 * np.abs(found["main.rotor.speed"]) / puma.SPEED
    return (rotor, "rotors"), (100.0 * found["engine.turbine.speed"] / SPEED, "power turbine")


def _powers(found: Results) -> tuple:
    rotors = found["main.rotor.power"] + found["tail.rotor.power"]
    return (1e-6 * found["engine.turbine.power"], "engine"), (1e-6 * rotors, "both rotors")


def _fill(panels: np.ndarray, t: np.ndarray, curves: tuple, *marks: float) -> None:
    """One set of curves per panel, with lines at the main events."""
    for axes, (label, lines) in zip(panels.flat, curves, strict=True):
        for values, name in lines:
            axes.plot(t, values, linewidth=0.9, label=name or None)
        for mark in marks:
            axes.axvline(mark, color="0.5", linewidth=0.7, linestyle=":")
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        if lines[0][1]:
            axes.legend(fontsize="x-small")
    for axes in panels[-1]:
        axes.set_xlabel("time [s]")


EXPERIMENT = Experiment(
    "engine-failure",
    "a helicopter of the Puma's size loses its engine, autorotates, flares and lands on wheels",
    "none: the trim of the same machine in autorotation, by momentum theory",
    run,
    NOTE,
    FIGURES,
)
