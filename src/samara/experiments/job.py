"""What an experiment against the clock simulates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Job:
    """A ready model with its settings, the rate [Hz], measures that are published, and a session.

    driven: a step waits for the controller's answer instead of the clock, see `samara.realtime.loop.RealTime`.
    """

    model: str
    settings: dict[str, Any] = field(default_factory=dict)
    rate: float = 1000.0
    policy: str = "skip"
    sensors: tuple[str, ...] = ("*",)
    session: str = "experiment"
    rows: int = 32768  # of the queue with every step
    driven: bool = False

    def task(self) -> dict[str, Any]:
        """As the process of the loop is told (`samara.realtime.loop.supervisor`)."""
        return {
            "name": self.model,
            "settings": [f"{name}={value}" for name, value in self.settings.items()],
            "rate": self.rate,
            "policy": self.policy,
            "sensors": list(self.sensors),
            "session": self.session,
            "record": self.rows,
            "driven": self.driven,
        }
