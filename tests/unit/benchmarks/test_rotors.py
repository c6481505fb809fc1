"""Parts of the benchmark of the rotors."""

import numpy as np
import pytest

from samara.benchmarks.rotorcraft.rotors import station_radii
from samara.models.articulated_rotors import puma


@pytest.mark.parametrize("blades", ["rigid", "elastic"])
def test_rings_are_at_the_stations(blades):
    """One ring for each station of a blade: within it, rising, and none twice."""
    model = puma.build(blades=blades)
    radii = station_radii(model)
    surfaces = [e for name, e in model.elements.items() if name.startswith("blade_1.air")]
    assert len(radii) == sum(len(surface.stations) for surface in surfaces) >= 10
    assert np.all(np.diff(radii) > 0.0) and 0.0 < radii[0] and radii[-1] < 1.0
