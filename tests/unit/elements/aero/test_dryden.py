"""Dryden turbulence: variance, correlation and spectrum of what comes out, against the published forms."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.signal import welch

from samara import Dryden, dryden_power, dryden_spectrum

SIGMA, SCALE = (1.0, 1.5, 2.0), (60.0, 50.0, 40.0)
COMPONENTS = pytest.mark.parametrize("k", [0, 1, 2], ids="uvw")


def line(field: Dryden, count: int, length: float) -> np.ndarray:
    """Components at points upstream of the origin, s = 0 .. length."""
    s = np.arange(count) * (length / count)
    return np.array([field.velocity(np.array([-x, 0.0, 0.0]), 0.0) for x in s])


@COMPONENTS
def test_the_spectrum_holds_the_variance(k):
    """Its integral is sigma^2, and `dryden_power` is its integral."""
    sigma, scale, along = SIGMA[k], SCALE[k], k == 0
    for top in (0.01, 0.1, 1.0, np.inf):
        power, _ = quad(dryden_spectrum, 0.0, top, args=(sigma, scale, along), limit=200)
        share = dryden_power(scale * top, along) if np.isfinite(top) else 1.0
        assert power == pytest.approx(sigma**2 * share, rel=1e-7)


@COMPONENTS
def test_variance_over_a_period(k):
    """All of it but what the spectrum has beyond the shortest wave; the spline takes less than 1e-3 more."""
    field = Dryden(SIGMA, SCALE, seed=1, period=1200.0, shortest=2.0)
    values = line(field, 2400, 1200.0)[:, k]
    kept = dryden_power(SCALE[k] * 2 * np.pi / 1200.0 * 600.5, k == 0)
    assert values.mean() == pytest.approx(0.0, abs=1e-9)
    assert values.var() == pytest.approx(SIGMA[k] ** 2 * kept, rel=1e-3)
    assert kept > 0.98


@COMPONENTS
def test_correlation_along_the_line(k):
    """exp(-x/L), and exp(-x/L) (1 - x/2L) across: the Fourier transforms of the spectra.

    Over a period the correlation of the sum is that of its waves, sum of P_m cos(2 pi m x / period), whatever the
    phases: no chance is left. The first wave stands for all from 0 to 1.5 of its wave number, with a share P_1 of up to
    0.28; at x = 50 m the mean of the cosine over that band is 1 - 0.39^2 / 6 = 0.975 and that of the wave cos 0.26 =
    0.966: an error of 0.0025. Other bands are narrower and hold less. Waves shorter than 2 m, left out, have 0.005.
    """
    period = 1200.0
    values = line(Dryden(SIGMA, SCALE, seed=5, period=period, shortest=2.0), 2400, period)[:, k]
    for x in (5, 10, 20, 50):
        found = np.mean(values * np.roll(values, 2 * x)) / SIGMA[k] ** 2
        expected = np.exp(-x / SCALE[k]) * (1.0 if k == 0 else 1.0 - 0.5 * x / SCALE[k])
        assert found == pytest.approx(expected, abs=0.01)


SPEED, RATE = 30.0, 20.0


@pytest.fixture(scope="module")
def signal() -> np.ndarray:
    """The air at a fixed point over time, sampled at RATE."""
    field = Dryden(SIGMA, SCALE, speed=SPEED, seed=7, period=60e3, shortest=4.0)
    return np.array([field.velocity(np.zeros(3), x) for x in np.arange(40_000) / RATE])


@COMPONENTS
def test_spectrum_at_a_point_in_time(k, signal):
    """Welch's estimate from the time signal at a fixed point, against the published spectrum at Omega = omega / V.

    With m independent segments an estimate scatters by 1/sqrt(m), relatively. Averaged over b neighbouring frequencies
    of a Hann window, of which about b/1.5 are independent, by 1/sqrt(m b / 1.5); four of these are allowed. Half-
    overlapping Hann segments count like m = 0.9 of their number. Leakage is small as the spectrum is smooth over the
    resolution, 2 pi / T = 0.12 rad/s against V / L = 0.5 rad/s and more.
    """
    length = 1024
    f, density = welch(signal[:, k], RATE, "hann", length)
    omega = 2 * np.pi * f
    published = 2 * np.pi * dryden_spectrum(omega / SPEED, SIGMA[k], SCALE[k], k == 0) / SPEED  # per Hz
    segments = 0.9 * (2 * len(signal) / length - 1)
    bands = 12
    for first in np.arange(np.searchsorted(omega, 1.0), np.searchsorted(omega, 25.0), bands):
        band = slice(first, first + bands)
        scatter = 1.0 / np.sqrt(segments * bands / 1.5)
        assert np.mean(density[band] / published[band]) == pytest.approx(1.0, abs=4.0 * scatter)


def test_seeds_are_samples_of_a_normal_process():
    """Over N = 400 seeds at one place: mean square within 4 sqrt(2/N), mean within 4/sqrt(N), fourth moment 3."""
    N = 400
    values = np.array(
        [
            Dryden((1, 1, 1), (10, 10, 10), seed=s, period=200.0, shortest=2.0).velocity(np.zeros(3), 0.0)
            for s in range(N)
        ]
    )
    kept = dryden_power(10.0 * 2 * np.pi / 200.0 * 100.5, False)
    values /= np.sqrt(kept)
    assert np.all(np.abs(values.mean(axis=0)) < 4 / np.sqrt(N))
    assert np.all(np.abs((values**2).mean(axis=0) - 1.0) < 4 * np.sqrt(2 / N) + 0.02)
    # a fourth power of a normal number scatters by sqrt(105 - 9)
    assert np.all(np.abs((values**4).mean(axis=0) - 3.0) < 4 * np.sqrt(96 / N) + 0.1)
    # components do not know of each other
    correlation = np.corrcoef(values.T)[np.triu_indices(3, 1)]
    assert np.all(np.abs(correlation) < 4 / np.sqrt(N))


def test_frozen_field_is_carried_and_repeats(rng):
    field = Dryden(SIGMA, SCALE, speed=20.0, seed=2, direction=(0.0, 1.0, 0.0), period=1200.0, shortest=5.0)
    again = Dryden(SIGMA, SCALE, speed=20.0, seed=2, direction=(0.0, 1.0, 0.0), period=1200.0, shortest=5.0)
    other = Dryden(SIGMA, SCALE, speed=20.0, seed=3, direction=(0.0, 1.0, 0.0), period=1200.0, shortest=5.0)
    p, t = rng.uniform(-5, 5, 3), 3.0
    now = field.velocity(p, t)
    np.testing.assert_array_equal(again.velocity(p, t), now)
    assert np.abs(other.velocity(p, t) - now).max() > 0.01
    np.testing.assert_allclose(field.velocity(p + np.array([0.0, 10.0, 0.0]), t + 0.5), now, atol=1e-9)
    # the margin makes the spline periodic to 0.27^16 of a slope
    np.testing.assert_allclose(field.velocity(p, t + 60.0), now, atol=1e-8)
    before, after = field.velocity(p * 0, 60.0 - 1e-9), field.velocity(p * 0, 60.0)
    np.testing.assert_allclose(before, after, atol=1e-7)


def test_axes():
    """u along the direction, w in the plane of direction and up."""
    only_u = Dryden((1, 0, 0), SCALE, direction=(1, 1, 0), seed=1).velocity(np.zeros(3), 0.0)
    assert np.abs(np.cross(only_u, [1, 1, 0])).max() < 1e-12 < np.abs(only_u).max()
    only_w = Dryden((0, 0, 1), SCALE, direction=(1, 1, 0), seed=1).velocity(np.zeros(3), 0.0)
    assert np.abs(only_w[:2]).max() < 1e-12 < abs(only_w[2])


def test_low_altitude_meets_the_medium_altitude():
    """MIL-F-8785C: at 1000 ft the scales are 1000 ft and the intensities equal, as 0.177 + 0.823 = 1."""
    field = Dryden.low_altitude(304.8, 15.0)
    np.testing.assert_allclose(field.scale, 304.8)
    np.testing.assert_allclose(field.intensity, 1.5)
    low = Dryden.low_altitude(30.48, 15.0)
    base = 0.177 + 0.0823
    np.testing.assert_allclose(low.scale, [30.48 / base**1.2, 30.48 / base**1.2, 30.48])
    np.testing.assert_allclose(low.intensity, [1.5 / base**0.4, 1.5 / base**0.4, 1.5])
