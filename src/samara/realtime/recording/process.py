"""The process of a recorder, as started by `start_recorder` and by `samara record`."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from samara.entry import FAILED, CommandError, conduct, one_line, told
from samara.realtime.mailbox.shared import MailboxError, tell
from samara.realtime.recording.background import step_back
from samara.realtime.recording.recorder import DiskRecorder
from samara.realtime.recording.salvage import Saved
from samara.realtime.recording.selection import everything
from samara.realtime.session import Session
from samara.results.netcdf import require_results_file
from samara.solve.interrupt import noting_interrupts


def record(name: str, path: str | os.PathLike[str], *, timeout: float = 10.0, **options: Any) -> list[Saved]:
    """Records a session until its simulator ends. timeout: how long to wait for it [s]. options: of `DiskRecorder`."""
    require_results_file(Path(path))
    try:
        with Session.connect(name, timeout=timeout) as session:
            step_back()
            with noting_interrupts(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as interrupted:
                with DiskRecorder(session, path, **options) as recorder:
                    if not options.get("armed"):
                        tell(f"{path}: {recorder.selection}{_more(recorder)}")
                    return recorder.run(interrupted)
    except (MailboxError, ValueError) as error:
        raise CommandError(one_line(error)) from error


def _more(recorder: DiskRecorder) -> str:
    """What else there is to record, and how."""
    whole = everything(recorder.session.card)
    return f"; --every 1 keeps {whole}" if whole.speed > recorder.selection.speed else ""


def exit_code(saved: list[Saved]) -> int:
    """1 when something was lost."""
    return FAILED if any(one.message for one in saved) else 0


if __name__ == "__main__":
    sys.exit(conduct("samara record", lambda: exit_code(record(**told()))))
