"""What every test shares: one thread a process, no display, seeded chance."""

import os
import signal

# Before NumPy is imported: xdist already uses the cores, and pictures need no screen.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")
os.environ.setdefault("SAMARA_PROGRESS", "0")  # whether something is compiled depends on the tests before

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

# A recorder or a panel within the tests' own process does not take the tests after it along.
os.nice = lambda increment: 0

# A shell that starts jobs in the background lets them ignore Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run: a failure seen once is seen again.
settings.register_profile("samara", derandomize=True, deadline=None)
settings.load_profile("samara")


@pytest.fixture
def rng() -> np.random.Generator:
    """A seeded random generator."""
    return np.random.default_rng(20260)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return Path(__file__).resolve().parents[1]
