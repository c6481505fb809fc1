"""Filters of one signal."""

from __future__ import annotations

import math

from samara.realtime.controllers.blocks.block import PythonBlock
from samara.realtime.controllers.blocks.transfer_function import TransferFunction


class Filter(PythonBlock):
    """A linear filter of first or second order; a subclass gives its polynomials in s, the frequency being 1.

        H(s),  s = (z - 1) / ((z + 1) tan(pi f h))

    The trapezoidal rule, bent so that the gain at the frequency f [Hz] itself is exactly that of H. The first sample
    finds the filter at rest at that value (a high-pass filter: at zero output), so that it does not begin with a jump.
    """

    def __init__(self, frequency: float, *, step: float) -> None:
        self.step = self.positive("step", step)
        self.frequency = self.below_half(frequency)
        self._filter = TransferFunction(*_bent(*self.polynomials(), self.frequency, self.step), step=self.step)
        self.reset()

    def polynomials(self) -> tuple[list[float], list[float]]:
        """Numerator and denominator in s, highest power first, of equal length."""
        raise NotImplementedError

    @property
    def transfer(self) -> TransferFunction:
        """The filter as polynomials in z."""
        return self._filter

    def reset(self) -> None:
        self._fresh = True

    def __call__(self, u: float) -> float:
        """The filtered value."""
        u = self.sampled("u", u)
        if self._fresh:
            self._filter.reset(u)
            self._fresh = False
        return self._filter(u)


class LowPass(Filter):
    """First order: H = 1 / (s + 1); frequency [Hz]: where the gain is 1 / sqrt(2)."""

    def polynomials(self):
        return [0.0, 1.0], [1.0, 1.0]


class HighPass(Filter):
    """First order: H = s / (s + 1); frequency [Hz]: where the gain is 1 / sqrt(2)."""

    def polynomials(self):
        return [1.0, 0.0], [1.0, 1.0]


class LowPass2(Filter):
    """Second order: H = 1 / (s^2 + 2 damping s + 1); frequency [Hz], damping 1/sqrt(2) by default: Butterworth's."""

    def __init__(self, frequency: float, damping: float = math.sqrt(0.5), *, step: float) -> None:
        self.damping = self.positive("damping", damping)
        super().__init__(frequency, step=step)

    def polynomials(self):
        return [0.0, 0.0, 1.0], [1.0, 2.0 * self.damping, 1.0]


class Notch(Filter):
    """H = (s^2 + 2 depth damping s + 1) / (s^2 + 2 damping s + 1): takes out a frequency [Hz], and leaves the rest.

    damping: half the relative width of the notch; depth: gain at its middle, zero by default.
    """

    def __init__(self, frequency: float, damping: float = 0.5, depth: float = 0.0, *, step: float) -> None:
        self.damping = self.positive("damping", damping)
        self.depth = self.nonnegative("depth", depth)
        super().__init__(frequency, step=step)

    def polynomials(self):
        return [1.0, 2.0 * self.depth * self.damping, 1.0], [1.0, 2.0 * self.damping, 1.0]


class Derivative(PythonBlock):
    """Rate of change behind a lag:  y_k = (time y_{k-1} + u_k - u_{k-1}) / (time + h)  [u/s].

    time [s]: of the lag; zero gives the plain difference. Backward Euler of s / (1 + time s). Starts at zero.
    """

    def __init__(self, time: float = 0.0, *, step: float) -> None:
        self.step = self.positive("step", step)
        self.time = self.nonnegative("time", time)
        self.reset()

    def reset(self) -> None:
        self._u: float | None = None
        self._y = 0.0

    def __call__(self, u: float) -> float:
        """The rate of change."""
        u = self.sampled("u", u)
        if self._u is not None:
            self._y = self.answer((self.time * self._y + u - self._u) / (self.time + self.step))
        self._u = u
        return self._y


class MovingAverage(PythonBlock):
    """Mean of the last `count` samples, of those there are at the start: y_k = (u_k + ... + u_{k-count+1}) / count.

    Its gain vanishes at all multiples of 1 / (count h): a whole turn of a rotor takes out all of its harmonics.
    """

    def __init__(self, count: int, *, step: float) -> None:
        self.step = self.positive("step", step)
        self.count = self.whole("count", count)
        self._kept = [0.0] * self.count
        self.reset()

    def reset(self) -> None:
        self._seen = self._at = 0
        self._kept[:] = [0.0] * self.count

    def __call__(self, u: float) -> float:
        """The mean."""
        u, before = self.sampled("u", u), self._kept[self._at]
        self._kept[self._at] = u
        try:
            total = math.fsum(self._kept)  # a running sum would gather rounding errors
        except OverflowError:
            self._kept[self._at] = before
            raise self.refuse("the sum would not be finite: the sample is too large") from None
        self._at = (self._at + 1) % self.count
        self._seen = min(self._seen + 1, self.count)
        return total / self._seen


class Unwrap(PythonBlock):
    """An angle that jumps at half a turn, made continuous [rad]: adds the whole turns that keep changes within pi."""

    def __init__(self, *, step: float = 1.0) -> None:
        self.step = self.positive("step", step)
        self.reset()

    def reset(self) -> None:
        self._last: float | None = None
        self._turns = 0.0

    def __call__(self, u: float) -> float:
        """The continuous angle."""
        u = self.sampled("u", u)
        if self._last is not None:
            self._turns -= 2.0 * math.pi * round(self.answer(u - self._last) / (2.0 * math.pi))
        self._last = u
        return u + self._turns


def _bent(numerator: list[float], denominator: list[float], frequency: float, step: float) -> tuple[list, list]:
    """Polynomials in z for s = (z - 1) / (k (z + 1)), k = tan(pi f h)."""
    k = math.tan(math.pi * frequency * step)

    def swap(p: list[float]) -> list[float]:
        if len(p) == 2:
            return [p[0] + p[1] * k, -p[0] + p[1] * k]
        a, b, c = p[0], p[1] * k, p[2] * k * k
        return [a + b + c, 2.0 * (c - a), a - b + c]

    return swap(numerator), swap(denominator)
