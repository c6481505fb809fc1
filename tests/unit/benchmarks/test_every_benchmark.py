"""Every benchmark that `samara bench` lists runs to its end in its cheapest form, and gives figures."""

import importlib
from collections.abc import Callable

import numpy as np
import pytest

from samara.benchmarks.real_time import realtime, soak
from samara.benchmarks.rotorcraft import rotors, trim
from samara.benchmarks.scaling import parallel
from samara.benchmarks.solver import sensitivity
from samara.cli.studies import bench
from samara.cli.studies.bench import available

#: Arguments of a short form. None: the benchmark has such a test of its own, beside this one.
SHORT: dict[str, dict | None] = {
    "damping_map": None,
    "engine": {"repeats": 1, "sizes": (2, 3, 4)},
    "faults": None,
    "floquet": {"airspeeds": np.array([30.0]), "blades": "rigid"},
    "gimbal": {"repeats": 2},
    "growth": None,
    "mailbox": {"repeats": 2},
    "multiphysics": None,
    "nonsmooth": None,
    "parallel": {},
    "realtime": {"machines": rotors.MACHINES[:1], "duration": 0.1, "settling": 0.1},
    "recursive": None,
    "rotors": {"machines": rotors.MACHINES[:1], "steps": 100, "blades": ("rigid",)},
    "sensitivity": {"repeats": 1},
    "soak": {"duration": 1.0, "model": "pendulum"},
    "start": None,
    "structures": {"repeats": 2, "beams": (5, 6)},
    "substructures": None,
    "trim": None,
    "wake": {"blades": ("rigid",), "steps": 100, "variants": {"whole": {"sliced": False}}},
}
#: Processes with panel and recorder take their time to start.
TRIED = [
    pytest.param(name, marks=[pytest.mark.slow] if name == "soak" else [])
    for name, short in SHORT.items()
    if short is not None
]


def test_none_is_forgotten():
    assert list(SHORT) == sorted(available())


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    """What is no argument of a benchmark, and is measured for long: others' rows, and times."""
    monkeypatch.setattr(parallel, "CASES", {"gimbal": _rows("gimbal")})
    monkeypatch.delitem(sensitivity.CASES, "helicopter")
    monkeypatch.setattr(trim, "rows", lambda: iter(()))
    monkeypatch.setattr(rotors, "SETTLING", 0.1)
    for name, value in (("BARE", 0.05), ("TRIES", 1), ("TRIAL", 0.05)):
        monkeypatch.setattr(realtime, name, value)
    monkeypatch.setattr(soak, "OFTEN", 0.2)


def _rows(name: str) -> Callable:
    return lambda: importlib.import_module(bench.module_of(name)).rows(**SHORT[name])


@pytest.mark.parametrize("name", TRIED)
def test_it_runs_to_its_end(name):
    """Figures are finite, but where a note says why there is none."""
    found = list(_rows(name)())
    assert found
    for row in found:
        assert row.case and row.metric
        assert np.isfinite(row.value) or any(why in row.note for why in ("left out", "too soon", "nan us")), row


def test_a_benchmark_of_another_name_is_refused():
    from samara.cli.report import CommandError
    from samara.cli.studies.bench import _measure

    with pytest.raises(CommandError, match="there is no benchmark 'engines'; choose from damping_map, engine"):
        _measure("engines", available(), as_json=False)
