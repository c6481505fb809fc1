"""Parts of a page that may fail to be drawn without harm to the rest: the machine in space, the rotor's plots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from samara.dashboard.feed.feed import Feed

Build = Callable[[Feed], Any]


class Component:
    """Builds it, and calls its `update()` if it has one; one that fails says so in its place."""

    def __init__(self, build: Build, feed: Feed) -> None:
        self._part: Any = None
        try:
            self._part = build(feed)
        except Exception as error:
            ui.label(f"cannot be displayed: {error}").classes("soft small")

    def update(self) -> None:
        """Shows what is new in the feed."""
        if self._part is not None and hasattr(self._part, "update"):
            self._part.update()
