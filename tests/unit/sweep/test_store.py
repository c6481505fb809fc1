"""What is done stays done: resumed, grown, interrupted, cut off, refused."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from samara.model import ArgumentError
from samara.sweep import SweepError, SweepInterrupted, grid, listed, sweep


def plain(x):
    return x


def squared(notes):
    """A measure that notes in a file what it was called for."""

    def measure(x):
        with notes.open("a") as file:
            file.write(f"{x} ")
        return {"square": x * x}

    return measure


def quiet(make, measure, variants, **options):
    return sweep(make, measure, variants, progress=False, **options)


def test_a_second_call_does_only_what_is_missing(tmp_path):
    notes = tmp_path / "notes"
    measure = squared(notes)
    quiet(plain, measure, grid(x=[1.0, 2.0]), store=tmp_path / "s")
    found = quiet(plain, measure, grid(x=[2.0, 3.0, 1.0]), store=tmp_path / "s")
    assert notes.read_text().split() == ["1.0", "2.0", "3.0"]
    assert found["square"].values.tolist() == [4.0, 9.0, 1.0]
    again = quiet(plain, measure, listed([{"x": 3}, {"x": 1}]), store=tmp_path / "s")
    assert len(notes.read_text().split()) == 3 and again["square"].values.tolist() == [9.0, 1.0]


def test_numbers_come_back_bit_for_bit(tmp_path):
    values = [0.1, 1 / 3, 1e-300, 2**-1074, 1.7976931348623157e308]
    measure = lambda x: {"same": x, "list": [x, float("nan"), float("-inf")]}  # noqa: E731
    first = quiet(plain, measure, grid(x=values), store=tmp_path / "s")
    second = quiet(plain, measure, grid(x=values), store=tmp_path / "s")
    assert first.dataset.identical(second.dataset)
    assert second["same"].values.tolist() == values


def test_each_variant_is_stored_at_once(tmp_path):
    """What a process that is killed had finished is there; a line that was cut off is not."""
    lines = []

    def measure(x):
        lines.append((tmp_path / "s" / "done.jsonl").read_text().count("\n"))
        return x

    quiet(plain, measure, grid(x=[1.0, 2.0, 3.0]), store=tmp_path / "s")
    assert lines == [0, 1, 2]


def test_a_line_that_was_cut_off_is_done_again(tmp_path):
    notes = tmp_path / "notes"
    measure = squared(notes)
    quiet(plain, measure, grid(x=[1.0, 2.0, 3.0]), store=tmp_path / "s")
    path = tmp_path / "s" / "done.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    found = quiet(plain, measure, grid(x=[1.0, 2.0, 3.0]), store=tmp_path / "s")
    assert notes.read_text().split() == ["1.0", "2.0", "3.0", "3.0"]
    assert found["square"].values.tolist() == [1.0, 4.0, 9.0]
    assert [json.loads(line)["values"]["x"] for line in path.read_text().splitlines()] == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "null",
        "[1]",
        '{"finished": {"measures": {"square": 1.0}}}',
        '{"values": 5, "finished": {"measures": {"square": 1.0}}}',
        '{"values": {"x": 2.0}, "finished": 5}',
        '{"values": {"x": 2.0}, "finished": {"measures": 5}}',
        '{"values": {"x": 2.0}, "finished": {"measures": {"square": "x"}}}',
        '{"values": {"x": 2.0}, "finished": {"measures": {"square": null}}}',
        '{"values": {"x": 2.0}, "finished": {"measures": {"square": 9.0}, "cause": 5}}',
        '{"values": {"x": 2.0}, "finished": {"measures": {"square": 9.0}, "seconds": "long"}}',
        '{"values": {"x": 2.0}, "finished": {"measures": {"square": 9.0}, "other": 5}}',
    ],
)
def test_a_line_that_is_damaged_is_done_again_with_a_warning(tmp_path, line):
    measure = squared(tmp_path / "notes")
    quiet(plain, measure, grid(x=[1.0, 2.0]), store=tmp_path / "s")
    path = tmp_path / "s" / "done.jsonl"
    first, _ = path.read_text().splitlines()
    path.write_text(f"{first}\n{line}\n")
    with pytest.warns(UserWarning, match=r"s: done\.jsonl is damaged in 1 of its lines, first in line 2"):
        found = quiet(plain, measure, grid(x=[1.0, 2.0]), store=tmp_path / "s")
    assert found["square"].values.tolist() == [1.0, 4.0]


def test_no_bit_of_a_number_is_another_one_in_silence(tmp_path):
    measure = squared(tmp_path / "notes")
    quiet(plain, measure, grid(x=[1.0, 2.0]), store=tmp_path / "s")
    path = tmp_path / "s" / "done.jsonl"
    sound = path.read_bytes()
    assert sound.count(b'"square": 4.0') == 1
    for other in (b'"square": 5.0', b'"square": 4.1', b'"square":-4.0', b'"squarf": 4.0'):
        path.write_bytes(sound.replace(b'"square": 4.0', other))
        with pytest.warns(UserWarning, match="damaged in 1 of its lines, first in line 2"):
            found = quiet(plain, measure, grid(x=[1.0, 2.0]), store=tmp_path / "s")
        assert found["square"].values.tolist() == [1.0, 4.0]


@pytest.mark.parametrize("text", [b"a thesis", b"a thesis\nof two lines\n"])
def test_files_of_others_are_left_alone(tmp_path, text):
    quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")
    path, target = tmp_path / "s" / "done.jsonl", tmp_path / "elsewhere"
    path.write_bytes(text)
    with pytest.raises(SweepError, match=r"done\.jsonl is no file of a sweep"):
        quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")
    path.rename(target)
    path.symlink_to(target)
    with pytest.raises(SweepError, match="is a link, which is not followed"):
        quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")
    assert target.read_bytes() == text


@pytest.mark.parametrize(
    "text", ["", "[]", "5", '{"format": 4', '{"format": 4, "parameters": null}', '{"parameters": ["x"]}', "\udcff"]
)
def test_a_definition_that_is_damaged(tmp_path, text):
    quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")
    (tmp_path / "s" / "sweep.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(ArgumentError, match=r"s: sweep\.json is damaged; give another folder"):
        quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")


def test_a_store_of_another_version(tmp_path):
    quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")
    (tmp_path / "s" / "sweep.json").write_text('{"format": 1, "parameters": ["x"], "make": "0", "measure": "0"}')
    with pytest.raises(ArgumentError, match="it is of another version of Samara"):
        quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "s")


KILLED = """
import os, signal
from samara.sweep import grid, sweep

