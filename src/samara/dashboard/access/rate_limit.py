"""A limit on how often something happens: a bucket that fills steadily and is emptied by events."""

from __future__ import annotations


class Bucket:
    """`burst` events at once, `rate` a second [Hz] in the long run."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._level, self._last = burst, float("-inf")

    def take(self, now: float) -> bool:
        """Whether one more event is within the limit at `now` [s], a clock that does not go back."""
        gained = self.burst if self._last == float("-inf") else (now - self._last) * self.rate
        self._level, self._last = min(self.burst, self._level + gained), now
        if self._level < 1.0 - 1e-9:
            return False
        self._level -= 1.0
        return True
