"""The Puma's rotor from hover to high speed, trimmed: controls and power."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.analysis import Trim
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.rotors import puma_flight as flight
from samara.model import ModelError
from samara.models.articulated_rotors import puma
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import Simulation, SolveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TIP = puma.SPEED * puma.RADIUS
CONTROLS = ("collective", "theta1c", "theta1s")
HEAD = (
    "mu", "shaft deg", "theta0 deg", "theta1c deg", "theta1s deg", "coning deg",
    "CP/sigma", "CP/sigma net", "CP/sigma theory", "induced", "profile", "trim error", "change a turn", "trim",
)  # fmt: skip


def run(
    aerofoil: Annotated[str, Quantity("", "naca0012, or linear: the section that the closed form takes")] = "naca0012",
    thrust: Annotated[float, Quantity("1", "CT/sigma", positive=True)] = 0.0695,
    fastest: Annotated[float, Quantity("1", "last advance ratio", positive=True)] = 0.35,
    count: Annotated[int, Quantity("1", "how many, from hover on", positive=True)] = 8,
    yaw: Annotated[str, Quantity("", "what flow along the span does: none, drag or section")] = "none",
    sound: Annotated[float, Quantity("m/s", "speed of sound, that of flight 123's altitude", positive=True)] = 334.0,
    steps: Annotated[int, Quantity("1", "steps per turn", positive=True)] = 90,
) -> Outcome:
    """Constant thrust, no first harmonic of flapping (so no hub moment), shaft inclination required by the drag.

    The drag area is the one that tilts the shaft by the 6 degrees of flight 123: sin(lean) = drag / thrust.
    """
    rows, runs, guess = [], [], {"collective": 0.18, "theta1c": 0.0, "theta1s": 0.0}
    for mu in np.linspace(0.0, fastest, count):
        found = _trimmed(float(mu), thrust, aerofoil, yaw, sound, guess, steps)
        if found.results is None:
            raise SolveError(f"no trim at the advance ratio {mu:.3g}: {found.message}")
        if found.met:
            guess = found.controls
        rows.append(_row(float(mu), thrust, aerofoil, yaw, sound, found, found.results))
        runs.append(found)
    sheet = Sheet(HEAD, tuple(rows))
    # points that are not trimmed are not compared
    trimmed = Sheet(HEAD, tuple(row for row, found in zip(rows, runs, strict=True) if found.met))
    columns = ("mu", "CP/sigma", "CP/sigma net", "CP/sigma theory")
    speeds, power, net, expected = (np.array(trimmed[name], float) for name in columns)
    hover, apart = speeds == 0.0, net / expected - 1.0
    slowest = speeds[power == power.min(initial=np.inf)]
    findings = (
        Finding("points_trimmed", float(len(speeds)), "1", f"{count}"),
        Finding("largest_trim_error", max(found.error for found in runs), "1", "below 1e-3 of the targets' sizes"),
        Finding("largest_change_a_turn", max(f.residual for f in runs), "1", f"periodic below {flight.SETTLED:g}"),
        Finding("least_power_at_mu", _largest(slowest), "1", "0.15 to 0.2 for most helicopters"),
        Finding("least_power", power.min(initial=np.inf) / _largest(power[hover]), "1", "of the power in hover"),
        Finding("hover_power_difference", 100.0 * _largest(apart[hover]), "%", "closed form"),
        Finding("power_difference_to_mu_0.25", 100.0 * _largest(np.abs(apart[speeds < 0.26])), "%", "closed form"),
        Finding("largest_power_difference", 100.0 * _largest(np.abs(apart)), "%", "closed form"),
    )
    problem = _problem(sheet["mu"], runs) if len(speeds) < count else ""
    return Outcome(runs[-1].results, findings, lambda: _draw(trimmed, thrust), sheet, problem)  # type: ignore[arg-type]


def _problem(speeds: list[float], runs: list[Trim]) -> str:
    """Number of points that are not trimmed, and the cause for the first."""
    missed = [(mu, found.message) for mu, found in zip(speeds, runs, strict=True) if not found.met]
    return (
        f"{len(missed)} of {len(runs)} points not trimmed, the first at the advance ratio {missed[0][0]:.3g}: "
        f"{missed[0][1]}"
    )


def _largest(values: np.ndarray) -> float:
    """Largest value; nan if there are none."""
    return float(values.max()) if values.size else float("nan")


def shaft_angle(mu: float, thrust: float) -> float:
    """Inclination of the shaft [rad], aft positive, from the drag area of flight 123.

    sin(lean) is drag / thrust, which is proportional to mu^2 / (CT/sigma).
    """
    there = np.sin(np.radians(puma.SHAFT_DEG)) / puma.ADVANCE**2 * 0.0695
    sine = there * mu**2 / thrust
    if abs(sine) > 1.0:
        raise ModelError(f"the drag at mu = {mu:.3g} exceeds a thrust of CT/sigma = {thrust:g}: fly slower")
    return float(np.arcsin(sine))


def glauert(mu: float, axial: float, CT: float) -> float:
    """Induced velocity over tip speed, u = CT / (2 sqrt(mu^2 + (axial + u)^2)), by Newton's method."""
    u = np.sqrt(CT / 2.0)
    for _ in range(100):
        total = np.hypot(mu, axial + u)
        slope = 1.0 + CT * (axial + u) / (2.0 * total**3)
        u -= (u - CT / (2.0 * total)) / slope
    return float(u)


