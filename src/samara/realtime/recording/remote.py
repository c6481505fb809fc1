"""Remote control and status of the recorder, for a panel, a script or the command line.

A recorder is a separate process (`samara record`). It receives requests through the queue `recorder` of the session,
which any number of processes may use in turn, and reports its status in `recorder.json` next to it.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import time as clock
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from samara.entry import command
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.queue import push_all
from samara.realtime.mailbox.shared import MailboxError, directory, locked
from samara.realtime.recording.salvage import refuse_existing
from samara.realtime.session import Session

OFF, ON, ALL = 0.0, 1.0, 2.0
STATE = "recorder.json"


class RecordingError(MailboxError):
    """There is no recorder, or it does not respond."""


@dataclass
class RecorderState:
    """Status of the recorder of a session.

    alive:    whether its process is running. on: whether it is recording.
    file:     the results being written, or last written. rows, bytes: written to it.
    lost:     steps of this file without a row. message: what is wrong; empty if nothing is.
    finished: completed results. told: number of requests received. stamp: monotonic clock of this report [ns].
    keeps:    which channels it keeps, at what step interval, and the resulting size per second and per hour.
    """

    alive: bool = False
    on: bool = False
    file: str = ""
    rows: int = 0
    bytes: int = 0
    lost: int = 0
    message: str = ""
    finished: list[str] = field(default_factory=list)
    told: int = 0
    stamp: int = 0
    keeps: str = ""
    process: Process = field(default_factory=lambda: Process(0, 0))

    @property
    def silence(self) -> float:
        """Time since the recorder last reported [s]: it grows when it is stuck, or ended; infinite if it never did."""
        return (clock.monotonic_ns() - self.stamp) * 1e-9 if self.stamp else math.inf

    def as_dict(self) -> dict[str, Any]:
        """For JSON: what recorder.json holds."""
        return {**asdict(self), "process": self.process._asdict()}


def state(session: Session | str) -> RecorderState:
    """That of the recorder of a session, also of one that has ended or died."""
    path = session.path if isinstance(session, Session) else directory() / session
    try:
        plain: dict[str, Any] = json.loads((path / STATE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return RecorderState()
    known = {f.name for f in fields(RecorderState)}
    found = RecorderState(**{name: value for name, value in plain.items() if name in known})
    found.process = Process(**plain["process"])
    found.alive = found.alive and found.process.alive
    found.on = found.on and found.alive
    return found


def start(session: Session, wait: float = 0.0, *, everything: bool = False) -> None:
    """Recording on, from now, with what the recorder kept from before. wait: most time until it has heard it [s].

    everything: all channels at every step, whatever the recorder was started with.
    """
    _tell(session, ALL if everything else ON, wait)


def stop(session: Session, wait: float = 0.0) -> None:
    """Recording off, from now; the file is then made. wait: most time until the recorder has heard it [s]."""
    _tell(session, OFF, wait)


def _tell(session: Session, what: float, wait: float) -> None:
    queue, name = session.recorder, session.card.name
    if queue is None:
        raise RecordingError(f"session {name!r} has no queue to a recorder: start its simulator with --record ROWS")
    if not state(session).alive:
        raise RecordingError(f"session {name!r} has no recorder: start one with `samara record {name} --armed`")
    with locked(session.path / "recorder.lock"):  # several may tell; the ring has one sender at a time
        if not push_all(queue.port, np.array([[what]]), 0.0, clock.monotonic_ns()):
            raise RecordingError(
                f"the recorder of session {name!r} does not respond: {queue.waiting} requests are waiting"
            )
        ticket = queue.sent
    end = clock.monotonic() + wait
    while wait and state(session).told < ticket:
        if clock.monotonic() > end:
            raise RecordingError(f"the recorder of session {name!r} has not answered for {wait:g} s")
        clock.sleep(0.01)


def start_recorder(
    session: str,
    path: str | os.PathLike[str],
    *,
    pre: float = 0.0,
    armed: bool = False,
    every: int | None = None,
    channels: Sequence[str] | None = None,
    rate: float | None = None,
    force: bool = False,
    timeout: float = 60.0,
) -> subprocess.Popen[bytes]:
    """A recorder as a process beside this one; returns when it is ready, after at most `timeout` [s].

    It ends by itself when the simulator does: wait for it, its exit code is 1 when something was lost. Ctrl-C in the
    terminal does not reach it. every, channels, rate: what it keeps, see `DiskRecorder`.
    """
    if not armed:
        refuse_existing(Path(path), force)
    task = {"name": session, "path": os.fspath(path), "pre": pre, "armed": armed, "every": every, "force": force}
    task |= {"channels": None if channels is None else list(channels), "rate": rate}
    process = subprocess.Popen(
        command("samara.realtime.recording.process", **task), stdin=subprocess.DEVNULL, start_new_session=True
    )
    end = clock.monotonic() + timeout
    while not ((found := state(session)).alive and found.process.pid == process.pid):
        if process.poll() is not None:
            raise RecordingError(f"the recorder of session {session!r} did not start: exit code {process.returncode}")
        if clock.monotonic() > end:
            process.kill()
            process.wait()
            raise RecordingError(f"the recorder of session {session!r} was not ready after {timeout:g} s")
        clock.sleep(0.02)
    return process
