"""Frames of a page: those that a slow one cannot take in are left out, so that what it shows is the newest.

The page is asked now and then, behind what was sent before; while an answer is overdue nothing is sent to it. Cards
show what is new since their last frame, so that a trace has no gap when the page is back. Else what waits for the page
would grow until the web library gives up and loads it anew.
"""

from __future__ import annotations

import math
from typing import Any

from samara.dashboard.cards.screens import FrameScreen

#: How often a page is asked, for how long its answer may be out before frames are left out, and after which time it is
#: asked again, with one frame: an answer may be lost with a connection [s].
OFTEN, SLOW, AGAIN = 0.2, 0.5, 5.0


class Frames:
    """Whether a page keeps up. Times are of a clock that goes on [s].

    dropped: frames that were left out.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._asked, self._answered = 0, 0
        self._when = -math.inf

    def keeps_up(self, now: float) -> bool:
        """Whether no answer is overdue."""
        return self._answered == self._asked or now - self._when <= SLOW

    def due(self, now: float) -> bool:
        """Whether a frame may be sent now; one that may not is left out, and counted."""
        if self.keeps_up(now) or now - self._when > AGAIN:
            return True
        self.dropped += 1
        return False

    def ask(self, now: float) -> int | None:
        """The number that a page is to answer after the present frame; None where it need not be asked."""
        if now - self._when < (OFTEN if self._answered == self._asked else AGAIN):
            return None
        self._asked, self._when = self._asked + 1, now
        return self._asked

    def answer(self, number: Any) -> None:
        """What the page says; an answer to an earlier question says nothing of the last."""
        if number == self._asked:
            self._answered = self._asked


class FrameCard:
    """Asks the page, and is told its answers; nothing of it is seen."""

    def __init__(self) -> None:
        self.frames = Frames()
        self._screen = FrameScreen()
        self._screen.on("answer", lambda event: self._hear(event.args))

    def _hear(self, message: Any) -> None:
        if isinstance(message, dict):
            self.frames.answer(message.get("number"))

    def ask(self, now: float) -> None:
        """After a frame."""
        if (number := self.frames.ask(now)) is not None:
            self._screen.tell("ask", number)
