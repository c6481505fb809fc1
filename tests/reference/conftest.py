"""Published data, each file with its source in its first lines, and how an order is observed."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # closed forms beside the tests are importable by name


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).resolve().parent / "data"


@pytest.fixture(scope="session")
def orders() -> Callable:
    """Observed orders of a list of errors, each for half the step of the one before."""

    def observed(errors):
        errors = np.asarray(errors)
        return np.log2(errors[:-1] / errors[1:])

    return observed
