"""Elements are tried in many models that run for moments: most of the time goes into making their kernels."""

import pytest


@pytest.fixture(autouse=True)
def kernels_without_optimisation(without_optimisation):
    """See `without_optimisation`."""
