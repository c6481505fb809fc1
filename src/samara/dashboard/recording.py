"""The recorder, a process beside the simulator, as the panel sees it."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from samara.realtime.session import Session
from samara.realtime.shared import MailboxError


class Recorder:
    """Says what the recorder does, and asks it to start or stop. An armed one keeps the seconds before the start."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._module = _recording()
        self._seen: Any = None

    def _look(self) -> Any:
        return None if self._module is None else self._module.state(self._session)

    @property
    def running(self) -> bool:
        """Whether there is a recorder to ask."""
        found = self._look()
        return found is not None and found.alive

    @property
    def on(self) -> bool:
        """Whether it records."""
        found = self._look()
        return found is not None and found.alive and found.on

    @property
    def state(self) -> str:
        """In a few words."""
        found = self._look()
        if found is None or not found.alive:
            return f"no recorder is running: start `samara record {self._session.card.name} --armed`"
        if found.message:
            return str(found.message)
        lost = f", {found.lost} steps lost" if found.lost else ""
        size = f"{found.rows} rows, {found.bytes / 1e6:.1f} MB{lost}"
        return f"recording {found.file}: {size}" if found.on else f"ready{f'; last {found.file}' * bool(found.file)}"

    def ask(self, what: str) -> str:
        """start or stop; the answer."""
        if what not in ("start", "stop"):
            raise ValueError(f"a recorder can start and stop, not {what!r}")
        if self._module is None or not self.running:
            return self.state
        try:
            (self._module.start if what == "start" else self._module.stop)(self._session)
        except MailboxError as error:
            return str(error)
        return "told"

    def news(self) -> list[str]:
        """What it did since the last call."""
        found, before = self._look(), self._seen
        self._seen = found
        if found is None or before is None:
            return []
        told = []
        if found.alive != before.alive:
            told.append("the recorder is ready" if found.alive else "the recorder has ended")
        if found.on and not before.on:
            told.append(f"recording {found.file}")
        told += [f"complete: {name}" for name in found.finished[len(before.finished) :]]
        if found.message and found.message != before.message:
            told.append(str(found.message))
        return told


def _recording() -> ModuleType | None:
    try:
        return importlib.import_module("samara.realtime.recording")
    except ModuleNotFoundError:
        return None
