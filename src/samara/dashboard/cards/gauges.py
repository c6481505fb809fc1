"""Dials of chosen signals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nicegui import ui

from samara.dashboard.cards.choice import SignalChoice
from samara.dashboard.cards.screens import GaugeScreen

if TYPE_CHECKING:
    from samara.dashboard.page import Page

MOST_GAUGES = 16


class GaugeCard:
    """Limits of the dials are those of the signals, or what has been seen."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._names: list[str] = []
        self._ready = False
        with ui.element("div").classes("box").props('data-testid="gauges"'):
            with ui.element("div").classes("head"):
                ui.label("Gauges").classes("title")
                ui.element("div").classes("grow").style("flex: 1")
                with ui.button(icon="edit").props('flat dense color=blue-grey-3 aria-label="choose gauges"'):
                    ui.tooltip("choose signals")
                    with ui.menu() as menu, ui.column().classes("p-3").style("width: 24rem"):
                        self._chosen = SignalChoice(list(page.feed.signals), multiple=True, label="signals")
                        self._chosen.props(f"outlined use-chips max-values={MOST_GAUGES}").classes("w-full")
                        menu.on("before-show", self._chosen.fill)
                        self._chosen.on_value_change(lambda e: self.show(list(e.value or [])))
            self._screen = GaugeScreen()
            self._screen.on("ready", self._came)

    def names(self) -> list[str]:
        """For a layout."""
        return list(self._names)

    def show(self, names: list[str]) -> None:
        """Other signals."""
        if names == self._names:
            return
        self._names = names[:MOST_GAUGES]
        self._chosen.choose(list(self._names))
        self._configure()

    def _came(self) -> None:
        self._ready = True
        self._configure()

    def _configure(self) -> None:
        if not self._ready:
            return
        items = []
        for name in self._names:
            signal = self._page.feed.signals[name]
            low, high = signal.limits
            bounded = math.isfinite(low) and math.isfinite(high)
            items.append(
                {
                    "name": name,
                    "unit": signal.unit,
                    "low": low if bounded else None,
                    "high": high if bounded else None,
                }
            )
        self._screen.tell("setup", items)

    def update(self) -> None:
        """Some eight times a second."""
        if self._ready and self._names and self._page.tick % 3 == 0:
            found = [self._page.feed.latest.get(name, math.nan) for name in self._names]
            self._screen.tell("feed", [v if math.isfinite(v) else None for v in found])
