"""What happened, and who did it."""

from __future__ import annotations

import csv
import datetime
import io
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class EventKind(StrEnum):
    """What an event is about."""

    COMMAND = "command"
    TUNE = "tune"
    LOOP = "loop"
    CONTROLLER = "controller"
    ALARM = "alarm"
    RECORD = "record"
    ACCESS = "access"
    LAYOUT = "layout"
    FLIGHT = "flight"


@dataclass(frozen=True)
class Event:
    """number: counted from 1; clock: local time of day with its zone; time: simulated [s]; who: role and client."""

    number: int
    clock: datetime.datetime
    time: float
    kind: EventKind
    who: str
    text: str


class EventLog:
    """The last events, oldest first."""

    COLUMNS = ("number", "clock", "simulated time [s]", "kind", "who", "event")

    def __init__(self, most: int = 5000) -> None:
        self._events: deque[Event] = deque(maxlen=most)
        self.count = 0
        self.time = 0.0
        """Simulated time that new events get [s]."""

    def add(self, kind: EventKind, text: str, who: str = "panel") -> Event:
        """Notes something."""
        self.count += 1
        clock = datetime.datetime.now().astimezone()
        event = Event(self.count, clock, self.time, kind, who, " ".join(text.split()))
        self._events.append(event)
        return event

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def __len__(self) -> int:
        return len(self._events)

    def after(self, number: int) -> list[Event]:
        """Those that came after one, oldest first."""
        return [event for event in self._events if event.number > number]

    def to_csv(self) -> str:
        """A table for other programs. A text that a spreadsheet would take for a formula is quoted."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(self.COLUMNS)
        for e in self._events:
            row = (e.number, e.clock.isoformat(timespec="milliseconds"), f"{e.time:.6f}", e.kind.value, e.who, e.text)
            writer.writerow([f"'{cell}" if str(cell)[:1] in "=+-@" else cell for cell in row])
        return out.getvalue()
