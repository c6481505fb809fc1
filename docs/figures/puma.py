"""Figures of the Puma's main rotor."""

import json

import matplotlib.pyplot as plt
import numpy as np
from registry import DATA, figure, published

import samara as sm
from samara import experiments
from samara.experiments.rotors import hover_sweep, puma_flight
from samara.models.articulated_rotors import puma

STEPS = 90


def flown(turns: int = 14, steps: int = STEPS, outputs: tuple[str, ...] = ("rotor.*", "blade_1.*"), **arguments):
    """A run in steady flight, and its last revolution."""
    model = puma.build(**arguments)
    run = sm.transient(model, turns * puma.TURN, puma.TURN / steps, tolerance=1e-7, outputs=outputs, progress=False)
    return run, slice(-steps, None)


@figure
def puma_blade_fan() -> plt.Figure:
    """Blade frequencies versus rotor speed, and the reference at the nominal speed."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.8))
    speeds = np.linspace(0.4, 1.1, 8) * puma.SPEED
    rows = [r for r in published("puma_blade_frequencies_computed.csv") if float(r["Omega_rad_s"]) > 0]
    for axis, hinge, count in zip(axes, ("flap", "lag"), (3, 2), strict=True):
        table = []
        for speed in speeds:
            found = sm.modes(sm.steady_rotation(puma.blade_alone(hinge, speed=speed), speed), 16)
            plane, twist = found.share((1, 5)), found.share((3,))
            chosen = plane > 0.5 if hinge == "lag" else (plane < 0.5) & (twist < 0.5)
            table.append(found.natural[chosen][:count])
        axis.plot(speeds, np.array(table) / (2 * np.pi), "C0-")
        known = [float(r["Hz"]) for r in rows if r["motion"] == hinge][:count]
        axis.plot([puma.SPEED] * count, known, "k_", markersize=14, label="Euler-Bernoulli code")
        axis.set(xlabel="rotor speed [rad/s]", ylabel="frequency [Hz]", title=f"{hinge} hinge free, five beams")
        axis.legend()
    return picture


@figure
def puma_flight_123() -> plt.Figure:
    """Flapping and thrust versus azimuth, measured controls: assumptions of the flap-only code, rigid, elastic."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.8))
    cases = {
        "assumptions of the flap-only code": {
            "lag": "locked",
            "gravity": 0.0,
            "downwash": "quarter",
            "sound": puma.SOUND_FILE,
        },
        "rigid blades": {},
        "elastic blades": {"blades": "elastic"},
    }
    for k, (label, arguments) in enumerate(cases.items()):
        run, last = flown(**arguments)
        psi = np.degrees(puma.SPEED * run.time[last]) % 360.0
        order = np.argsort(psi)
        axes[0].plot(psi[order], np.degrees(run["blade_1.flap.angle"][last][order]), f"C{k}-", label=label)
        axes[1].plot(psi[order], run["rotor.CT_sigma"][last][order], f"C{k}-", label=label)
    with (DATA / "puma_flap_only_flight123_computed.json").open() as file:
        twin = json.load(file)["cases"]["seed TableII 13.2/2.1/-7.15 c81"]
    psi = np.linspace(0.0, 2 * np.pi, 200)
    flap = twin["beta0"] + sum(
        twin[f"beta{n}c"] * np.cos(n * psi) + twin[f"beta{n}s"] * np.sin(n * psi) for n in (1, 2)
    )
    axes[0].plot(np.degrees(psi), flap, "k--", linewidth=0.8, label="flap-only code")
    axes[1].axhline(twin["CT_sigma"], color="k", linestyle="--", linewidth=0.8, label="flap-only code, mean")
    axes[1].axhline(0.0695, color="k", linestyle=":", linewidth=0.8, label="flight, mean")
    axes[0].set(xlabel="azimuth [deg]", ylabel="flap angle [deg]", xticks=range(0, 361, 90))
    axes[1].set(
        xlabel="azimuth of blade 1 [deg]", ylabel=r"$C_T / \sigma$", xticks=range(0, 361, 90), ylim=(0.05, 0.085)
    )
    axes[0].legend(fontsize="small")
    axes[1].legend(fontsize="x-small", ncols=2, loc="upper center")
    return picture


@figure
def puma_trim() -> plt.Figure:
    """Controls for the measured thrust and flapping, minus the measured ones, with and without tip loss."""
    picture, axis = plt.subplots(figsize=(8.0, 3.6))
    measured = {"collective": 13.2, "theta1c": 2.1, "theta1s": -7.15}
    cosine, sine = (sm.Harmonic("blade_1.flap.angle", part) for part in ("cos", "sin"))
    goal = {"rotor.CT_sigma": 0.0695, cosine: np.radians(0.42), sine: np.radians(-0.14)}
    width = 0.2
    for k, (blades, tip_loss) in enumerate((b, t) for b in puma.KINDS for t in (1.0, 0.97)):
        model = puma.turning(puma.planform(tip_loss=tip_loss), blades)
        found = sm.trim(
            model, {name: np.radians(v) for name, v in measured.items()}, goal, period=puma.TURN,
            step=puma.TURN / STEPS, sizes={cosine: 0.1, sine: 0.1}, tolerance=1e-3, settle=1e-5,
        )  # fmt: skip
        off = [np.degrees(found.controls[name]) - v for name, v in measured.items()]
        label = f"{blades} blades, " + ("no tip loss" if tip_loss == 1.0 else f"no lift beyond {tip_loss} R")
        colour = {"rigid": "C1", "elastic": "C2"}[blades]
        bars = axis.bar(
            np.arange(3) + (k - 1.5) * width, off, width, label=label, color=colour, alpha=1.0 if k % 2 else 0.5
        )
        axis.bar_label(bars, fmt="%.2f", fontsize="x-small")
    axis.axhline(0.0, color="k", linewidth=0.8)
    axis.set(
        xticks=range(3), xticklabels=("collective", "lateral cyclic", "longitudinal cyclic"),
        ylabel="required minus measured [deg]", ylim=(-1.0, 2.4),
    )  # fmt: skip
    axis.legend(fontsize="small", loc="upper left")
    return picture


