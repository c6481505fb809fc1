"""What people see while something is compiled, and the time that it takes."""

import pytest

from samara.tracing import compiling


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setenv("SAMARA_PROGRESS", "1")
    return now, compiling.Compiling(lambda: now[0])


def test_a_terminal_shows_count_name_and_time(clock, capsys, monkeypatch):
    now, compiling = clock
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    compiling.known = 23
    with compiling.function("step"):
        now[0] += 12.0
        with compiling.function("newton"):
            pass
    assert "2 of at most 23: newton (12 s so far" in capsys.readouterr().err


def test_elsewhere_lines_are_few(clock, capsys):
    now, watch = clock
    for _ in range(20):
        with watch.kernel("Beam"):
            now[0] += 1.0
    lines = capsys.readouterr().err.splitlines()
    assert 2 <= len(lines) <= 20.0 / compiling.EVERY
    assert "compiling kernel Beam" in lines[0]


def test_it_can_be_told_to_be_quiet(clock, capsys, monkeypatch):
    now, watch = clock
    monkeypatch.setenv("SAMARA_PROGRESS", "0")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with watch.kernel("Beam"):
        now[0] += 60.0
    assert capsys.readouterr().err == ""


def test_compiling_within_compiling_counts_once(clock):
    now, watch = clock
    with watch.function("march"):
        now[0] += 2.0
        with watch.function("step"):
            now[0] += 3.0
    now[0] += 50.0
    assert watch.seconds == 5.0
