"""Figures of the helicopter whose engine fails."""

import functools

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@functools.cache
def outcome():
    """Both runs, which the figures share."""
    return experiments.find("engine-failure").run()


@figure
def engine_failure() -> plt.Figure:
    """From level flight to rest on the wheels."""
    return outcome().figures["landing"]()


@figure
def autorotation_after_failure() -> plt.Figure:
    """How sink, speeds and power settle."""
    return outcome().figures["descent"]()
