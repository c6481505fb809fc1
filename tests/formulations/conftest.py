"""What the tests of formulations share: the ways to take a step."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # modules beside the tests are importable by name
sys.path.insert(0, str(Path(__file__).parents[1] / "physics"))  # integrators as users write them

from ways_to_step import WAYS, Way


@pytest.fixture(params=WAYS, ids=lambda way: way.name)
def way(request) -> Way:
    """Each formulation with each integrator of the package; `ways_to_step.ways` takes some of them."""
    return request.param
