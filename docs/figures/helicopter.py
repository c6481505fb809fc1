"""Figures of the helicopter in free flight."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara.experiments.helicopters.helicopter_trim import theory
from samara.models.helicopters import helicopter, helicopter_linear
from samara.models.helicopters import helicopter_trim as trimming

NOTE = "drag, tail surfaces, tail blades and autopilot are stand-ins"


def flown(end: float, **how):
    """A flight from the trim in hover, recorded at 100 Hz."""
    settings = dict(zip(helicopter.CONTROLS, helicopter.HOVER, strict=True))
    model = helicopter.helicopter(settings, **how)
    outputs = ("fuselage.*", "autopilot.*", "main.rotor.thrust", "tail.rotor.thrust")
    return sm.transient(model, end, 2.5e-3, tolerance=1e-6, every=4, outputs=outputs, progress=False)


def angle(run, name: str) -> np.ndarray:
    """Roll, pitch or heading [deg], unwrapped."""
    return np.degrees(np.unwrap(run[f"autopilot.{name}.measured"]))


@figure
def helicopter_trim() -> plt.Figure:
    """Controls, attitude and power in trimmed level flight versus airspeed."""
    speeds = (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0)
    found = trimming.trims(speeds)
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    labels = {
        "collective": "collective",
        "theta1c": r"$\theta_{1c}$",
        "theta1s": r"$\theta_{1s}$",
        "pedal": "tail rotor",
    }
    for name, label in labels.items():
        axes[0].plot(speeds, [np.degrees(f.controls[name]) for f in found], "o-", markersize=3, label=label)
    for name in ("pitch", "roll"):
        axes[1].plot(speeds, [np.degrees(f.controls[name]) for f in found], "o-", markersize=3, label=name)
    for name, label in (("main", "main rotor"), ("tail", "tail rotor")):
        power = [1e-3 * f.results[f"{name}.rotor.power"].mean() for f in found]
        axes[2].plot(speeds, power, "o-", markersize=3, label=label)
    closed = [1e-3 * theory(v, f.results["main.rotor.thrust"].mean()) for v, f in zip(speeds, found, strict=True)]
    axes[2].plot(speeds, closed, "k--", linewidth=0.9, label="main rotor, closed form")
    for axis, label in zip(axes, ("blade pitch [deg]", "attitude [deg]", "power [kW]"), strict=True):
        axis.set(xlabel="airspeed [m/s]", ylabel=label)
        axis.legend()
    picture.suptitle(f"Trim ({NOTE})", fontsize=9)
    return picture


@figure
def helicopter_derivatives() -> plt.Figure:
    """Stability derivatives at trim, with quasi-steady rotors."""
    speeds = (0.0, 20.0, 40.0, 60.0, 80.0)
    models = helicopter_linear.along(speeds, trimming.trims(speeds))
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    groups = (("Z_w", "X_u"), ("M_q", "L_p", "N_r"), ("M_u", "L_v", "N_v"))
    for axis, names, unit in zip(axes, groups, ("1/s", "1/s", "rad/(s m)"), strict=True):
        for name in names:
            axis.plot(speeds, [m.derivatives[name] for m in models], "o-", markersize=3, label=f"${name}$")
        axis.set(xlabel="airspeed [m/s]", ylabel=f"derivative [{unit}]")
        axis.legend()
    picture.suptitle(f"Derivatives ({NOTE})", fontsize=9)
    return picture


@figure
def helicopter_hands_off() -> plt.Figure:
    """Hover for 40 s after a control pulse, with and without autopilot."""
    pull = {"theta1s": sm.Cosine(np.radians(1.0), 0.2, 4.0) - sm.Cosine(np.radians(1.0), 0.2, 4.5)}
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    for style, label, augmented in (("-", "with autopilot", True), ("--", "without", False)):
        run = flown(40.0, commands=pull, augmented=augmented)
        for axis, name in zip(axes, ("pitch", "roll", "heading"), strict=True):
            axis.plot(run.time, angle(run, name), style, linewidth=1.0, label=label)
    for axis, name in zip(axes, ("pitch", "roll", "heading"), strict=True):
        axis.set(xlabel="time [s]", ylabel=f"{name} [deg]")
        axis.axvspan(0.0, helicopter.RELEASE, color="0.9")
    axes[0].legend()
    picture.suptitle(
        f"One degree of longitudinal stick for 0.5 s; fuselage held in the grey range ({NOTE})", fontsize=9
    )
    return picture


@figure
def helicopter_response() -> plt.Figure:
    """Response to one degree of collective and to a change of heading, in hover with the autopilot."""
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    cases = {
        "collective + 1 deg": {"collective": sm.Cosine(np.radians(1.0), 0.5, 3.0)},
        "heading + 20 deg": {"heading": sm.Cosine(np.radians(20.0), 1.0, 3.0)},
    }
    for label, commands in cases.items():
        run = flown(15.0, commands=commands)
        axes[0].plot(run.time, run["fuselage.velocity"][:, 2], label=label)
        axes[1].plot(run.time, angle(run, "heading"))
        axes[2].plot(run.time, 1e-3 * run["tail.rotor.thrust"])
    names = ("rate of climb [m/s]", "heading [deg]", "tail rotor thrust [kN]")
    for axis, label in zip(axes, names, strict=True):
        axis.set(xlabel="time [s]", ylabel=label)
        axis.axvspan(0.0, helicopter.RELEASE, color="0.9")
    axes[0].legend(fontsize="small")
    picture.suptitle(f"Fuselage held in the grey range ({NOTE})", fontsize=9)
    return picture
