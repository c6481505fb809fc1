"""Figures of contacts: the Puma's rotor on its stops."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def rotor_sailing() -> plt.Figure:
    """The rotor at rest in a gust front, with both contact models."""
    return experiments.find("rotor-sailing").run(end=6.0).draw()


@figure
def sailing_map() -> plt.Figure:
    """Largest displacement of the tips versus strength and direction of the gust."""
    return experiments.find("sailing-map").run(speeds=3, directions=2, end=4.0).draw()


@figure
def cosimulation() -> plt.Figure:
    """Errors versus step, nonsmooth as a whole and co-simulated."""
    return experiments.find("cosimulation").run(halvings=2).draw()


@figure
def landing() -> plt.Figure:
    """A helicopter lands on ground and on a ship, with both contact models."""
    return experiments.find("landing").run().draw()
