"""What the tests of the contract share: rows and benches by name, rows in turn."""

import sys
from pathlib import Path

HERE = str(Path(__file__).resolve().parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)


def pytest_collection_modifyitems(items):
    """All tests of a row one after the other, so that one worker makes its model and kernels, and makes them once."""
    mine = [k for k, item in enumerate(items) if str(item.path).startswith(HERE)]
    rows = {}
    for k in mine:
        row = getattr(items[k], "callspec", None) and items[k].callspec.params.get("row")
        rows.setdefault(getattr(row, "name", items[k].nodeid), []).append(items[k])
    for k, item in zip(mine, (item for group in rows.values() for item in group), strict=True):
        items[k] = item
