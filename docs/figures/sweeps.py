"""Figure of the guide to sweeps: the map that `samara bench parallel` measures, with fewer variants."""

import matplotlib.pyplot as plt
from registry import figure

from samara.benchmarks.rotorcraft import damping_map


@figure
def sweeps_map() -> plt.Figure:
    """Growth rate versus rotor speed and lag damper."""
    return damping_map.run(damping_map.variants(100)).plot(title="")
