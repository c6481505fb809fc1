"""Canvases of the page: the screen of a scope, and dials. Points go to them by method calls, not as properties."""

from __future__ import annotations

from nicegui import ui


class ScopeScreen(ui.element, component="../scope.js"):
    """Emits `cursors` {at: [s, s]} when one is dragged, and `ready`."""


class GaugeScreen(ui.element, component="../gauges.js"):
    """Emits `ready`."""


def signal_choices(names: list[str]) -> dict[str, str]:
    """For a list to choose from."""
    return {name: name for name in names}
