"""The process of the loop: what `samara realtime` starts. Its task is a line of JSON on standard input."""

from __future__ import annotations

import argparse
import json
import select
import sys
import threading
from typing import Any

from samara.cli.report import MISUSED, CommandError, explain, one_line
from samara.cli.target import load
from samara.realtime.loop.clock import machine_clock
from samara.realtime.loop.privileges import make_punctual
from samara.realtime.loop.simulator import RealTime, Report
from samara.realtime.loop.supervisor import GO, leave_report
from samara.realtime.mailbox.port import PATIENCE
from samara.realtime.session.command import Command

#: What a task need not say.
USUAL: dict[str, Any] = {
    "settings": [], "rate": None, "duration": None, "policy": "skip", "iterations": 8, "divide": False, "priority": 50,
    "cpu": None,
    "spin": 0.0, "sensors": ["*"], "record": 0, "patience": PATIENCE, "driven": False, "bare": 0.0, "debug": False,
}  # fmt: skip


def main() -> int:
    """Serves the task; exit code 0 if there is a report, whatever it says."""
    args = argparse.Namespace(**USUAL | json.loads(sys.stdin.readline()))
    try:
        with make(args) as runner:
            if sys.stdin.readline() != GO:
                return 0  # who started it has gone
            leave_report(args.report, vars(_in_its_thread(runner, args)))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if args.debug:
            raise
        message, code = (one_line(error), MISUSED) if isinstance(error, ValueError) else explain(error)
        leave_report(args.report, {"error": message, "code": code})
        return code
    return 0


def make(args: argparse.Namespace) -> RealTime:
    """The simulator, with its session, ready to run."""
    target = load(args.name, args.settings)
    rate = args.rate or (1.0 / target.step if target.step else None)
    if rate is None:
        raise CommandError(f"{target.name} does not say its step: give --rate")
    return RealTime(
        target.model, rate, policy=args.policy, iterations=args.iterations, divide=args.divide, session=args.session,
        sensors=tuple(args.sensors), record=args.record, patience=args.patience, driven=args.driven,
        clock=machine_clock(args.spin),
    )  # fmt: skip


def _in_its_thread(runner: RealTime, args: argparse.Namespace) -> Report:
    """The loop has a thread of its own, so that this one hears Ctrl-C, and whether who started it still lives."""
    found: list[Any] = []
    done = threading.Event()  # not thread.join, which takes a thread for ended when a signal interrupts it

    def work() -> None:
        try:
            standing = make_punctual(args.priority, args.cpu)
            report = runner.run(args.duration, bare=args.bare)
            report.has, report.lacks = standing.has, standing.lacks
            found.append(report)
        except Exception as error:
            found.append(error)
        finally:
            done.set()

    thread = threading.Thread(target=work, name="samara-loop")
    thread.start()
    deserted = False
    while not done.is_set():
        try:
            done.wait(0.1)
            if not deserted and select.select([sys.stdin], [], [], 0)[0]:
                deserted = True  # nothing more is ever said: the other end is closed
                runner.box.asked[0] = int(Command.STOP)
        except KeyboardInterrupt:
            runner.box.asked[0] = int(Command.STOP)
    thread.join()
    if isinstance(found[-1], Exception):
        raise found[-1]
    return found[-1]


if __name__ == "__main__":
    sys.exit(main())
