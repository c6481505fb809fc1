"""What the tests of the contract share: rows and benches by name, rows in turn, kernels that are made quickly."""

import functools
import hashlib
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from samara.system.state import tangents
from samara.tracing.kernels import native

HERE = str(Path(__file__).resolve().parent)
if HERE not in sys.path:
    sys.path.insert(0, HERE)

_load, _machine, _addresses = native.load, native._machine, {}


@functools.cache
def _target() -> llvm.TargetMachine:
    _machine()  # initialises LLVM
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=native._features(), opt=0, jit=True
    )


def _load_plain(kind, functions, width, shape, key=""):
    key = key or native.fingerprint(functions, width, shape)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "_machine", _target)
        return _load(kind, functions, width, shape, hashlib.sha256(f"not optimised {key}".encode()).hexdigest()[:32])


@pytest.fixture(autouse=True)
def without_optimisation(request, monkeypatch):
    """Kernels whose machine code LLVM does not optimise: made in a third of the time, and each is run a few times only.

    What the contract asks is whether they are the right equations. Tests that take the fixture `optimised` have the
    kernels of users, and so has all of the suite but this folder.
    """
    if "optimised" not in request.fixturenames:
        monkeypatch.setattr(native, "load", _load_plain)
        monkeypatch.setattr(tangents, "_ADDRESSES", _addresses)


@pytest.fixture
def optimised():
    """See `without_optimisation`."""


def pytest_collection_modifyitems(items):
    """All tests of a row one after the other, so that one worker makes its model and kernels, and makes them once."""
    mine = [k for k, item in enumerate(items) if str(item.path).startswith(HERE)]
    rows = {}
    for k in mine:
        row = getattr(items[k], "callspec", None) and items[k].callspec.params.get("row")
        rows.setdefault(getattr(row, "name", items[k].nodeid), []).append(items[k])
    for k, item in zip(mine, (item for group in rows.values() for item in group), strict=True):
        items[k] = item
