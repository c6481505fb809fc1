"""What the physics tests share: how an order is observed, and fine independent solutions."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

sys.path.insert(0, str(Path(__file__).parent))  # models beside the tests are importable by name


@pytest.fixture(scope="session")
def orders() -> Callable:
    """Observed orders of a list of errors, each for half the step of the one before: one row a halving."""

    def observed(errors):
        errors = np.asarray(errors)
        return np.log2(errors[:-1] / errors[1:])

    return observed


@pytest.fixture(scope="session")
def fine() -> Callable:
    """The solution of y' = f(t, y) to about 1e-11, as a function of time (Dormand and Prince, order 8)."""

    def solve(f, end, y0):
        return solve_ivp(f, (0, end), y0, method="DOP853", rtol=1e-12, atol=1e-12, dense_output=True).sol

    return solve
