"""Amplitudes of given exponentials in signals, by least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.analysis.identification.signals import Signals
from samara.model import ArgumentError


@dataclass(frozen=True)
class Fit:
    """y_c(t) = sum_i Re(a_ic exp(s_i (t - t_0))) + known motions + residual.

    amplitudes: a, complex, shape (m, c), at the first sample t_0.
    forced:     the known motions, shape (n, c); fitted: all of the model, shape (n, c).
    noise:      standard deviation of the residual of each channel, shape (c,); freedom: degrees of freedom of this
                estimate, samples minus unknowns of a channel.
    """

    amplitudes: np.ndarray
    forced: np.ndarray
    fitted: np.ndarray
    noise: np.ndarray
    freedom: float


def fit_exponentials(signals: Signals, eigenvalues: np.ndarray) -> Fit:
    """Amplitudes of modes s [rad/s], Im s >= 0, and of the known motions of the signals."""
    t, values = signals.time - signals.time[0], signals.values
    late = np.where(eigenvalues.real > 0.0, t[-1], 0.0)  # where a mode is largest: no overflow
    scale = np.exp(-np.minimum(eigenvalues.real * late, 700.0))
    waves = np.exp(eigenvalues.real * (t[:, None] - late)) * np.exp(1j * eigenvalues.imag * t[:, None])
    turning = eigenvalues.imag != 0.0
    known = known_motions(signals, t)
    table = np.hstack([waves.real, -waves.imag[:, turning], known])
    freedom = len(t) - table.shape[1] - (len(eigenvalues) + turning.sum()) / values.shape[1]
    if freedom < 1.0:
        raise ArgumentError(
            f"{signals.method}: {len(t)} samples cannot tell {len(eigenvalues)} modes: lower order or lengthen window"
        )
    found = np.linalg.lstsq(table, values, rcond=None)[0]
    fitted = table @ found
    m = len(eigenvalues)
    amplitudes = found[:m].astype(complex)
    amplitudes[turning] += 1j * found[m : m + turning.sum()]
    forced = known @ found[len(found) - known.shape[1] :]
    noise = np.sqrt(((values - fitted) ** 2).sum(axis=0) / freedom)
    return Fit(amplitudes * scale[:, None], forced, fitted, noise, freedom)


def known_motions(signals: Signals, time: np.ndarray) -> np.ndarray:
    """1, cos and sin of the known frequencies at the times, a column each."""
    columns = [np.ones_like(time)] if 0.0 in signals.known else []
    for frequency in signals.known:
        if frequency > 0.0:
            columns += [np.cos(frequency * time), np.sin(frequency * time)]
    return np.column_stack(columns) if columns else np.zeros((len(time), 0))
