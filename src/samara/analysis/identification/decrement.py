"""Logarithmic decrement: damping from the extremes of one decaying or growing oscillation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from samara.analysis.identification.clean import without_known
from samara.analysis.identification.identified import Identified
from samara.analysis.identification.signals import Signals, read_signals
from samara.analysis.identification.single import dominant_frequency, identified_alone
from samara.model import ArgumentError
from samara.results import Results

#: Samples of a period without which an extreme is not seen.
SAMPLES_PER_PERIOD = 12
#: Extremes that a line with an error of its own needs.
FEWEST_EXTREMES = 4
#: An extreme is followed while it is this many times its own standard error, and used where the line says that it is
#: so many times that of all: what is used does not depend on the noise of each.
SEEN, CLEAR = 3.0, 10.0
#: Lines are fitted anew without the extremes that are not clear, this often at most.
ROUNDS = 5
#: Variance of the middle of a polynomial of fourth degree, times samples, for samples with a variance of one.
MIDDLE = 225.0 / 64.0
#: A mean larger than this part of the largest extreme, and than noise makes it, is refused.
LOPSIDED = 0.02


def logarithmic_decrement(
    source: Results | np.ndarray | Sequence[float],
    signals: str | np.ndarray,
    *,
    window: tuple[float, float] | None = None,
    frequency: float | None = None,
    remove: Iterable[float] = (),
    reference: Results | np.ndarray | None = None,
    clipped: bool = False,
) -> Identified:
    """Logarithmic decrement: identifies the mode of a single oscillation about zero.

        ln|y(t_k)| = a + Re(s) t_k,   t_k = t_0 + k pi / Im(s)

    t_k are the times of the maxima and minima; the two lines are fitted by least squares, each extreme weighted by its
    square. Near t_k the signal is smoothed by a fourth-degree polynomial fitted to the samples within a sixth of a
    period.

    frequency: a first guess [rad/s]; by default the highest peak of the spectrum.

    The other arguments are those of `matrix_pencil`; one channel only. Errors: from the scatter about the two lines.
    Limit: another mode in the signal distorts the envelope; use `matrix_pencil` or `era` then.
    """
    data = without_known(read_signals("logarithmic_decrement", source, signals, window, remove, reference, clipped))
    y = data.one()
    guess = dominant_frequency(data, y, frequency)
    if guess * data.step > 2.0 * np.pi / SAMPLES_PER_PERIOD:
        raise ArgumentError(
            f"logarithmic_decrement: {2 * np.pi / guess / data.step:.3g} samples in a period of {guess:.4g} rad/s, "
            f"{SAMPLES_PER_PERIOD} are needed: record more often, or use matrix_pencil"
        )
    number, times, sizes, noise = _extremes(data, y, guess)
    sign = np.where(number % 2 == 0, 1.0, -1.0) * np.sign(y[np.abs(data.time - times[number == 0]).argmin()])
    for _ in range(ROUNDS):
        if len(number) < FEWEST_EXTREMES:
            raise _too_few(len(number))
        (first, half), (_, half_error) = _straight_line(number, times, sizes)
        even = first + half * number
        heights = np.array([_near(data, y * s, t, half / 3.0)[0](t) for t, s in zip(even, sign, strict=True)])
        logs = np.log(np.maximum(heights, noise))
        (level, rate), (_, rate_error) = _straight_line(even, logs, sizes)
        sizes = np.exp(level + rate * even)
        clear = sizes > CLEAR * noise
        if clear.all():
            break
        number, times, sizes, sign = number[clear], times[clear], sizes[clear], sign[clear]
    _refuse_mean(sign * heights, sign * np.exp(level + rate * even), noise)
    imaginary = np.pi / half
    return identified_alone(
        data, complex(rate, imaginary), complex(rate_error, imaginary * half_error / half), len(logs) - 2
    )


def _too_few(extremes: int) -> ArgumentError:
    return ArgumentError(
        f"logarithmic_decrement: {extremes} clear extremes in the window, {FEWEST_EXTREMES} are needed: make it "
        "longer, or use matrix_pencil for a motion that hardly oscillates or drowns in noise"
    )


def _extremes(data: Signals, y: np.ndarray, guess: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Numbers, times and sizes of the extremes, and the standard error of a size.

    The search goes outward from the largest, half a period at a time.
    """
    half = np.pi / guess
    start, sign = _largest(data, y, half)
    found: dict[int, tuple[float, float, float]] = {}
    for way in (1, -1):
        k, place = 0, start
        while (peak := _peak(data, sign * (-1.0) ** k * y, place, half)) is not None:
            found[k] = peak
            k, place = k + way, peak[0] + way * half
    number = np.array(sorted(found))
    times, sizes, errors = np.array([found[k] for k in number]).T
    return number, times, sizes, float(np.sqrt((errors**2).mean()))


