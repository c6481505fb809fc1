"""`samara sessions`: simulators that run on this machine, and who works with them."""

from __future__ import annotations

import argparse
from typing import Any

from samara.cli.report import print_json, table
from samara.dashboard.feed.health import Watch
from samara.realtime import recording
from samara.realtime.mailbox.shared import MailboxError, directory
from samara.realtime.session import Session
from samara.realtime.session.folder import living


def main(args: argparse.Namespace) -> int:
    """Lists them."""
    found = list(filter(None, map(_described, living(directory()))))
    if args.json:
        print_json({"sessions": found})
    elif not found:
        print("no simulator is running; `samara realtime MODEL` starts one")
    else:
        head = ("session", "model", "state", "simulated", "rate", "controllers", "recorder", "process")
        rows = [
            (
                one["session"], one["model"], one["state"], f"{one['time']:.1f} s", f"{one['rate']:g} Hz",
                len(one["controllers"]), one["recorder"], one["process"],
            )
            for one in found
        ]  # fmt: skip
        print(table(head, rows, right=("simulated", "rate")))
        print("\nsamara panel SESSION shows one in the browser, samara record SESSION records it.")
    return 0


def _described(name: str) -> dict[str, Any] | None:
    """A simulator's session; None for that of a controller, and for one that has just ended."""
    try:
        with Session.connect(name, timeout=0.0) as session:
            card, recorder = session.card, recording.state(session)
            if not card.sensors:
                return None
            sample = session.sensors.read()
            return {
                "session": name,
                "model": card.model,
                "state": Watch(session).look(0.0).state.value,
                "time": float(sample.time) if sample.sequence else 0.0,
                "rate": card.rate,
                "controllers": [str(one.process) for one in session.controllers],
                "recorder": "records" if recorder.on else "armed" if recorder.alive else "none",
                "process": card.process.pid,
            }
    except (MailboxError, OSError):
        return None
