"""Common part of the methods for one mode in one channel."""

from __future__ import annotations

import numpy as np

from samara.analysis.identification.exponentials import fit_exponentials
from samara.analysis.identification.identified import Identified
from samara.analysis.identification.signals import Signals
from samara.arguments import positive
from samara.model import ArgumentError


def dominant_frequency(signals: Signals, y: np.ndarray, given: float | None) -> float:
    """The given frequency [rad/s], or that of the highest peak of the spectrum with a Hann window."""
    if given is not None:
        found = positive(f"{signals.method}: frequency", given)
    else:
        size = 8 * len(y)
        spectrum = np.abs(np.fft.rfft((y - y.mean()) * np.hanning(len(y)), size))
        found = 2.0 * np.pi * int(spectrum.argmax()) / (size * signals.step)
    if not 0.0 < found * signals.step < np.pi:
        raise ArgumentError(
            f"{signals.method}: {found:.4g} rad/s is no oscillation that a step of {signals.step:g} s can show: give "
            "frequency, or use matrix_pencil"
        )
    return found


def identified_alone(signals: Signals, eigenvalue: complex, error: complex, freedom: float | None = None) -> Identified:
    """The result for one mode, with its amplitude by least squares."""
    s = np.array([eigenvalue])
    fit = fit_exponentials(signals, s)
    return Identified(
        signals.method, s, np.array([error]), fit.amplitudes, signals.channels, signals.time, signals.values,
        fit.fitted, fit.freedom if freedom is None else float(freedom), np.array([np.nan]), stand_in=signals.stand_in,
    )  # fmt: skip
