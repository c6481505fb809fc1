"""Trim of the complete helicopter from hover to high speed: controls, attitude, power, linear models, autorotation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.analysis import Trim
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.models.helicopters import helicopter_trim as trimming
from samara.models.helicopters.helicopter_linear import FlightModel, flight_model
from samara.models.helicopters.helicopter_parts import AREAS
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import SolveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = ("X_u", "Z_w", "M_u", "M_q", "L_v", "L_p", "N_v", "N_r")
HEAD = (
    "V m/s", *(f"{name} deg" for name in helicopter.CONTROLS), "main kW", "tail kW", "total kW", "theory kW",
    "tailplane N", *(f"{name}" for name in SHOWN), "largest growth 1/s", "its period s", "trim error", "trim",
)  # fmt: skip
#: Ranges of poor initial guesses [deg].
POOR = {
    "collective": (2.0, 20.0), "theta1c": (-8.0, 8.0), "theta1s": (-10.0, 10.0), "pedal": (-8.0, 20.0),
    "pitch": (-15.0, 15.0), "roll": (-15.0, 15.0),
}  # fmt: skip


def run(
    fastest: Annotated[float, Quantity("m/s", "last speed", positive=True)] = 80.0,
    count: Annotated[int, Quantity("1", "how many, from hover on", positive=True)] = 9,
    climb_deg: Annotated[float, Quantity("deg", "angle of the flight path, up")] = 0.0,
    sideslip_deg: Annotated[float, Quantity("deg", "air from the right")] = 0.0,
    interference: Annotated[bool, Quantity("", "whether the main rotor's wake blows on the tail")] = True,
    fuselage: Annotated[str, Quantity("", "plates, slender or tables; stand-ins")] = "plates",
    blades: Annotated[str, Quantity("", "of the main rotor: rigid or elastic")] = "rigid",
    linear: Annotated[bool, Quantity("", "whether linear models are made along it")] = True,
    descent: Annotated[float, Quantity("m/s", "speed over the ground with the engine off; 0: none")] = 35.0,
    guesses: Annotated[int, Quantity("1", "trims from random poor guesses, at random speeds")] = 0,
    seed: Annotated[int, Quantity("1", "of their chance")] = 16,
) -> Outcome:
    """Steady flight over the speed by continuation, compared with the power from momentum and blade-element theory."""
    speeds = np.linspace(0.0, fastest, count)
    path: dict[str, Any] = {"climb": float(np.radians(climb_deg)), "sideslip": float(np.radians(sideslip_deg))}
    options: dict[str, Any] = {"interference": interference, "fuselage": fuselage, "blades": blades}
    found = trimming.trims([float(v) for v in speeds], **path, **options)
    met = [one for one in found if one.met]
    if not met:
        raise SolveError(f"no trim at {speeds[0]:g} m/s: {found[0].message}")
    models = [flight_model(one.controls, v, **path, **options) if linear else None for v, one in zip(speeds, met)]
    rows = tuple(_row(v, one, one.results, model) for v, one, model in zip(speeds, met, models))
    sheet = Sheet(HEAD, rows)
    findings = [*_power_findings(sheet, count)]
    if descent:
        findings += _autorotation(descent, options)
    if guesses:
        findings += _guesses(guesses, fastest, seed, options)
    problem = ""
    if len(met) < count:
        problem = f"no trim at {speeds[len(met)]:g} m/s: {found[-1].message}"
    figures = {"trim": lambda: _draw(sheet), **({"derivatives": lambda: _draw_models(sheet)} if linear else {})}
    assert met[-1].results is not None
    return Outcome(met[-1].results, tuple(findings), figures["trim"], sheet, problem, figures)


def theory(airspeed: float, thrust: float) -> float:
    """Power of the main rotor in level flight [W]: T u + D V + rho A (W R)^3 sigma cd (1 + 4.65 mu^2) / 8.

    u from Glauert's momentum theory, D from the flat plates, cd from the table at the mean lift 6 CT / sigma, at 0.7 R.
    Source: J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition, sections 2.14 and 5.4; 4.65 after
    Bennett (1940).
    """
    density, area, tip = 1.225, np.pi * puma.RADIUS**2, puma.SPEED * puma.RADIUS
    u = np.sqrt(thrust / (2.0 * density * area))
    for _ in range(200):
        u = 0.5 * (u + thrust / (2.0 * density * area * np.hypot(airspeed, u)))
    lift = 6.0 * thrust / (density * area * tip**2 * puma.SOLIDITY)
    _, cd, _ = naca0012().coefficients(lift / 5.73, 0.7 * tip / 340.0)
    profile = density * area * tip**3 * puma.SOLIDITY * cd / 8.0 * (1.0 + 4.65 * (airspeed / tip) ** 2)
    return float(thrust * u + 0.5 * density * AREAS[0] * airspeed**3 + profile)


def _row(airspeed: float, one: Trim, results: Results | None, model: FlightModel | None) -> tuple[Any, ...]:
    assert results is not None
    main, tail = (float(results[f"{name}.rotor.power"].mean()) for name in ("main", "tail"))
    thrust = float(results["main.rotor.thrust"].mean())
    shown = [np.nan] * (len(SHOWN) + 2)
    if model is not None:
        worst = max(model.eigenvalues, key=lambda s: s.real)
        period = 2.0 * np.pi / abs(worst.imag) if abs(worst.imag) > 1e-9 else np.nan
        shown = [*(model.derivatives[name] for name in SHOWN), float(worst.real), float(period)]
    return (
        float(airspeed), *(float(np.degrees(one.controls[name])) for name in helicopter.CONTROLS), 1e-3 * main,
        1e-3 * tail, 1e-3 * (main + tail), 1e-3 * theory(airspeed, thrust),
        float(results["tailplane.force"][:, 2].mean()), *shown, one.error, one.status,
    )  # fmt: skip


def _power_findings(sheet: Sheet, count: int) -> list[Finding]:
    speeds, total, main, expected = (
        np.array(sheet[name], float) for name in ("V m/s", "total kW", "main kW", "theory kW")
    )
    least = int(np.argmin(total))
    apart = 100.0 * (main / expected - 1.0)
    return [
        Finding("points_trimmed", float(len(speeds)), "1", f"{count}"),
        Finding("largest_trim_error", float(max(sheet["trim error"])), "1", "1e-4 of the weight"),
        Finding("least_power_at", float(speeds[least]), "m/s", "between 30 and 45 for its disk loading"),
        Finding("least_power", float(total[least] / total[0]), "1", "of hover; 0.5 to 0.7 for most helicopters"),
        Finding("power_at_last_speed", float(total[-1] / total[0]), "1", "of hover"),
        Finding("hover_power_difference", float(apart[0]), "%", "momentum and blade elements, main rotor"),
        Finding("largest_power_difference", float(np.abs(apart).max()), "%", "the same, over all speeds"),
    ]


def _autorotation(airspeed: float, options: dict[str, Any]) -> list[Finding]:
    """Engine off: the power supplied by the descent equals the aerodynamic power."""
    one = trimming.autorotation(airspeed, **options)
    if not one.met or one.results is None:
        raise SolveError(f"no steady descent at {airspeed:g} m/s with the engine off: {one.message}")
    sink, results = one.controls["wind_z"], one.results
    T, u = results["main.rotor.thrust"].mean(), results["main.rotor.induced"][:, 0].mean()
    V = np.hypot(airspeed, sink)
    level = theory(float(V), float(T))
    tail = float(results["tail.rotor.power"].mean())
    return [
        Finding("sink", float(sink), "m/s", "engine off, both rotors at their speeds"),
        Finding("sink_by_energy", (level + tail) / helicopter.WEIGHT, "m/s", "power of level flight by the weight"),
        Finding("collective_in_descent", float(np.degrees(one.controls["collective"])), "deg", "below level flight"),
        Finding("induced_in_descent", float(u), "m/s"),
        Finding("shaft_power", trimming.power(results), "W", "0"),
    ]


def _guesses(count: int, fastest: float, seed: int, options: dict[str, Any]) -> list[Finding]:
    """Trims from random guesses at random speeds: how many converge, and why the others do not."""
    rng = np.random.default_rng(seed)
    missed: list[str] = []
    for _ in range(count):
        airspeed = float(rng.uniform(0.0, fastest))
        guess = {name: float(rng.uniform(*span)) for name, span in POOR.items()}
        one = trimming.trim(airspeed, guess, tolerance=1e-3, **options)
        if not one.met:
            missed.append(f"{airspeed:.1f} m/s: {one.message}")
    said = "; ".join(missed) or "all: a search that leads nowhere begins anew at a safe point"
    return [
        Finding("poor_guesses", float(count), "1"),
        Finding("poor_guesses_met", float(count - len(missed)), "1", said),
    ]


def _draw(sheet: Sheet) -> Figure:
    """Controls, attitude and power over the speed."""
    figure = canvas(13.0, 4.2)
    left, middle, right = figure.subplots(1, 3)
    speeds = sheet["V m/s"]
    for name in helicopter.CONTROLS[:4]:
        left.plot(speeds, sheet[f"{name} deg"], "o-", markersize=3, label=name)
    for name in ("pitch", "roll"):
        middle.plot(speeds, sheet[f"{name} deg"], "o-", markersize=3, label=name)
    for name, label in (("total", "both rotors"), ("main", "main rotor"), ("tail", "tail rotor")):
        right.plot(speeds, sheet[f"{name} kW"], "o-", markersize=3, label=label)
    right.plot(speeds, sheet["theory kW"], "k--", linewidth=0.9, label="main rotor, closed form")
    for axes, label in ((left, "blade pitch [deg]"), (middle, "attitude [deg]"), (right, "power [kW]")):
        axes.set(xlabel="airspeed [m/s]", ylabel=label)
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    right.set_ylim(0.0, None)
    figure.suptitle("Helicopter of the Puma's size, trimmed (drag, tail surfaces, tail blades are stand-ins)", size=10)
    return figure


def _draw_models(sheet: Sheet) -> Figure:
    """Stability and control derivatives over the speed."""
    figure = canvas(13.0, 4.2)
    groups = (("Z_w", "X_u"), ("M_q", "L_p", "N_r"), ("M_u", "L_v", "N_v"))
    units = ("1/s", "1/s", "rad/(s m)")
    for axes, names, unit in zip(figure.subplots(1, 3), groups, units, strict=True):
        for name in names:
            axes.plot(sheet["V m/s"], sheet[name], "o-", markersize=3, label=f"${name}$")
        axes.set(xlabel="airspeed [m/s]", ylabel=f"derivative [{unit}]")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    figure.suptitle("Stability derivatives along the trim, rotors follow at once", size=10)
    return figure


EXPERIMENT = Experiment(
    "helicopter-trim",
    "a helicopter trimmed from hover to 80 m/s: controls, power, linear models, descent with the engine off",
    "as the ready model helicopter; closed forms of momentum and blade elements",
    run,
    "drag of the fuselage, tail surfaces, tail blades; no measurement to compare with",
    figures=("trim", "derivatives"),
)
