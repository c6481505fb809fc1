"""Matrices beside the tests, and integrators as users write them, are importable by name."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
for folder in (HERE, HERE.parents[1] / "physics"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
