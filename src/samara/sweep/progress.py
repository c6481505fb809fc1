"""A one-line progress bar on variants."""

from __future__ import annotations

from samara.results.progress import Progress, duration


class VariantProgress(Progress):
    """Progress of a sweep, with an estimate of the time left: update(done, failed=...)."""

    def _under_way(self, elapsed: float) -> list[str]:
        return [f"{self._done:.0f} of {self.total_time:.0f} variants"]

    def _finished(self, elapsed: float) -> list[str]:
        goal = f" of {self.total_time:.0f}" if self.fraction < 1.0 else ""
        return [f"{self._done:.0f}{goal} variants in {duration(elapsed)}"]
