"""Where tunable numbers live: the simulator's session, and the sessions of its controllers, which come and go."""

from __future__ import annotations

from dataclasses import dataclass, field

from samara.realtime.mailbox.shared import MailboxError, directory
from samara.realtime.session import Session
from samara.realtime.session.card import Signal


@dataclass
class Source:
    """A session with parameters. label: "model", or that of a controller; values: those in force."""

    label: str
    session: Session
    values: dict[str, float] = field(default_factory=dict)

    @property
    def signals(self) -> dict[str, Signal]:
        """The parameters by name."""
        return {signal.name: signal for signal in self.session.card.parameters}

    def read(self) -> None:
        """Brings `values` up to date."""
        sample = self.session.parameters.read()
        if sample.sequence:
            names = (signal.name for signal in self.session.card.parameters)
            self.values = dict(zip(names, sample.values.tolist(), strict=True))


class Sources:
    """All of them, by label; `look` finds those that came and went."""

    MODEL = "model"

    def __init__(self, session: Session) -> None:
        self._name = session.card.name
        self.all: dict[str, Source] = {self.MODEL: Source(self.MODEL, session)}

    def read(self) -> None:
        """Brings all values up to date."""
        for source in self.all.values():
            source.read()

    def look(self) -> tuple[list[str], list[str]]:
        """Labels that came and that went since the last look."""
        gone = [label for label, source in self.all.items() if label != self.MODEL and not source.session.there]
        for label in gone:
            self.all.pop(label).session.close()
        came = []
        prefix = f"{self._name}."
        for path in sorted(directory().glob(f"{prefix}*/session.json")):
            label = path.parent.name.removeprefix(prefix)
            if label in self.all:
                continue
            try:
                session = Session.connect(path.parent.name, timeout=0.0)
            except (MailboxError, ValueError, OSError):
                continue  # it has just ended, or is not of this version
            if session.card.sensors or not session.card.parameters:  # a simulator of its own
                session.close()
                continue
            self.all[label] = Source(label, session)
            came.append(label)
        return came, gone

    def close(self) -> None:
        """Lets go of the controllers' sessions; the simulator's belongs to whoever opened it."""
        for label, source in self.all.items():
            if label != self.MODEL:
                source.session.close()
