"""Figures of the helicopter with engine failure."""

import functools

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import experiments
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.models.helicopters.helicopter_drive import Turboshaft


@functools.cache
def outcome():
    """Both runs, which the figures share."""
    return experiments.find("engine-failure").run()


@figure
def engine_failure() -> plt.Figure:
    """From level flight to standstill on the wheels."""
    return outcome().figures["landing"]()


@figure
def autorotation_after_failure() -> plt.Figure:
    """Rate of descent, speeds and power settle."""
    return outcome().figures["descent"]()


@figure
def governor_in_hover() -> plt.Figure:
    """Two degrees of collective pitch with three governors."""
    picture, axes = plt.subplots(1, 2, figsize=(9.0, 3.2))
    settings = dict(zip(helicopter.CONTROLS, helicopter.HOVER, strict=True))
    settings["collective"] = sm.Cosine(2.0, 0.5, start=4.0, initial=helicopter.HOVER[0])
    for label, engine in (
        ("with feed-forward", Turboshaft()),
        ("without feed-forward", Turboshaft(anticipation=0.0)),
        ("proportional only", Turboshaft(anticipation=0.0, integral=0.0)),
    ):
        model = helicopter.helicopter(settings, engine=engine)
        run = sm.transient(model, 12.0, 2.5e-3, every=4, progress=False)
        shown = run.time > 3.0
        axes[0].plot(run.time[shown], 100 * np.abs(run["main.rotor.speed"][shown]) / puma.SPEED, label=label)
        axes[1].plot(run.time[shown], 1e3 * run["engine.turbine.burnt"][shown], label=label)
    for panel, name in zip(axes, ("rotor speed / nominal [%]", "fuel flow [g/s]"), strict=True):
        panel.set_xlabel("time [s]")
        panel.set_ylabel(name)
    axes[0].legend(fontsize="x-small")
    return picture
