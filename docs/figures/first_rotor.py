"""Figures of the page "A first rotor", from the page's own code."""

import functools
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

PAGE = Path(__file__).resolve().parents[1] / "guide" / "first-rotor.md"


@functools.cache
def page() -> dict:
    """Names that the page has defined up to its modes."""
    text = PAGE.read_text("utf-8").partition("## Modes")[0]
    blocks = [part.partition("```")[0] for part in text.split("```python\n")[1:]]
    names: dict = {"__name__": "first_rotor"}
    lines = "\n".join(blocks).splitlines()
    code = "\n".join(line for line in lines if not line.startswith(("run.plot", "run.animate")))
    exec(compile(code, str(PAGE), "exec"), names)
    return names


@figure
def first_rotor_run() -> plt.Figure:
    """Thrust, flap and lag, starting at rest in the rotating frame."""
    run = page()["run"]
    drawn, axes = plt.subplots(2, 1, sharex=True)
    axes[0].plot(run.time, run["rotor.thrust"] / 1e3)
    axes[0].set_ylabel("thrust [kN]")
    for name in ("flap", "lag"):
        axes[1].plot(run.time, np.degrees(run[f"blade_1.{name}.angle"]), label=name)
    axes[1].set(xlabel="time [s]", ylabel="angle of blade 1 [deg]")
    axes[1].legend()
    return drawn


@figure
def first_rotor_trim() -> plt.Figure:
    """Controls versus airspeed."""
    along = page()["along"]
    drawn, axes = plt.subplots()
    for name in ("collective", "lateral", "longitudinal"):
        axes.plot([0.0, 10.0, 20.0, 30.0, 40.0], np.degrees(along.control(name)), "o-", label=name)
    axes.set(xlabel="airspeed [m/s]", ylabel="control [deg]")
    axes.legend()
    return drawn
