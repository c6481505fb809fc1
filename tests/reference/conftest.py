"""Published data, each file with its source in its first lines, and how an order is observed."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # closed forms beside the tests are importable by name


@pytest.fixture(scope="session")
def data() -> Path:
    return Path(__file__).resolve().parent / "data"
