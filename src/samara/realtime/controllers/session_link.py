"""The link to a simulator in another process, through the mailboxes of its session."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from samara.realtime.controllers.controller import ControllerError
from samara.realtime.controllers.link import Info, LinkPort, Snapshot
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session import Session
from samara.realtime.session.card import Signal
from samara.realtime.session.command import Command

#: Pause between two looks into the mailbox [s]: short beside a period of 1 ms, and idle enough for one core.
PAUSE = 50e-6
#: How often a controller shows life while it waits [s].
BEAT = 0.02
#: Characters of a session's name, at most.
LONGEST_NAME = 64


class WantedNumbers:
    """All tunable numbers with the pending requests applied; see `samara.realtime.session.tuning`."""

    def __init__(self) -> None:
        self.values: dict[str, float] = {}
        self.examine: Callable[[Mapping[str, float]], None] = lambda values: None

    def put(self, values: Mapping[str, float]) -> dict[str, float]:
        """Looks whether these go together with all others; what they were before."""
        wanted = {**self.values, **values}
        self.examine(wanted)
        before = {name: self.values[name] for name in values}
        self.values = wanted
        return before

    def take_back(self, before: Mapping[str, float]) -> None:
        """As it was."""
        self.values = {**self.values, **before}


class SessionLink:
    """A controller's link to the session of a simulator.

    session: the name of the session. label: of this controller; its tunable numbers are the parameters of a session of
    its own, ``session.label``, where a panel finds and tunes them as those of a simulator.
    """

    def __init__(self, session: str, label: str, timeout: float = 5.0) -> None:
        self.name, self.label = session, label
        self._session = Session.connect(session, timeout=timeout)
        self._claim: Any = None
        self._own: Any = None
        self._wanted, self._tuning = WantedNumbers(), None
        self._names: tuple[Sequence[str], Sequence[str]] = ((), ())
        self._time = 0.0

    @property
    def info(self) -> Info:
        """As the session's card tells it."""
        card = self._session.card
        sensors, actuators = (
            tuple(LinkPort(s.name, s.unit) for s in group) for group in (card.sensors, card.actuators)
        )
        return Info(self.name, card.rate, sensors, actuators)

    def open(self, sensors: Sequence[str], actuators: Sequence[str]) -> None:
        """Takes the actuators, and finds the sensors in their mailbox."""
        self._names = sensors, actuators
        order = [signal.name for signal in self._session.card.sensors]
        self._columns = [order.index(name) for name in sensors]
        with _told():
            self._claim = self._session.claim(list(actuators))

    def wait(self, timeout: float) -> Snapshot | None:
        """Looks into the mailbox until something new is there, and shows life meanwhile."""
        box, end = self._session.sensors, time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0.0:
            found = box.wait(min(left, BEAT), PAUSE)
            if found.fresh:
                self._time = found.time
                values = found.values.tolist()
                return Snapshot([values[k] for k in self._columns], found.time, 1e-9 * found.stamp, found.sequence)
            self._claim.beat()
        return None

    def send(self, values: Sequence[float], time: float) -> None:
        """Sends the actuators' values."""
        self._claim.write(values, time)

    def announce(self, parameters: list[dict[str, Any]]) -> None:
        """Shows the tunable numbers in the controller's own session."""
        if not parameters:
            return
        if self._own is None:
            signals = [
                Signal(
                    p["name"],
                    p["unit"],
                    description=p["description"],
                    limits=(p["lower"], p["upper"]),
                    whole=p["whole"],
                )
                for p in parameters
            ]
            with _told():
                name = f"{self.name}.{self.label}"[:LONGEST_NAME]
                self._own = Session.create(name, rate=self._session.card.rate, parameters=signals)
        self._own.parameters.write([p["value"] for p in parameters], self._time)
        if not self._own.requests.waiting:
            self._wanted.values = {p["name"]: p["value"] for p in parameters}

    def consult(self, examine: Callable[[Mapping[str, float]], None]) -> None:
        """Answers whoever wants to tune, in a thread of its own; where there is no room for that, nobody is asked."""
        self._wanted.examine = examine
        if self._own is not None and self._tuning is None:
            with suppress(MailboxError):
                self._tuning = self._own.serve_tuning(self._wanted)

    def changes(self) -> dict[str, float]:
        """What others have asked of the controller's own session."""
        if self._own is None or not self._own.requests.waiting:
            return {}
        wanted, names = {}, [signal.name for signal in self._own.card.parameters]
        for command, place, value in self._own.requests.drain().values.tolist():
            if command == Command.TUNE:
                wanted[names[int(place)]] = value
        return wanted

    def alive(self) -> bool:
        """Whether the simulator's process lives, and its session is still the same."""
        return bool(self._session.there)

    def reopen(self, timeout: float) -> bool:
        """Connects to a simulator that has come back under the same name."""
        try:
            session = Session.connect(self.name, timeout=timeout)
        except MailboxError:
            return False
        if session.card.rate != self._session.card.rate:
            raise ControllerError(
                f"the simulator {self.name!r} restarted at {session.card.rate:g} Hz instead of "
                f"{self._session.card.rate:g} Hz: restart the controller"
            )
        self._leave()
        self._session = session
        self.open(*self._names)
        return True

    def now(self) -> float:
        """The clock of the stamps: monotonic, the same for all processes of a machine [s]."""
        return time.monotonic()

    def close(self) -> None:
        """Gives the actuators back, and removes the controller's own session."""
        self._leave()
        if self._tuning is not None:
            self._tuning.close()
        if self._own is not None:
            self._own.close()

    def _leave(self) -> None:
        with suppress(OSError):  # the simulator may have removed it all
            self._session.close()


def connect(session: str, label: str, timeout: float = 5.0) -> SessionLink:
    """The link of a controller called `label` to the session of a simulator; waits for it up to `timeout` [s]."""
    with _told():
        return SessionLink(session, label, timeout)


@contextmanager
def _told() -> Iterator[None]:
    """What a session refuses (no such name, an actuator that is taken) becomes a controller's error."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        raise ControllerError(str(error)) from error
