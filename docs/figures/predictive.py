"""Figures of predictive control and of higher-harmonic control."""

import functools

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

from samara import ARMAX, Lags, RecursiveIdentification, experiments


@functools.cache
def _wing():
    return experiments.find("wing-vibration").run()


@figure
def wing_vibration() -> plt.Figure:
    """Modes of the tiltrotor's wing in gusts, with and without predictive control."""
    return _wing().figures["time"]()


@figure
def wing_vibration_spectrum() -> plt.Figure:
    """Their spectra."""
    return _wing().figures["spectrum"]()


@figure
def rotor_vibration() -> plt.Figure:
    """Loads of the Puma at four per revolution with higher-harmonic and individual blade control."""
    return experiments.find("rotor-vibration").run().draw()


@figure
def recursive_identification() -> plt.Figure:
    """Identified coefficients versus samples: plant change with and without forgetting; coloured noise."""
    drawn, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.4), layout="constrained")
    chance = np.random.default_rng(1)
    plants = ARMAX([1.5, -0.81], [0.5, 0.3]), ARMAX([1.2, -0.7], [0.2, 0.6])
    u, e = chance.normal(size=(2000, 1)), 0.2 * chance.normal(size=(2000, 1))
    y = np.vstack([plant.simulate(u[part], e=e[part]) for plant, part in zip(plants, (slice(1000), slice(1000, 2000)))])
    for forgetting, colour in ((1.0, "#0072B2"), (0.98, "#D55E00")):
        left.plot(
            _learnt(plants[0].lags, u, y, forgetting)[:, 0], color=colour, label=f"forgetting factor {forgetting:g}"
        )
    left.plot([0, 1000, 1000, 2000], [1.5, 1.5, 1.2, 1.2], "k--", linewidth=0.8, label="plant")
    left.set(xlabel="sample", ylabel="first output coefficient", title="a plant that changes", ylim=(0.8, 1.8))
    coloured = ARMAX(plants[0].A, plants[0].B, C=[0.8])
    u, e = chance.normal(size=(4000, 1)), chance.normal(size=(4000, 1))
    y = coloured.simulate(u, e=e)
    for lags, label in ((Lags(1, 1, 2, 2), "ARX"), (Lags(1, 1, 2, 2, past_errors=1), "ARMAX")):
        right.plot(_learnt(lags, u, y, 1.0)[:, 0], label=label)
    right.axhline(1.5, color="k", linestyle="--", linewidth=0.8, label="plant")
    right.set(xlabel="sample", title="coloured noise", ylim=(1.3, 1.8))
    for axes in (left, right):
        axes.legend(fontsize="small")
    return drawn


def _learnt(lags: Lags, u: np.ndarray, y: np.ndarray, forgetting: float) -> np.ndarray:
    found, course = RecursiveIdentification(lags, step=1.0, forgetting=forgetting), []
    for given, seen in zip(u, y, strict=True):
        found.control(given)
        found(seen, np.zeros(0))
        course.append(found.theta[:, 0].copy())
    return np.array(course)
