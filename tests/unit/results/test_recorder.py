"""Growth without copies: views share the storage and keep their contents."""

import numpy as np
import pytest

from samara.results import Channel, Channels, Recorder

CHANNELS = Channels([Channel("a", "m", ("x", "y", "z")), Channel("b", "N")])


def fill(recorder: Recorder, times: np.ndarray, rows: np.ndarray, pieces: list[int]) -> None:
    start = 0
    for n in pieces:
        room_times, room_rows = recorder.room(n)
        room_times[:] = times[start : start + n]
        room_rows[:] = rows[start : start + n]
        recorder.commit(n)
        start += n


def test_views_are_contiguous_writable_float64():
    times, rows = Recorder(CHANNELS).room(7)
    assert times.shape == (7,)
    assert rows.shape == (7, 4)
    for view in (times, rows):
        assert view.dtype == np.float64
        assert view.flags.c_contiguous
        assert view.flags.writeable
        assert not view.flags.owndata


def test_room_shares_memory_with_the_table_of_a_single_block():
    recorder = Recorder(CHANNELS, block_rows=16)
    times, rows = recorder.room(5)
    recorder.commit(5)
    assert np.shares_memory(times, recorder.times)
    assert np.shares_memory(rows, recorder.table)
    rows[2, 3] = 42.0
    assert recorder.table[2, 3] == 42.0


def test_expected_rows_avoid_every_copy():
    recorder = Recorder(CHANNELS, expected_rows=100, block_rows=8)
    views = []
    for _ in range(10):
        views.append(recorder.room(10)[1])
        recorder.commit(10)
    table = recorder.table
    assert table.shape == (100, 4)
    assert all(np.shares_memory(view, table) for view in views)


@pytest.mark.parametrize("seed", range(5))
def test_contents_survive_growth_bit_for_bit(seed):
    rng = np.random.default_rng(seed)
    pieces = rng.integers(0, 23, size=40).tolist()
    n = sum(pieces)
    times, rows = np.arange(n) * 0.1, rng.normal(size=(n, 4))
    recorder = Recorder(CHANNELS, block_rows=16)
    fill(recorder, times, rows, pieces)
    assert len(recorder) == n
    assert recorder.times.tobytes() == times.tobytes()
    assert recorder.table.tobytes() == rows.tobytes()
    assert recorder.times.flags.c_contiguous
    assert recorder.table.flags.c_contiguous


def test_views_obtained_before_growth_stay_valid():
    recorder = Recorder(CHANNELS, block_rows=4)
    kept = []
    for i in range(20):
        times, rows = recorder.room(3)
        times[:] = 3 * i + np.arange(3)
        rows[:] = 10.0 * i
        recorder.commit(3)
        kept.append((times, rows))
    assert all((rows == 10.0 * i).all() for i, (_, rows) in enumerate(kept))
    assert recorder.times.tolist() == list(range(60))


def test_reading_while_a_room_is_open_does_not_detach_it():
    recorder = Recorder(CHANNELS, block_rows=4)
    fill(recorder, np.arange(6.0), np.zeros((6, 4)), [3, 3])
    times, rows = recorder.room(1)
    assert recorder.times.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    times[0], rows[0] = 6.0, 7.0
    recorder.commit(1)
    assert recorder.times.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert recorder.table[-1].tolist() == [7.0] * 4


def test_joining_happens_once():
    recorder = Recorder(CHANNELS, block_rows=2)
    fill(recorder, np.arange(9.0), np.zeros((9, 4)), [2, 2, 2, 2, 1])
    assert recorder.table is recorder.table
    assert recorder.times is recorder.times


def test_commit_of_a_part_gives_the_rest_back():
    recorder = Recorder(CHANNELS, block_rows=8)
    times, rows = recorder.room(8)
    times[:], rows[:] = 1.0, 1.0
    recorder.commit(3)
    again, _ = recorder.room(5)
    assert np.shares_memory(times[3:], again)
    recorder.commit(0)
    assert len(recorder) == 3
    assert recorder.table.shape == (3, 4)


def test_room_larger_than_a_block():
    recorder = Recorder(CHANNELS, block_rows=4)
    assert recorder.room(50)[1].shape == (50, 4)


def test_append_from_python():
    recorder = Recorder(CHANNELS, block_rows=2)
    for i in range(5):
        recorder.append(0.5 * i, np.full(4, i))
    assert recorder.times.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert recorder.table[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]


def test_an_empty_recorder_has_empty_arrays():
    recorder = Recorder(CHANNELS)
    assert recorder.times.shape == (0,)
    assert recorder.table.shape == (0, 4)


def test_bad_numbers_name_themselves():
    recorder = Recorder(CHANNELS)
    with pytest.raises(ValueError, match="commit of 1 rows, but the last room holds 0"):
        recorder.commit(1)
    recorder.room(2)
    with pytest.raises(ValueError, match="commit of 3 rows, but the last room holds 2"):
        recorder.commit(3)
    recorder.commit(2)
    with pytest.raises(ValueError, match="last room holds 0"):
        recorder.commit(1)
    with pytest.raises(ValueError, match="room for -1"):
        recorder.room(-1)
    with pytest.raises(ValueError, match="block_rows"):
        Recorder(CHANNELS, block_rows=0)
    with pytest.raises(ValueError, match="expected_rows"):
        Recorder(CHANNELS, expected_rows=-1)
