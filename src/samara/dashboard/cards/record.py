"""The recorder's card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

if TYPE_CHECKING:
    from samara.dashboard.page import Page


class RecordCard:
    """A lamp, what the recorder says, and its buttons."""

    def __init__(self, page: Page) -> None:
        self._page = page
        with ui.element("div").classes("box").props('data-testid="record"'):
            with ui.element("div").classes("head"):
                ui.label("Recorder").classes("title")
                self._lamp = ui.element("div").classes("lamp")
                ui.element("div").style("flex: 1")
                for what, icon, words in (
                    (
                        "start",
                        "fiber_manual_record",
                        "start recording; an armed recorder includes its pre-trigger data",
                    ),
                    ("stop", "stop", "stop recording and write the file"),
                ):
                    button = ui.button(icon=icon, on_click=lambda w=what: self._ask(w))
                    button.props(
                        f'flat dense color=blue-grey-2 aria-label="{what} recording" data-testid="record-{what}"'
                    )
                    button.tooltip(words).set_enabled(page.visitor.may_command)
            self._all = ui.checkbox("all channels, every step").props('dense data-testid="record-all"').classes("small")
            self._all.tooltip(page.desk.recorder.whole).set_enabled(page.visitor.may_command)
            self._state = ui.label("").classes("soft small").style("overflow-wrap: anywhere")

    def _ask(self, what: str) -> None:
        page = self._page
        what = "start all" if what == "start" and self._all.value else what
        page.act(lambda: ui.notify(page.desk.record(page.visitor, what), position="top"))

    def update(self) -> None:
        """Twice a second."""
        if self._page.tick % 12 == 3:
            recorder = self._page.desk.recorder
            self._state.set_text(recorder.state)
            self._lamp.classes(replace=f"lamp {'on' if recorder.on else ''}")
