"""The recorder, a process beside the simulator, as the panel sees it."""

from __future__ import annotations

from samara.realtime import recording
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.recording.selection import everything
from samara.realtime.session import Session


class RecorderControl:
    """Says what the recorder does, and asks it to start or stop. An armed one keeps the seconds before the start."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._seen: recording.RecorderState | None = None

    def _look(self) -> recording.RecorderState:
        return recording.state(self._session)

    @property
    def running(self) -> bool:
        """Whether there is a recorder to ask."""
        return self._look().alive

    @property
    def on(self) -> bool:
        """Whether it records."""
        found = self._look()
        return found.alive and found.on

    @property
    def state(self) -> str:
        """In a few words."""
        found = self._look()
        if not found.alive:
            return f"no recorder is running: start `samara record {self._session.card.name} --armed`"
        if found.message:
            return found.message
        lost = f", {found.lost} steps lost" if found.lost else ""
        size = f"{found.rows} rows, {found.bytes / 1e6:.1f} MB{lost}"
        if found.on:
            return f"recording {found.file}: {size}; {found.keeps}"
        return f"ready{f'; last {found.file}' * bool(found.file)}. Would record {found.keeps}"

    @property
    def whole(self) -> str:
        """What recording everything would be."""
        return str(everything(self._session.card))

    def ask(self, what: str) -> str:
        """start (what it was told to keep), start all (all channels, every step) or stop; the answer."""
        if what not in ("start", "start all", "stop"):
            raise ValueError(f"a recorder can only start and stop, not {what!r}")
        if not self.running:
            return self.state
        try:
            if what == "stop":
                recording.stop(self._session)
            else:
                recording.start(self._session, everything=what == "start all")
        except MailboxError as error:
            return str(error)
        return "told"

    def news(self) -> list[str]:
        """What it did since the last call."""
        found, before = self._look(), self._seen
        self._seen = found
        if before is None:
            return []
        told = []
        if found.alive != before.alive:
            told.append("the recorder is ready" if found.alive else "the recorder has ended")
        if found.on and not before.on:
            told.append(f"recording {found.file}")
        told += [f"complete: {name}" for name in found.finished[len(before.finished) :]]
        if found.message and found.message != before.message:
            told.append(found.message)
        return told
