"""Figures of the experiments with the Puma's rotor."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def experiment_puma_flight_123() -> plt.Figure:
    """Flap, lag, pitch, thrust and disk loading, with the measured controls and trimmed."""
    return experiments.find("puma-flight-123").run().draw()


@figure
def experiment_hover_sweep() -> plt.Figure:
    """Thrust, torque and figure of merit in hover."""
    return experiments.find("hover-sweep").run().draw()


@figure
def experiment_forward_flight_sweep() -> plt.Figure:
    """Controls and power versus advance ratio."""
    return experiments.find("forward-flight-sweep").run().draw()
