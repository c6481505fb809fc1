"""Delay in continuous time, by Pade's approximation."""

from __future__ import annotations

from math import factorial

import numpy as np

from samara.arguments import finite_numbers
from samara.elements.control.blocks.transfer_function import RationalBlock
from samara.model import number, option

#: Orders that double numbers bear.
LARGEST_ORDER = 10


class PadeDelay(RationalBlock):
    """y(t) = u(t - time), by the rational function of equal degrees that is nearest to exp(-time s) at s = 0.

        p(s) = sum of (2n - k)! n! / ((2n)! k! (n - k)!) (time s)^k,   k = 0 .. n,      Y / U = p(-s) / p(s)

    u: a signal. time: of the delay [s]; order: n, 1 to 10. The gain is exactly 1 at all frequencies. The phase is that
    of the delay up to about omega = n / time [rad/s]: its error is below (omega time)^(2n+1) / c, c growing fast with n
    (order 3: 0.02 rad at omega time = 3). A jump of u comes through at once, with the sign (-1)^n, before the delay is
    over: let u be smooth, or take a discrete `samara.realtime.controllers.Delay`, which is exact, in a `SampledBlock`.
    Source: G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, section 9.3.1. See `SignalBlock` for the
    rest.
    """

    time: float = number(unit="s", positive=True, plain=True)
    order: int = option(default=3)

    def polynomials(self):
        n = self.order
        if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= LARGEST_ORDER:
            raise ValueError(f"order must be a whole number from 1 to {LARGEST_ORDER}, got {n!r}")
        given = finite_numbers("time", self.time)
        if given.ndim or not given > 0.0:
            raise ValueError(f"time must be positive, one number, got {self.time!r} s")
        time = float(given)
        k = np.arange(n, -1, -1)
        p = np.array(
            [factorial(2 * n - i) * factorial(n) / (factorial(2 * n) * factorial(i) * factorial(n - i)) for i in k]
        )
        p = p * time**k
        return p * (-1.0) ** k, p
