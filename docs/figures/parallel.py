"""Figures of substructures."""

from registry import figure

import samara as sm
from samara.models.tiltrotors import wrats


@figure
def partition_wrats():
    """Elastic blades on a wing, partitioned into four parts."""
    return sm.partition(wrats.build(blades="elastic", beams=8), 4).plot()
