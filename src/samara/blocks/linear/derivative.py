"""Rate of change."""

from __future__ import annotations

from samara.blocks.block import Block
from samara.model import number


class Derivative(Block):
    """Filtered derivative: s / (1 + time s), as y = (u - f) / time with a state time df/dt = u - f.

        y_k = (u_k - f_{k-1}) / (time + h),   f_k = f_{k-1} + h y_k         sampled: Euler's backward

    time [s]: time constant of the filter; zero gives the plain difference of samples, and is not allowed in continuous
    time. It starts at rest: y = 0 initially.
    """

    time: float = number(default=0.0, unit="s", nonnegative=True)

    def start(self, u):
        return [u[0]]

    def output(self, x, u, h):
        return [(u[0] - x[0]) / (self.time + h)]

    def next(self, x, u, h):
        return [x[0] + h * self.output(x, u, h)[0]]

    def carried(self, before, x, u, h):
        """The output stays as it is while u stands still."""
        (y,) = before.output(x, u, h)
        return [u[0] - y * (self.time + h)]

    def require_continuous(self) -> None:
        if not float(self.time) > 0.0:
            raise self.refuse(f"time must be positive in continuous time, got {float(self.time):g} s")

    def rate(self, x, u):
        return self.output(x, u, 0.0)
