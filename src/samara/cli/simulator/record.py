"""`samara record`: records a session, controls its recorder, recovers the data of a killed one."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from samara.cli.report import CommandError, one_line, print_json
from samara.realtime import recording
from samara.realtime.mailbox.shared import MailboxError, tell
from samara.realtime.recording.process import exit_code, record
from samara.realtime.recording.salvage import Saved, save
from samara.realtime.session import Session

#: how long a recorder may take to hear what it is told [s]
PATIENCE = 5.0


def main(args: argparse.Namespace) -> int:
    """Records until the simulator ends; exit code 1 when something was lost."""
    if args.recover:
        return _end(args, [save(Path(args.recover), force=args.force)])
    if not args.session:
        raise CommandError("the session is missing: samara record SESSION")
    if args.on or args.off or args.state:
        return _tell(args)
    saved = record(
        args.session, args.to or f"{args.session}.nc", timeout=args.timeout, pre=args.pre, armed=args.armed,
        every=args.every, rate=args.rate, channels=args.channels, force=args.force,
    )  # fmt: skip
    return _end(args, saved)


def _tell(args: argparse.Namespace) -> int:
    try:
        with Session.connect(args.session, timeout=args.timeout) as session:
            if args.on:
                recording.start(session, PATIENCE)
            elif args.off:
                recording.stop(session, PATIENCE)
            state = recording.state(session)
    except (MailboxError, ValueError) as error:
        raise CommandError(one_line(error)) from error
    if args.json:
        print_json(state.as_dict())
    elif not args.quiet:
        print(page(state))
    return 0


def page(state: recording.RecorderState) -> str:
    """The state of a recorder, in one line."""
    if not state.alive:
        return "no recorder is running" + (f": {state.message}" if state.message else "")
    if not state.on:
        return f"armed; finished: {', '.join(state.finished) or 'nothing'}; would keep {state.keeps}"
    lost = f", {state.lost} steps lost" if state.lost else ""
    size = f"{state.rows} rows, {state.bytes * 1e-6:.3g} MB{lost}"
    return f"recording to {state.file}: {size}; {state.keeps}. {state.message}".rstrip(" .")


def _end(args: argparse.Namespace, saved: list[Saved]) -> int:
    if args.json:
        print_json({"recordings": [asdict(one) for one in saved]})
    elif not args.quiet:
        for one in saved:
            made = "" if one.made else "  (not written)"
            print(f"{one.file}{made}: {one.rows} rows, {one.lost} steps lost, ended: {one.ended or 'killed'}")
    if args.recover:
        for one in (one for one in saved if one.message):
            tell(f"{one.file}: {one.message}")
        return 0
    return exit_code(saved)
