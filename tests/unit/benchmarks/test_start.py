"""`samara bench start`: what it measures is a command with an empty cache of its own."""

import pytest

from samara.benchmarks.solver import start


def test_a_command_is_measured_with_its_children_and_an_empty_cache(tmp_path):
    (tmp_path / "cache").mkdir(mode=0o700)
    cpu, wall = start.measure(("kernels", "pendulum"), tmp_path)
    assert list((tmp_path / "cache").glob("*.kernel"))
    assert 0.1 < cpu < 10.0 * wall  # Python alone takes more than the one; ten cores do not help the other


def test_a_command_that_fails_is_named(tmp_path):
    with pytest.raises(RuntimeError, match="samara run no-such-model ended with 2"):
        start.measure(("run", "no-such-model"), tmp_path)


def test_rows_have_aims(monkeypatch):
    monkeypatch.setattr(start, "measure", lambda words, folder: (20.0, 30.0))
    found = {(row.case, row.metric): (row.value, row.aim) for row in start.rows()}
    assert found["pendulum", "cpu_seconds"] == (20.0, "< 30")
    assert found["puma-realtime", "cpu_seconds"] == (20.0, "< 60")
    assert found["puma-realtime", "wall_seconds"] == (30.0, "")
