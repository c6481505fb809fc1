"""Discrete transfer function of one input and one output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.realtime.controllers.blocks.block import BlockError, PythonBlock, finite_number, finite_numbers, one_of
from samara.realtime.controllers.blocks.state_space import METHODS


class TransferFunction(PythonBlock):
    """y = (b_0 z^n + ... + b_n) / (a_0 z^n + ... + a_n) u, highest power first.

        y_k = (b_0 u_k + w_1) / a_0,   w_i <- b_i u_k - a_i y_k + w_{i+1}       (transposed direct form II)

    numerator, denominator: polynomials in z; the numerator's degree must not exceed the denominator's.
    """

    def __init__(self, numerator: Sequence[float], denominator: Sequence[float], *, step: float) -> None:
        self.step = self.positive("step", step)
        given = {"numerator": numerator, "denominator": denominator}
        b, a = (np.trim_zeros(polynomial(type(self).__name__, name, p), "f") for name, p in given.items())
        if not a.size:
            raise self.refuse("denominator must not be zero")
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

        one_of(cls.__name__, "method", method, METHODS)
        given = {"numerator": numerator, "denominator": denominator}
        polynomials = tuple(np.trim_zeros(polynomial(cls.__name__, which, p), "f") for which, p in given.items())
        step = finite_number(cls.__name__, "step", step)
        if not step > 0.0:
            raise BlockError(f"{cls.__name__}: step must be positive, got {step:g}")
        if not polynomials[1].size:
            raise BlockError(f"{cls.__name__}: denominator must not be zero")
        if polynomials[0].size > polynomials[1].size:
            raise BlockError(f"{cls.__name__}: the numerator has a higher degree than the denominator: add a fast pole")
        name = "bilinear" if method == "tustin" else method
        b, a, _ = cont2discrete((polynomials[0] if polynomials[0].size else [0.0], polynomials[1]), step, name)
        return cls(np.ravel(b).tolist(), np.ravel(a).tolist(), step=step)

    def reset(self, u: float = 0.0) -> None:
        """At rest, as after an input that was `u` forever."""
        u = self.finite("u", u)
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
        a, b, w, u = self._a, self._b, self._w, self.sampled("u", u)
        y = b[0] * u + w[0]
        kept = [b[i] * u - a[i] * y + w[i] for i in range(1, len(w))]
        self.answer(sum(map(abs, kept), abs(y)))
        w[:-1] = kept
        return y


def polynomial(who: str, name: str, value: Any) -> np.ndarray:
    """One finite number or more, highest power first."""
    found = np.atleast_1d(finite_numbers(who, name, value))
    if found.ndim != 1 or not found.size:
        raise BlockError(f"{who}: {name} must be one number or more, highest power first, got shape {found.shape}")
    return found
