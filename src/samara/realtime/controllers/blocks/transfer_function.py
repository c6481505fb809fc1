"""Discrete transfer function of one input and one output."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from samara.realtime.controllers.blocks.block import Block, BlockError, plain_number, plain_numbers
from samara.realtime.controllers.blocks.state_space import METHODS


class TransferFunction(Block):
    """y = (b_0 z^n + ... + b_n) / (a_0 z^n + ... + a_n) u, highest power first.

        y_k = (b_0 u_k + w_1) / a_0,   w_i <- b_i u_k - a_i y_k + w_{i+1}       (transposed direct form II)

    numerator, denominator: polynomials in z; the numerator's degree must not exceed the denominator's.
    """

    def __init__(self, numerator: Sequence[float], denominator: Sequence[float], *, step: float) -> None:
        self.step = self.positive("step", step)
        b, a = (
            np.atleast_1d(self.numbers(name, p)) for name, p in (("numerator", numerator), ("denominator", denominator))
        )
        if b.ndim != 1 or a.ndim != 1:
            raise self.refuse("numerator and denominator must be sequences of numbers, highest power first")
        b, a = np.trim_zeros(b, "f"), np.trim_zeros(a, "f")
        if not a.size or not (np.isfinite(a).all() and np.isfinite(b).all()):
            raise self.refuse("the polynomials must be finite, and the denominator not zero")
        if b.size > a.size:
            raise self.refuse("the numerator has a higher degree than the denominator: it would need the future")
        b = np.concatenate([np.zeros(a.size - b.size), b])
        self.numerator, self.denominator = b / a[0], a / a[0]
        self._b, self._a = self.numerator.tolist(), self.denominator.tolist()
        self._w = [0.0] * a.size  # the last stays zero

    @classmethod
    def from_continuous(
        cls, numerator: Sequence[float], denominator: Sequence[float], *, step: float, method: str = "tustin"
    ) -> TransferFunction:
        """From polynomials in s: "tustin" (trapezoidal rule) or "zoh" (exact for a held input); by SciPy."""
        from scipy.signal import cont2discrete

        if method not in METHODS:
            raise BlockError(f"{cls.__name__}: method must be one of {', '.join(METHODS)}, got {method!r}")
        given = {"numerator": numerator, "denominator": denominator}
        polynomials = tuple(plain_numbers(cls.__name__, which, p) for which, p in given.items())
        step = plain_number(cls.__name__, "step", step)
        name = "bilinear" if method == "tustin" else method
        b, a, _ = cont2discrete(polynomials, step, name)
        return cls(np.ravel(b).tolist(), np.ravel(a).tolist(), step=step)

    def reset(self, u: float = 0.0) -> None:
        """At rest, as after an input that was `u` forever."""
        a, b, n = self._a, self._b, len(self._w) - 1
        total = sum(a)
        if u != 0.0 and total == 0.0:
            raise self.refuse("an integrator has no rest under an input that is not zero")
        y = u * sum(b) / total if u else 0.0
        w = 0.0
        for i in range(n, 0, -1):
            w += b[i] * u - a[i] * y
            self._w[i - 1] = w

    def __call__(self, u: float) -> float:
        """The output at this sample."""
        a, b, w = self._a, self._b, self._w
        y = b[0] * u + w[0]
        for i in range(1, len(w)):
            w[i - 1] = b[i] * u - a[i] * y + w[i]
        return y
