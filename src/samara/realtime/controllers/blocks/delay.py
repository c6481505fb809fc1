"""Delay by whole samples."""

from __future__ import annotations

from samara.realtime.controllers.blocks.block import PythonBlock


class Delay(PythonBlock):
    """y_k = u_{k - samples}; `initial` until then. A ring: nothing is moved. Zero samples pass through."""

    def __init__(self, samples: int, initial: float = 0.0, *, step: float = 1.0) -> None:
        self.step = self.positive("step", step)
        self.samples = self.whole("samples", samples, 0)
        self.initial = self.finite("initial", initial)
        self._ring = [self.initial] * self.samples
        self._at = 0

    def reset(self) -> None:
        self._ring[:] = [self.initial] * self.samples
        self._at = 0

    def __call__(self, u: float) -> float:
        """The value of so many samples ago."""
        u = self.sampled("u", u)
        if self.samples == 0:
            return u
        y = self._ring[self._at]
        self._ring[self._at] = u
        self._at = (self._at + 1) % self.samples
        return y
