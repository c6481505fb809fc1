"""`samara realtime`: runs a model in real time, in a process of its own, and looks after it."""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any

from samara.cli.report import FAILED, CommandError, one_line, print_json
from samara.cli.settings import given
from samara.cli.target import parse_settings
from samara.dashboard.server.start import Panel, PanelError, start_panel
from samara.method.method import Method
from samara.realtime.loop import Job, Options, Report, SimulatorError, Supervisor
from samara.realtime.mailbox.queue import Queue
from samara.realtime.recording import RecordingError, start_recorder
from samara.realtime.recording.salvage import refuse_existing

#: Length of the queue to the recorder, unless it is given.
ROWS = 4096
#: Part of the duration that the bare loop gets, most of it, and what it gets of a run without end [s].
BARE, MOST_BARE, SHORT_BARE = 0.2, 5.0, 0.5
#: Between two looks whether a recorder has ended [s].
PAUSE = 0.02
#: What the panel's recordings hold of the time before they were asked for [s].
PRE = 2.0


def main(args: argparse.Namespace) -> int:
    """Runs until the duration is over or Ctrl-C; exit code 1 when it ended before it should."""
    args.session = args.session or _session_name(args.name)
    recorder = panel = None
    if args.save:
        refuse_existing(Path(args.save), force=False)
    at_hand = not (args.save or args.record or args.no_browser)  # else the user has a recorder, or wants none
    if args.save or at_hand:
        args.record = args.record or ROWS
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with Supervisor(_job(args)) as loop:
            loop.wait_ready()
            if args.save:
                recorder = start_recorder(args.session, args.save, channels=args.save_channels, rate=args.save_rate)
            if not (args.no_browser or args.has_panel):
                panel = _panel(args)
            if (
                panel is not None or args.has_panel
            ) and at_hand:  # for the panel's button; until then it writes nothing
                recorder = start_recorder(
                    args.session, _file_name(args.name), armed=True, pre=PRE, channels=args.save_channels,
                    rate=args.save_rate,
                )  # fmt: skip
            loop.go()
            report = loop.watch(_watched(recorder, args.session))
            lost = _lost(args, report, recorder, loop.session.record if loop.session else None)
    except SimulatorError as error:
        raise CommandError(str(error), error.code) from error
    except RecordingError as error:
        raise CommandError(str(error)) from error
    if args.json:
        print_json(report.as_dict())
    else:
        print(page(report))
    if report.message:
        print(f"samara realtime: {report.message}", file=sys.stderr)
    if panel is not None and panel.process.poll() is None:
        print("the panel stays while a page of it is open, and can run this again", file=sys.stderr)
    return FAILED if report.failed or lost else 0


def _job(args: argparse.Namespace) -> Job:
    """What the process of the loop is told; the command line has the options under their own names."""
    options = Options(**{f.name: getattr(args, f.name) for f in fields(Options) if hasattr(args, f.name)})
    bare = min(BARE * args.duration, MOST_BARE) if args.duration else SHORT_BARE
    settings, method = parse_settings(args.settings), given(args, Method)
    method.pop("iterations", None)  # the loop's own bound
    return Job(args.name, settings, options, args.duration, bare, args.debug, method)


def _panel(args: argparse.Namespace) -> Panel | None:
    """The panel, once it serves; if it fails, the run continues and the reason is printed."""
    try:
        panel = start_panel(args.session, port=args.port, open_browser=not args.no_open, again=again(args))
    except PanelError as error:
        print(f"samara realtime: {one_line(error)}; the run continues without the panel", file=sys.stderr)
        return None
    print(f"panel: {panel.operator}\nview-only: {panel.viewer}", file=sys.stderr, flush=True)
    return panel


def again(args: argparse.Namespace) -> list[str]:
    """The command of another run like this one, for the panel that is there: without a file that now exists."""
    words, kept = iter(args.words), []
    for word in words:
        if word == "--save":
            next(words)
        elif not word.startswith("--save="):
            kept.append(word)
    return [sys.executable, "-m", "samara.cli", *kept, "--session", args.session, "--has-panel"]


