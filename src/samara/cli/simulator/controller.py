"""`samara controller`: a controller as a process of its own."""

from __future__ import annotations

import argparse
from typing import Any

from samara.cli.report import print_json, table
from samara.cli.target import parse_settings
from samara.realtime.controllers import Controller
from samara.realtime.controllers.process import control
from samara.realtime.controllers.ready import READY


def main(args: argparse.Namespace) -> int:
    """Lists the ready controllers, or runs one until it ends, and sums up."""
    if not args.file:
        if args.json:
            print_json({"controllers": [_described(name, kind) for name, kind in READY.items()]})
        else:
            rows = [(n, _summary(k), ", ".join(k.actuators)) for n, k in READY.items()]
            print(table(("name", "description", "drives"), rows))
        return 0
    summary = control(
        args.file, parse_settings(args.settings), session=args.session, timeout=args.timeout, duration=args.duration,
        wait=args.wait,
    )  # fmt: skip
    if args.json:
        print_json(summary.as_dict())
    elif not args.quiet:
        print(summary)
    return 0


def _described(name: str, kind: type[Controller]) -> dict[str, Any]:
    return {
        "name": name,
        "description": _summary(kind),
        "rate": kind.rate,
        "sensors": list(kind.sensors),
        "actuators": list(kind.actuators),
        "parameters": kind().parameters(),
    }


def _summary(kind: type[Controller]) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]