def theory(mu: float, axial: float, CT: float, aerofoil: str, yaw: str, sound: float) -> tuple[float, float]:
    """Induced and profile CP/sigma.

        CT u / sigma,     cd / 8 (1 + k mu^2)

    The drag coefficient is evaluated at the mean lift, 6 CT/sigma, without Mach effects; k = 3 without spanwise
    flow, 4.65 with it. The propulsive power is added.
    """
    alpha = 6.0 * CT / puma.SOLIDITY / flight.lift_slope(aerofoil, sound)
    profile = float(flight.drag(aerofoil, alpha)) / 8.0 * (1.0 + (3.0 if yaw == "none" else 4.65) * mu**2)
    return CT * glauert(mu, axial, CT) / puma.SOLIDITY, profile


def _trimmed(
    mu: float, thrust: float, aerofoil: str, yaw: str, sound: float, guess: dict[str, float], steps: int
) -> Trim:
    lean = shaft_angle(mu, thrust)
    degrees = tuple(float(np.degrees(guess[name])) for name in CONTROLS)
    model = puma.turning(
        flight.surface(aerofoil), controls_deg=degrees, airspeed=mu * TIP / float(np.cos(lean)),  # type: ignore[arg-type]
        shaft_deg=float(np.degrees(lean)), sound=sound, yaw=yaw,
    )  # fmt: skip
    sim = Simulation(model, tolerance=flight.TOLERANCE)
    return flight.trimmed(sim, guess, thrust, (0.0, 0.0), steps)


def _row(
    mu: float, thrust: float, aerofoil: str, yaw: str, sound: float, found: Trim, results: Results
) -> tuple[Any, ...]:
    lean, CT = shaft_angle(mu, thrust), thrust * puma.SOLIDITY
    axial = -mu * np.tan(lean)  # flow down through the disk over the tip speed
    nominal = puma.DENSITY * np.pi * puma.RADIUS**2 * TIP**2 * puma.SOLIDITY
    power = float(results["rotor.power"].mean()) / (nominal * TIP)
    # the rotor's force along the wind balances the drag: the aircraft gains -force * airspeed
    force = results["rotor.force"].mean(axis=0) / nominal
    along = force[0] * np.cos(lean) + force[2] * np.sin(lean)
    net = power + along * mu / np.cos(lean)
    parts = theory(mu, float(axial), CT, aerofoil, yaw, sound)
    controls = tuple(float(np.degrees(found.controls[name])) for name in CONTROLS)
    coning = flight.first_harmonics(results)[0]
    return (
        mu, float(np.degrees(lean)), *controls, coning, power, float(net), sum(parts), *parts, found.error,
        found.residual, found.status,
    )  # fmt: skip


def _draw(sheet: Sheet, thrust: float) -> Figure:
    """Controls and power over the advance ratio."""
    figure = canvas(12.0, 4.2)
    left, right = figure.subplots(1, 2)
    for name, label in (
        ("theta0 deg", r"$\theta_0$"), ("theta1c deg", r"$\theta_{1c}$"), ("theta1s deg", r"$\theta_{1s}$"),
        ("shaft deg", "shaft, aft positive"), ("coning deg", "coning"),
    ):  # fmt: skip
        left.plot(sheet["mu"], sheet[name], "o-", markersize=3, label=label)
    left.set(xlabel="advance ratio", ylabel="angle [deg]")
    right.plot(sheet["mu"], sheet["CP/sigma"], "o-", markersize=4, label="shaft power")
    right.plot(sheet["mu"], sheet["CP/sigma net"], "s-", markersize=4, label="less that of the propulsive force")
    right.plot(sheet["mu"], sheet["CP/sigma theory"], "k--", label="closed form: induced and profile")
    right.plot(sheet["mu"], sheet["induced"], "k:", linewidth=0.9, label="closed form: induced")
    right.set(xlabel="advance ratio", ylabel=r"$C_P / \sigma$", ylim=(0.0, None))
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small")
    figure.suptitle(rf"Puma's rotor, $C_T/\sigma$ = {thrust:g}, no flapping; drag area after flight 123")
    return figure


EXPERIMENT = Experiment(
    "forward-flight-sweep",
    "main rotor of the Puma from hover to high speed, trimmed to constant thrust without flapping: controls and power",
    f"{flight.SOURCE}; Glauert's inflow, Bailey's drag (NACA 716, 1941)",
    run,
    "drag of the craft after the shaft angle of flight 123; no measurement to compare with",
)
