"""The table of tunable parameters: of the model and of its controllers; staged, then applied together."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from nicegui import ui

from samara.dashboard.cards.marks import mark
from samara.dashboard.desk.staging import Staging
from samara.realtime.session.card import Signal

if TYPE_CHECKING:
    from samara.dashboard.page import Page

#: Rows of the table, at most: the filter finds the others.
MOST_ROWS = 150
#: Updates of the page for which a switch shows what was asked for: until it is in force, or was not taken.
ASKED = 50


class ParameterCard:
    """Values in force, and what is to come."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._staging = Staging(page.feed.sources)
        self._labels: list[str] = []
        self._values: dict[tuple[str, str], ui.label] = {}
        self._lines: dict[tuple[str, str], ui.element] = {}
        self._boxes: dict[tuple[str, str], ui.input] = {}
        self._switches: dict[tuple[str, str], ui.switch] = {}
        self._asked: dict[tuple[str, str], tuple[float, int]] = {}  # what a switch was thrown to, and when
        may = page.visitor.may_command
        with ui.element("div").classes("box fill").props('data-testid="parameters"'):
            with ui.element("div").classes("head"):
                ui.label("Parameters").classes("title")
                self._filter = ui.input(placeholder="filter", on_change=self._build).props("dense outlined clearable")
                self._filter.style("width: 7rem").tooltip("filter by name")
                ui.element("div").style("flex: 1")
                self._apply = ui.button("apply", on_click=self._do_apply).props('dense outline data-testid="apply"')
                self._apply.tooltip("apply all staged values at the same time").set_enabled(False)
                self._discard = ui.button("discard", on_click=self._do_discard).props(
                    'dense flat data-testid="discard"'
                )
                self._discard.tooltip("discard all staged values").set_enabled(False)
                self._undo = ui.button(icon="undo", on_click=self._do_undo).props(
                    'dense flat aria-label="undo" data-testid="undo"'
                )
                self._undo.tooltip("undo the last change").set_enabled(may)
            self._rows = ui.element("div").classes("rows")
        self._build()

    def _build(self) -> None:
        page, wanted = self._page, (self._filter.value or "").lower()
        self._rows.clear()
        self._values, self._lines, self._boxes, self._switches = {}, {}, {}, {}
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
                    self._row(label, signal)
                if len(found) > MOST_ROWS:
                    ui.label(f"{len(found) - MOST_ROWS} more: use the filter").classes("soft tiny")
            if not shown:
                ui.label("no tunable parameters").classes("soft small")
        self._refresh()

    def _row(self, label: str, signal: Signal) -> None:
        name, place = signal.name, (label, signal.name)
        unit = "" if signal.unit == "1" else signal.unit
        with mark(ui.element("div").classes("par"), f"par-{label}-{name}") as self._lines[place]:
            title = ui.label(name).classes("name")
            title.tooltip(f"{signal.description or name}{f' [{unit}]' * bool(unit)}")
            self._values[place] = mark(ui.label("").classes("value mono"), f"value-{label}-{name}")
            if signal.is_switch:
                self._switch(place)
            else:
                self._field(place, f"{html.escape(unit)}<br>{_limits(signal.limits)}")

    def _field(self, place: tuple[str, str], limits: str) -> None:
        """Where a new number is typed."""
        label, name = place
        box = self._boxes[place] = ui.input(value=self._staging.texts.get(place, ""), placeholder="new")
        mark(box.props("dense outlined"), f"stage-{label}-{name}", f"new {name}")
        box.on("keydown.enter", self._do_apply)
        box.set_enabled(self._page.visitor.may_command)
        ui.html(limits, sanitize=True).classes("limits")
        wrong = self._staging.errors.get(place, "")
        said = ui.label(wrong).classes("wrong")
        said.set_visibility(bool(wrong))
        box.on_value_change(lambda e: self._stage(said, label, name, e.value))

    def _switch(self, place: tuple[str, str]) -> None:
        """What is on or off: it acts at once, and nothing is staged."""
        label, name = place
        switch = self._switches[place] = ui.switch(value=self._in_force(place) == 1.0)
        mark(switch.props("dense"), f"switch-{label}-{name}", name)
        switch.set_enabled(self._page.visitor.may_command)
        switch.on("click", lambda: self._throw(place))
        ui.label("off / on").classes("limits")

    def _throw(self, place: tuple[str, str]) -> None:
        """The other way than it is now; what is refused goes back."""
        page, (label, name) = self._page, place
        wanted = 0.0 if self._is_on(place) else 1.0
        if page.act(lambda: page.desk.tune(page.visitor, {label: {name: wanted}})):
            self._asked[place] = (wanted, page.tick)
        self._switches[place].set_value(self._is_on(place))

    def _is_on(self, place: tuple[str, str]) -> bool:
        """As it is in force, or will soon be."""
        found = self._in_force(place)
        asked, when = self._asked.get(place, (found, 0))
        if asked == found or self._page.tick - when > ASKED:
            self._asked.pop(place, None)
            return found == 1.0
        return asked == 1.0

    def _in_force(self, place: tuple[str, str]) -> float:
        source = self._page.feed.sources.all.get(place[0])
        return source.values.get(place[1], math.nan) if source else math.nan

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
            state = " refused" if place in self._staging.errors else " staged" if place in staged else ""
            line.classes(replace=f"par{state}")

    def _do_apply(self) -> None:
        page = self._page
        if (self._staging.values or self._staging.errors) and page.act(
            lambda: page.desk.tune(page.visitor, self._staging.batches())
        ):
            self._do_discard()

    def _do_discard(self) -> None:
        """Empties the fields; rows stay where they are, so that a click on the next one is not lost."""
        typed = list(self._staging.texts)
        self._staging.discard()
        for place in typed:
            if place in self._boxes:
                self._boxes[place].set_value("")
        if self._filter.value:
            self._build()
        self._refresh()

    def _do_undo(self) -> None:
        page = self._page

        def undo() -> None:
            if page.desk.undo(page.visitor) is None:
                ui.notify("there is nothing to undo", position="top")

        page.act(undo)

    def update(self) -> None:
        """Five times a second; anew when controllers came or went."""
        if self._page.tick % 5 != 4:
            return
        if list(self._page.feed.sources.all) != self._labels:
            self._build()
        for place, value in self._values.items():
            found = self._in_force(place)
            switch = self._switches.get(place)
            if switch is None:
                value.set_text("–" if math.isnan(found) else f"{found:.6g}")
                continue
            value.set_text("–" if math.isnan(found) else "on" if found else "off")
            switch.set_value(self._is_on(place))
        self._undo.set_enabled(self._page.visitor.may_command and bool(self._page.desk.changes))


def _limits(limits: tuple[float, float]) -> str:
    low, high = limits
    if math.isfinite(low) and math.isfinite(high):
        return f"{low:g} … {high:g}"
    return f"≥ {low:g}" if math.isfinite(low) else f"≤ {high:g}" if math.isfinite(high) else ""
