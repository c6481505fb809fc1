"""Starts the simulator of a panel again: a process of the panel, which ends with it."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from typing import IO

#: How long a run may take to end once it is asked to [s]; characters of what a failed one said that are told.
PATIENCE, TOLD = 10.0, 300


class Rerun:
    """Runs a command, at most one at a time. command: words of its command line."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    @property
    def running(self) -> bool:
        """Whether a run that was started here is going on."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts the command."""
        if self.running:
            raise ValueError("the next run is already starting")
        self._said = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._said, start_new_session=True
        )

    def failure(self) -> str:
        """The last line of a run that failed, once; otherwise nothing."""
        if self._process is None or self._said is None or self._process.poll() is None:
            return ""
        code, self._process = self._process.returncode, None
        with self._said as said:
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").strip().splitlines()
        self._said = None
        return "" if code == 0 else (lines or [f"exit code {code}"])[-1][:TOLD]

    def stop(self) -> None:
        """Ends the run."""
        if self._process is None or not self.running:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
