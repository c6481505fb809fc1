"""Blocks that bound a signal."""

from __future__ import annotations

from samara.realtime.controllers.blocks.block import NO_LIMIT, PythonBlock


class Saturation(PythonBlock):
    """y = u within [lower, upper]."""

    def __init__(self, lower: float = -NO_LIMIT, upper: float = NO_LIMIT, *, step: float = 1.0) -> None:
        self.step = self.positive("step", step)
        self.lower, self.upper = self.limits(lower, upper)

    def reset(self) -> None:
        pass

    def __call__(self, u: float) -> float:
        """The bounded value."""
        u = self.sampled("u", u)
        return self.lower if u < self.lower else self.upper if u > self.upper else u


class DeadZone(PythonBlock):
    """y = u - upper above `upper`, u - lower below `lower`, zero between."""

    def __init__(self, lower: float, upper: float, *, step: float = 1.0) -> None:
        self.step = self.positive("step", step)
        self.lower, self.upper = self.limits(lower, upper)

    def reset(self) -> None:
        pass

    def __call__(self, u: float) -> float:
        """What goes beyond the zone."""
        u = self.sampled("u", u)
        return self.answer(u - self.upper if u > self.upper else u - self.lower if u < self.lower else 0.0)


class RateLimit(PythonBlock):
    """y_k = y_{k-1} + (u_k - y_{k-1} within [-fall h, rise h]); the first sample passes as it is.

    rise, fall: largest rates of change [u/s]; fall is as rise by default.
    """

    def __init__(self, rise: float, fall: float | None = None, *, step: float) -> None:
        self.step = self.positive("step", step)
        self.rise = self.positive("rise", rise)
        self.fall = self.rise if fall is None else self.positive("fall", fall)
        self.reset()

    def reset(self, y: float | None = None) -> None:
        """Starts from `y`, or from the first sample."""
        self._y = None if y is None else self.finite("y", y)

    def __call__(self, u: float) -> float:
        """The value that follows u as fast as it may."""
        u, y = self.sampled("u", u), self._y
        if y is not None:
            up, down = y + self.rise * self.step, y - self.fall * self.step
            u = up if u > up else down if u < down else u
        self._y = u
        return u
