"""The Puma's collective pitch driven by three servo-hydraulic actuators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome
from samara.model import Cosine
from samara.models.articulated_rotors import puma, puma_hydraulic
from samara.models.articulated_rotors.puma_hydraulic import OIL, RETURN, STAND_IN, SUPPLY, ServoActuator
from samara.models.quantity import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STEP, TOLERANCE = 1.0 / 400.0, 1e-6
#: Rise of the collective [deg], its duration and start [s]; end of the run.
RISE, DURATION, START, END = 2.0, 0.05, 1.0, 2.5


def run(
    bandwidth: Annotated[float, Quantity("rad/s", "of the loop around an actuator", positive=True)] = 60.0,
    rise: Annotated[float, Quantity("deg", "of the collective pitch")] = RISE,
) -> Outcome:
    """Flight 123 with a rise in commanded collective, on hydraulic actuators and on rigid ones."""
    asked = Cosine(rise, duration=DURATION, start=START, initial=puma.CONTROLS_DEG[0])
    results = transient(
        puma_hydraulic.build(collective_deg=asked, bandwidth=bandwidth), END, STEP, tolerance=TOLERANCE, progress=False
    )
    rigid = transient(puma.build(collective_deg=asked), END, STEP, tolerance=TOLERANCE, progress=False)
    stroke, loop = (results[f"swashplate.actuator_1.{name}"] for name in ("stroke", "loop.output.value"))
    gain = bandwidth / ServoActuator().speed
    wanted = stroke + loop / gain  # the difference is the error of the loop
    expected = first_order(results.time, wanted, bandwidth)
    rising = results.time > START
    pressures = np.array([results[f"swashplate.actuator_{k}.chamber_{c}.value"] for k in (1, 2, 3) for c in (1, 2)])
    last = results.time > END - puma.TURN
    thrust = results["rotor.thrust"][last].mean() / rigid["rotor.thrust"][last].mean()
    flow = float(np.abs(results["pump.inflow.value"][rising]).max()) / OIL["reference_density"]
    findings = (
        Finding("stroke", 1e3 * float(stroke[-1] - stroke[results.time < START][-1]), "mm"),
        Finding(
            "off_a_first_order_lag", 1e3 * float(np.abs(stroke - expected)[rising].max()), "mm", "valve, oil, load"
        ),
        Finding("largest_pressure", 1e-6 * float(pressures.max()), "MPa", f"below the supply, {1e-6 * SUPPLY:g}"),
        Finding(
            "least_pressure", 1e-6 * float(pressures[:, rising].min()), "MPa", f"above the return, {1e-6 * RETURN:g}"
        ),
        Finding("thrust_over_rigid", float(thrust), "1", "1"),
        Finding("largest_flow", 6e4 * flow, "l/min"),
    )
    return Outcome(results, findings, lambda: _draw(results, rigid, expected, wanted, rise))


def first_order(t: np.ndarray, wanted: np.ndarray, bandwidth: float) -> np.ndarray:
    """Response of a first-order lag with this bandwidth [rad/s], exact for piecewise linear signals."""
    found = wanted.copy()
    for k in range(1, t.size):
        h = t[k] - t[k - 1]
        slope, decay = (wanted[k] - wanted[k - 1]) / h, np.exp(-bandwidth * h)
        offset = found[k - 1] - wanted[k - 1] + slope / bandwidth
        found[k] = wanted[k] - slope / bandwidth + offset * decay
    return found


def _draw(results: Results, rigid: Results, expected: np.ndarray, wanted: np.ndarray, rise: float) -> Figure:
    """Stroke, spool, pressures and thrust."""
    figure = canvas(9.0, 6.0)
    (stroke, pressure), (spool, thrust) = figure.subplots(2, 2, sharex=True)
    t = results.time
    stroke.plot(t, 1e3 * wanted, "k--", linewidth=0.8, label="asked for")
    stroke.plot(t, 1e3 * results["swashplate.actuator_1.stroke"], label="actuator 1")
    stroke.plot(t, 1e3 * expected, ":", label="lag of first order")
    for chamber in (1, 2):
        values = results[f"swashplate.actuator_1.chamber_{chamber}.value"]
        pressure.plot(t, 1e-6 * values, linewidth=0.9, label=f"chamber {chamber}")
    spool.plot(t, results["swashplate.actuator_1.valve.spool.value"], linewidth=0.9)
    thrust.plot(t, 1e-3 * results["rotor.thrust"], label="hydraulic")
    thrust.plot(t, 1e-3 * rigid["rotor.thrust"], "k--", linewidth=0.8, label="rigid actuators")
    labels = ("stroke [mm]", "pressure [MPa]", "spool [1]", "thrust [kN]")
    for axes, label in zip((stroke, pressure, spool, thrust), labels, strict=True):
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        if axes is not spool:
            axes.legend(fontsize="x-small")
    stroke.set_xlim(START - 0.1, END)
    for axes in (spool, thrust):
        axes.set_xlabel("time [s]")
    figure.suptitle(
        f"Puma on servo-hydraulic actuators, collective up by {rise:g} deg (hydraulics are stand-ins)", size=10
    )
    return figure


EXPERIMENT = Experiment(
    "puma-hydraulic",
    "the Puma's swashplate on three servo-hydraulic actuators: a rise of the collective pitch",
    "rotor as puma-flight-123; a first-order lag for the loops",
    run,
    STAND_IN,
)
