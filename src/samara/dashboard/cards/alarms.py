"""The alarms' card: what is watched, how it stands, and a form for more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from samara.dashboard.cards.choice import SignalChoice
from samara.dashboard.desk.staging import number
from samara.dashboard.feed.alarms import ACTIONS, SENSES, Rule

if TYPE_CHECKING:
    from samara.dashboard.page import Page


class AlarmCard:
    """Alarms are of the panel, not of a page: all see the same."""

    def __init__(self, page: Page) -> None:
        self._page, self._version = page, -1
        self._lamps: list[tuple[ui.element, ui.label]] = []
        may = page.visitor.may_command
        with ui.element("div").classes("head"):
            with ui.button("new", icon="add_alert").props('dense flat data-testid="new-alarm"') as button:
                button.tooltip("add an alarm on a signal")
                self._form()
            button.set_enabled(may)
            known = ui.button("acknowledge", icon="done_all", on_click=self._acknowledge)
            known.props('dense flat data-testid="acknowledge"').tooltip("acknowledge all raised alarms").set_enabled(
                may
            )
        self._rows = ui.element("div").classes("rows").props('data-testid="alarms"')

    def _form(self) -> None:
        page = self._page
        with ui.menu() as menu, ui.column().classes("p-3").style("width: 26rem"):
            signal = SignalChoice(list(page.feed.signals), label="signal").classes("w-full")
            menu.on("before-show", signal.fill)
            with ui.row().classes("no-wrap"):
                sense = ui.select(list(SENSES), value="above").props("dense outlined")
                level = ui.input("level").props('dense outlined data-testid="alarm-level"')
                duration = ui.input("for [s]", value="0").props("dense outlined")
            with ui.row().classes("no-wrap"):
                action = ui.select(list(ACTIONS), value="log", label="action").props("dense outlined")
                place = ui.select({}, label="parameter").props("dense outlined").style("min-width: 9rem")
                value = ui.input("value", value="0").props("dense outlined")
            for part in (place, value):
                part.bind_visibility_from(action, "value", value="set")

            def fill() -> None:  # controllers come and go
                sources = page.feed.sources.all
                places = {f"{label}\n{name}": f"{label}: {name}" for label, s in sources.items() for name in s.signals}
                place.set_options(places, value=place.value if place.value in places else None)

            menu.on("before-show", fill)
            latch = ui.checkbox("latched until acknowledged", value=True)

            def add() -> None:
                source, _, parameter = (place.value or "").partition("\n") if action.value == "set" else ("", "", "")
                rule = Rule(
                    signal.value or "", sense.value, number(level.value), number(duration.value), action.value, source,
                    parameter, number(value.value), latch.value,
                )  # fmt: skip
                page.desk.set_alarms(page.visitor, [*page.feed.alarms.rules, rule])

            signal.props('dense outlined data-testid="alarm-signal"')
            ui.button("watch", on_click=lambda: page.act(add)).props('dense outline data-testid="alarm-add"')

    def _acknowledge(self) -> None:
        self._page.act(lambda: self._page.desk.acknowledge(self._page.visitor))

    def _remove(self, rule: Rule) -> None:
        page = self._page
        page.act(lambda: page.desk.set_alarms(page.visitor, [r for r in page.feed.alarms.rules if r != rule]))

    def update(self) -> None:
        """Five times a second."""
        if self._page.tick % 5 != 3:
            return
        board = self._page.feed.alarms
        if board.version != self._version:
            self._version = board.version
            self._rows.clear()
            self._lamps = []
            with self._rows:
                for alarm in board.alarms:
                    with ui.element("div").classes("alarm"):
                        lamp = ui.element("div").classes("lamp")
                        ui.label(str(alarm.rule))
                        state = ui.label("").classes("soft small")
                        remove = ui.button(icon="close", on_click=lambda r=alarm.rule: self._remove(r))
                        remove.props('flat dense size=sm aria-label="remove alarm"')
                        remove.set_enabled(self._page.visitor.may_command)
                        self._lamps.append((lamp, state))
                if not board.alarms:
                    ui.label("no alarms defined").classes("soft small")
        for (lamp, state), alarm in zip(self._lamps, board.alarms, strict=False):
            lamp.classes(replace=f"lamp {alarm.state}")
            times = f", {alarm.trips} times, last at {alarm.when:.3f} s" if alarm.trips else ""
            state.set_text(f"{alarm.state}{times}")
