"""Transfer functions of one input and one output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from samara.blocks.block import Block, BlockError
from samara.blocks.checks import finite_number, finite_numbers, one_of
from samara.blocks.linear.state_space import METHODS
from samara.model import number, numbers, setting


class Rational(Block):
    """A proper rational function of p = d/dt in continuous time, or of the shift p = z of samples.

        Y / U = (b_0 p^n + ... + b_n) / (p^n + a_1 p^{n-1} + ... + a_n)

        y = b_0 u + x_1,      p x_i = b_i u - a_i y + x_{i+1}               (observable form, transposed direct form II)

    In continuous time p stands for (d/dt) / w, with a frequency w [rad/s] that makes the coefficients a_i no larger
    than 1: so all x are of the size of y. The block starts at rest, as if u had always been what it is at the start;
    one with an integrator has no such state, and starts with x = 0. A subclass gives `polynomials`.
    """

    time_between = "even"
    needs_step = True

    frequency_scale: float = number(default=1.0, unit="rad/s", init=False)  # w; it follows, as do the others
    b: Any = numbers(default=(), init=False)
    a: Any = numbers(default=(), init=False)
    first: Any = numbers(default=(), init=False)  # x at the start, and what u adds to it
    rest: Any = numbers(default=(), init=False)

    def polynomials(self) -> tuple[np.ndarray, np.ndarray]:
        """Numerator and denominator in s, or in z where there is a step; highest power first."""
        raise NotImplementedError

    def prepare(self) -> None:
        b, a = (np.trim_zeros(np.atleast_1d(p), "f") for p in self.polynomials())
        if not a.size:
            raise self.refuse("denominator must not be zero")
        if b.size > a.size:
            remedy = "derivatives of u; give the denominator a fast pole" if self.step is None else "the future"
            raise self.refuse(
                f"the numerator has a higher degree than the denominator ({b.size - 1} and {a.size - 1}): it would "
                f"need {remedy}"
            )
        b, a = np.concatenate([np.zeros(a.size - b.size), b]) / a[0], a / a[0]
        n, w = a.size - 1, 1.0
        if self.step is None:
            w = max((abs(a[k]) ** (1.0 / k) for k in range(1, n + 1) if a[k] != 0.0), default=1.0)
            b, a = b / w ** np.arange(n + 1.0), a / w ** np.arange(n + 1.0)
        self.keep(frequency_scale=float(w), b=b, a=a[1:], **self._start(b, a))

    def kept_at_first(self) -> Any:
        """What it remembers at the start; None: it is at rest."""
        return None

    def _start(self, b: np.ndarray, a: np.ndarray) -> dict[str, np.ndarray]:
        """x at the start by what goes in then."""
        n = a.size - 1
        if self.kept_at_first() is not None:
            given = finite_numbers(type(self).__name__, "initial", self.kept_at_first())
            if given.shape not in ((), (n,)):
                raise self.refuse(f"initial must be a number, or {n} of them, got shape {given.shape}")
            return {"first": np.array(np.broadcast_to(given, (n,))), "rest": np.zeros(n)}
        still = a[-1] if self.step is None else a.sum()
        if still == 0.0 or not n:
            return {"first": np.zeros(n), "rest": np.zeros(n)}
        gain = (b[-1] if self.step is None else b.sum()) / still
        return {"first": np.zeros(n), "rest": np.array(self._held(b.tolist(), a[1:].tolist(), gain))}

    def _held(self, b: Sequence[Any], a: Sequence[Any], y: Any, u: Any = 1.0) -> list:
        """The memory after an input u and an output y that stood still."""
        if self.step is None:  # 0 = b_i u - a_i y + x_{i+1}, so x_{i+1} = a_i y - b_i u
            return [y - b[0] * u, *(a[i] * y - b[i + 1] * u for i in range(len(a) - 1))]
        x, total = [], 0.0
        for i in range(len(a) - 1, -1, -1):
            total = total + b[i + 1] * u - a[i] * y
            x.append(total)
        return x[::-1]

    def start(self, u):
        return [x + rest * u[0] for x, rest in zip(self.first.tolist(), self.rest.tolist(), strict=True)]

    def output(self, x, u, h):
        through = self.b.tolist()[0]
        return [through * u[0] + x[0] if x else through * u[0]]

    def next(self, x, u, h):
        if not x:
            return []
        (y,) = self.output(x, u, h)
        own = zip(self.b.tolist()[1:], self.a.tolist(), [*x[1:], None], strict=True)
        return [b * u[0] - a * y + after if after is not None else b * u[0] - a * y for b, a, after in own]

    def carried(self, before, x, u, h):
        """y stays what it is, as if it and u had stood still."""
        if not x:
            return []
        (y,) = before.output(x, u, h)
        b = self.b.tolist()
        return [y - b[0] * u[0], *self._held(b, self.a.tolist(), y, u[0])[1:]]

    # ---- in continuous time
    def rate(self, x, u):
        return [self.frequency_scale * one for one in self.next(x, u, 0.0)]

    def initials(self):
        settled = self.kept_at_first() is None and self.rest.any()
        return [None if settled else value for value in self.first.tolist()]


class TransferFunction(Rational):
    """Proper transfer function Y / U = numerator / denominator: polynomials in s, or with a step in z; highest power
    first.

    numerator, denominator: as in SciPy and python-control. `discretise` converts one in s to a sampled one. initial:
    initial memory, one number for all or one each; by default the steady state, see `Rational`.
    """

    numerator: Any = setting(default=(1.0,))
    denominator: Any = setting(default=None)
    initial: Any = setting(default=None, kw_only=True)

    def kept_at_first(self):
        return self.initial

    def polynomials(self):
        if self.denominator is None:
            raise self.refuse("denominator is missing: give a polynomial, highest power first")
        return tuple(
            polynomial(type(self).__name__, name, getattr(self, name)) for name in ("numerator", "denominator")
        )

    def discretise(self, step: float, method: str = "zoh") -> Self:
        """The sampled one: "zoh" (exact for a held input) or "tustin" (trapezoidal rule); by SciPy."""
        from scipy.signal import cont2discrete

        who = type(self).__name__
        one_of(who, "method", method, METHODS)
        step = finite_number(who, "step", step)
        if self.step is not None or not step > 0.0:
            raise self.refuse(f"step must be positive, of one in s; got {step:g} s, and it has {self.step}")
        b, a = (np.trim_zeros(p, "f") for p in self.polynomials())
        name = "bilinear" if method == "tustin" else method
        b, a, _ = cont2discrete((b if b.size else [0.0], a), step, name)
        return type(self)(np.ravel(b), np.ravel(a), initial=self.initial, step=step)


def polynomial(who: str, name: str, value: Any) -> np.ndarray:
    """One finite number or more, highest power first."""
    found = np.atleast_1d(finite_numbers(who, name, value))
    if found.ndim != 1 or not found.size:
        raise BlockError(f"{who}: {name} must be one number or more, highest power first, got shape {found.shape}")
    return found
