"""Identification of sums of exponentials, against the exponents that they were made of. Rounding is all that is left,
but for the moving block, which sees the negative frequency too, and the polynomials of the decrement."""

import numpy as np
import pytest

import samara as sm

TIME = np.arange(0.0, 10.0, 0.02)
ALL_MODES = [sm.matrix_pencil, sm.era]
ONE_MODE = [sm.logarithmic_decrement, sm.moving_block]
#: What the taper of the moving block lets through of the negative frequency, five periods a block [rad/s].
LEAK = 1e-4
#: (pi / 3)^6 / 6! / 32 of an extreme, by which a polynomial of fourth degree misses a cosine.
SHAPE = 6e-5
TOLERANCE = {
    sm.matrix_pencil: 1e-10,
    sm.era: 1e-10,
    sm.logarithmic_decrement: SHAPE,
    sm.moving_block: LEAK,
}


def motion(exponents, amplitudes, time=TIME) -> np.ndarray:
    """Re sum a exp(s t), shape (n, c) for amplitudes (m, c)."""
    return np.real(np.exp(np.outer(time - time[0], exponents)) @ np.atleast_2d(amplitudes))


TWO = np.array([-0.4 + 6.0j, -0.2 + 8.0j])
SHAPES = np.array([[1.0, 0.5j], [0.7j, 1.0]])


@pytest.mark.parametrize("method", ALL_MODES)
def test_two_modes_with_their_shapes(method):
    found = method(TIME, motion(TWO, SHAPES))
    assert found.eigenvalues == pytest.approx(TWO, abs=1e-10)
    assert found.shapes == pytest.approx(SHAPES, abs=1e-9)
    assert found.damping == pytest.approx(-TWO.real / np.abs(TWO), abs=1e-10)
    assert found.frequencies_hz == pytest.approx(TWO.imag / (2 * np.pi), abs=1e-10)
    assert found.coherence == pytest.approx(1.0, abs=1e-9)
    assert found.quality == pytest.approx(1.0, abs=1e-12)
    assert found.fitted == pytest.approx(found.values, abs=1e-10)


@pytest.mark.parametrize("method", ALL_MODES)
def test_close_frequencies_are_told_apart(method):
    """Two modes that beat once in 31 s, seen for 10 s in one channel."""
    close = np.array([-0.1 + 6.0j, -0.15 + 6.2j])
    found = method(TIME, motion(close, [[1.0], [0.8]]))
    assert found.eigenvalues == pytest.approx(close, abs=1e-7)  # rounding, times a condition of some 1e7


@pytest.mark.parametrize("method", [*ALL_MODES, *ONE_MODE])
@pytest.mark.parametrize("growth", [-0.4, 0.0, 0.3])
def test_decaying_steady_and_growing(method, growth):
    s = growth + 6.0j
    found = method(TIME, motion([s], [[0.3 - 0.2j]]))
    assert found.eigenvalues == pytest.approx([s], abs=TOLERANCE[method])
    assert found.shapes[0, 0] == pytest.approx(0.3 - 0.2j, abs=10 * TOLERANCE[method])
    assert np.sign(found.damping[0]) == -np.sign(growth) or growth == 0.0


@pytest.mark.parametrize("method", ALL_MODES)
def test_motions_that_do_not_oscillate(method):
    real = np.array([-0.5, -2.0])
    assert method(TIME, motion(real, [[1.0], [1.0]])).eigenvalues == pytest.approx(real, abs=1e-9)
    # critically damped: (1 + t) exp(-t); a double pole splits by the root of rounding, its mean does not move
    double = method(TIME, (1.0 + TIME) * np.exp(-TIME), order=2).eigenvalues
    assert double == pytest.approx(np.full(len(double), -1.0), abs=1e-4)  # two, or one of a pair
    pair = double if len(double) == 2 else double.real
    assert np.mean(pair) == pytest.approx(-1.0, abs=1e-8)


@pytest.mark.parametrize("method", [*ALL_MODES, *ONE_MODE])
def test_mean_and_forced_motion_are_left_out(method):
    """A mean and a 1/rev larger than the motion that is looked for; nothing of it goes into them."""
    s = -0.4 + 6.0j
    free = motion([s], [[1.0]])
    forced = 3.0 + 2.0 * np.cos(9.0 * TIME + 0.3)[:, None]
    found = method(TIME, free + forced, remove=(0.0, 9.0))
    assert found.eigenvalues == pytest.approx([s], abs=TOLERANCE[method])
    reference = method(TIME, free + forced, reference=forced)
    assert reference.eigenvalues == pytest.approx([s], abs=TOLERANCE[method])


