"""What the tests of formulations share: the ways to take a step, how an order is observed, fine solutions."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

sys.path.insert(0, str(Path(__file__).parent))  # modules beside the tests are importable by name
sys.path.insert(0, str(Path(__file__).parents[1] / "physics"))  # integrators as users write them

from ways_to_step import WAYS, Way


@pytest.fixture(params=WAYS, ids=lambda way: way.name)
def way(request) -> Way:
    """Each formulation with each integrator of the package; `ways_to_step.ways` takes some of them."""
    return request.param


@pytest.fixture(scope="session")
def orders() -> Callable:
    """Observed orders of a list of errors, each for half the step of the one before: one row a halving."""

    def observed(errors):
        errors = np.asarray(errors)
        return np.log2(errors[:-1] / errors[1:])

    return observed


@pytest.fixture(scope="session")
def fine() -> Callable:
    """The solution of y' = f(t, y) to about 1e-12, as a function of time (Dormand and Prince, order 8)."""

    def solve(f, end, y0):
        return solve_ivp(f, (0, end), y0, method="DOP853", rtol=1e-13, atol=1e-13, dense_output=True).sol

    return solve
