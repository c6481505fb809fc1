"""Figures of hydraulics."""

import functools

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import experiments


@functools.cache
def _beam():
    """The run of the beam and its pipe, used in two figures."""
    return experiments.find("hydraulic-beam").run()


@figure
def experiment_hydraulic_beam() -> plt.Figure:
    """Stroke, pressures, flow and the tip of the beam."""
    return _beam().figures["raising"]()


@figure
def water_hammer() -> plt.Figure:
    """Pressure at a closed valve for different numbers of pipe pieces."""
    return _beam().figures["hammer"]()


@figure
def hydraulic_lag_damper() -> plt.Figure:
    """Moment versus speed of a lag damper with relief valves."""
    picture, axes = plt.subplots()
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07)
    for degrees in (0.25, 1.0, 2.0):
        model = sm.Model("lag damper")
        blade = model.prescribed("blade", sm.Motion(rotation=(0, 0, sm.Sine(np.radians(degrees), 27.0))))
        sizes = {"displacement": 2e-4, "volume": 1e-4, "diameter": 1.5e-3}
        valves = {"opening": 4e6, "full": 5e6, "relief_area": 2e-5, "charge": 6e6}
        damper = sm.HydraulicHingeDamper(model.ground, blade, fluid=oil, axis=(0, 0, 1), **sizes, **valves)
        model.add("damper", damper)
        results = sm.transient(model, end=4 * 2 * np.pi / 27.0, step=5e-4, progress=False)
        last = results.time > 3 * 2 * np.pi / 27.0
        speed, effort = results["damper.angle_rate"][last], results["damper.effort"][last]
        axes.plot(speed, effort, label=f"{degrees:g} deg")
    axes.set_xlabel("hinge rate [rad/s]")
    axes.set_ylabel("moment [N m]")
    axes.legend(title="amplitude")
    return picture


@figure
def experiment_lag_dampers() -> plt.Figure:
    """Damping of the Puma's hydraulic lag dampers versus amplitude, and a manoeuvre with linear ones."""
    return experiments.find("lag-dampers").run().draw()