@pytest.mark.parametrize("method", [*ALL_MODES, *ONE_MODE])
def test_the_same_motion_shifted_scaled_and_sampled_differently(method):
    s = -0.3 + 6.0j
    plain = method(TIME, motion([s], [[1.0 + 0.4j]])).eigenvalues
    wide = TOLERANCE[method]
    late = method(TIME + 100.0, motion([s], [[1.0 + 0.4j]])).eigenvalues
    window = method(TIME, motion([s], [[1.0 + 0.4j]]), window=(2.0, 9.0)).eigenvalues
    large = method(TIME, 1e6 * motion([s], [[1.0 + 0.4j]])).eigenvalues
    coarse = method(TIME[::2], motion([s], [[1.0 + 0.4j]])[::2]).eigenvalues
    for other in (late, large):
        assert other == pytest.approx(plain, abs=1e-9)
    for other in (window, coarse):
        assert other == pytest.approx(plain, abs=10 * wide)


@pytest.mark.parametrize("method", ALL_MODES)
def test_order_and_units_of_channels_do_not_matter(method, rng):
    y = motion(TWO, SHAPES) + 0.01 * rng.standard_normal((len(TIME), 2))
    plain, turned = method(TIME, y, order=4), method(TIME, y[:, ::-1], order=4)
    millimetres = method(TIME, y * [1.0, 1e3], order=4)
    assert turned.eigenvalues == pytest.approx(plain.eigenvalues, abs=1e-9)
    assert turned.shapes[:, ::-1] == pytest.approx(plain.shapes, abs=1e-9)
    assert millimetres.eigenvalues == pytest.approx(plain.eigenvalues, abs=1e-9)
    assert millimetres.errors == pytest.approx(plain.errors, rel=1e-6)


@pytest.mark.parametrize("method", ALL_MODES)
def test_many_samples_a_period(method):
    """Rows are spread over every 28th sample; a mode faster than half of that is placed on its true frequency."""
    time = np.arange(0.0, 12.0, 2e-3)
    s = np.array([-0.2 + 5.0j, -0.5 + 130.0j])
    assert method(time, motion(s, SHAPES, time)).eigenvalues == pytest.approx(s, abs=1e-9)


@pytest.mark.parametrize("method", ALL_MODES)
def test_more_channels_than_rows(method, rng):
    """A field of 400 channels: two modes, with shapes of their own."""
    shapes = rng.standard_normal((2, 400)) + 1j * rng.standard_normal((2, 400))
    found = method(TIME, motion(TWO, shapes))
    assert found.eigenvalues == pytest.approx(TWO, abs=1e-10)
    assert found.shapes == pytest.approx(shapes, abs=1e-9)


def test_coherence_leaves_out_what_is_no_mode(rng):
    y = motion(TWO, SHAPES) + 0.02 * rng.standard_normal((len(TIME), 2))
    every = sm.era(TIME, y, order=12)
    chosen = sm.era(TIME, y, order=12, coherence=0.95)
    assert len(every) > 2
    assert chosen.eigenvalues == pytest.approx(TWO, abs=0.05)
    assert set(np.argsort(every.strength)[-2:]) == {np.abs(every.eigenvalues - s).argmin() for s in TWO}


@pytest.mark.parametrize("method", ALL_MODES)
def test_the_order_is_chosen_by_what_stands_out_of_the_noise(method, rng):
    y = motion(TWO, SHAPES)
    for noise in (1e-6, 1e-3, 0.05):
        assert len(method(TIME, y + noise * rng.standard_normal(y.shape))) == 2


def test_one_mode_of_several_by_the_moving_block():
    """The other is four lines of the block's spectrum away: the taper suppresses it."""
    s = np.array([-0.05 + 6.0j, -0.1 + 13.0j])
    found = sm.moving_block(np.arange(0, 40.0, 0.02), motion(s, [[1.0], [0.5]], np.arange(0, 40.0, 0.02)), frequency=13)
    assert found.eigenvalues == pytest.approx(s[1:], abs=1e-3)


def test_a_result_speaks_for_itself():
    found = sm.matrix_pencil(TIME, motion(TWO, SHAPES))
    text = str(found)
    assert "frequency [Hz]" in text and "quality of fit 1" in text
    assert text.count("\n") == 3
    assert found.nearest(7.8).eigenvalues == pytest.approx(TWO[1:])
    assert found.strongest().eigenvalues == pytest.approx(TWO[1:])
    assert found[0].shapes.shape == (1, 2)
    assert len(found[-1]) == 1
    with pytest.raises(IndexError, match="no mode 5"):
        found[5]
    figure = found.plot()
    assert len(figure.axes) == 2
    assert figure.axes[-1].get_xlabel() == "time [s]"


@pytest.mark.parametrize("identify", ALL_MODES)
def test_a_channel_that_differs_by_rounding_from_its_reference_counts_for_nothing(identify):
    """Scaled to one it was noise as large as the motion beside it: the rate was off by a percent."""
    time = np.linspace(0.0, 3.0, 440)
    rounding = 1e-16 * np.random.default_rng(1).standard_normal((2, len(time)))
    exact = -0.5 + 79.0j
    still = np.column_stack([np.ones_like(time), rounding[0]])
    moving = np.column_stack([1.0 + 1e-6 * np.exp(exact * time).real, rounding[1]])
    poles = identify(time, moving, order=2, reference=still, clipped=True).eigenvalues
    assert np.abs(poles - exact).min() < 1e-6
