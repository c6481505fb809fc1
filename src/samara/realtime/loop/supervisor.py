"""A simulator in a separate process and its supervision: handshake at the start, watchdog, end.

The process reads its job from standard input (one line of JSON). It creates its session, waits for GO on standard
input, so that the recorder and panel can be ready before the first step, runs, and writes its report to a file.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from samara.blas import ONE_THREAD
from samara.model import ArgumentError
from samara.realtime.loop.job import Job
from samara.realtime.loop.privileges import raise_priority
from samara.realtime.loop.simulator import Report, report_of
from samara.realtime.loop.watchdog import PAUSE, Watchdog
from samara.realtime.mailbox.shared import MailboxError, directory, locked
from samara.realtime.session import Session, clear

GO = "go\n"
#: The process of the loop.
LOOP = (sys.executable, "-m", "samara.realtime.loop.process")
#: How folders of reports begin, and how one is opened: not through a link.
FOLDER = "samara-report-"
FOLDER_ITSELF = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
#: Pause between two looks for what takes seconds [s].
SLOW = 0.02


class SimulatorError(RuntimeError):
    """A simulator that could not start or continue, with its own message; code: exit code of the command."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


class Supervisor:
    """Starts a simulator, watches its loop, and can report on it even if it had to be killed.

    job: the job of the process; its options must name a session.
    Ctrl-C does not reach the process: the supervisor decides.
    """

    def __init__(self, job: Job) -> None:
        if job.options.session is None:
            raise ArgumentError("Supervisor: the options of the job must name a session")
        self.job, self.name = job, job.options.session
        self._folder, self._mark = _new_folder()
        self._report = Path(self._folder.name) / "report.json"
        self.process = subprocess.Popen(
            (*LOOP, str(self._report)),
            stdin=subprocess.PIPE,
            stdout=sys.stderr.fileno() if _has_file(sys.stderr) else subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            pass_fds=(self._mark,),
            env={**os.environ, **ONE_THREAD},
        )
        self.session: Session | None = None
        self._say(job.to_text() + "\n")

    def _say(self, text: str) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(text)
            self.process.stdin.flush()

    def wait_ready(self) -> Session:
        """Until the session is there; a `SimulatorError` if the process ended first."""
        while self.process.poll() is None:
            try:
                self.session = Session.connect(self.name, timeout=0.0)
                if self.session.card.process.pid == self.process.pid:
                    return self.session
                self.session.close()
                self.session = None
            except MailboxError:
                pass
            time.sleep(SLOW)
        raise self.error()

    def go(self) -> None:
        """The first step may come."""
        self._say(GO)

    def watch(self, often: Callable[[], None] = lambda: None) -> Report:
        """Until the run has ended, by itself or by the watchdog. often: is called some ten times a second.

        Ctrl-C (and SIGTERM) ask the loop to stop; a second time ends its process.
        """
        assert self.session is not None
        if self.job.options.priority:
            raise_priority(self.job.options.priority + 1)
        dog, stuck, looks = Watchdog(self.session), 0.0, 0
        while self.process.poll() is None:
            try:
                if not stuck and dog.look():
                    stuck = dog.silence
                    dog.stop()
                looks += 1
                if looks % 10 == 0:
                    often()
                time.sleep(PAUSE)
            except KeyboardInterrupt:
                told = "ending; once more ends it without its summary" if not self._asked else "killed"
                print(f"samara realtime: {told}", file=sys.stderr, flush=True)
                self.stop()
        dog.close()
        return self._result(stuck)

    def stop(self) -> None:
        """Asks the loop to end; what does not hear it the second time is killed."""
        if self._asked:
            self.process.kill()
        self._asked = True
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGINT)

    _asked = False

    def wait(self, timeout: float) -> Report:
        """The report of a run that was asked to end; what does not end in time [s] is killed."""
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        return self._result(0.0)

    def error(self) -> SimulatorError:
        """Why the process ended."""
        left = json.loads(self._report.read_text(encoding="utf-8")) if self._report.is_file() else {}
        code = self.process.returncode
        return SimulatorError(left.get("error", f"the simulator's process ended with code {code}"), left.get("code", 1))

    def _result(self, stuck: float) -> Report:
        assert self.session is not None
        if self.process.returncode > 0:
            raise self.error()
        if self._report.is_file():
            return Report(**json.loads(self._report.read_text(encoding="utf-8")))
        card = self.session.card
        report = report_of(self.session.ledger, card.model, card.rate, "stuck" if stuck else "killed")
        report.message = (
            f"the loop showed no life for {1e3 * stuck:.0f} ms at t = {self.session.sensors.read().time:g} s: "
            "the watchdog stopped it"
            if stuck
            else f"the simulator's process was ended by {signal.Signals(-self.process.returncode).name}"
        )
        return report

    def close(self) -> None:
        """Ends what is left."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        if self.session is not None:
            self.session.close()
            self.session = None
        clear(self.name)
        self._folder.cleanup()
        os.close(self._mark)

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _new_folder() -> tuple[tempfile.TemporaryDirectory[str], int]:
    """A folder for a report, and its lock, which this process and that of the loop hold as long as one of them lives.

    By that lock folders of dead ones are known; they are removed.
    """
    with locked(directory() / ".reports.lock"):
        for left in Path(tempfile.gettempdir()).glob(f"{FOLDER}*"):
            with contextlib.suppress(OSError):
                _remove_if_dead(left)
        folder = tempfile.TemporaryDirectory(prefix=FOLDER)
        mark = os.open(folder.name, FOLDER_ITSELF)
        fcntl.flock(mark, fcntl.LOCK_EX)
    return folder, mark


def _remove_if_dead(folder: Path) -> None:
    """Removes a folder of this user's that nobody has locked; an `OSError` says why not."""
    mark = os.open(folder, FOLDER_ITSELF)
    try:
        if os.fstat(mark).st_uid == os.geteuid():
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
    finally:
        os.close(mark)


def leave_report(path: str, report: dict[str, Any]) -> None:
    """The last thing that a simulator does, whole or not at all: its `Report`, or an error and the exit code."""
    draft = Path(path).with_suffix(".draft")
    draft.write_text(json.dumps(report), encoding="utf-8")
    os.replace(draft, path)


def _has_file(stream: Any) -> bool:
    try:
        stream.fileno()
    except (AttributeError, OSError, ValueError):
        return False
    return True
