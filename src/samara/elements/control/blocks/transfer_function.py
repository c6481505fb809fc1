"""Transfer functions in continuous time."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import finite_numbers
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Site, State, number, numbers, setting, signal


class RationalBlock(SignalBlock):
    """A proper rational function of s in the controllable form; a subclass gives `polynomials`.

        dx_i/dt = w x_(i+1),   dx_n/dt = w (u - sum of a_i x_(i+1)),   y = sum of c_i x_(i+1) + d u,     i = 0 .. n-1

    w [rad/s]: the largest |a_i|^(1/(n-i)) of the polynomial itself. It makes the states of one size, in the unit of u,
    and the coefficients a_i no larger than 1. The block starts settled, as if u had always been what it is at the
    start; one with an integrator has no such state, and starts with x = 0.

    u: a signal.
    """

    u: Any = signal(kw_only=False)
    frequency: float = number(default=1.0, unit="rad/s", init=False)  # w; it follows, as the others, from `polynomials`
    feedback: Any = numbers(default=(), init=False)  # a
    weights: Any = numbers(default=(), init=False)  # c
    through: float = number(default=0.0, init=False)  # d

    def polynomials(self) -> tuple[np.ndarray, np.ndarray]:
        """Numerator and denominator in s, highest power first."""
        raise NotImplementedError

    def prepare(self) -> None:
        super().prepare()
        b, a = (np.trim_zeros(np.atleast_1d(p), "f") for p in self.polynomials())
        if not a.size:
            raise ValueError("denominator must not be zero")
        if b.size > a.size:
            raise ValueError(
                f"the numerator has a higher degree than the denominator ({b.size - 1} and {a.size - 1}): it would "
                "need derivatives of u; give the denominator a fast pole"
            )
        b = np.concatenate([np.zeros(a.size - b.size), b]) / a[0]
        a = a[::-1] / a[0]  # lowest power first
        b = b[::-1]
        n = a.size - 1
        w = max((abs(a[i]) ** (1.0 / (n - i)) for i in range(n) if a[i] != 0.0), default=1.0)
        powers = w ** np.arange(n, 0.0, -1.0)
        self.frequency, self.through = float(w), float(b[n])
        self.feedback, self.weights = a[:n] / powers, (b[:n] - b[n] * a[:n]) / powers

    def own_states(self) -> dict[str, State]:
        self.prepare()
        settled = bool(np.size(self.feedback)) and self.feedback[0] != 0.0
        inner = {f"x{i + 1}": State(1, scale=self.scale, settled=settled) for i in range(np.size(self.feedback))}
        return {"output": self.new_output(), **inner}

    def formulate(self, site: Site) -> Contribution:
        u, n = self.received(site, "u"), len(self.feedback)
        own = site.states[len(site.states) - n - 1 :]
        y, x = own[0].value, own[1:]
        after = [state.value for state in x[1:]]
        if x:
            after.append(u - sum(a * state.value for a, state in zip(self.feedback, x, strict=True)))
        shown = sum(c * state.value for c, state in zip(self.weights, x, strict=True)) + self.through * u
        rows = [state.rate / self.frequency - to for state, to in zip(x, after, strict=True)]
        return Contribution(wrenches=[], balances=[y - shown, *rows])


class ContinuousTransferFunction(RationalBlock):
    """Y(s) / U(s) = numerator(s) / denominator(s), proper.

    u: a signal. numerator, denominator: polynomials in s [1/s], highest power first, as SciPy has them. In the
    controllable form: see `RationalBlock`, also for the start. The discrete one is
    `samara.realtime.controllers.TransferFunction`. See `SignalBlock` for the rest.
    """

    numerator: Any = setting(default=(1.0,))
    denominator: Any = setting(default=None)

    def polynomials(self):
        found = []
        for name in ("numerator", "denominator"):
            given = getattr(self, name)
            if given is None:
                raise ValueError(f"{name} is missing: give a polynomial in s, highest power first")
            coefficients = np.atleast_1d(finite_numbers(name, given))
            if coefficients.ndim != 1 or not coefficients.size:
                raise ValueError(f"{name} must be one number or more, highest power first, got {given!r}")
            found.append(coefficients)
        return found[0], found[1]
