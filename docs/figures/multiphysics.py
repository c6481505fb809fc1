"""Figures of machines with hydraulics, motors and controls in the same equations."""

import matplotlib.pyplot as plt
from registry import figure

from samara import experiments


@figure
def experiment_puma_hydraulic() -> plt.Figure:
    """Stroke, pressures, spool and thrust while the collective rises."""
    return experiments.find("puma-hydraulic").run().draw()
