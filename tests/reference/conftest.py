"""Published data, each file with its source in its first lines."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).resolve().parent / "data"
