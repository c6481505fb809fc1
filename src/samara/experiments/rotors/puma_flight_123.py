"""Flight 123 of the Puma: with the measured controls, and trimmed to the flight condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.analysis import disk_map
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.rotors import puma_flight as flight
from samara.experiments.rotors import puma_variants
from samara.models.articulated_rotors import puma
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import Simulation, SolveError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Controls [deg]: table II of Morandini et al. 2005.
CONTROLS = {"collective": 13.2, "theta1c": 2.1, "theta1s": -7.15}
#: The flight condition: var/flight123.set of MBDyn's example. The coning angle is not given.
CT_SIGMA, BETA1C, BETA1S = 0.0695, 0.42, -0.14
#: The flap-only code at the measured controls (CT/sigma, flapping in degrees, torque in N m): rigid blades, uniform
#: inflow, small angles, no lag, no weight; tests/reference/data/puma_flap_only_flight123_computed.json.
FLAP_ONLY = {"CT_sigma": 0.0697074, "beta0": 4.0341, "beta1c": 1.79272, "beta1s": 0.281013, "Q_Nm": 34321.45}
HEAD = (
    "case", "theta0 deg", "theta1c deg", "theta1s deg", "CT/sigma", "beta0 deg", "beta1c deg", "beta1s deg",
    "torque N m",
)  # fmt: skip


def run(
    blades: Annotated[str, Quantity("", "rigid or elastic")] = "rigid",
    lag: Annotated[str, Quantity("", "free or locked")] = "free",
    sound: Annotated[float, Quantity("m/s", "speed of sound", positive=True)] = puma.SOUND,
    downwash: Annotated[str, Quantity("", "where a section looks at the flow: three-quarter or quarter chord")] = (
        "three-quarter"
    ),
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity")] = 9.81,
    yaw: Annotated[str, Quantity("", "what flow along the span does: none, drag or section")] = "none",
    steps: Annotated[int, Quantity("1", "steps per turn", positive=True)] = 90,
    variants: Annotated[
        str, Quantity("", "trimmed as well: none, all, or names with semicolons between (see `puma_variants`)")
    ] = "none",
) -> Outcome:
    """The rotor with the measured controls; then trimmed to the flight's thrust and first harmonics of flapping.

    variants: each replaces options of the rotor given by the other settings, and is trimmed in the same way.
    """
    names = puma_variants.chosen(variants)
    points = 10 if blades == "rigid" else 4
    model = puma.build(blades=blades, lag=lag, sound=sound, downwash=downwash, gravity=gravity, points=points, yaw=yaw)
    sim = Simulation(model, tolerance=flight.TOLERANCE)
    flown = flight.turn(sim, steps)
    controls = {name: float(np.radians(value)) for name, value in CONTROLS.items()}
    flapping = float(np.radians(BETA1C)), float(np.radians(BETA1S))
    trimmed = flight.trimmed(sim, controls, CT_SIGMA, flapping, steps)
    measured, reached = flown.results, trimmed.results
    if reached is None:
        raise SolveError(f"no trim to the flight: {trimmed.message}")
    given = tuple(CONTROLS.values())
    found = tuple(float(np.degrees(v)) for v in trimmed.controls.values())
    nan = float("nan")
    mine = _row(given, measured)
    rows: tuple[tuple[Any, ...], ...] = (
        ("flight", *given, CT_SIGMA, nan, BETA1C, BETA1S, nan),
        ("flap-only code", *given, *FLAP_ONLY.values()),
        ("measured controls", *mine),
        (f"trimmed ({trimmed.status})", *_row(found, reached)),
    )
    findings: tuple[Finding, ...] = (
        Finding("thrust_error", 100.0 * (mine[3] / CT_SIGMA - 1.0), "%", "flight, same controls"),
        Finding("thrust_error_flap_only", 100.0 * (mine[3] / FLAP_ONLY["CT_sigma"] - 1.0), "%", "flap-only code"),
        Finding("beta1c_error", mine[5] - BETA1C, "deg", "flight, same controls"),
        Finding("beta1s_error", mine[6] - BETA1S, "deg", "flight, same controls"),
        Finding("collective_change", found[0] - given[0], "deg", "0: trimmed less measured"),
        Finding("theta1c_change", found[1] - given[1], "deg", "0: trimmed less measured"),
        Finding("theta1s_change", found[2] - given[2], "deg", "0: trimmed less measured"),
        Finding("trim_error", trimmed.error, "1", f"{trimmed.status}: below 1e-3 of the targets' sizes"),
        Finding("change_a_turn", max(flown.residual, trimmed.residual), "1", f"periodic below {flight.SETTLED:g}"),
    )
    settings = {"blades": blades, "lag": lag, "sound": sound, "downwash": downwash, "gravity": gravity, "yaw": yaw}
    others = _variants(names, dict(trimmed.controls), flapping, steps, settings)
    rows += tuple(row for row, _ in others)
    findings += tuple(finding for _, found in others for finding in found)
    radius = flight.stations(blades, points)
    channels = [f"blade_1.air{k + 1}.normal" for k in range(len(radius) // points)]
    loads = disk_map(measured, channels, radius, sense=-1.0)  # clockwise
    problem = "" if trimmed.met else f"not trimmed to the flight: {trimmed.message}"
    sheet = Sheet(HEAD, rows)
    figures = {"flight": lambda: _draw(measured, reached, loads), "variants": lambda: _draw_variants(sheet)}
    return Outcome(reached, findings, figures["flight"], sheet, problem, figures if others else {})


def _variants(
    names: list[str], guess: dict[str, float], flapping: tuple[float, float], steps: int, settings: dict[str, Any]
) -> list[tuple[tuple, list[Finding]]]:
    """Rows of the sheet and findings of each variant; a variant that cannot be trimmed has no numbers."""
    found: list[tuple[tuple, list[Finding]]] = []
    for name in names:
        trim = puma_variants.trimmed(name, guess, CT_SIGMA, flapping, steps, **settings)
        if not trim.met or trim.results is None:
            found.append(((f"{name} ({trim.status})", *(float("nan"),) * (len(HEAD) - 1)), []))
            continue
        controls = tuple(float(np.degrees(v)) for v in trim.controls.values())
        off = [mine - given for mine, given in zip(controls, CONTROLS.values(), strict=True)]
        worst = max(off, key=abs)
        label = f"largest change of a control, {name}"
        found.append(((name, *_row(controls, trim.results)), [Finding(label, worst, "deg", "0: needed less measured")]))
    return found


def _row(controls: tuple[float, ...], results: Results) -> tuple[float, ...]:
    means = (float(results["rotor.CT_sigma"].mean()), float(results["rotor.torque"].mean()))
    return (*controls, means[0], *flight.first_harmonics(results), means[1])


def _draw(measured: Results, trimmed: Results, loads) -> Figure:
    """Flap, lag, pitch and thrust over the azimuth of blade 1; blade loading over the disk."""
    figure = canvas(12.0, 6.0)
    grid = figure.add_gridspec(2, 3)
    shown = (
        ("flap [deg]", flight.FLAP, 180 / np.pi),
        ("pitch [deg]", "blade_1.pitch.angle", 180 / np.pi),
        ("lag, back positive [deg]", "blade_1.lag.angle", 180 / np.pi),
        (r"$C_T/\sigma$", "rotor.CT_sigma", 1.0),
    )
    for k, (label, channel, factor) in enumerate(shown):
        axes = figure.add_subplot(grid[k % 2, k // 2])
        for results, name in ((measured, "measured controls"), (trimmed, "trimmed to the flight")):
            if channel in results:
                psi = np.degrees(flight.azimuth(results))
                order = np.argsort(psi)
                axes.plot(psi[order], factor * results[channel][order], label=name, linewidth=1.0)
        axes.set(ylabel=label, xticks=range(0, 361, 90), xlim=(0, 360))
        axes.grid(alpha=0.3)
        if k % 2:
            axes.set_xlabel("azimuth of blade 1 [deg]")
        if channel == flight.FLAP:
            psi = np.linspace(0.0, 2 * np.pi, 181)
            first = [FLAP_ONLY[f"beta{n}"] for n in ("0", "1c", "1s")]
            axes.plot(np.degrees(psi), first[0] + first[1] * np.cos(psi) + first[2] * np.sin(psi), "k--",
                      linewidth=0.8, label="flap-only code, first harmonics")  # fmt: skip
            axes.legend(fontsize="x-small")
        if channel == "rotor.CT_sigma":
            axes.axhline(CT_SIGMA, color="k", linestyle=":", linewidth=0.9, label="flight, mean")
            axes.legend(fontsize="x-small")
    loads.draw(figure.add_subplot(grid[:, 2], projection="polar"), "lift per unit span, measured controls")
    figure.suptitle("Puma, flight 123: advance ratio 0.321, shaft 6 degrees forward")
    return figure


def _draw_variants(sheet: Sheet) -> Figure:
    """Required less measured controls of every trimmed variant."""
    rows = [row for row in sheet.rows[4:] if not np.isnan(row[1])]
    figure = canvas(9.6, 1.2 + 0.42 * len(rows))
    axes = figure.subplots()
    for k, (name, given) in enumerate(CONTROLS.items()):
        place = np.arange(len(rows)) + 0.25 * (k - 1)
        axes.barh(place, [row[1 + k] - given for row in rows], 0.25, label=name)
    axes.axvspan(-1.0, 1.0, color="k", alpha=0.07, label="within 1 deg")
    axes.axvline(0.0, color="k", linewidth=0.8)
    axes.set(yticks=range(len(rows)), yticklabels=[row[0] for row in rows], xlabel="needed less measured [deg]")
    axes.invert_yaxis()
    axes.legend(fontsize="small")
    return figure


EXPERIMENT = Experiment(
    "puma-flight-123",
    "main rotor of the Puma in flight 123: with the measured controls, and trimmed to the flight's thrust and flapping",
    f"table II of Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; {flight.SOURCE}",
    run,
    "pitch links, actuators, control stiffness and the planform of the swept tip; the flap-only code is a computation",
)
