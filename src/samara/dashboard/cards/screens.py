"""Canvases of the page: the screen of a scope, and dials. Points go to them by method calls, not as properties."""

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
