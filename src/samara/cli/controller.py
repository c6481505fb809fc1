"""`samara controller`: a controller as a process of its own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from samara.cli.files import execute, guarded
from samara.cli.report import CommandError, one_line, print_json, table
from samara.cli.target import parse_settings
from samara.models import look_up
from samara.models.registry import from_text
from samara.realtime.controllers import Controller, ControllerError, connect, run
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
    kind = find(args.file)
    settings = {name: from_text(text) for name, text in parse_settings(args.settings).items()}
    try:
        controller = guarded(Path(args.file), lambda: kind(**settings))
    except ControllerError as error:
        raise CommandError(one_line(error)) from error
    session = args.session or kind.session
    if not session:
        raise CommandError(f"{args.file}: say which simulator: --session NAME")
    label = kind.__name__.lower()
    link = connect(session, label, args.timeout)
    summary = run(controller, link, duration=args.duration, wait=args.wait, report=_tell)
    if args.json:
        print_json(summary.as_dict())
    elif not args.quiet:
        print(summary)
    return 0


def find(name: str) -> type[Controller]:
    """A ready controller by name, or the one in a Python file."""
    if not name.endswith(".py"):
        return look_up(READY, name, "ready controller")
    module = execute(Path(name))
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Controller) and value.__module__ == module.__name__
    ]
    ends = [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]
    if not ends:
        raise CommandError(f"{name}: defines no controller: write a subclass of samara.realtime.controllers.Controller")
    if len(ends) > 1:
        raise CommandError(f"{name}: defines several controllers ({', '.join(k.__name__ for k in ends)}): keep one")
    return ends[0]


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


def _tell(line: str) -> None:
    print(f"samara controller: {line}", file=sys.stderr, flush=True)
