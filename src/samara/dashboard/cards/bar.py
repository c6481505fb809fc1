"""The bar on top: what runs, how it does, and the buttons that steer it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nicegui import ui

from samara.dashboard.cards.marks import choices, mark
from samara.dashboard.desk import layouts
from samara.dashboard.feed.health import SimulatorState
from samara.realtime.session.command import Command

if TYPE_CHECKING:
    from samara.dashboard.page import Page

#: Label, icon, command, what it does, whether it is asked again.
BUTTONS = (
    ("start", "play_arrow", Command.START, "continue the run (space)", False),
    ("hold", "pause", Command.HOLD, "pause the simulation; the loop keeps serving (space)", False),
    ("step", "skip_next", Command.STEP, "run this many steps, then pause (s)", False),
    ("reset", "replay", Command.RESET, "return to the initial state; parameters are kept", True),
    ("stop", "stop", Command.STOP, "end the run", True),
)
#: After the run; states whose banner is red.
STAYS = "Scopes, cursors and downloads still work. The panel stays while one of its pages is open."
ALARMING = (SimulatorState.ENDED, SimulatorState.STUCK)


class TopBar:
    """Facts and buttons."""

    def __init__(self, page: Page) -> None:
        self._page = page
        feed, role = page.feed, page.visitor.role
        with ui.element("div").classes("bar"):
            ui.label(feed.card.model or feed.card.name).classes("model").tooltip(f"session {feed.card.name}")
            self._state = ui.label("").classes("state").mark("state").props('data-testid="state"')
            self._time = self._fact("simulated", "simulated time", "time")
            self._load = self._fact("real/sim", "computing time over simulated time, during the last second", "load")
            self._late = self._fact("overruns", "deadlines missed because a step took too long", "overruns")
            self._rate = self._fact("rate", "steps per second, and the policy for late steps", "rate")
            with ui.row().classes("items-center no-wrap").style("gap: 0.3rem"):
                self._buttons: list[ui.button] = []
                for label, icon, command, words, ask in BUTTONS:
                    button = ui.button(icon=icon, on_click=lambda c=command, a=ask: self._ask(c, a))
                    mark(button.props("dense outline color=blue-grey-2"), label, label)
                    button.tooltip(f"{label}: {words}")
                    button.set_enabled(page.visitor.may_command)
                    self._buttons.append(button)
                    if command == Command.STEP:
                        self._count = ui.number(value=1, min=1, max=1_000_000, precision=0).props(
                            'dense outlined data-testid="count" aria-label="steps"'
                        )
                        self._count.style("width: 4.2rem").tooltip("number of steps")
                self._again = ui.button("run again", icon="restart_alt", on_click=self._run_again)
                mark(self._again.props("dense outline color=blue-grey-2"), "again")
                self._again.tooltip("run the same command again, in this panel").set_visibility(False)
            ui.element("div").classes("grow")
            self._alarms = ui.label("").classes("state").style("display: none")
            ui.label(role.value).classes("role").props('data-testid="role"').tooltip(
                "an operator can command" if page.visitor.may_command else "a viewer can look but not command"
            )
            self._menu()
        self._banner = ui.label("").classes("banner").props('data-testid="banner"').style("display: none")

    def _fact(self, what: str, words: str, name: str) -> ui.label:
        with ui.element("div").classes("fact"):
            ui.label(what).classes("what")
            value = mark(ui.label("").classes("how"), name)
            ui.tooltip(words)
        return value

    def _ask(self, command: Command, again: bool) -> None:
        if not again:
            self._do(command)
            return
        dialog = ui.dialog()
        with dialog, ui.card():
            ui.label(f"{command.name.capitalize()} the run of {self._page.feed.card.name}?")
            with ui.row():
                ui.button("no", on_click=dialog.close).props("flat")
                sure = ui.button(command.name.lower(), on_click=dialog.close)
                sure.props('color=red-9 data-testid="confirm"').on_click(lambda: self._do(command))
        dialog.value = True

    def _do(self, command: Command) -> None:
        page, count = self._page, int(self._count.value or 1)
        page.act(lambda: page.desk.command(page.visitor, command, count if command == Command.STEP else 0))

    def _run_again(self) -> None:
        page = self._page
        page.act(lambda: page.desk.run_again(page.visitor))

    # ---- layouts
    def _menu(self) -> None:
        page = self._page
        with ui.button(icon="tune").props('flat dense color=blue-grey-2 aria-label="layout" data-testid="layouts"'):
            ui.tooltip("layouts, font size")
            with choices() as menu, ui.column().classes("p-3").style("min-width: 17rem"):
                ui.label("Layout").classes("soft small")
                names = layouts.names(page.feed.card.model)
                chosen = ui.select(names, label="saved").props("dense outlined").classes("w-full")

                def fill() -> None:  # another page may have saved or deleted some
                    found = layouts.names(page.feed.card.model)
                    chosen.set_options(found, value=chosen.value if chosen.value in found else None)

                menu.on("before-show", fill)

                def load() -> None:
                    if chosen.value:
                        page.act(lambda: page.load(chosen.value))

                def save() -> None:
                    if page.act(lambda: page.save(name.value or layouts.DEFAULT)):
                        fill()
                        ui.notify(f"saved {name.value or layouts.DEFAULT}")

                def delete() -> None:
                    def do() -> None:
                        page.desk.check(page.visitor, f"delete layout {chosen.value!r}")
                        layouts.delete(page.feed.card.model, chosen.value)

                    if chosen.value and page.act(do):
                        fill()

                with ui.row():
                    ui.button("load", on_click=load).props('dense outline data-testid="load"')
                    ui.button("delete", on_click=delete).props("dense flat").set_enabled(page.visitor.may_command)
                name = ui.input("save as", value=layouts.DEFAULT).props('dense outlined data-testid="layout-name"')
                name.classes("w-full").tooltip(f"'{layouts.DEFAULT}' opens with this model")
                button = ui.button("save", on_click=save).props('dense outline data-testid="save"')
                button.set_enabled(page.visitor.may_command)
                ui.label("Font size").classes("soft small")
                ui.slider(min=0.6, max=2.0, step=0.05, value=1.0, on_change=lambda e: page.set_scale(e.value))

    # ---- numbers
    def update(self) -> None:
        """Five times a second."""
        page = self._page
        if page.tick % 5 != 1:
            return
        feed, health = page.feed, page.feed.health
        self._state.set_text(health.state.value)
        self._state.classes(replace=f"state {health.state.value}")
        self._time.set_text(f"{feed.time:.3f} s")
        self._load.set_text("–" if math.isnan(health.real_over_sim) else f"{health.real_over_sim:.3f}")
        self._late.set_text(str(health.accounts["overruns"]))
        self._rate.set_text(f"{feed.card.rate:g} Hz, {health.policy}")
        raised = feed.alarms.raised
        self._alarms.set_text(f"{raised} alarm{'s' * (raised != 1)}")
        self._alarms.classes(replace="state stuck").style(f"display: {'block' if raised else 'none'}")
        words = {
            SimulatorState.FINISHED: f"Finished at t = {feed.time:.6g} s. {STAYS}",
            SimulatorState.ENDED: f"The simulator failed or was killed at t = {feed.time:.6g} s. {STAYS}",
            SimulatorState.STUCK: f"No sign of life from the loop for {feed.session.silence:.1f} s.",
        }.get(health.state, "")
        rerun = page.desk.rerun
        if health.state.over and rerun is not None and rerun.running:
            words = "The next run is starting; this page will show it."
        self._banner.set_text(words)
        self._banner.classes(replace="banner" if health.state in ALARMING else "banner calm")
        may = page.visitor.may_command and not health.state.over
        for button in self._buttons:
            button.set_enabled(may)
        self._again.set_visibility(rerun is not None and health.state.over)
        self._again.set_enabled(page.visitor.may_command and not feed.there and rerun is not None and not rerun.running)
        self._banner.style(f"display: {'block' if words else 'none'}")
