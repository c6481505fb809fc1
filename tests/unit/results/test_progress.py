"""The progress line, with a clock that the test turns."""

import io

import pytest

from samara.results import Progress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "160")


def drawings(stream: io.StringIO) -> list[str]:
    return [part.rstrip(" \n") for part in stream.getvalue().split("\r")[1:]]


def test_bar_shows_share_time_ratio_remaining_and_counters():
    clock, stream = Clock(), Terminal()
    with Progress(10.0, "pendulum", stream, clock=clock) as progress:
        clock.now += 5.0
        progress.update(2.5, iterations=830, jacobians=2)
    first, last = drawings(stream)
    assert first == (
        "pendulum [██████░░░░░░░░░░░░░░░░░░]  25 %, 2.5 of 10 s, real/sim 2, 15 s left, 830 iterations, 2 jacobians"
    )
    assert last == "pendulum: 2.5 of 10 s simulated in 5 s, real/sim 2, 830 iterations, 2 jacobians"


def test_at_most_ten_drawings_a_second():
    clock, stream = Clock(), Terminal()
    progress = Progress(1.0, "run", stream, clock=clock)
    for i in range(1000):
        clock.now = 100.0 + i * 2.0**-10
        progress.update(i * 1e-3)
    assert 9 <= len(drawings(stream)) <= 10


def test_a_line_covers_the_one_before():
    clock, stream = Clock(), Terminal()
    with Progress(1.0, "run", stream, clock=clock) as progress:
        progress.update(0.1, iterations=123456789)
        clock.now += 1.0
        progress.update(1.0, iterations=1)
    bars = stream.getvalue().split("\r")[1:]
    assert len(bars[1]) >= len(bars[0])
    assert stream.getvalue().endswith("\n")
    assert stream.getvalue().count("\n") == 1


def test_a_bar_never_wraps(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    clock, stream = Clock(), Terminal()
    Progress(1.0, "a rather long label", stream, clock=clock).update(0.5, iterations=12, jacobians=3)
    assert len(drawings(stream)[0]) <= 39


def test_elsewhere_than_on_a_terminal_only_the_last_line():
    clock, stream = Clock(), io.StringIO()
    with Progress(10.0, "pendulum", stream, clock=clock) as progress:
        for i in range(1, 11):
            clock.now += 7.5
            progress.update(float(i), iterations=2 * i)
    assert stream.getvalue() == "pendulum: 10 s simulated in 1 min 15 s, real/sim 7.5, 20 iterations\n"


def test_enabled_false_is_silent_and_true_draws_anywhere():
    for stream in (io.StringIO(), Terminal()):
        with Progress(1.0, "run", stream, enabled=False, clock=Clock()) as progress:
            progress.update(0.5)
        assert stream.getvalue() == ""
    stream = io.StringIO()
    with Progress(1.0, "run", stream, enabled=True, clock=Clock()) as progress:
        progress.update(0.5)
    assert len(drawings(stream)) == 2


def test_an_exception_passes_and_the_line_says_how_far_it_got():
    stream = io.StringIO()
    with pytest.raises(KeyboardInterrupt), Progress(4.0, "run", stream, clock=Clock()) as progress:
        progress.update(1.0)
        raise KeyboardInterrupt
    assert stream.getvalue().startswith("run: 1 of 4 s simulated")


def test_close_speaks_once():
    stream = io.StringIO()
    with Progress(1.0, "run", stream, clock=Clock()) as progress:
        progress.update(1.0)
        progress.close()
    assert stream.getvalue().count("\n") == 1


def test_a_run_that_starts_later_counts_from_there():
    progress = Progress(10.0, start_time=5.0, enabled=False)
    progress.update(7.5)
    assert progress.fraction == 0.25
    progress.update(100.0)
    assert progress.fraction == 1.0


def test_plain_characters_where_blocks_cannot_be_encoded():
    stream = Terminal()
    stream.encoding = "ascii"
    Progress(1.0, "run", stream, clock=Clock()).update(0.5)
    assert "[############------------]  50 %" in stream.getvalue()
    assert stream.getvalue().isascii()


def test_a_broken_stream_does_not_stop_the_run():
    stream = Terminal()
    with Progress(1.0, "run", stream, clock=Clock()) as progress:
        stream.close()
        progress.update(0.5)
        progress.update(1.0)


def test_default_stream_is_standard_error_at_the_time(capsys):
    with Progress(1.0, "run", clock=Clock()) as progress:
        progress.update(1.0)
    assert capsys.readouterr().err.startswith("run: 1 s simulated")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.012345, "0.012 s"), (9.4, "9.4 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (3725.0, "1 h 02 min")],
)
def test_durations_read_well(seconds, text):
    clock, stream = Clock(), io.StringIO()
    with Progress(1.0, "", stream, clock=clock) as progress:
        clock.now += seconds
        progress.update(1.0)
    assert f"simulated in {text}, " in stream.getvalue()


@pytest.mark.parametrize("total", [-1.0, float("nan"), float("inf")])
def test_bad_total_time(total):
    with pytest.raises(ValueError, match="total_time"):
        Progress(total)


def test_zero_total_time_is_done():
    stream = io.StringIO()
    with Progress(0.0, "static", stream, clock=Clock()):
        pass
    assert stream.getvalue() == "static: 0 s simulated in 0 s, real/sim -\n"