def make(x):
    return x

def measure(x):
    if x == 3.0 and not os.path.exists("once"):
        open("once", "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    open("calls", "a").write(f"{x} ")
    return x

print(sweep(make, measure, grid(x=[1.0, 2.0, 3.0, 4.0]), store="s", progress=False)["value"].values.tolist())
"""


def test_killed_in_the_middle(tmp_path):
    (tmp_path / "study.py").write_text(KILLED)
    run = [subprocess.run([sys.executable, "study.py"], cwd=tmp_path, capture_output=True, text=True) for _ in "ab"]
    assert run[0].returncode == -signal.SIGKILL
    assert run[1].stdout.strip() == "[1.0, 2.0, 3.0, 4.0]", run[1].stderr
    assert (tmp_path / "calls").read_text().split() == ["1.0", "2.0", "3.0", "4.0"]


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(tmp_path):
    def measure(x):
        if x == 2.0:
            raise KeyboardInterrupt
        return x

    words = r"1 of 3 variants are done and kept in .*s: the same call goes on"
    with pytest.raises(SweepInterrupted, match=words) as stop:
        quiet(plain, measure, grid(x=[1.0, 2.0, 3.0]), store=tmp_path / "s")
    assert stop.value.results["cause"].values.tolist() == ["", "not done", "not done"]
    with pytest.raises(SweepInterrupted, match="with a store, the same call would go on"):
        quiet(plain, measure, grid(x=[1.0, 2.0, 3.0]))


def test_ctrl_c_with_workers(tmp_path):
    def make(x):
        import time

        time.sleep(0.0 if x < 2.0 else 60.0)
        return x

    threading.Timer(0.1, _interrupt_when, [tmp_path / "s" / "done.jsonl"]).start()
    with pytest.raises(SweepInterrupted, match="1 of 4 variants are done"):
        quiet(make, plain, grid(x=[1.0, 2.0, 3.0, 4.0]), store=tmp_path / "s", workers=2)


def _interrupt_when(path):
    until = time.monotonic() + 60.0
    while time.monotonic() < until:
        if path.exists() and path.stat().st_size:
            os.kill(os.getpid(), signal.SIGINT)
            return
        time.sleep(0.05)


FACTOR = 2.0


def scaled(x):
    return FACTOR * x


@pytest.mark.parametrize(
    ("make", "measure", "variants", "options", "words"),
    [
        (plain, scaled, grid(y=[1.0]), {}, "make does not fit the variants"),
        (lambda y: y, scaled, grid(y=[1.0]), {}, "it varies other parameters .x instead of y."),
        (lambda x: -x, scaled, grid(x=[1.0]), {}, "its `make` is another one"),
        (plain, lambda x: 2.0 * x, grid(x=[1.0]), {}, "its `measure` is another one"),
        (plain, scaled, grid(x=[1.0]), {"end": 1.0, "step": 0.1}, "run otherwise .end None instead of 1.0."),
    ],
)
def test_the_store_of_another_sweep_is_refused(tmp_path, make, measure, variants, options, words):
    quiet(plain, scaled, grid(x=[1.0]), store=tmp_path / "s")
    with pytest.raises(ArgumentError, match=words):
        quiet(make, measure, variants, store=tmp_path / "s", **options)


def test_a_number_of_the_module_belongs_to_the_definition(tmp_path, monkeypatch):
    quiet(plain, scaled, grid(x=[1.0]), store=tmp_path / "s")
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    with pytest.raises(ArgumentError, match="its `measure` is another one"):
        quiet(plain, scaled, grid(x=[1.0]), store=tmp_path / "s")


def test_what_a_function_closes_over_belongs_to_the_definition(tmp_path):
    def times(factor):
        return lambda x: factor * x

    for k, (one, other) in enumerate([(2.0, 3.0), (np.ones(3), np.full(3, 5.0))]):
        store = tmp_path / f"s{k}"
        quiet(plain, times(one), grid(x=[1.0]), store=store)
        quiet(plain, times(one), grid(x=[2.0]), store=store)
        with pytest.raises(ArgumentError, match="its `measure` is another one"):
            quiet(plain, times(other), grid(x=[3.0]), store=store)


def test_a_folder_that_is_no_store(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ArgumentError, match="is no store of a sweep, and not empty"):
        quiet(plain, plain, grid(x=[1.0]), store=tmp_path)
    with pytest.raises(ArgumentError, match="is a file: give the name of a folder"):
        quiet(plain, plain, grid(x=[1.0]), store=tmp_path / "notes.txt")


def test_one_process_at_a_time(tmp_path):
    pytest.importorskip("fcntl")

    def measure(x):
        with pytest.raises(SweepError, match="in use by another process"):
            quiet(plain, measure, grid(x=[1.0]), store=tmp_path / "s")
        return x

    assert not quiet(plain, measure, grid(x=[1.0]), store=tmp_path / "s").failures


def test_failures_are_kept_and_tried_again_by_again(tmp_path):
    state = tmp_path / "fixed"

    def measure(x):
        if not state.exists():
            raise RuntimeError("not yet")
        return x

    assert quiet(plain, measure, grid(x=[1.0]), store=tmp_path / "s").failures == [
        ({"x": 1.0}, "RuntimeError: not yet")
    ]
    state.touch()
    assert quiet(plain, measure, grid(x=[1.0]), store=tmp_path / "s").failures
    assert not quiet(plain, measure, grid(x=[1.0]), store=tmp_path / "s", again=True).failures
    assert not quiet(plain, measure, grid(x=[1.0]), store=tmp_path / "s").failures
