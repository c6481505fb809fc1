"""What cannot be identified is refused in one sentence with the remedy."""

import numpy as np
import pytest

import samara as sm
from samara.results import Channel, Channels, Results, RunAttrs, UnknownChannelError

T = np.arange(0.0, 10.0, 0.02)
Y = np.exp(-0.2 * T) * np.cos(6.0 * T)
HOLE = np.where(T == T[30], np.nan, Y)
UNEVEN = T + 1e-3 * np.sin(T)
RUN = Results(
    Channels([Channel("hinge.angle", "rad"), Channel("bob.position", "m", ("x", "y"))]), T, np.c_[Y, Y, 2 * Y]
)
STEPS = Results(RUN.channels, T, RUN.table, RunAttrs(options={"along": "loads", "steps": 500}))
PENCIL, ERA, BLOCK, DECREMENT = sm.matrix_pencil, sm.era, sm.moving_block, sm.logarithmic_decrement

CASES = [
    (lambda: PENCIL(UNEVEN, Y), "matrix_pencil: the samples are not at a uniform step"),
    (lambda: ERA(T[::-1], Y), "era: the samples are not at a uniform step"),
    (lambda: PENCIL(T, HOLE), "'signal 1' is nan at 0.6 s: choose a window without it"),
    (lambda: PENCIL(T, 0.0 * T + 3.0), "'signal 1' is constant in the window: disturb the model"),
    (lambda: PENCIL(T, Y, window=(0.0, 0.1)), "6 samples in the window, 8 are needed: make it longer"),
    (
        lambda: PENCIL(T, Y, window=(20.0, 30.0)),
        "no sample lies in the window 20 to 30 s: the signals have 0 to 9.98 s",
    ),
    (lambda: PENCIL(T, Y, window=3.0), "matrix_pencil: window must be (start, end) in seconds, got 3.0"),
    (lambda: PENCIL(T, Y[:-1]), "times (500,) and values (499,) do not fit"),
    (lambda: PENCIL([], []), "0 samples in the window, 8 are needed: make it longer"),
    (lambda: BLOCK(np.zeros(0), np.zeros(0)), "0 samples in the window, 8 are needed: make it longer"),
    (lambda: ERA(T, np.zeros((500, 0))), "times (500,) and values (500, 0) do not fit"),
    (lambda: PENCIL(T, Y + 1j * Y), "values must be real numbers, got complex ones: give real and imaginary parts"),
    (lambda: ERA(T, list(Y + 0j)), "era: values must be real numbers, got complex ones"),
    (lambda: DECREMENT(T + 0j, Y), "logarithmic_decrement: times must be real numbers"),
    (lambda: BLOCK(T, Y, reference=1j * Y), "moving_block: reference must be real numbers"),
    (lambda: PENCIL(T, Y, clipped="yes"), "matrix_pencil: clipped must be True or False, got 'yes'"),
    (lambda: PENCIL(T, "hinge.angle"), "give results and names of channels, or times (n,) and values"),
    (lambda: PENCIL(T, Y, order=400), "order 400 is too high for 500 samples: at most"),
    (lambda: PENCIL(T, Y, order=20), "matrix_pencil: order 20 is too high: the signals hold"),
    (lambda: PENCIL(T[:20], Y[:20], rows=19, order=2), "20 samples are too few for 19 rows"),
    (lambda: PENCIL(T, Y, order=2.5), "matrix_pencil: order must be a whole number, got 2.5"),
    (
        lambda: PENCIL(T, Y, remove=(-1.0,)),
        "remove, a frequency [rad/s] must be a number that is not negative, got -1.0",
    ),
    (lambda: PENCIL(T, Y, remove=(200.0,)), "remove: 200 rad/s is too high for a step of 0.02 s"),
    (lambda: PENCIL(T, Y, remove=(0.1,)), "remove: the window is shorter than a period of 0.1 rad/s"),
    (lambda: PENCIL(T, Y, reference=Y[1:]), "reference must be results or values of shape (500, 1)"),
    (lambda: ERA(T, Y, coherence=2.0), "era: no mode is left: lower coherence"),
    (lambda: ERA(T, Y, coherence=-1.0), "era: coherence must be a number that is not negative, got -1.0"),
    (lambda: BLOCK(T, np.c_[Y, Y]), "moving_block takes one channel, got 2"),
    (lambda: BLOCK(T, Y, window=(0.0, 3.0)), "it must hold 3 periods of 1.0"),
    (lambda: BLOCK(T, Y, block=20.0), "it must hold 3 periods of 1.0"),
    (lambda: BLOCK(T, Y, frequency=0.0), "moving_block: frequency must be a positive number, got 0.0"),
    (lambda: DECREMENT(T, np.exp(-T)), "0 rad/s is no oscillation that a step of 0.02 s can show: give frequency"),
    (lambda: DECREMENT(T, np.exp(-T), frequency=6.0), "0 clear extremes in the window, 4 are needed: make it longer"),
    (lambda: DECREMENT(T, Y, window=(0.0, 1.5)), "clear extremes in the window, 4 are needed"),
    (lambda: DECREMENT(T[::10], Y[::10]), "samples in a period of"),
    (lambda: DECREMENT(T, Y + 0.2), "so the signal has a mean: add remove=(0.0,)"),
    (lambda: PENCIL(T[:12], Y[:12], remove=np.arange(0, 6) * 30.0), "12 samples are too few to remove this many"),
    (lambda: PENCIL(STEPS, "hinge.angle"), "these results are over load factor: give results of a transient"),
    (lambda: PENCIL(RUN, ()), "matrix_pencil: signals is empty: name one channel or more"),
    (
        lambda: PENCIL(RUN, "hinge.angle", reference=Results(RUN.channels, T + 1.0, RUN.table)),
        "reference has different times",
    ),
]


