"""Figures of the X-Cell in free flight."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import experiments
from samara.models.helicopters import xcell

NOTE = "X-Cell 60 with stand-in data"


@figure
def xcell_steps() -> plt.Figure:
    """Steps of the four sticks in hover, with the flight controllers."""
    return experiments.find("xcell-steps").run().draw()


@figure
def xcell_trim() -> plt.Figure:
    """Controls, attitude and power in trimmed level flight versus airspeed."""
    speeds = np.arange(0.0, 20.1, 2.5)
    found = [xcell.trim(float(speed)) for speed in speeds]
    picture, axes = plt.subplots(1, 3, figsize=(10.5, 3.6))
    for name in xcell.COMMANDS:
        label = "tail rotor" if name == "pedal" else name
        axes[0].plot(speeds, [np.degrees(f.controls[f"trim.{name}"]) for f in found], "o-", markersize=3, label=label)
    for name in ("pitch", "roll"):
        axes[1].plot(speeds, [np.degrees(f.controls[f"trim.{name}"]) for f in found], "o-", markersize=3, label=name)
    for name, label in (("rotor", "main rotor"), ("tail", "tail rotor")):
        axes[2].plot(speeds, [f.results[f"{name}.power"].mean() for f in found], "o-", markersize=3, label=label)
    for axis, label in zip(axes, ("blade pitch [deg]", "attitude [deg]", "power [W]"), strict=True):
        axis.set(xlabel="airspeed [m/s]", ylabel=label)
        axis.legend(fontsize="small")
    picture.suptitle(f"Trim ({NOTE})", fontsize=9)
    return picture


@figure
def xcell_inflow() -> plt.Figure:
    """Filtered induced velocity after a step of collective pitch, fuselage held in hover."""
    model = xcell.xcell(xcell.settings(), held=True, commands={"collective": sm.Step(0.3, 0.2)})
    run = sm.transient(model, 1.0, xcell.STEP, outputs="rotor.*", progress=False)
    area = np.pi * xcell.RADIUS**2
    picture, axes = plt.subplots(1, 2, figsize=(8.5, 3.2))
    target = np.sqrt(np.maximum(run["rotor.thrust"], 0.0) / (2 * 1.225 * area))
    axes[0].plot(run.time, target, linewidth=1.0, label=r"momentum theory, $\hat u(T)$")
    axes[0].plot(run.time, run["rotor.induced"][:, 0], linewidth=1.4, label="filtered, $u$")
    axes[0].set(xlabel="time [s]", ylabel="induced velocity [m/s]")
    axes[0].legend(fontsize="small")
    axes[1].plot(run.time, run["rotor.thrust"])
    axes[1].set(xlabel="time [s]", ylabel="thrust [N]")
    picture.suptitle(f"1.8 degrees of collective pitch, fuselage held ({NOTE})", fontsize=9)
    return picture
