"""Canvases of the page: the screen of a scope, dials, a pilot's sticks. What changes goes to them by method calls."""

from __future__ import annotations

from typing import Any

from nicegui import ui


class Screen(ui.element):
    """An element that is spoken to."""

    def tell(self, method: str, *values: Any) -> None:
        """Calls a method in the browser; does not wait for it."""
        _ = self.run_method(method, *values)


class ScopeScreen(Screen, component="../scope.js"):
    """Emits `cursors` {at: [s, s]} when one is dragged, and `ready`."""


class GaugeScreen(Screen, component="../gauges.js"):
    """Emits `ready`."""


class FrameScreen(Screen, component="../frames.js"):
    """Emits `answer` {number} to each question."""


class FlightScreen(Screen, component="../flight.js"):
    """Sticks and artificial horizon. axes: {axis: {input, unit, springs}}.

    Emits `hands` (see `samara.dashboard.flight.stick_motion.Hands`), `reset`, `leave` and `ready`.
    """

    def __init__(self, axes: dict[str, Any]) -> None:
        super().__init__()
        self._props["axes"] = axes
