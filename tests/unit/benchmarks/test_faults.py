"""The short form of `samara bench faults`: the same code with few inputs, and one incident."""

import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("nicegui")

from samara.benchmarks.faults import fuzz, incidents, strangers
from samara.benchmarks.faults.parsers import Parser
from samara.realtime import Latest, Queue
from samara.realtime.mailbox.shared import COUNT, SLOTS, MailboxError


def test_no_parser_fails_on_damaged_inputs():
    found = list(fuzz.fuzzed(1500, seed=7))
    assert len(found) == 12
    for row in found:
        assert row.value == 0, (row.case, row.note)


def test_the_inputs_are_the_same_for_the_same_seed_and_differ_from_the_sound_one():
    sound = b'{"a": 1, "b": [2.5, "c"]}' * 5
    first, again = ([fuzz.damaged(np.random.default_rng(k), sound) for k in range(50)] for _ in range(2))
    assert first == again
    assert sum(data != sound for data in first) > 45


@pytest.mark.parametrize(
    ("read", "sealed", "word"),
    [
        (lambda data: int(data), False, "failures"),  # a raw ValueError
        (lambda data: len(data), True, "other data"),
    ],
)
def test_a_parser_that_fails_is_found(read, sealed, word):
    row = fuzz.tried(Parser("weak", (b"12",), read, sealed=sealed), 100, [0], float("inf"))
    assert row.value > 10


def test_time_that_is_up_is_a_failure():
    parser = Parser("slow", (b"1",), lambda data: 1)
    assert fuzz.tried(parser, 10, [0], time.monotonic() - 1.0).value == 1


def test_strangers_are_held_off():
    rows = list(strangers.attacks())
    if len(rows) == 1:
        pytest.skip("only root can become two other users")
    for row in rows:
        assert row.value == 0, (row.case, row.note)


@pytest.mark.parametrize("kind", [Latest, Queue])
@pytest.mark.parametrize(
    ("word", "value"), [(COUNT, 1 << 40), (COUNT, -1), (COUNT, 60), (SLOTS, 1 << 40), (SLOTS, 4096)]
)
def test_a_mailbox_whose_sizes_do_not_fit_is_refused(tmp_path, kind, word, value):
    """Else rows would be looked for outside of it."""
    path = tmp_path / "box"
    with kind.create(path, 4, **({} if kind is Latest else {"capacity": 8})):
        words = np.fromfile(path, np.int64)
    words[word] = value
    words.tofile(Path(f"{path}-damaged"))
    with pytest.raises(MailboxError, match="it is damaged"):
        kind.attach(f"{path}-damaged")


@pytest.mark.slow
def test_a_killed_recorder_is_in_the_accounts():
    row = next(row for row in incidents.kills(("recorder killed",)))
    assert row.value == 0, row.note
