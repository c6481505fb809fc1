"""What a panel shows: the session of a simulator, and of the next one that is started under its name."""

from __future__ import annotations

from collections.abc import Sequence

from samara.dashboard.desk.desk import Desk
from samara.dashboard.desk.rerun import Rerun
from samara.dashboard.feed.events import EventKind, EventLog
from samara.dashboard.feed.feed import Feed
from samara.dashboard.flight.pilot import PilotSeat
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session import Session

#: Between two looks for the next simulator [s].
LOOK = 0.5


class Shown:
    """Feed, desk and sticks, replaced together by `renew`. Events and alarms are kept.

    again: the command that starts the simulator again, if the panel may.
    """

    def __init__(self, name: str, timeout: float, pilot_timeout: float, again: Sequence[str] = ()) -> None:
        self.name, self._pilot_timeout = name, pilot_timeout
        self.rerun = Rerun(again) if again else None
        self.events = EventLog()
        self._look_at = 0.0
        self._before: Feed | None = None
        self._attach(Session.connect(name, timeout=timeout))
        self.desk.begin()

    def _attach(self, session: Session) -> None:
        self.feed = Feed(session, events=self.events)
        self.desk = Desk(self.feed, self.rerun)
        self.seat = PilotSeat(self.desk, self._pilot_timeout)

    def renew(self, now: float) -> bool:
        """Attaches to the next simulator once it is there; whether it has. now: a clock that goes on [s]."""
        if now < self._look_at or self.feed.there:
            return False
        self._look_at = now + LOOK
        try:
            session = Session.connect(self.name, timeout=0.0)
        except MailboxError:
            return False
        if self._before is not None:  # pages that still show it have been loaded anew since
            self._before.close()
        self._before, rules = self.feed, self.feed.alarms.rules
        self._attach(session)
        self.feed.alarms.replace([rule for rule in rules if rule.signal in self.feed.signals])
        self.events.add(EventKind.LOOP, f"{self.feed.card.process} runs session {self.name} again")
        return True

    def close(self) -> None:
        """Lets go of the sessions, and ends a run that was started here."""
        if self.rerun is not None:
            self.rerun.stop()
        for feed in (self._before, self.feed):
            if feed is not None:
                feed.close()