@pytest.mark.parametrize(("call", "words"), CASES, ids=[words for _, words in CASES])
def test_refused(call, words):
    with pytest.raises(sm.ArgumentError) as error:
        call()
    assert words in str(error.value)


@pytest.mark.parametrize("name", ["hinge.angel", "bob.position.z"])
def test_unknown_channels_are_named(name):
    with pytest.raises(UnknownChannelError, match=f"{name}.*near names"):
        sm.matrix_pencil(RUN, name)


def test_noise_alone_has_no_modes(rng):
    for _ in range(20):
        noise = rng.standard_normal(len(T))
        with pytest.raises(sm.ArgumentError, match="no signal above the noise"):
            sm.matrix_pencil(T, noise)
        with pytest.raises(sm.ArgumentError, match=r"moving_block: no signal above the noise near .* rad/s"):
            sm.moving_block(T, noise, frequency=6.0)


def test_a_mode_beside_much_larger_motions_is_no_noise(rng):
    """A mean and a mode far away, each thirty times as large, and noise of 3 %."""
    time = np.arange(0.0, 20.0, 0.02)
    small = 0.1 * np.exp(-0.1 * time) * np.cos(16.0 * time) + 0.003 * rng.standard_normal(len(time))
    found = sm.moving_block(time, 3.0 + 3.0 * np.cos(2.0 * time) + small, frequency=16.0)
    assert found.eigenvalues == pytest.approx([-0.1 + 16.0j], abs=0.01)


LEVELS = [(-0.3, 0.3), (-9.0, 0.5), (-0.5, 9.0), (-9.0, 0.95)]


@pytest.mark.parametrize("method", [PENCIL, ERA, BLOCK, DECREMENT])
@pytest.mark.parametrize("levels", LEVELS)
def test_a_clipped_signal_is_refused_by_name(method, levels):
    """Of cos(6 t) exp(-0.2 t) what is above the level for three samples or more is missing, and with it the damping."""
    flat = np.clip(Y, *levels)
    which = r"smallest value, -0\.5|largest value, 0\.\d+"
    with pytest.raises(sm.ArgumentError, match=rf"'signal 1' stays at its ({which}), from .* as if clipped"):
        method(T, flat)
    with pytest.raises(sm.ArgumentError, match="stays at its"):
        method(T, flat, reference=0.001 * np.sin(T))  # which moves, so that the difference is not flat
    with pytest.raises(sm.ArgumentError, match="stays at its"):
        method(T, Y, reference=0.1 * flat)


def test_a_clipped_signal_may_be_taken_all_the_same():
    found = sm.moving_block(T, np.clip(Y, -0.3, 0.3), clipped=True)
    assert -0.1 < found.eigenvalues[0].real < 0.0  # half of its damping is lost
    later = sm.matrix_pencil(T, np.clip(Y, -0.3, 0.3), window=(6.3, 9.9))  # when it is smaller than that
    assert later.eigenvalues == pytest.approx([-0.2 + 6.0j], abs=1e-8)


@pytest.mark.parametrize("counts", [20, 60, 200])
@pytest.mark.parametrize("rounded", [np.round, np.floor])
def test_whole_counts_are_not_clipped(counts, rounded):
    """They are flat at every extreme, for as long as a smooth one stays within a count."""
    time = np.arange(0.0, 10.0, 1e-3)
    y = rounded(counts * np.exp(-0.2 * time) * np.cos(6.0 * time - 0.5))
    top = y == y.max()
    assert top.sum() > 3 and np.diff(np.flatnonzero(top)).max() == 1
    found = sm.matrix_pencil(time, y, order=2)
    assert found.eigenvalues == pytest.approx([-0.2 + 6.0j], abs=1.0 / counts)


def test_what_has_come_to_rest_is_not_clipped():
    """At its smallest value, for the last three seconds."""
    y = 1.0 + np.exp(-6.0 * T)
    assert (y[T > 7.0] == 1.0).all()
    assert sm.matrix_pencil(T, y, remove=(0.0,)).eigenvalues == pytest.approx([-6.0], abs=1e-6)


def test_a_channel_of_rounding_is_not_clipped():
    """A motion in a plane leaves zeros, and a few numbers that are hardly more, across it."""
    across = np.where(np.arange(len(T)) % 50 == 7, 1e-17, 0.0)
    assert sm.matrix_pencil(T, np.c_[Y, across], order=2).eigenvalues == pytest.approx([-0.2 + 6.0j], abs=1e-9)


def test_channels_and_components_of_results():
    found = sm.matrix_pencil(RUN, ["hinge.angle", "bob.position"])
    assert found.channels == ("hinge.angle", "bob.position.x", "bob.position.y")
    assert found.shapes == pytest.approx(np.array([[1.0, 1.0, 2.0]]), abs=1e-9)
    assert sm.era(RUN, "bob.position.y").channels == ("bob.position.y",)
    same = Results(RUN.channels, T, RUN.table - np.c_[Y, 0 * Y, 0 * Y])
    assert sm.era(RUN, "hinge.angle", reference=same).eigenvalues == pytest.approx([-0.2 + 6.0j], abs=1e-9)
