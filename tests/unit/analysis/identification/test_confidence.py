"""The stated confidence holds the truth as often as it says, with seeded white noise."""

import numpy as np
import pytest

import samara as sm

TIME = np.arange(0.0, 10.0, 0.04)
TRUTH = -0.4 + 6.0j
TRIALS = 250
#: 95 % less or more than three standard deviations of a count out of 250, and 1 % for what is of second order.
LOWEST, HIGHEST = 0.95 - 3 * np.sqrt(0.95 * 0.05 / TRIALS) - 0.01, 0.9999


def one_mode(rng, noise):
    return np.real(np.exp(TRUTH * TIME)) + noise * rng.standard_normal(len(TIME))


def two_modes(rng, noise):
    waves = np.exp(np.outer(TIME, [TRUTH, -0.2 + 8.0j]))
    y = np.real(waves @ np.array([[1.0, 0.5j], [0.7j, 1.0]]))
    return y + noise * np.array([1.0, 0.5]) * rng.standard_normal(y.shape)


def with_a_mean(rng, noise):
    return one_mode(rng, noise) + 0.3 + 0.2 * np.cos(9.0 * TIME)


CASES = {
    "pencil": (sm.matrix_pencil, two_modes, {"order": 4}),
    "pencil, known motions": (sm.matrix_pencil, with_a_mean, {"order": 2, "remove": (0.0, 9.0)}),
    "era": (sm.era, two_modes, {"order": 4}),
    "era, known motions": (sm.era, with_a_mean, {"order": 2, "remove": (0.0, 9.0)}),
    "decrement": (sm.logarithmic_decrement, one_mode, {}),
    "block": (sm.moving_block, one_mode, {"frequency": 6.0}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_interval_holds_the_truth(case, rng):
    method, make, options = CASES[case]
    hits = np.zeros(2)
    found, stated = [], []
    for _ in range(TRIALS):
        one = method(TIME, make(rng, 0.03), **options).nearest(TRUTH.imag)
        low, high = (end[0] for end in one.interval(0.95))
        hits += low.real < TRUTH.real < high.real, low.imag < TRUTH.imag < high.imag
        found.append(one.eigenvalues[0])
        stated.append(one.errors[0])
    assert np.all(hits / TRIALS > LOWEST)
    assert np.all(hits / TRIALS < HIGHEST)
    # and the standard errors are those of the estimates: their own scatter over 250 trials is 5 %
    scatter = np.std(np.real(found)), np.std(np.imag(found))
    rms = np.sqrt(np.mean(np.square(np.real(stated)))), np.sqrt(np.mean(np.square(np.imag(stated))))
    assert rms == pytest.approx(scatter, rel=0.2)


@pytest.mark.parametrize("method", [sm.matrix_pencil, sm.era])
def test_near_the_limit_of_any_method(method, rng):
    """For an undamped wave of amplitude a no unbiased estimate of the frequency beats 24 sigma^2 / (a^2 h^2 n^3).

    The pencil comes within some 15 % in standard error: Hua and Sarkar 1990.
    """
    wave, sigma, n, h = np.cos(6.0 * TIME), 0.03, len(TIME), TIME[1]
    found = method(TIME, wave + sigma * rng.standard_normal(n), order=2)
    limit = np.sqrt(24.0 * sigma**2 / (h**2 * n**3))
    assert 0.9 * limit < found.errors[0].imag < 1.25 * limit


def test_errors_go_with_the_noise_and_shrink_with_the_window(rng):
    y = np.cos(6.0 * TIME)
    e = rng.standard_normal(len(TIME))
    one, three = (sm.matrix_pencil(TIME, y + size * e, order=2).errors[0].imag for size in (0.01, 0.03))
    assert three == pytest.approx(3.0 * one, rel=0.01)
    half = sm.matrix_pencil(TIME, y + 0.01 * e, order=2, window=(0.0, 5.0)).errors[0].imag
    assert half / one == pytest.approx(2.0**1.5, rel=0.2)


def test_errors_of_the_damping_ratio(rng):
    found = [sm.matrix_pencil(TIME, one_mode(rng, 0.03), order=2) for _ in range(TRIALS)]
    scatter = np.std([one.damping[0] for one in found])
    assert np.mean([one.damping_errors[0] for one in found]) == pytest.approx(scatter, rel=0.2)


def test_a_level_must_be_a_fraction(rng):
    with pytest.raises(sm.ArgumentError, match="interval: level must be a positive number below 1"):
        sm.matrix_pencil(TIME, one_mode(rng, 0.01)).interval(95)
