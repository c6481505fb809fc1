"""Identified modes with their confidence."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.special import stdtrit

from samara.analysis.modal.modes import Oscillations
from samara.arguments import finite, fraction
from samara.model import ArgumentError


@dataclass(frozen=True)
class Identified(Oscillations):
    """Modes y_c(t) = Re(shape_c exp(s (t - t_0))), sorted by |s|; of a complex pair the one with Im s > 0.

    method:      the name of the function that found them.
    eigenvalues: s = -zeta w + j w_d [rad/s], shape (m,).
    errors:      standard errors [rad/s], shape (m,): that of Re s in the real part, that of Im s in the imaginary part.
    shapes:      complex amplitudes of the channels at the first sample t_0, shape (m, c), in the channels' units.
    channels:    names, (c,); time (n,) [s], values (n, c): the given signals; fitted (n, c): their fit by the modes.
    freedom:     degrees of freedom of the error estimate.
    coherence:   modal amplitude coherence, 0 to 1, shape (m,): 1 where the mode's history is an exponential; nan if
                 the method gives none.
    singular:    singular values of the data, for the choice of an order; empty if the method gives none.
    """

    method: str
    eigenvalues: np.ndarray
    errors: np.ndarray
    shapes: np.ndarray
    channels: tuple[str, ...]
    time: np.ndarray = field(repr=False)
    values: np.ndarray = field(repr=False)
    fitted: np.ndarray = field(repr=False)
    freedom: float
    coherence: np.ndarray
    singular: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)
    stand_in: str = ""

    @property
    def damping_errors(self) -> np.ndarray:
        """Standard errors of the damping ratios: |d zeta| for independent errors of Re s and Im s."""
        s, size = self.eigenvalues, np.maximum(self.natural, 1e-300)
        return np.abs(s.imag) * np.hypot(s.imag * self.errors.real, s.real * self.errors.imag) / size**3

    @property
    def quality(self) -> np.ndarray:
        """Quality of fit of each channel, 1 - |residual|^2 / |values - mean|^2, shape (c,); nan for a constant one."""
        spread = ((self.values - self.values.mean(axis=0)) ** 2).sum(axis=0)
        rest = ((self.values - self.fitted) ** 2).sum(axis=0)
        return 1.0 - rest / np.where(spread > 0.0, spread, np.nan)

    @property
    def strength(self) -> np.ndarray:
        """Modal singular value of each mode, the largest 1: sqrt(|a| sum |z|^k), z = exp(s h), a the amplitudes."""
        t = self.time - self.time[0]
        shape = np.linalg.norm(self.shapes / np.maximum(np.abs(self.values).max(axis=0), 1e-300), axis=1)
        growth = self.eigenvalues.real[:, None] * t
        size = np.sqrt(shape * np.exp(np.clip(growth, -700.0, 700.0)).sum(axis=1))
        return size / max(size.max(initial=0.0), 1e-300)

    def interval(self, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper ends, complex, of the intervals that hold Re s, and Im s, with the probability `level`."""
        half = stdtrit(self.freedom, 0.5 + 0.5 * fraction("interval: level", level)) * self.errors
        return self.eigenvalues - half, self.eigenvalues + half

    def nearest(self, frequency: float) -> Identified:
        """Only the mode with the oscillation frequency nearest to this one [rad/s]."""
        return self[int(np.abs(self.frequencies - finite("nearest: frequency", frequency)).argmin())]

    def strongest(self) -> Identified:
        """Only the mode with the largest modal singular value."""
        return self[int(self.strength.argmax())]

    def __getitem__(self, mode: int) -> Identified:
        """One mode, counted from 0, as a separate result; its quality of fit remains that of all modes together."""
        k = operator.index(mode)
        if not -len(self) <= k < len(self):
            raise IndexError(f"there is no mode {k}: modes are numbered from 0 to {len(self) - 1}")
        k %= len(self)
        one = slice(k, k + 1)
        parts = {name: getattr(self, name)[one] for name in ("eigenvalues", "errors", "shapes", "coherence")}
        return replace(self, **parts)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __str__(self) -> str:
        lines = [
            "mode   frequency [Hz]   damping ratio   real part [1/s]   (error)   imag [rad/s]   (error)   strength"
        ]
        for k in range(len(self)):
            s, e = self.eigenvalues[k], self.errors[k]
            lines.append(
                f"{k + 1:4d} {self.frequencies_hz[k]:16.6g} {self.damping[k]:15.5g} {s.real:17.6g} {e.real:9.1e} "
                f"{s.imag:14.6g} {e.imag:9.1e} {self.strength[k]:10.3g}"
            )
        lines.append(f"{self.method}: quality of fit {np.nanmin(self.quality):.6g}, {len(self.time)} samples")
        return "\n".join(lines)

    def plot(self, title: str | None = None) -> Any:
        """Figure of each channel and its fit by the modes over time."""
        from samara.analysis.identification.picture import draw_identified

        return draw_identified(self, title)


def require_modes(method: str, found: np.ndarray) -> None:
    """Rejects an empty set of modes."""
    if not len(found):
        raise ArgumentError(f"{method}: no mode is left: lower coherence, raise order, or lengthen the window")
