"""The event log."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from nicegui import ui

if TYPE_CHECKING:
    from samara.dashboard.page import Page

SHOWN = 200


class LogCard:
    """Newest on top; the whole of it can be downloaded."""

    def __init__(self, page: Page) -> None:
        self._page, self._seen = page, -1
        with ui.element("div").classes("head"):
            self._count = ui.label("").classes("soft small")
            ui.element("div").style("flex: 1")
            ui.button(icon="download", on_click=self._download).props(
                'flat dense color=blue-grey-3 aria-label="download events" data-testid="download"'
            ).tooltip("all events as CSV")
        self._rows = ui.html("", sanitize=False).classes("rows").props('data-testid="events"')

    def _download(self) -> None:
        name = self._page.feed.card.name
        ui.download.content(self._page.feed.events.to_csv(), f"{name}-events.csv", "text/csv")

    def update(self) -> None:
        """When there is something new."""
        log = self._page.feed.events
        if log.count == self._seen:
            return
        self._seen = log.count
        self._count.set_text(f"{log.count} events")
        newest = list(log)[-SHOWN:][::-1]
        self._rows.set_content(
            "".join(
                f"<div class='event'><span class='mono soft'>{e.clock:%H:%M:%S}</span>"
                f"<span class='mono soft'>{e.time:.3f} s</span><span>{e.kind.value}</span>"
                f"<span class='soft'>{html.escape(e.who)}</span><span>{html.escape(e.text)}</span></div>"
                for e in newest
            )
        )
