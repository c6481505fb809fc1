"""Processes that are stopped and killed, and disks that are full, while a pendulum runs in real time and is recorded.

Every incident ends with a report whose accounts must add up: each period is one that was served or left out, and each
row that the loop sent is in the recording, or counted as lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from samara.benchmarks.rows import Row
from samara.realtime import Session
from samara.realtime.recording import RecordingError, remote
from samara.realtime.recording.salvage import save
from samara.realtime.session.accounts import Account
from samara.results import Results
from samara.results.chunks import chunks_of

#: What is run: steps per second [Hz], for how long [s]; when it happens [s after the begin].
RATE, DURATION, WHEN = 500.0, 6.0, 1.0
POLICIES = ("stop", "skip", "hold", "slip", "degrade")
STALLS = (0.02, 0.2, 1.0)
#: What a run may take beyond its duration [s]: on a busy machine, with all to be compiled.
PATIENCE = 300.0


@dataclass
class RunEnd:
    """How a run ended. rows: in its recording, also one that was recovered; report: None of one that was killed."""

    code: int
    report: dict[str, Any] | None
    rows: int
    left: list[str]

    def sent(self) -> int:
        """Rows that the loop produced for the recorder."""
        return 0 if self.report is None else int(self.report["cycles"] + self.report["held"])

    def unsaved(self) -> int:
        """Rows counted as lost."""
        return 0 if self.report is None else int(self.report["dropped"] + self.report.get("unrecorded", 0))

    def adds_up(self) -> bool:
        """Whether every row sent is either recorded or counted as lost."""
        return self.report is not None and self.rows + self.unsaved() == self.sent()


class RecordedRun:
    """A recorded run of the pendulum in processes of its own: `samara realtime --save`."""

    def __init__(self, folder: Path, policy: str = "skip", duration: float = DURATION, panel: bool = False) -> None:
        self.file, self.name = folder / "run.nc", f"faults-{os.getpid()}-{policy}-{time.monotonic_ns() % 10**9}"
        command = [sys.executable, "-m", "samara", "realtime", "pendulum", "--rate", str(RATE), "--json"]
        command += ["--duration", str(duration), "--policy", policy, "--session", self.name, "--save", str(self.file)]
        command += ["--no-open"] if panel else ["--no-browser"]
        self.said = (folder / "said.txt").open("w+", encoding="utf-8")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.said, text=True)
        self.session = Session.connect(self.name, timeout=PATIENCE)
        self.loop = self.session.card.process.pid
        while self.cycles < WHEN * RATE and self.process.poll() is None:
            time.sleep(0.01)
        self.recorder = remote.state(self.session).process.pid

    @property
    def cycles(self) -> int:
        """Number of periods served so far."""
        return int(self.session.ledger.accounts[Account.CYCLES])

    @property
    def elapsed(self) -> float:
        """Time since the begin [s], in periods served or left out."""
        return (self.cycles + int(self.session.ledger.accounts[Account.SKIPPED])) / RATE

    def stall(self, pid: int, duration: float) -> None:
        """Stops a process for a time [s]."""
        os.kill(pid, signal.SIGSTOP)
        time.sleep(duration)
        os.kill(pid, signal.SIGCONT)

    def end(self) -> RunEnd:
        """Waits for the end, and looks at what is left; a recording that its recorder left behind is recovered."""
        text, _ = self.process.communicate(timeout=PATIENCE)
        folder = self.session.path
        self.session.close()
        self.said.close()
        report = json.loads(text) if text.strip() else None
        for _ in range(100):
            if not folder.exists():
                break
            time.sleep(0.05)
        if not self.file.exists() and chunks_of(self.file).exists():
            with contextlib.suppress(Exception):  # there was no row yet
                save(self.file)
        rows = len(Results.load(self.file)) if self.file.exists() else 0
        left = [str(path) for path in (folder, chunks_of(self.file)) if path.exists()]
        return RunEnd(self.process.returncode, report if report and "cycles" in report else None, rows, left)


def stalls(policies: tuple[str, ...] = POLICIES, durations: tuple[float, ...] = STALLS) -> Iterator[Row]:
    """Stops the loop for a while, under every policy."""
    for policy in policies:
        for duration in durations:
            found = _ended(policy, partial(_stall_loop, duration=duration))
            assert found.report is not None
            r, periods = found.report, round(DURATION * RATE)
            if policy == "stop":
                sound = r["ended"] == "overrun"
            else:
                sound = r["cycles"] + (r["skipped"] if policy in ("skip", "hold") else 0) == periods
            note = f"ended: {r['ended']}; {r['cycles']} steps, {r['overruns']} overruns, {r['skipped']} left out, "
            note += f"{r['held']} held, {r['degraded']} degraded; {found.rows} rows"
            yield _row(f"stall of {duration:g} s, {policy}", sound and found.adds_up() and not found.left, note)


def _stall_loop(run: RecordedRun, duration: float) -> None:
    run.stall(run.loop, duration)


def kills(names: tuple[str, ...] = ()) -> Iterator[Row]:
    """Each process is killed, or stopped for a second; names: of some cases alone."""
    cases: dict[str, tuple[Callable[[RecordedRun], None], Callable[[RunEnd], bool]]] = {
        "recorder stopped for 1 s": (lambda run: run.stall(run.recorder, 1.0), lambda e: e.code == 0 and e.adds_up()),
        "recorder killed": (lambda run: os.kill(run.recorder, signal.SIGKILL), lambda e: e.code != 0 and e.adds_up()),
        "recorder terminated": (
            lambda run: os.kill(run.recorder, signal.SIGTERM), lambda e: e.code != 0 and e.adds_up()
        ),
        "loop killed": (
            lambda run: os.kill(run.loop, signal.SIGKILL), lambda e: e.code != 0 and e.rows >= WHEN * RATE
        ),
        "supervisor killed": (lambda run: run.process.kill(), lambda e: e.rows >= WHEN * RATE),
        "supervisor told to end": (lambda run: run.process.terminate(), lambda e: e.rows >= WHEN * RATE),
        "disk full for the recorder": (_fill_disk, lambda e: e.code != 0 and e.rows >= 0.5 * WHEN * RATE),
    }  # fmt: skip
    for name, (act, sound) in cases.items():
        if names and name not in names:
            continue
        found = _ended("skip", act)
        words = found.report["ended"] if found.report else "no report"
        note = (
            f"exit code {found.code}, {words}; {found.sent()} rows sent, {found.rows} kept, {found.unsaved()} counted "
        )
        yield _row(name, sound(found) and not found.left, note + f"as lost; left behind: {len(found.left)}")


def soak(duration: float, often: float, seed: int = 0) -> Iterator[Row]:
    """For so long [s], at 500 Hz, something happens every few seconds: the loop or the recorder is stopped for up to
    half a second, or the recorder is killed, and another one takes its place.
    """
    rng, done = np.random.default_rng(seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="samara-faults-") as folder:
        run = RecordedRun(Path(folder), "skip", duration)
        recorder, last = None, duration - 10.0 - often
        try:
            while run.elapsed < last and run.process.poll() is None and not done["no recorder"]:
                time.sleep(rng.uniform(0.5, 1.5) * often)
                what = ("loop stopped", "recorder stopped", "recorder killed")[int(rng.integers(0, 3))]
                done[what] += 1
                if what == "recorder killed":
                    os.kill(run.recorder, signal.SIGKILL)
                    try:
                        recorder = remote.start_recorder(run.name, run.file)
                        run.recorder = recorder.pid
                    except RecordingError:
                        done["no recorder"] += 1
                else:
                    run.stall(run.loop if what == "loop stopped" else run.recorder, rng.uniform(0.02, 0.5))
            found = run.end()
        finally:
            run.process.kill()
            if recorder is not None:
                recorder.wait()
    assert found.report is not None
    r = found.report
    note = ", ".join(f"{count} times {name}" for name, count in sorted(done.items()))
    yield Row("soak", "incidents", sum(done.values()), "", "", f"{note}, in {r['elapsed']:.0f} s at {RATE:g} Hz")
    missing = round(duration * RATE) - r["cycles"] - r["skipped"]
    yield Row("soak", "periods_unaccounted", missing, "", 0, f"{r['cycles']} served, {r['skipped']} left out")
    lost = found.sent() - found.rows - found.unsaved()
    words = f"{found.sent()} sent, {found.rows} kept, {found.unsaved()} counted as lost; exit code {found.code}"
    yield Row("soak", "rows_unaccounted", lost, "", 0, words)
    yield Row("soak", "not_converged", r["not_converged"], "", 0)


def _fill_disk(run: RecordedRun) -> None:
    """Prevents the recorder's files from growing further."""
    size = chunks_of(run.file).stat().st_size
    resource.prlimit(run.recorder, resource.RLIMIT_FSIZE, (size, size))


def _ended(policy: str, act: Callable[[RecordedRun], None]) -> RunEnd:
    with tempfile.TemporaryDirectory(prefix="samara-faults-") as folder:
        run = RecordedRun(Path(folder), policy)
        try:
            act(run)
            return run.end()
        finally:
            run.process.kill()


def _row(case: str, sound: bool, note: str) -> Row:
    return Row(case, "failures", int(not sound), "", 0, note)
