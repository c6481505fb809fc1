"""Rotor sailing: the Puma's rotor on its droop and anti-flap stops, with two contact models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.model import Model
from samara.models.articulated_rotors import puma_sailing
from samara.models.articulated_rotors.puma_stops import nonsmooth_stops
from samara.models.registry import Quantity
from samara.nonsmooth.cosimulate import cosimulate
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Compared quantities: unit, channel, component, factor. Shear and bending are those of the first beam, near the root;
#: tip height is measured from the hub along the shaft.
COMPARED: dict[str, tuple[str, str, int | None, float]] = {
    "flap": ("deg", "blade_1.flap.angle", None, np.degrees(1.0)),
    "lag": ("deg", "blade_1.lag.angle", None, np.degrees(1.0)),
    "shear": ("N", "blade_1.beam1.force_1", 2, 1.0),
    "bending": ("N m", "blade_1.beam1.moment_1", 1, 1.0),
}
TIP = "n10.position"
Curves = dict[str, np.ndarray]
OUTPUTS = ("blade_1.*", "model.*", "hub.position", "hub.rotation")
HEAD = (
    "contact",
    "step s",
    "flap min deg",
    "flap max deg",
    "peak shear N",
    "peak bending N m",
    "tip min m",
    "tip max m",
)
NOTE = "profile of the gust is a stand-in"
#: Settings of co-simulated stops.
POINTS = "; so are the points of co-simulated stops"
SHIP_NOTE = "gust and motion of the ship are stand-ins"


def run(
    case: Annotated[str, Quantity("", "gust: still rotor in a gust front, or engagement")] = "gust",
    end: Annotated[float, Quantity("s", "how long the run is", True)] = 8.0,
    step: Annotated[float, Quantity("s", "time step with unilateral stops", True)] = 1e-3,
    penalty_step: Annotated[float, Quantity("s", "time step with a penalty law", True)] = 1e-4,
    cosimulated_step: Annotated[float, Quantity("s", "with co-simulated stops; 0 leaves them out")] = 1e-3,
    restitution: Annotated[float, Quantity("1", "of the stops")] = 0.8,
    gust: Annotated[float, Quantity("m/s", "peak of the gust")] = puma_sailing.GUST,
    windup: Annotated[float, Quantity("s", "of an engagement", True)] = puma_sailing.WINDUP,
    hold: Annotated[float, Quantity("s", "at full speed", True)] = puma_sailing.HOLD,
    gust_deg: Annotated[float, Quantity("deg", "where gust and wind blow to, from blade 1 (x, aft) to y")] = 90.0,
    wind: Annotated[float, Quantity("m/s", "steady wind along the same direction")] = 0.0,
    roll_deg: Annotated[float, Quantity("deg", "amplitude of a ship's roll below the rotor")] = 0.0,
    pitch_deg: Annotated[float, Quantity("deg", "amplitude of its pitch")] = 0.0,
    heave: Annotated[float, Quantity("m", "amplitude of its heave")] = 0.0,
    hub_height: Annotated[float, Quantity("m", "of the hub above the ship's axes")] = 10.0,
) -> Outcome:
    """Elastic blades on unilateral stops, stops with a Hertzian law, and co-simulated ones; on a ship if it moves.

    Shear and bending oscillate in the blade modes excited by impacts: curves are compared by their peaks.
    """
    setting: dict[str, Any] = {
        "restitution": restitution, "gust": gust, "windup": windup, "hold": hold, "gust_deg": gust_deg, "wind": wind,
        "roll_deg": roll_deg, "pitch_deg": pitch_deg, "heave": heave, "hub_height": hub_height,
    }  # fmt: skip
    afloat = bool(roll_deg or pitch_deg or heave)
    runs = {
        stops: transient(
            puma_sailing.build(case, stops, **setting), end, h,
            outputs=OUTPUTS, every=max(1, round(1e-3 / h)), progress=False,
        )
        for stops, h in (("unilateral", step), ("penalty", penalty_step))
    }  # fmt: skip
    steps = {"unilateral": step, "penalty": penalty_step}
    if cosimulated_step > 0.0:
        runs["cosimulated"] = _cosimulated(
            puma_sailing.build(case, "none", **setting), end, cosimulated_step, restitution
        )
        steps["cosimulated"] = cosimulated_step
    sheet = Sheet(HEAD, tuple(_row(name, steps[name], found) for name, found in runs.items()))
    ours, theirs = (curves(runs[name]) for name in ("unilateral", "penalty"))
    findings = [Finding("step_ratio", penalty_step and step / penalty_step, "1", "larger steps without a penalty law")]
    for name in ("shear", "bending"):
        peaks = [float(np.abs(c[name]).max()) for c in (ours, theirs)]
        difference = 100.0 * abs(peaks[0] / peaks[1] - 1.0)
        findings.append(Finding(f"peak_{name}_difference", difference, "%", "between the two models"))
    gap = float(np.abs(ours["flap"] - theirs["flap"]).max())
    findings.append(Finding("largest_flap_difference", gap, "deg", "between the two models"))
    every = {name: curves(found) for name, found in runs.items()}
    if "cosimulated" in runs:
        findings += _beside(ours, every["cosimulated"], runs["cosimulated"], cosimulated_step)
    for name, found in every.items():
        depth = max(puma_sailing.DROOP_DEG - found["flap"].min(), found["flap"].max() - puma_sailing.ANTIFLAP_DEG, 0.0)
        findings.append(Finding(f"penetration_{name}", float(depth), "deg", "beyond the stops"))
    if case == "gust" and not afloat:  # a driven hub supplies power that no element accounts for
        expected = "of the work of all loads; impacts take energy within a step"
        # no element accounts for the energy dissipated by the subsystem's impacts
        counted = {name: r for name, r in runs.items() if name != "cosimulated"}
        findings += [Finding(f"energy_error_{name}", _energy_error(r), "1", expected) for name, r in counted.items()]
    counters = runs["unilateral"].attrs.counters
    findings.append(Finding("impacts", float(counters["events"]), "1", "of all blades, as events"))
    note = (f"peak of the gust: {gust:g} m/s; " if case == "gust" else "") + (SHIP_NOTE if afloat else NOTE)
    note += POINTS if "cosimulated" in runs else ""
    return Outcome(runs["unilateral"], tuple(findings), lambda: _draw(runs, case, note), sheet)


def _cosimulated(model: Model, end: float, step: float, restitution: float) -> Results:
    """With stops as a nonsmooth subsystem, co-simulated with the model."""
    stops = nonsmooth_stops(model, restitution)
    every, tolerance = max(1, round(1e-3 / step)), puma_sailing.PUMA_SAILING.method.tolerance
    return cosimulate(model, stops, end, step, outputs=OUTPUTS, every=every, tolerance=tolerance)


def _beside(ours: Curves, theirs: Curves, found: Results, step: float) -> list[Finding]:
    """Co-simulated stops compared with those in the model's own step."""
    gap = float(np.abs(ours["flap"] - theirs["flap"]).max())
    findings = [Finding("cosimulated_flap_difference", gap, "deg", "from unilateral stops")]
    for name in ("shear", "bending"):
        peaks = [float(np.abs(c[name]).max()) for c in (theirs, ours)]
        difference = 100.0 * abs(peaks[0] / peaks[1] - 1.0)
        findings.append(Finding(f"cosimulated_peak_{name}_difference", difference, "%", "from unilateral stops"))
    iterations = found.attrs.counters["cosimulation_iterations"] * step / found.time[-1]
    findings.append(Finding("cosimulation_iterations", float(iterations), "1", "per step, until both sides agree"))
    most = float(found["stops.iterations"].max())
    findings.append(Finding("most_cosimulation_iterations", most, "1", "in a step"))
    return findings


