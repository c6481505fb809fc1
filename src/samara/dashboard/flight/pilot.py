"""Who flies: one page at a time holds the sticks, and its hands move the session's inputs.

    page not heard for lost / 4, or closed  hands count as off: sticks that spring go back to neutral, others stay
    not heard for `lost`                    the pilot is lost: sticks go to where the model says that it is safe
    takes the sticks                        time counts from the page's first word, for until then it may not know
                                            that it flies; at most `FIRST` later
    let go on purpose                       sticks that spring go back to neutral, others stay

In the last two cases the actuators are given back once the sticks are at rest; they then hold these values. A panel
that dies is noticed by the loop itself, as any controller is: its actuators hold their last values.
"""

from __future__ import annotations

import contextlib
import math
import time as clock
from typing import Any

from samara.dashboard.access.roles import RefusedError, Visitor
from samara.dashboard.desk.desk import Desk
from samara.dashboard.feed.events import EventKind
from samara.dashboard.feed.feed import Feed
from samara.dashboard.flight.stick_motion import NOTHING, Axis, Hands, StickMotion
from samara.realtime.mailbox.seats import Claim
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session.command import Command

#: How often the sticks are sent [Hz]; the longest time that they move at once [s].
RATE, LONGEST = 50.0, 0.1
#: Silence of a page after which its pilot is lost [s], and the part of it after which its hands count as off.
LOST, QUIET = 2.0, 0.25
#: How long a page that was given the sticks may take to say its first word: as long as a connection may be silent [s].
FIRST = 20.0
#: How long sticks at rest are still sent before the actuators are given back, so the loop sees them [s], [periods].
RESTED, CYCLES = 0.25, 5.0


class PilotSeat:
    """The one place from which the panel flies. Times are of a clock that goes on [s].

    lost: silence of a page after which its pilot is lost [s].
    """

    def __init__(self, desk: Desk, lost: float = LOST) -> None:
        self.desk, self.feed, self.lost = desk, desk.feed, lost
        self.axes = axes_of(self.feed)
        self.motion = StickMotion(self.axes)
        self.pilot: Visitor | None = None
        self._claim: Claim | None = None
        self._hands = NOTHING
        self._heard = self._last = -math.inf
        self._failed = self._gone = self._spoke = False
        self._rested = 0.0
        self._resets = self._counted_resets()

    # ---- who
    @property
    def there(self) -> bool:
        """Whether the session declares sticks."""
        return bool(self.axes)

    @property
    def taken(self) -> bool:
        """Whether the panel drives the inputs, with a pilot or on the way to rest after one."""
        return self._claim is not None

    def flies(self, who: Visitor) -> bool:
        """Whether this page has the sticks."""
        return self.pilot is not None and self.pilot == who

    def quiet(self, now: float | None = None) -> bool:
        """Whether there is a pilot of whom nothing has been heard for a while."""
        return self.pilot is not None and self._spoke and _now(now) - self._heard > QUIET * self.lost

    def take(self, who: Visitor, now: float | None = None) -> None:
        """Gives the sticks to a page; refused to viewers, and while another flies or a controller drives an input.

        They begin where the inputs stand, so that nothing jumps; those that spring then go to neutral.
        """
        now = _now(now)
        self.desk.check(who, "fly")
        if not self.there:
            raise RefusedError("this session has no sticks: declare them with model.declare_sticks")
        if self.pilot is not None and self.pilot != who and not self._gone:
            self._tell(f"refused: {self.pilot} is flying", who)
            raise RefusedError(
                f"{self.pilot} is flying: only one pilot at a time; the other must release the sticks first"
            )
        if self._claim is None:
            try:
                self._claim = self.feed.session.claim([axis.input for axis in self.axes.values()])
            except MailboxError as error:
                self._tell(f"refused: {error}", who)
                raise
            self.motion.begin({name: self.feed.latest.get(a.input, math.nan) for name, a in self.axes.items()})
        self.pilot, self._hands, self._heard, self._last = who, NOTHING, now, now
        self._failed = self._gone = self._spoke = False
        self._tell("takes the sticks", who)
        self.serve(now)

    def hear(self, who: Visitor, message: Any, now: float | None = None) -> None:
        """What a page tells of its hands; of a page that does not fly it is not heeded."""
        now = _now(now)
        if self.flies(who):
            self.serve(now)
            self._hands, self._heard, self._gone = Hands.from_message(message), now, False
            self._spoke = True
            self.serve(now)

    def part(self, who: Visitor) -> None:
        """The page's connection has ended: hands off. It may come back until it is lost or replaced."""
        if self.flies(who):
            self._tell("connection lost: hands off", who)
            self._hands, self._gone, self._spoke = NOTHING, True, True

    def leave(self, who: Visitor, now: float | None = None) -> None:
        """The pilot lets go."""
        if self.flies(who):
            self._tell("releases the sticks", who)
            self.pilot, self._hands = None, NOTHING
            self.serve(now)

    def reset(self, who: Visitor) -> None:
        """The pilot begins anew: the run's start, with the sticks at neutral."""
        if self.flies(who):
            self.desk.command(who, Command.RESET)
            self.motion.centre()

    # ---- some 50 times a second
    def serve(self, now: float | None = None) -> None:
        """Moves the sticks up to now, and sends them."""
        if self._claim is None:
            return
        now = _now(now)
        duration, self._last = min(max(now - self._last, 0.0), LONGEST), max(now, self._last)
        timeout = self.lost if self._spoke else max(self.lost, FIRST)
        if self.pilot is not None and now - self._heard > timeout:
            self._tell(f"the pilot is lost (no signal for {timeout:g} s): failsafe", self.pilot)
            self.pilot, self._hands, self._failed = None, NOTHING, True
        if (resets := self._counted_resets()) != self._resets:  # whoever asked for it
            self._resets = resets
            self.motion.centre()
        if self._failed:
            rests = self.motion.fail(duration)
        else:
            self.motion.step(duration, NOTHING if self.quiet(now) else self._hands)
            rests = self.pilot is None and self.motion.at_rest
        self._claim.write([self.motion.values[name] for name in self.axes], self.feed.time)
        self._rested = self._rested + duration if rests else 0.0
        if self._rested > max(RESTED, CYCLES / self.feed.card.rate):
            self._give_back()

    def stands(self) -> dict[str, float]:
        """Where the sticks stand, by axis, -1 to 1: those that are flown, or else the inputs in force."""
        if self.taken:
            return self.motion.positions()
        latest = self.feed.latest
        return {name: axis.position(latest.get(axis.input, math.nan)) for name, axis in self.axes.items()}

    def _give_back(self) -> None:
        if self._claim is not None:
            with contextlib.suppress(OSError):  # the simulator may have removed it all
                self._claim.release()
            self._claim = None
            self.feed.events.add(EventKind.FLIGHT, "the sticks are free")

    def _counted_resets(self) -> int:
        return self.feed.health.accounts.get("resets", 0)

    def _tell(self, what: str, who: Visitor) -> None:
        self.feed.events.add(EventKind.FLIGHT, what, str(who))


def axes_of(feed: Feed) -> dict[str, Axis]:
    """The sticks that the session declares; none if one of their inputs is not there."""
    found = {name: Axis.from_json(entry) for name, entry in feed.scene.get("sticks", {}).get("axes", {}).items()}
    inputs = {signal.name for signal in feed.card.actuators}
    return found if inputs.issuperset(axis.input for axis in found.values()) else {}


def _now(now: float | None) -> float:
    return clock.monotonic() if now is None else now
