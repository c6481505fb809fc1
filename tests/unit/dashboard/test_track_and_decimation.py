"""What is kept of the past, and what is drawn of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara.dashboard.feed.track import Track
from samara.dashboard.traces.decimation import Stream, minmax


def test_a_track_keeps_the_last_rows_whatever_the_pieces(rng):
    track, sent = Track(["a", "b"], depth=100), []
    for size in rng.integers(0, 180, 60):
        times = 1e-3 * (len(sent) + np.arange(size))
        track.append(times, np.column_stack([times, -times]))
        sent += times.tolist()
        assert track.times.tolist() == sent[-100:]
        assert track.column("b")[1].tolist() == [-t for t in sent[-100:]]
    assert track.total == len(sent) and track.epoch == 0


def test_a_track_begins_anew_when_time_goes_back():
    track = Track(["a"], depth=100)
    track.append(np.array([1.0, 2.0, 0.0, 0.5, 0.5]), np.arange(5.0)[:, None])
    assert (track.epoch, track.times.tolist()) == (1, [0.0, 0.5, 0.5])
    assert track.column("a")[1].tolist() == [2.0, 3.0, 4.0]


def test_what_came_after():
    track = Track(["a"], depth=4)
    track.append(np.arange(3.0), np.zeros((3, 1)))
    before = track.total
    track.append(np.arange(3.0, 5.0), np.zeros((2, 1)))
    assert track.times[track.after(before)].tolist() == [3.0, 4.0]
    track.append(np.arange(5.0, 20.0), np.zeros((15, 1)))
    assert track.times[track.after(before)].tolist() == [16.0, 17.0, 18.0, 19.0]  # no more is kept


def test_peaks_survive(rng):
    times = np.arange(10_240) / 1024.0  # 128 samples a bin, exactly
    values = rng.standard_normal(10_240)
    values[4321] = 50.0
    t, v = minmax(times, values, 0.125)
    assert len(t) <= 2 * 80
    assert v.max() == 50.0 and t[v.argmax()] == times[4321]
    assert v.min() == values.min()
    assert (np.diff(t) > 0).all()
    for k in range(80):  # the extremes of every bin
        inside = values[128 * k : 128 * (k + 1)]
        drawn = v[(t >= 0.125 * k) & (t < 0.125 * (k + 1))]
        assert (drawn.min(), drawn.max()) == (inside.min(), inside.max())


def test_few_samples_stay_as_they_are():
    times, values = np.array([0.0, 1.0, 2.0]), np.array([3.0, 1.0, 2.0])
    t, v = minmax(times, values, 0.5)
    assert (t.tolist(), v.tolist()) == (times.tolist(), values.tolist())


@given(st.lists(st.integers(1, 60), min_size=1, max_size=20))
def test_piece_by_piece_is_the_same_as_the_whole(sizes):
    count = sum(sizes)
    times = np.arange(count) * 7e-3
    values = np.sin(np.arange(count) ** 1.3)
    stream, pieces, at = Stream(0.05), [], 0
    for size in sizes:
        pieces.append(stream.add(times[at : at + size], values[at : at + size]))
        at += size
    t = np.concatenate([p[0] for p in pieces])
    v = np.concatenate([p[1] for p in pieces])
    whole_t, whole_v = minmax(times, values, 0.05)
    assert np.array_equal(t, whole_t[: len(t)]) and np.array_equal(v, whole_v[: len(v)])
    assert len(whole_t) - len(t) <= 2  # the last bin is not complete


def test_what_is_no_number_is_not_hidden():
    times = np.arange(100) * 1e-3
    values = np.ones(100)
    values[50] = np.nan
    assert np.isnan(minmax(times, values, 0.1)[1]).any()


def test_a_name_that_is_not_there():
    with pytest.raises(KeyError):
        Track(["a"], 4).column("b")
