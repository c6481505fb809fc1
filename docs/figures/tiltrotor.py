"""Figures of the tiltrotor in the wind tunnel."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def windmill_spin_up() -> plt.Figure:
    """Airstream, speed, pitch, thrust, torque and flap while the tunnel starts."""
    return experiments.find("windmill-spin-up").run().draw()


@figure
def windmill_gust() -> plt.Figure:
    """The same while the airstream swings."""
    return experiments.find("windmill-gust").run().draw()
