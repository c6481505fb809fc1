"""Continuous-time delay by a Pade approximation."""

from __future__ import annotations

from math import factorial

import numpy as np

from samara.blocks.checks import whole_number
from samara.blocks.linear.transfer_function import Rational
from samara.model import setting

#: Orders that double numbers bear.
LARGEST_ORDER = 10


class PadeDelay(Rational):
    """Delay y(t) = u(t - time) by the diagonal Pade approximation of exp(-time s).

        p(s) = sum of (2n - k)! n! / ((2n)! k! (n - k)!) (time s)^k,   k = 0 .. n,      Y / U = p(-s) / p(s)

    time: of the delay [s]; order: n, 1 to 10. The gain is exactly 1 at all frequencies. The phase is that
    of the delay up to about omega = n / time [rad/s]: its error is below (omega time)^(2n+1) / c, c growing fast with n
    (order 3: 0.02 rad at omega time = 3). A jump of u passes through immediately, with the sign (-1)^n, before the
    delay has elapsed: use smooth inputs, or a `Delay` in a `SampledBlock`, which is exact. For continuous time only.
    Source: G. H. Golub and C. F. Van Loan, Matrix Computations, 4th edition, section 9.3.1.
    """

    time: float = setting(default=None)
    order: int = setting(default=3)

    def polynomials(self):
        if self.step is not None:
            raise self.refuse("step does not apply: for a sampled delay use Delay(samples)")
        time = self.positive("time", self.time)
        n = whole_number(type(self).__name__, "order", self.order, 1)
        if n > LARGEST_ORDER:
            raise self.refuse(f"order must be a whole number from 1 to {LARGEST_ORDER}, got {n}")
        k = np.arange(n, -1, -1)
        p = np.array(
            [factorial(2 * n - i) * factorial(n) / (factorial(2 * n) * factorial(i) * factorial(n - i)) for i in k]
        )
        p = p * time**k
        return p * (-1.0) ** k, p