def _largest(data: Signals, y: np.ndarray, half: float) -> tuple[float, float]:
    """Time and sign of the largest extreme that is not cut by the window's ends."""
    left = np.abs(y)
    for _ in range(FEWEST_EXTREMES):
        top = int(left.argmax())
        if _peak(data, np.sign(y[top]) * y, data.time[top], half) is not None:
            return float(data.time[top]), float(np.sign(y[top]))
        left = np.where(np.abs(data.time - data.time[top]) < 0.5 * half, 0.0, left)
    raise _too_few(0)


def _peak(data: Signals, y: np.ndarray, time: float, half: float) -> tuple[float, float, float] | None:
    """Time, height and standard error of the maximum near that time; None at the window's ends, or in the noise."""
    for _ in range(2):  # the second time about the middle of what is fitted
        if time - half / 3.0 < data.time[0] or time + half / 3.0 > data.time[-1]:
            return None
        curve, error = _near(data, y, time, half / 3.0)
        roots = np.asarray(curve.deriv().roots(), complex)
        turning = roots.real[(np.abs(roots.imag) < 1e-9 * half) & (np.abs(roots.real - time) < half / 3.0)]
        if not turning.size:
            return None
        time = max(turning.tolist(), key=curve)
    height = float(curve(time))
    return (time, height, error) if height > SEEN * error else None


def _near(data: Signals, y: np.ndarray, time: float, reach: float) -> tuple[np.polynomial.Polynomial, float]:
    """The polynomial that fits the samples this near to a time, and the standard error of its middle."""
    seen = np.abs(data.time - time) <= reach + 0.5 * data.step
    t, v = data.time[seen], y[seen]
    curve = np.polynomial.Polynomial.fit(t, v, min(4, len(t) - 1))
    variance = ((v - curve(t)) ** 2).sum() / max(len(t) - 5, 1)
    return curve, float(np.sqrt(MIDDLE * variance / len(t)))


def _refuse_mean(signed: np.ndarray, expected: np.ndarray, noise: float) -> None:
    """Rejects extremes that are larger on one side: signed = a expected + mean, by least squares."""
    mean = np.linalg.lstsq(np.column_stack([expected, np.ones_like(expected)]), signed, rcond=None)[0][1]
    if abs(mean) > LOPSIDED * np.abs(expected).max() + 5.0 * noise / np.sqrt(len(signed)):
        raise ArgumentError(
            "logarithmic_decrement: the extremes above and below zero differ, so the signal has a mean: add "
            "remove=(0.0,), or subtract a reference"
        )


def _straight_line(x: np.ndarray, y: np.ndarray, size: np.ndarray) -> tuple[tuple[float, float], tuple[float, float]]:
    """Offset and slope of y = a + b x, and their standard errors, for errors of y that go as 1 / size."""
    w = (size / np.abs(size).max()) ** 2
    centre = (w * x).sum() / w.sum()
    spread = (w * (x - centre) ** 2).sum()
    slope = float((w * (x - centre) * y).sum() / spread)
    middle = float((w * y).sum() / w.sum())
    variance = (w * (y - middle - slope * (x - centre)) ** 2).sum() / max(len(x) - 2, 1)
    errors = np.sqrt(variance * (1.0 / w.sum() + centre**2 / spread)), np.sqrt(variance / spread)
    return (middle - slope * centre, slope), (float(errors[0]), float(errors[1]))