def _watched(recorder: subprocess.Popen[bytes] | None, session: str) -> Callable[[], None]:
    """Says once that the recorder has ended, if it does so before the run."""
    told = recorder is None

    def look() -> None:
        nonlocal told
        if not told and recorder is not None and recorder.poll() is not None:
            told = True
            what = (
                f"the recorder has ended (exit code {recorder.returncode}): samples are dropped when its queue is full"
            )
            print(f"samara realtime: {what}; resume with `samara record {session}`", file=sys.stderr, flush=True)

    return look


def _lost(
    args: argparse.Namespace, report: Report, recorder: subprocess.Popen[bytes] | None, queue: Queue | None
) -> bool:
    """Whether something is missing that was to be recorded; rows that nobody has taken are counted as `unrecorded`.

    Waits for the recorder, which ends with the simulator, and for one that has taken its place.
    """
    code = recorder.wait() if recorder else 0
    if queue is None:
        return code != 0
    while queue.reader.alive:
        time.sleep(PAUSE)
    missing = report.accounts["unrecorded"] = queue.waiting
    if not args.save:
        return code != 0
    if missing:
        words = f"{missing} steps were not recorded: the recorder ended before the run and was not replaced"
        print(f"samara realtime: {words}", file=sys.stderr)
    made = Path(args.save).exists()
    if not made:
        words = f"{args.save} was not written; recover the data with `samara record --recover {args.save}`"
        print(f"samara realtime: {words}", file=sys.stderr)
    return code > 0 or not made or missing + report.accounts["dropped"] > 0


def _file_name(target: str) -> str:
    """Of a recording that the panel may ask for: in this folder, by model and time."""
    return f"{_stem(target)}-{datetime.now():%Y%m%d-%H%M%S}.nc"


def _interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def _session_name(target: str) -> str:
    """For who did not choose one: what is run, and this process."""
    return f"{_stem(target)}-{os.getpid()}"


def _stem(target: str) -> str:
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", os.path.basename(target).removesuffix(".py")).strip("-_")
    return stem[:40] or "model"


def _contacts(found: dict[str, float]) -> list[str]:
    """What was counted of contacts with impacts, of a model that has some."""
    if not found:
        return []
    sweeps = found["contact_sweeps"] / max(found["contact_problems"], 1)
    solved = f"{found['contact_problems']} problems of {sweeps:.1f} sweeps or pivots"
    impacts = f"{found['impacts']} impacts, {found['milder_impacts']} softened"
    return [f"  contacts      {impacts}; {solved}, {found['contacts_unconverged']} not converged"]


def _silent(report: Report) -> list[str]:
    """Of controllers that showed no life, where there were any."""
    cycles = report.accounts.get("silent", 0)
    if not cycles:
        return []
    who = "; ".join(report.silent_at_end) or "none"
    return [f"  silent        {cycles} actuator cycles without a live controller; silent at the end: {who}"]


def page(report: Report) -> str:
    """The summary in a terminal."""
    a, spare = report.accounts, 100 * (1 - report.real_over_sim)
    lasted = f"{report.simulated:.6g} s simulated in {report.elapsed:.6g} s"
    late = f"{a['overruns']} in {a['late_steps']} late steps; {a['skipped']} periods skipped"
    newton = f"{report.iterations_per_step:.2f} iterations per step, {a['not_converged']} not converged"
    unrecorded = f", {a['unrecorded']} not recorded" if a.get("unrecorded") else ""
    rows = [
        f"{report.model} at {report.rate:g} Hz: {lasted}, ended: {report.ended}",
        f"  real/sim      {report.real_over_sim:.4f}   ({spare:.1f} % of the period idle)",
        f"  overruns      {late}, {a['degraded']} steps degraded",
        f"  Newton        {newton}, {a['repeated']} steps repeated, {a['divided']} divided",
        *_contacts(report.contacts),
        *_silent(report),
        f"  samples       {a['dropped']} dropped{unrecorded}",
        f"  {'[us]':<12}{'p50':>10}{'p99':>10}{'p99.9':>10}{'max':>10}",
    ]
    for name, found in (("step", report.step_us), ("wake-up", report.latency_us), ("bare", report.bare_latency_us)):
        if found:
            rows.append(f"  {name:<12}" + "".join(f"{found[k]:>10.1f}" for k in ("p50", "p99", "p999", "max")))
    return "\n".join(rows + [f"  without {text}" for text in report.lacks])