def curves(found: Results) -> Curves:
    """The compared quantities, every millisecond."""
    grid = np.arange(0.0, found.time[-1] + 5e-4, 1e-3)
    result = {}
    for name, (_, channel, axis, factor) in COMPARED.items():
        values = found[channel] if axis is None else found[channel][:, axis]
        result[name] = np.interp(grid, found.time, factor * values)
    result["tip"] = np.interp(grid, found.time, above_hub(found, f"blade_1.{TIP}"))
    return result


def above_hub(found: Results, channel: str) -> np.ndarray:
    """Height of a position above the hub, along the shaft [m]."""
    up = found["hub.rotation"][:, 2::3]
    return np.sum(up * (found[channel] - found["hub.position"]), axis=1)


def _row(name: str, step: float, found: Results) -> tuple:
    c = curves(found)
    return (
        name, step, float(c["flap"].min()), float(c["flap"].max()), float(np.abs(c["shear"]).max()),
        float(np.abs(c["bending"]).max()), float(c["tip"].min()), float(c["tip"].max()),
    )  # fmt: skip


def _energy_error(found: Results) -> float:
    """Energy less the work of all loads, relative to that work."""
    energy = found["model.kinetic"] + found["model.potential"]
    power = found["model.supplied"] - found["model.dissipated"]
    work = np.concatenate([[0.0], np.cumsum(0.5 * (power[1:] + power[:-1]) * np.diff(found.time))])
    return float(np.abs(energy - energy[0] - work).max() / max(np.ptp(work), 1e-300))


def _draw(runs: dict[str, Results], case: str, note: str) -> Figure:
    """Figures 5 and 7 of the paper: angles, shear, bending, tip height."""
    figure = canvas(9.0, 10.0)
    panels = figure.subplots(4, 1, sharex=True)
    for (name, found), style in zip(runs.items(), ("-", "--", ":"), strict=False):
        c = curves(found)
        t = 1e-3 * np.arange(c["flap"].size)
        panels[0].plot(t, c["flap"], style, linewidth=0.9, label=f"flap, {name}")
        panels[0].plot(t, c["lag"], style, linewidth=0.6, label=f"lag, {name}")
        for axes, key in zip(panels[1:], ("shear", "bending", "tip"), strict=True):
            axes.plot(t, c[key], style, linewidth=0.7, label=name)
    for axes, label in zip(panels, ("angle [deg]", "shear [N]", "bending [N m]", "tip height [m]"), strict=True):
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    panels[-1].set_xlabel("time [s]")
    figure.suptitle(f"Rotor sailing, {case}: blade 1 of the Puma ({note})")
    return figure


EXPERIMENT = Experiment(
    "rotor-sailing",
    "droop and anti-flap stops of the Puma's elastic blades: a still rotor in a gust, engagement; two contact models",
    "Fancello, Morandini and Masarati 2014, figures 5 and 7",
    run,
    NOTE,
)
