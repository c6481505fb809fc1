"""Moving block: damping from the spectral line of a block that moves along the signal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from samara.analysis.identification.clean import without_known
from samara.analysis.identification.exponentials import fit_exponentials
from samara.analysis.identification.identified import Identified
from samara.analysis.identification.signals import Signals, read_signals
from samara.analysis.identification.single import dominant_frequency, identified_alone
from samara.arguments import positive
from samara.model import ArgumentError
from samara.results import Results

#: Periods in a block; with fewer the line of the negative frequency is seen beside that of the positive one.
FEWEST_PERIODS = 3
#: Probability that noise alone is taken for a mode.
BY_CHANCE = 1e-3
#: The frequency is refined until it moves less than this part, or this often.
SETTLED, ROUNDS = 1e-12, 30


def moving_block(
    source: Results | np.ndarray | Sequence[float],
    signals: str | np.ndarray,
    *,
    frequency: float | None = None,
    block: float | None = None,
    window: tuple[float, float] | None = None,
    remove: Iterable[float] = (),
    reference: Results | np.ndarray | None = None,
    clipped: bool = False,
) -> Identified:
    """Moving-block analysis: identifies the mode near a frequency.

        X_k = sum_n w_{n-k} y_n exp(-j w t_n),   ln X_k = a + (s - j w) t_k

    w_n is a Hann window as long as the block. The slope of ln|X_k| is the real part of s, and the slope of the phase
    gives the error of the frequency w, which is corrected iteratively. Blocks are weighted by |X_k|^2.
    block:     length [s]; half the window by default. It is rounded to whole periods.

    The other arguments are those of `matrix_pencil`; one channel only. Errors: of first order, for white noise of the
    size of the residual, accounting for the overlap of the blocks; other modes in the signal count as noise. Limit:
    modes closer than two periods per block cannot be separated.
    Source: C. E. Hammond and R. V. Doggett, NASA SP-415 (1975) 59-76; with a taper, and with use of the phase.
    """
    from scipy.signal import fftconvolve

    data = without_known(read_signals("moving_block", source, signals, window, remove, reference, clipped))
    y, t = data.one(), data.time - data.time[0]
    omega = dominant_frequency(data, y, frequency)
    taper = _taper(data, omega, block)
    for _ in range(ROUNDS):
        slope, weights, lines = _slope(y, t, omega, taper)
        before, omega = omega, omega + slope.imag
        if not 0.0 < omega * data.step < np.pi:
            raise ArgumentError(
                f"moving_block: no oscillation near {before:.4g} rad/s: give a frequency that the spectrum shows"
            )
        if abs(omega - before) < SETTLED * omega:
            break
    s = complex(slope.real, omega)
    g = fftconvolve(weights / lines, taper) * np.exp(-1j * before * t)
    fit = fit_exponentials(data, np.array([s]))
    _refuse_noise(y - fit.fitted[:, 0], before, lines, taper)
    noise = fit.noise[0]
    error = noise * complex(np.linalg.norm(g.real), np.linalg.norm(g.imag))
    return identified_alone(data, s, error)


def _taper(data: Signals, omega: float, block: float | None) -> np.ndarray:
    """A Hann window over whole periods."""
    period = 2.0 * np.pi / omega
    length = 0.5 * data.duration if block is None else positive("moving_block: block", block)
    periods = int(length / period + 1e-6)
    samples = round(periods * period / data.step)
    if periods < FEWEST_PERIODS or samples > len(data.time) - 3:
        raise ArgumentError(
            f"moving_block: a block of {length:g} s in a window of {data.duration:g} s: it must hold {FEWEST_PERIODS} "
            f"periods of {period:.4g} s and be shorter than the window; lengthen the window"
        )
    return np.sin(np.pi * (np.arange(samples) + 0.5) / samples) ** 2


def _slope(y: np.ndarray, t: np.ndarray, omega: float, taper: np.ndarray) -> tuple[complex, np.ndarray, np.ndarray]:
    """Slope of ln X over time, its weights c_k in sum c_k ln X_k, and the spectral lines X_k themselves."""
    from scipy.signal import fftconvolve  # loads much, and only identification needs it

    X = fftconvolve(y * np.exp(-1j * omega * t), taper[::-1], mode="valid")
    starts = t[: len(X)]
    size = np.maximum(np.abs(X), 1e-300)
    w = (size / size.max()) ** 2
    off = starts - (w * starts).sum() / w.sum()
    weights = w * off / (w * off**2).sum()
    return complex((weights * (np.log(size) + 1j * np.unwrap(np.angle(X)))).sum()), weights, np.where(X == 0, 1e-300, X)


def _refuse_noise(rest: np.ndarray, omega: float, lines: np.ndarray, taper: np.ndarray) -> None:
    """Rejects spectral lines no higher than those of noise.

    For white noise of standard deviation sigma, |X|^2 / (sigma^2 sum w^2) has an exponential distribution of mean one.
    The highest of 2 n lines, over all frequencies and block positions, exceeds ln(2 n / p) with the probability p.
    sigma is that of the residual, from the median of its spectrum, which other modes and a mean hardly affect.
    """
    window = np.hanning(len(rest))
    spectrum = np.abs(np.fft.rfft(rest * window)) ** 2 / (window**2).sum()
    floor = np.median(spectrum) / np.log(2.0) * (taper**2).sum()
    if (np.abs(lines) ** 2).max() < np.log(2.0 * len(rest) / BY_CHANCE) * floor:
        raise ArgumentError(
            f"moving_block: no signal above the noise near {omega:.4g} rad/s: disturb the model more, give "
            "another frequency, or lengthen the window"
        )
