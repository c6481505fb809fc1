"""The table of tunable parameters: of the model and of its controllers; staged, then applied together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nicegui import ui

from samara.dashboard.staging import Staging

if TYPE_CHECKING:
    from samara.dashboard.page import Page

#: Rows of the table, at most: the filter finds the others.
MOST_ROWS = 150


class ParameterCard:
    """Values in force, and what is to come."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._staging = Staging(page.feed.sources)
        self._labels: list[str] = []
        self._values: dict[tuple[str, str], ui.label] = {}
        self._lines: dict[tuple[str, str], ui.element] = {}
        may = page.visitor.may_command
        with ui.element("div").classes("box fill").props('data-testid="parameters"'):
            with ui.element("div").classes("head"):
                ui.label("Parameters").classes("title")
                self._filter = ui.input(placeholder="filter", on_change=self._build).props("dense outlined clearable")
                self._filter.style("width: 7rem").tooltip("part of a name")
                ui.element("div").style("flex: 1")
                self._apply = ui.button("apply", on_click=self._do_apply).props('dense outline data-testid="apply"')
                self._apply.tooltip("all staged values at once").set_enabled(False)
                self._discard = ui.button("discard", on_click=self._do_discard).props(
                    'dense flat data-testid="discard"'
                )
                self._discard.tooltip("forget what is staged").set_enabled(False)
                self._undo = ui.button(icon="undo", on_click=self._do_undo).props(
                    'dense flat aria-label="undo" data-testid="undo"'
                )
                self._undo.tooltip("take the last change back").set_enabled(may)
            self._rows = ui.element("div").classes("rows")
        self._build()

    def _build(self) -> None:
        page, wanted = self._page, (self._filter.value or "").lower()
        self._rows.clear()
        self._values, self._lines = {}, {}
        self._staging.sweep()
        self._labels = list(page.feed.sources.all)
        shown = 0
        with self._rows:
            for label, source in page.feed.sources.all.items():
                found = [
                    s
                    for s in source.signals.values()
                    if wanted in f"{label}.{s.name}".lower() or (label, s.name) in self._staging.texts
                ]
                if not found:
                    continue
                ui.label(label).classes("group")
                for signal in found[: max(MOST_ROWS - shown, 0)]:
                    shown += 1
                    self._row(label, signal.name, signal.unit, signal.limits, signal.description)
                if len(found) > MOST_ROWS:
                    ui.label(f"{len(found) - MOST_ROWS} more: use the filter").classes("soft tiny")
            if not shown:
                ui.label("no parameters to tune").classes("soft small")
        self._refresh()

    def _row(self, label: str, name: str, unit: str, limits: tuple[float, float], description: str) -> None:
        place, may = (label, name), self._page.visitor.may_command
        unit = "" if unit == "1" else unit
        with ui.element("div").classes("par").props(f'data-testid="par-{label}-{name}"') as self._lines[place]:
            title = ui.label(name).classes("name")
            title.tooltip(f"{description or name}{f' [{unit}]' * bool(unit)}")
            self._values[place] = ui.label("").classes("value mono").props(f'data-testid="value-{label}-{name}"')
            box = ui.input(value=self._staging.texts.get(place, ""), placeholder="new")
            box.props(f'dense outlined data-testid="stage-{label}-{name}" aria-label="new {name}"')
            box.on("keydown.enter", self._do_apply)
            box.set_enabled(may)
            ui.html(f"{unit}<br>{_limits(limits)}", sanitize=True).classes("limits")
            wrong = self._staging.errors.get(place, "")
            said = ui.label(wrong).classes("wrong")
            said.set_visibility(bool(wrong))
            box.on_value_change(lambda e: self._stage(said, label, name, e.value))

    def _stage(self, said: ui.label, label: str, name: str, text: str) -> None:
        wrong = self._staging.stage(label, name, text)
        said.set_text(wrong)
        said.set_visibility(bool(wrong))
        self._refresh()

    def _refresh(self) -> None:
        may = self._page.visitor.may_command
        staged = self._staging.values
        self._apply.set_enabled(may and bool(staged) and not self._staging.errors)
        self._apply.set_text(f"apply {len(staged)}" if staged else "apply")
        self._discard.set_enabled(may and bool(staged or self._staging.errors))
        for place, line in self._lines.items():
            mark = " refused" if place in self._staging.errors else " staged" if place in staged else ""
            line.classes(replace=f"par{mark}")

    def _do_apply(self) -> None:
        page = self._page
        if (self._staging.values or self._staging.errors) and page.act(
            lambda: page.desk.tune(page.visitor, self._staging.batches())
        ):
            self._do_discard()

    def _do_discard(self) -> None:
        self._staging.discard()
        self._build()

    def _do_undo(self) -> None:
        page = self._page

        def undo() -> None:
            if page.desk.undo(page.visitor) is None:
                ui.notify("there is nothing that can be taken back", position="top")

        page.act(undo)

    def update(self) -> None:
        """Five times a second; anew when controllers came or went."""
        if self._page.tick % 5 != 4:
            return
        if list(self._page.feed.sources.all) != self._labels:
            self._build()
        for (label, name), value in self._values.items():
            source = self._page.feed.sources.all.get(label)
            found = source.values.get(name, math.nan) if source else math.nan
            value.set_text("–" if math.isnan(found) else f"{found:.6g}")
        self._undo.set_enabled(self._page.visitor.may_command and bool(self._page.desk.changes))


def _limits(limits: tuple[float, float]) -> str:
    low, high = limits
    if math.isfinite(low) and math.isfinite(high):
        return f"{low:g} … {high:g}"
    return f"≥ {low:g}" if math.isfinite(low) else f"≤ {high:g}" if math.isfinite(high) else ""