@figure
def puma_step() -> plt.Figure:
    """Errors of thrust and root bending versus the number of steps per revolution."""
    picture, axis = plt.subplots()
    counts, found = (45, 90, 180, 360, 720), {}
    for steps in counts:
        run, last = flown(steps=steps, outputs=("rotor.thrust", "blade_1.beam1.moment_1"), blades="elastic")
        moment = run["blade_1.beam1.moment_1"][last, 1:]
        history = np.column_stack([run["rotor.thrust"][last], moment])
        found[steps] = np.concatenate([history.mean(0), np.ptp(history, axis=0)])
    errors = np.array([np.abs(found[n] / found[720] - 1) for n in counts[:-1]])
    labels = ("thrust", "flap bending at the root", "lag bending at the root")
    for k, label in enumerate(labels):
        axis.loglog(counts[:-1], errors[:, k], f"C{k}o-", label=f"{label}, mean")
        axis.loglog(counts[:-1], errors[:, 3 + k], f"C{k}s--", label=f"{label}, peak to peak")
    axis.set(
        xlabel="steps per revolution",
        ylabel="relative difference from 720",
        xticks=counts[:-1],
        xticklabels=counts[:-1],
    )
    axis.set_ylim(top=2.0)
    axis.minorticks_off()
    axis.legend(fontsize="x-small", ncols=2)
    return picture


#: Inflow in hover, with the label of its curve.
HOVER = {"momentum": "uniform", "annular": "annular, root and tip losses", "peters-he": "Peters-He"}


@figure
def puma_hover() -> plt.Figure:
    """Figure of merit and power versus thrust in hover: three inflow models, blade elements, closed forms."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.8))
    still = {"airspeed": 0.0, "shaft_deg": 0.0, "theta1c_deg": 0.0, "theta1s_deg": 0.0, "atmosphere": "standard"}
    for k, (inflow, label) in enumerate(HOVER.items()):
        found = []
        for collective in (7.0, 9.0, 11.0, 13.0, 15.0):
            run, last = flown(16, 40, ("rotor.*",), inflow=inflow, collective_deg=collective, **still)
            found.append([run[f"rotor.{name}"][last].mean() for name in ("CT", "CQ", "power")])
        CT, CQ, power = np.array(found).T
        axes[0].plot(CT / puma.SOLIDITY, CT**1.5 / (np.sqrt(2.0) * CQ), f"C{k}o-", markersize=4, label=label)
        axes[1].plot(CT / puma.SOLIDITY, power / 1e6, f"C{k}o-", markersize=4, label=label)
    surface, sound = puma_flight.surface("naca0012"), 340.294
    pairs = [hover_sweep.theory(surface, np.radians(c), "naca0012", sound) for c in np.linspace(6.5, 15.0, 18)]
    CT, CQ = np.array(pairs).T
    size = 1.225 * np.pi * puma.RADIUS**2 * (puma.SPEED * puma.RADIUS) ** 3 / 1e6  # MW
    for kappa, style in ((1.0, "k:"), (1.15, "k-.")):
        law = kappa * CT**1.5 / np.sqrt(2.0) + puma.SOLIDITY * 0.01 / 8.0
        label = rf"$\kappa$ = {kappa:g}, $c_{{d0}}$ = 0.01"
        axes[0].plot(CT / puma.SOLIDITY, CT**1.5 / np.sqrt(2.0) / law, style, linewidth=0.9, label=label)
        axes[1].plot(CT / puma.SOLIDITY, size * law, style, linewidth=0.9, label=label)
    axes[0].plot(CT / puma.SOLIDITY, CT**1.5 / (np.sqrt(2.0) * CQ), "k--", linewidth=0.9, label="blade elements")
    axes[1].plot(CT / puma.SOLIDITY, size * CQ, "k--", linewidth=0.9, label="blade elements")
    axes[0].set(xlabel=r"$C_T / \sigma$", ylabel="figure of merit")
    axes[1].set(xlabel=r"$C_T / \sigma$", ylabel="power [MW]")
    axes[0].legend(fontsize="x-small")
    return picture


@figure
def puma_variants() -> plt.Figure:
    """Controls for the measured thrust and flapping, minus the measured ones: some variants, elastic blades."""
    shown = (
        "base; tip loss 0.97; tip loss 0.94; swept tip; shaft 1 deg less forward; Drees; Pitt-Peters; "
        "tip loss 0.97, Drees; swept tip, tip loss 0.97, Drees"
    )
    return experiments.find("puma-flight-123").run(blades="elastic", variants=shown).figures["variants"]()
