"""One page of the panel in one browser: the bar on top, and the cards."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from nicegui import ui

from samara.dashboard.access.roles import RefusedError, Visitor
from samara.dashboard.cards.alarms import AlarmCard
from samara.dashboard.cards.bar import TopBar
from samara.dashboard.cards.component import Component
from samara.dashboard.cards.flight import FlightCard
from samara.dashboard.cards.frames import FrameCard
from samara.dashboard.cards.gauges import GaugeCard
from samara.dashboard.cards.log import LogCard
from samara.dashboard.cards.parameters import ParameterCard
from samara.dashboard.cards.record import RecordCard
from samara.dashboard.cards.scopes import ScopeCards
from samara.dashboard.cards.timing import TimingCard
from samara.dashboard.desk import layouts
from samara.dashboard.desk.desk import Desk
from samara.dashboard.desk.kept_pages import KeptPage, KeptPages
from samara.dashboard.desk.layouts import PanelLayout
from samara.dashboard.feed.events import EventKind
from samara.dashboard.feed.feed import RATE, Feed
from samara.dashboard.flight.pilot import RATE as STICK_RATE
from samara.dashboard.flight.pilot import PilotSeat
from samara.dashboard.views import rotor_view, scene_view
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session.command import Command

#: A button that was clicked with the mouse gives the keys back to the page; its focus may be in a part of it.
FREE_KEYS = (
    "document.addEventListener('click', e => { const b = e.target.closest('button'); if (b && e.detail) "
    "setTimeout(() => { if (b.contains(document.activeElement)) document.activeElement.blur(); }); })"
)
#: For screen readers and keyboards: the language of the page, and what scrolls can be reached by the Tab key.
READABLE = (
    "document.documentElement.lang = 'en'; const reach = () => document.querySelectorAll('.rows, .side, .bar, "
    ".q-tab-panel, .nicegui-scroll-area').forEach(e => { const scrolls = e.scrollHeight > e.clientHeight + 1 || "
    "e.scrollWidth > e.clientWidth + 1; if (scrolls) e.tabIndex = 0; else e.removeAttribute('tabindex'); }); "
    "setInterval(reach, 2000); setTimeout(reach, 200);"
)
LOOK = Path(__file__).with_name("look.css")


class PageCard(Protocol):
    """Part of a page: brought up to date by its timer."""

    def update(self) -> None:
        """Shows what is new in the feed."""


class Page:
    """What the cards of a page share. tick: updates of the page so far."""

    def __init__(self, feed: Feed, desk: Desk, seat: PilotSeat, visitor: Visitor, kept: KeptPages) -> None:
        self.feed, self.desk, self.seat, self.visitor = feed, desk, seat, visitor
        self._kept, self._tab = kept, ""
        self.tick = 0
        self.scale = 1.0
        self._cards: list[PageCard] = []
        self._flight: FlightCard | None = None
        self._quick: list[PageCard] = []
        self._build()

    # ---- for cards
    def act(self, action: Callable[[], object]) -> bool:
        """Does what a click asks for; a refusal or an error is shown. Whether it was done."""
        try:
            action()
        except (RefusedError, ValueError, MailboxError, OSError) as error:
            ui.notify(str(error), type="negative", position="top", timeout=4000)
            return False
        return True

    def set_scale(self, scale: float) -> None:
        """Scale of the font size, 1: by the width of the screen."""
        self.scale = min(max(scale, 0.5), 3.0)
        _ = ui.run_javascript(f"document.documentElement.style.setProperty('--scale', {self.scale})")

    # ---- layouts
    def layout(self) -> PanelLayout:
        """What is on this page."""
        return PanelLayout(self.scopes.setups(), self.gauges.names(), self.feed.alarms.rules, self.scale)

    def show(self, layout: PanelLayout) -> None:
        """Puts a layout on this page. Its alarms stay out: they are the panel's, not of a page that opens."""
        known = self.feed.signals
        self.scopes.show(layout.scopes)
        self.gauges.show([name for name in layout.gauges if name in known])
        self.set_scale(layout.scale)

    def save(self, name: str) -> None:
        """Keeps this page's layout under a name."""
        self.desk.check(self.visitor, f"save layout {name!r}")
        layouts.save(self.feed.card.model, name, self.layout())
        self.feed.events.add(EventKind.LAYOUT, f"saved {name!r}", str(self.visitor))

    def load(self, name: str) -> None:
        """Takes up a layout that was saved, and if an operator asks its alarms, which are for all."""
        layout = layouts.load(self.feed.card.model, name)
        self.show(layout)
        if self.visitor.may_command:
            self.desk.take_alarms(self.visitor, layout)

    # ---- the page
    def _build(self) -> None:
        ui.add_css(LOOK.read_text(encoding="utf-8"))
        card = self.feed.card
        ui.page_title(f"{card.model or card.name} - Samara")
        self._cards.append(TopBar(self))
        with ui.element("div").classes("grid"):
            with ui.element("div").classes("side"):
                self.gauges = GaugeCard(self)
                self._cards += [self.gauges, TimingCard(self), RecordCard(self)]
            with ui.element("div").classes("side"):
                self._middle()
                with _box("fill").style("flex: 0 0 13rem"):
                    with ui.tabs().props("dense align=left no-caps") as tabs:
                        events, alarms = ui.tab("Events"), ui.tab("Alarms")
                    with ui.tab_panels(tabs, value=events, animated=False).props("keep-alive").classes("fill-panels"):
                        with ui.tab_panel(events):
                            self._cards.append(LogCard(self))
                        with ui.tab_panel(alarms):
                            self._cards.append(AlarmCard(self))
            with ui.element("div").classes("side"):
                self._right()
                self._cards.append(ParameterCard(self))
        ui.keyboard(on_key=self._key)
        self._frames = FrameCard()
        ui.add_body_html(f"<script>{FREE_KEYS}</script><script>{READABLE}</script>")
        self._undecided: PanelLayout | None = None
        try:
            self.show(layouts.first(self.feed))
            if layouts.DEFAULT not in layouts.names(card.model) and not layouts.settled(self.feed):
                self._undecided = self.layout()
        except ValueError as error:
            ui.notify(f"the default layout was not loaded: {error}", type="warning")
        ui.timer(1.0 / RATE, self.update)
        client = ui.context.client
        client.on_connect(lambda: self._find_again(client.tab_id or ""))
        client.on_disconnect(self._keep)

    # ---- across a reload
    def _find_again(self, tab: str) -> None:
        """What was on this tab's page before: once, when the page is first connected."""
        if self._tab or not tab:
            return
        self._tab = tab
        if (kept := self._kept.take(tab, self.visitor.role)) is not None:
            self.show(kept.layout)
            self.scopes.show_stills(kept.stills)
            self._undecided = None

    def _keep(self) -> None:
        if self._tab:
            self._kept.keep(self._tab, self.visitor.role, KeptPage(self.layout(), self.scopes.stills()))

    def _middle(self) -> None:
        """The scopes; of what can be flown the view, and the sticks below it."""
        if not self.seat.there:
            self._scopes()
            return
        self._views()
        self._flight = FlightCard(self, self.seat)
        self._quick = [*(card for card in self._cards if isinstance(card, Component)), self._flight]
        self._cards.append(self._flight)
        ui.timer(1.0 / STICK_RATE, self._hurry)

    def _right(self) -> None:
        """What is not in the middle."""
        if self.seat.there:
            self._scopes()
        else:
            self._views()

    def _scopes(self) -> None:
        self.scopes = ScopeCards(self)
        self._cards.append(self.scopes)

    def _views(self) -> None:
        """The machine and the rotor, where they can be shown."""
        views = {"Machine": scene_view, "Rotor": rotor_view}
        there = {title: view.build for title, view in views.items() if view.present(self.feed)}
        if not there:
            return
        with _box("fill"):
            with ui.tabs().props("dense align=left no-caps") as tabs:
                names = {title: ui.tab(title) for title in there}
            first = next(iter(names.values()))
            with ui.tab_panels(tabs, value=first, animated=False).props("keep-alive").classes("fill-panels"):
                for title, build in there.items():
                    with ui.tab_panel(names[title]).classes("view-panel"):
                        self._cards.append(Component(build, self.feed))

    def _key(self, event: object) -> None:
        action, key = getattr(event, "action", None), getattr(event, "key", None)
        if action is None or key is None or not action.keydown or action.repeat:
            return
        if self._flight is not None and self._flight.flying:
            return  # the keys are the pilot's
        if key.space:
            self.act(lambda: self.desk.toggle(self.visitor))
        elif key.name in ("s", "S"):
            self.act(lambda: self.desk.command(self.visitor, Command.STEP, 1))

    def _decide(self) -> None:
        """Chooses the signals of a page that was opened before the run: again once it runs, if nobody has meanwhile."""
        before, self._undecided = self._undecided, None
        here = self.layout()
        if before is None or (here.scopes, here.gauges) != (before.scopes, before.gauges):
            return
        layout = layouts.first(self.feed)
        if (layout.scopes, layout.gauges) != (here.scopes, here.gauges):
            layout.scale = self.scale
            self.show(layout)

    def update(self) -> None:
        """All cards, from what the feed has; of a page that does not keep up this frame is left out."""
        now = clock.monotonic()
        if not self._frames.frames.due(now):
            return
        self.tick += 1
        if self._undecided is not None and layouts.settled(self.feed):
            self.act(self._decide)
        quick = self._quick if self._hurries else ()
        for card in self._cards:
            if card not in quick:
                card.update()
        self._frames.ask(now)

    @property
    def _hurries(self) -> bool:
        """Whether this page shows the machine and the sticks to a pilot as often as the sticks are sent."""
        return self._flight is not None and self._flight.flying and self._flight.prompt

    def _hurry(self) -> None:
        if self._hurries and self._frames.frames.keeps_up(clock.monotonic()):
            self.feed.glance()
            for card in self._quick:
                card.update()


def _box(*classes: str) -> ui.element:
    return ui.element("div").classes(" ".join(("box", *classes)))
