"""Refusals are noted once in a while for each reason, with their number: who is refused must not fill the log."""

from __future__ import annotations

from collections.abc import Callable

#: Time between two notes of the same reason [s]; reasons that are told apart.
PAUSE, REASONS = 10.0, 64


class Refusals:
    """Counts by reason. tell: is given where a refused request came from, and the words."""

    def __init__(self, tell: Callable[[str, str], None]) -> None:
        self._tell = tell
        self._after: dict[str, float] = {}
        self._untold: dict[str, int] = {}

    def add(self, address: str, reason: str, now: float) -> None:
        """One more, at `now`, a clock that does not go back [s]."""
        if reason not in self._after and len(self._after) >= REASONS:
            reason = "other requests"
        if now < self._after.get(reason, float("-inf")):
            self._untold[reason] = self._untold.get(reason, 0) + 1
            return
        self._after[reason] = now + PAUSE
        more = self._untold.pop(reason, 0)
        self._tell(address, f"refused: {reason}" + f" ({more} more since the last note)" * bool(more))
