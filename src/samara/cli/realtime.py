"""`samara realtime`: runs a model against the clock."""

from __future__ import annotations

import argparse
import math
import sys
import threading
from typing import Any

from samara.cli.report import FAILED, CommandError, print_json
from samara.cli.target import load
from samara.realtime.command import Command
from samara.realtime.privileges import Standing, make_punctual
from samara.realtime.simulator import RealTime, Report

#: Part of the duration that the bare loop gets, and most of it [s].
BARE, MOST_BARE = 0.2, 5.0


def main(args: argparse.Namespace) -> int:
    """Runs until the duration is over or Ctrl-C; exit code 1 when a late step stopped it."""
    target = load(args.name, args.settings)
    rate = args.rate or (1.0 / target.step if target.step else None)
    if rate is None:
        raise CommandError(f"{target.name} does not say its step: give --rate")
    runner = RealTime(
        target.model, rate, policy=args.policy, iterations=args.iterations, session=args.session,
        sensors=tuple(args.sensors), record=args.record if args.session else 0,
    )  # fmt: skip
    with runner:
        standing, report = _in_its_thread(runner, args)
    if args.json:
        print_json(_plain(report.as_dict() | {"has": standing.has, "lacks": standing.lacks}))
    else:
        print(page(report, standing))
    return FAILED if report.ended == "overrun" else 0


def _in_its_thread(runner: RealTime, args: argparse.Namespace) -> tuple[Standing, Report]:
    """The loop has a thread of its own, so that Ctrl-C is heard: it ends the run, and what was measured is reported."""
    found: list[Any] = []

    def work() -> None:
        try:
            standing = make_punctual(args.priority, args.cpu)
            bare = min(BARE * (args.duration or math.inf), MOST_BARE)
            found.extend([standing, runner.run(args.duration, bare=bare)])
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=work, name="samara-loop")
    thread.start()
    while thread.is_alive():
        try:
            thread.join(0.1)
        except KeyboardInterrupt:
            print("samara realtime: ending", file=sys.stderr)
            runner.box.asked[0] = int(Command.STOP)
    if isinstance(found[-1], Exception):
        raise found[-1]
    return found[0], found[1]


def _plain(value: Any) -> Any:
    """Numbers that are none become null."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    return None if isinstance(value, float) and not math.isfinite(value) else value


def page(report: Report, standing: Standing) -> str:
    """The summary in a terminal."""
    a, spare = report.accounts, 100 * (1 - report.real_over_sim)
    lasted = f"{report.simulated:.6g} s simulated in {report.elapsed:.6g} s"
    late = f"{a['overruns']} in {a['late_steps']} late steps; {a['skipped']} periods skipped"
    rows = [
        f"{report.model} at {report.rate:g} Hz: {lasted}, ended: {report.ended}",
        f"  real/sim      {report.real_over_sim:.4f}   ({spare:.1f} % of the period to spare)",
        f"  overruns      {late}, {a['degraded']} steps degraded",
        f"  Newton        {report.iterations_per_step:.2f} iterations a step, {a['not_converged']} not converged",
        f"  samples       {a['dropped']} dropped",
        f"  {'[us]':<12}{'p50':>10}{'p99':>10}{'p99.9':>10}{'max':>10}",
    ]
    for name, found in (("step", report.step_us), ("wake-up", report.latency_us), ("bare", report.bare_latency_us)):
        if found:
            rows.append(f"  {name:<12}" + "".join(f"{found[k]:>10.1f}" for k in ("p50", "p99", "p999", "max")))
    if standing.lacks:
        rows += [f"  without {text}" for text in standing.lacks]
    return "\n".join(rows)
