"""Filters of one signal."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from samara.blocks.linear.transfer_function import Rational
from samara.model import setting


class Filter(Rational):
    """Base of first- and second-order filters, defined by polynomials in s for unit frequency.

        H(s / (2 pi f))                                   in continuous time, frequency f [Hz]
        H(s),  s = (z - 1) / ((z + 1) tan(pi f h))        sampled

    Sampled, it is the trapezoidal rule with prewarping, so that the gain at the frequency itself is exactly that of H.
    It starts in the steady state for the first sample (a high-pass filter: at zero output), without a transient.
    """

    frequency: Any = setting(default=None)

    def sampled_at(self, step: float) -> Self:
        return super().sampled_at(step) if self.step is not None else self._with_step(step)

    def shape(self) -> tuple[list[float], list[float]]:
        """Numerator and denominator in s, highest power first, of equal length."""
        raise NotImplementedError

    def polynomials(self):
        frequency = self.positive("frequency", self.frequency)
        if self.step is None:
            powers = np.arange(len(self.shape()[0]) - 1.0, -1.0, -1.0)
            return tuple(np.array(p) / (2.0 * math.pi * frequency) ** powers for p in self.shape())
        if frequency >= 0.5 / self.step:
            raise self.refuse(f"frequency {frequency:g} Hz must lie below half the sample rate, {0.5 / self.step:g} Hz")
        k = math.tan(math.pi * frequency * self.step)
        return tuple(_bent(p, k) for p in self.shape())


def _bent(p: list[float], k: float) -> np.ndarray:
    """A polynomial in z for one in s = (z - 1) / (k (z + 1))."""
    if len(p) == 2:
        return np.array([p[0] + p[1] * k, -p[0] + p[1] * k])
    a, b, c = p[0], p[1] * k, p[2] * k * k
    return np.array([a + b + c, 2.0 * (c - a), a - b + c])


class LowPass(Filter):
    """First-order low-pass filter: H = 1 / (s + 1); frequency [Hz]: cut-off, where the gain is 1 / sqrt(2)."""

    def shape(self):
        return [0.0, 1.0], [1.0, 1.0]


class HighPass(Filter):
    """First-order high-pass filter: H = s / (s + 1); frequency [Hz]: cut-off, where the gain is 1 / sqrt(2)."""

    def shape(self):
        return [1.0, 0.0], [1.0, 1.0]


class LowPass2(Filter):
    """Second-order low-pass filter: H = 1 / (s^2 + 2 damping s + 1); frequency [Hz]; by default Butterworth damping."""

    damping: Any = setting(default=math.sqrt(0.5))

    def shape(self):
        return [0.0, 0.0, 1.0], [1.0, 2.0 * self.positive("damping", self.damping), 1.0]


class Notch(Filter):
    """Notch filter: H = (s^2 + 2 depth damping s + 1) / (s^2 + 2 damping s + 1) removes a frequency [Hz].

    damping: half the relative width of the notch; depth: gain at its centre, by default zero.
    """

    damping: Any = setting(default=0.5)
    depth: Any = setting(default=0.0)

    def shape(self):
        damping, depth = self.positive("damping", self.damping), self.sample("depth", self.depth)
        if depth < 0.0:
            raise self.refuse(f"depth must not be negative, got {depth:g}")
        return [1.0, 2.0 * depth * damping, 1.0], [1.0, 2.0 * damping, 1.0]
