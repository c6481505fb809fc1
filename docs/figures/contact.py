"""Figures of contacts: the Puma's rotor on its stops."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def rotor_sailing() -> plt.Figure:
    """The still rotor in a gust front, with both models of contact."""
    return experiments.find("rotor-sailing").run().draw()
