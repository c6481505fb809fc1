"""Starts the panel as a process beside this one. Nothing of NiceGUI is loaded here."""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time as clock
from collections.abc import Sequence
from typing import IO, Any, NamedTuple

from samara.entry import command

#: Of what a panel that does not start has said, so much is told at most [characters].
TOLD = 2000


class PanelError(RuntimeError):
    """A panel that does not start."""


class Panel(NamedTuple):
    """The process, and the addresses with their tokens."""

    process: subprocess.Popen[str]
    operator: str
    viewer: str


def installed() -> bool:
    """Whether there is what a panel needs."""
    return importlib.util.find_spec("nicegui") is not None


def start_panel(
    session: str,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    linger: float | None = None,
    pilot_timeout: float | None = None,
    open_browser: bool = False,
    again: Sequence[str] = (),
    only_pages: bool = False,
    patience: float = 10.0,
    timeout: float = 60.0,
) -> Panel:
    """The panel of a session, once it serves; waits up to `patience` [s] for the session and `timeout` [s] for all.

    It ends by itself when the simulator has ended and no page has been open for `linger` [s]. again: the command that
    starts the simulator again, for a button of the operator's page. only_pages: whether it ends without pages also
    while the simulator is there. A pilot not heard for `pilot_timeout` [s] is lost. Ctrl-C in the terminal does not
    reach it. What it says until it serves is told here; it does not keep the terminal, or a pipe behind it, open.
    """
    if not installed():
        raise PanelError('the panel needs NiceGUI: pip install "samara[panel]"')
    task: dict[str, Any] = {
        "session": session,
        "host": host,
        "port": port,
        "timeout": patience,
        "open_browser": open_browser,
        "again": list(again),
        "only_pages": only_pages,
    }
    given = {"linger": linger, "pilot_timeout": pilot_timeout}
    task |= {name: value for name, value in given.items() if value is not None}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        process = subprocess.Popen(
            command("samara.dashboard.server.process", **task), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=said, text=True, start_new_session=True,
        )  # fmt: skip
        panel = _served(process, session, timeout, said)
        sys.stderr.write(_words(said))
    return panel


def _served(process: subprocess.Popen[str], session: str, timeout: float, said: IO[str]) -> Panel:
    """Waits for the addresses; raises with what the process said when there are none."""
    lines: queue.Queue[str] = queue.Queue()

    def read() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            lines.put(line)
        process.stdout.close()
        lines.put("")

    threading.Thread(target=read, daemon=True, name="samara-panel").start()
    text, end = "", clock.monotonic() + timeout
    while True:
        try:
            line = lines.get(timeout=max(end - clock.monotonic(), 0.01))
        except queue.Empty:
            process.kill()
            process.wait()
            words = f"the panel of session {session!r} was not ready after {timeout:g} s\n{_words(said)}"
            raise PanelError(words.strip()) from None
        text += line
        try:
            news = json.loads(text)
        except ValueError:
            news = None
        if news is not None and "operator" in news:
            return Panel(process, news["operator"], news["viewer"])
        if not line:
            process.wait()
            why = (news or {}).get("error", f"exit code {process.returncode}\n{_words(said)}".strip())
            raise PanelError(f"the panel of session {session!r} did not start: {why}")


def _words(said: IO[str]) -> str:
    """The end of what was written to a file so far. A place of its own is read from: the writer shares the file's."""
    size = os.fstat(said.fileno()).st_size
    return os.pread(said.fileno(), TOLD, max(size - TOLD, 0)).decode("utf-8", "replace")
