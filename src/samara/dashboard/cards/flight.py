"""The pilot's card: the sticks, who holds them, and the instruments."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from nicegui import ui

from samara.dashboard.cards.screens import FlightScreen
from samara.dashboard.flight.attitude import attitude, readings
from samara.dashboard.flight.pilot import PilotSeat

if TYPE_CHECKING:
    from samara.dashboard.page import Page

#: What is said of the keys, where the button is.
KEYS = "arrows: cyclic; W, S: collective; A, D: pedals; space: neutral; R: reset; C: camera; Esc: release the sticks"
#: A browser that answers within this time can draw as often as the sticks are sent [ms].
PROMPT = 60.0
#: What a page tells of its clock [ms]: when it spoke, and how long answers take; and what counts if it does not.
_TIMES = {"when": 0.0, "delay": math.inf}


class FlightCard:
    """Takes the sticks for this page and gives them back; what the browser tells of the pilot's hands goes to the seat.

    The keys are this card's only while the page flies: then no other part of the page gets them.
    """

    def __init__(self, page: Page, seat: PilotSeat) -> None:
        self._page, self._seat = page, seat
        self._heard, self._delay = 0.0, math.inf
        who = page.visitor
        with ui.element("div").classes("box").props('data-testid="flight" role="region" aria-label="flight"'):
            with ui.element("div").classes("head"):
                ui.label("Flight").classes("title")
                self._button = ui.button("take the sticks", icon="sports_esports", on_click=self._switch)
                self._button.props('dense outline color=blue-grey-2 data-testid="fly"')
                self._button.set_enabled(who.may_command)
                self._state = ui.label("").classes("soft small").props('data-testid="pilot" role="status"')
                ui.element("div").style("flex: 1")
                ui.label(KEYS).classes("soft tiny")
            axes = {name: {"input": a.input, "unit": a.unit, "springs": a.springs} for name, a in seat.axes.items()}
            self._screen = FlightScreen(axes)
            self._screen.on("hands", lambda event: self._hear(event.args))
            self._screen.on("reset", lambda: page.act(lambda: seat.reset(who)))
            self._screen.on("leave", lambda: seat.leave(who))
        ui.context.client.on_disconnect(lambda: seat.part(who))

    @property
    def flying(self) -> bool:
        """Whether this page has the sticks."""
        return self._seat.flies(self._page.visitor)

    @property
    def prompt(self) -> bool:
        """Whether the browser keeps up: one that draws without a graphics card has enough to do as it is."""
        return self._delay < PROMPT

    def _switch(self) -> None:
        who = self._page.visitor
        if self.flying:
            self._seat.leave(who)
        else:
            self._page.act(lambda: self._seat.take(who))
        self._show_state()

    def _hear(self, message: Any) -> None:
        self._seat.hear(self._page.visitor, message)
        if isinstance(message, dict):
            self._heard, self._delay = (_number(message.get(name), wrong) for name, wrong in _TIMES.items())

    def update(self) -> None:
        """Sticks and instruments, at every update of the page."""
        feed, seat = self._page.feed, self._seat
        sticks, poses = feed.scene["sticks"], feed.poses()
        lies = None
        if 0 <= sticks["craft"] < len(poses) and np.any(poses[sticks["craft"]]):
            found = attitude(sticks, poses[sticks["craft"]])
            lies = {name: round(value, 4) for name, value in vars(found).items()}
        at = seat.stands()
        self._screen.tell(
            "feed",
            {
                "mine": self.flying,
                "heard": self._heard,
                "at": {name: round(value, 4) for name, value in at.items()},
                "values": {name: float(f"{seat.axes[name].value(value):.6g}") for name, value in at.items()},
                "lies": lies if lies is not None and all(map(math.isfinite, lies.values())) else None,
                "readings": {k: round(v, 3) for k, v in readings(feed.scene, feed.latest).items() if math.isfinite(v)},
            },
        )
        if self._page.tick % 5 == 4:
            self._show_state()

    def _show_state(self) -> None:
        seat = self._seat
        self._button.set_text("let go" if self.flying else "take the sticks")
        if self.flying:
            words = "you fly"
        elif seat.pilot is not None:
            words = f"{seat.pilot} flies"
        else:
            words = "returning to rest" if seat.taken else "nobody flies"
        self._state.set_text(words + (", no signal: hands off" if seat.quiet() else ""))


def _number(value: Any, wrong: float) -> float:
    return float(value) if type(value) in (int, float) and math.isfinite(value) else wrong
