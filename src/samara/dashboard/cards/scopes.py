"""Scopes: any number, each with its signals, window, trigger, freeze and cursors."""

from __future__ import annotations

import html
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from nicegui import ui

from samara.dashboard.cards.choice import SignalChoice
from samara.dashboard.cards.marks import choices, mark
from samara.dashboard.cards.screens import ScopeScreen
from samara.dashboard.traces.scope import MOST_SIGNALS, Scope, Setup, Still
from samara.dashboard.traces.trigger import Mode

if TYPE_CHECKING:
    from samara.dashboard.page import Page

WINDOWS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0)
#: Colours of the traces, as in scope.js.
COLOURS = ("#4fc3f7", "#ffb74d", "#81c784", "#f06292", "#ba9cf5", "#ffe066", "#4dd0c0", "#e57373")
MOST_SCOPES = 8


class ScopeCards:
    """All scopes of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._cards: list[ScopeCard] = []
        self._place = ui.element("div").classes("side").style("flex: 1 1 0")

    def setups(self) -> list[Setup]:
        """For a layout."""
        return [card.scope.setup for card in self._cards]

    def stills(self) -> list[Still | None]:
        """Of each scope, if it is frozen."""
        return [card.scope.still() for card in self._cards]

    def show_stills(self, stills: list[Still | None]) -> None:
        """Freezes scopes that were frozen on another page."""
        for card, still in zip(self._cards, stills, strict=False):
            if still is not None:
                card.show_still(still)

    def show(self, setups: list[Setup]) -> None:
        """Other scopes."""
        self._place.clear()
        self._cards = []
        for setup in setups or [Setup()]:
            self.add(setup)

    def add(self, setup: Setup) -> None:
        """One more."""
        if len(self._cards) < MOST_SCOPES:
            with self._place:
                self._cards.append(ScopeCard(self._page, self, setup))

    def remove(self, card: ScopeCard) -> None:
        """One less; the last one stays."""
        if len(self._cards) > 1:
            self._cards.remove(card)
            card.box.delete()

    def update(self) -> None:
        """Sends what is new."""
        for card in self._cards:
            card.update()


class ScopeCard:
    """One scope."""

    def __init__(self, page: Page, all_: ScopeCards, setup: Setup) -> None:
        self._page, self._all = page, all_
        self.scope = Scope(page.feed, setup)
        self._ready = False
        with ui.element("div").classes("box fill").props('data-testid="scope"') as self.box:
            self._controls()
            self.screen = ScopeScreen()
            self.screen.on("ready", self._came)
            self.screen.on("cursors", self._dragged, throttle=0.1)
            self._readings = ui.html("", sanitize=False).props('data-testid="readings"')
        self._configure()

    # ---- controls
    def _controls(self) -> None:
        setup = self.scope.setup
        names = list(self._page.feed.signals)
        with ui.element("div").classes("scopebar"):
            with self._tool("playlist_add", "signals", "choose signals", lambda: None):
                with choices() as menu, ui.column().classes("p-3").style("width: 26rem"):
                    chosen = SignalChoice(names, list(setup.signals), multiple=True, label="signals")
                    chosen.props(f'outlined use-chips max-values={MOST_SIGNALS} data-testid="chosen"')
                    menu.on("before-show", chosen.fill)
                    chosen.classes("w-full").on_value_change(lambda e: self._set(signals=list(e.value or [])))
            self._legend = ui.html("", sanitize=False).classes("legend")
            windows = {w: f"{w:g} s" for w in sorted({*WINDOWS, setup.window})}
            ui.select(windows, value=setup.window, on_change=lambda e: self._set(window=e.value)).props(
                'dense borderless options-dense data-testid="window" aria-label="window"'
            ).tooltip("width of the time axis")
            ui.select([m.value for m in Mode], value=setup.mode, on_change=lambda e: self._mode(e.value)).props(
                'dense borderless options-dense data-testid="mode" aria-label="trigger mode"'
            ).tooltip(
                "trigger mode. roll: no trigger; auto: sweeps also without trigger; normal: "
                "sweeps at a crossing only; single: one sweep"
            )
            self._freeze = self._tool("ac_unit", "freeze", "freeze the display", self._toggle_freeze)
            self._tool(
                "align_horizontal_center",
                "cursors",
                "show two cursors to drag; freezes the display",
                self._toggle_cursors,
            )
            self._tool("view_stream", "lanes", "separate scale for each trace", self._toggle_lanes)
            with self._tool("height", "scale", "limits of the vertical axis", lambda: None):
                with choices(), ui.column().classes("p-3"):
                    low = ui.number("from", value=setup.low).props("outlined clearable")
                    high = ui.number("to", value=setup.high).props("outlined clearable")
                    ui.button("set", on_click=lambda: self._limits(low.value, high.value)).props("dense outline")
                    ui.label("empty: automatic").classes("soft tiny")
            self._tool("download", "download", "the samples on the display as CSV", self._download)
            self._tool("add", "add scope", "add a scope", lambda: self._all.add(Setup()))
            self._tool("close", "remove scope", "remove this scope", lambda: self._all.remove(self))
        with ui.element("div").classes("scopebar") as self._trigger:
            ui.label("trigger on").classes("soft small")
            self._on = SignalChoice(names, setup.trigger or None)
            self._on.props('dense borderless data-testid="trigger" aria-label="trigger signal"')
            self._on.style("width: 12rem").on_value_change(lambda e: self._set(trigger=e.value or ""))
            self._rising = self._tool("", "edge", "rising or falling edge", self._turn)
            level = ui.number(value=setup.level, format="%.6g", on_change=lambda e: self._level(e.value))
            level.props('dense borderless debounce=400 prefix="level " data-testid="level"').style("width: 8rem")
            self._tool("replay_circle_filled", "arm", "rearm the single sweep", self._again)
        self._show_trigger(setup.mode)

    def _tool(self, icon: str, name: str, words: str, action: Any) -> ui.button:
        button = ui.button(icon=icon, on_click=action)
        mark(button.props("flat dense color=blue-grey-3"), name, name).tooltip(words)
        return button

    def _download(self) -> None:
        """The samples on the display, at the full rate: frozen ones, or those of the moment."""
        name = self._page.feed.card.name
        ui.download.content(self.scope.to_csv(), f"{name}-t{self.scope.shown[1]:.3f}.csv", "text/csv")

    def _set(self, **changes: Any) -> None:
        if all(getattr(self.scope.setup, name) == value for name, value in changes.items()):
            return
        if self._page.act(lambda: self.scope.set(replace(self.scope.setup, **changes))):
            self._configure()

    def _mode(self, mode: str) -> None:
        self._show_trigger(mode)
        self._set(mode=mode)

    def _show_trigger(self, mode: str) -> None:
        self._trigger.set_visibility(mode != Mode.ROLL.value)
        if mode != Mode.ROLL.value:
            self._on.fill()

    def _turn(self) -> None:
        self._set(rising=not self.scope.setup.rising)

    def _level(self, level: float | None) -> None:
        if level is not None:
            self._set(level=level)

    def _limits(self, low: float | None, high: float | None) -> None:
        self._set(low=low, high=high)

    def _again(self) -> None:
        self.scope.freeze(False)
        self.scope.trigger.arm(self._page.feed.time)
        self._configure()

    def _toggle_freeze(self) -> None:
        self.scope.freeze(not self.scope.frozen)
        self._configure()

    def _toggle_cursors(self) -> None:
        if self.scope.cursors is None:
            self.scope.freeze(True)
            low, high = self.scope.shown
            self.scope.cursors = low + 0.3 * (high - low), low + 0.7 * (high - low)
        else:
            self.scope.cursors = None
        self._configure()

    def _toggle_lanes(self) -> None:
        self.scope.setup.lanes = not self.scope.setup.lanes
        self._configure()

    def show_still(self, still: Still) -> None:
        """What a scope of another page kept."""
        self.scope.show_still(still)
        self._configure()
        if self._ready:
            self._send(whole=True)

    # ---- the screen
    def _came(self) -> None:
        self._ready = True
        self._configure()
        self._send(whole=True)

    def _dragged(self, event: Any) -> None:
        at = event.args.get("at") if isinstance(event.args, dict) else None
        if self.scope.cursors is None or not isinstance(at, list) or len(at) != 2:
            return
        if all(isinstance(t, int | float) and math.isfinite(t) for t in at):
            self.scope.cursors = float(at[0]), float(at[1])
            self._show_legend()

    def _configure(self) -> None:
        setup, signals = self.scope.setup, self._page.feed.signals
        self._freeze.props(f"color={'amber' if self.scope.frozen else 'blue-grey-3'}")
        self._rising.set_icon("trending_up" if setup.rising else "trending_down")
        triggered = setup.mode != Mode.ROLL.value
        on = setup.signals.index(setup.trigger) if setup.trigger in setup.signals else -1
        if self._ready:
            config = {
                "names": setup.signals,
                "units": [signals[name].unit for name in setup.signals],
                "low": setup.low,
                "high": setup.high,
                "lanes": setup.lanes,
                "level": setup.level if triggered and on >= 0 else None,
                "levelOn": on,
                "cursors": list(self.scope.cursors) if self.scope.cursors else None,
                "still": self.scope.frozen,
            }
            if not setup.signals:
                config |= {"x": [], "y": []}
            self.screen.tell("setup", config)
        self._show_legend()

    def _show_legend(self) -> None:
        signals, readings = self._page.feed.signals, self.scope.read()
        names = {}
        for k, name in enumerate(self.scope.setup.signals):
            unit = "" if signals[name].unit == "1" else f" [{html.escape(signals[name].unit)}]"
            square = f"<span style='color:{COLOURS[k % len(COLOURS)]}'>&#9632;</span>"
            names[name] = f"{square} {html.escape(name)}{unit}"
        self._legend.set_content(" ".join(f"<span>{words}</span>" for words in names.values()))
        self._readings.set_visibility(bool(readings))
        if self.scope.cursors is None or not readings:
            return
        a, b = self.scope.cursors
        head = "".join(f"<th>{word}</th>" for word in ("A", "B", "Δ", "Δ/Δt", "mean", "rms", "minimum", "maximum"))
        rate = f", {1.0 / (b - a):.4g} Hz" if a != b else ""
        rows = [f"<tr><th>Δt = {b - a:.6g} s{rate}</th>{head}</tr>"]
        for name, r in readings.items():
            numbers = (r.a, r.b, r.difference, r.slope, r.mean, r.rms, r.minimum, r.maximum)
            rows.append(f"<tr><td>{names[name]}</td>" + "".join(f"<td>{x:.5g}</td>" for x in numbers) + "</tr>")
        self._readings.set_content(f"<table class='facts mono'>{''.join(rows)}</table>")

    def _send(self, whole: bool = False) -> None:
        message = self.scope.message(whole)
        if message is not None:
            self.screen.tell("feed", message)

    def update(self) -> None:
        """Sends what is new."""
        if self._ready:
            self._send()
