"""The process of the loop, started by `Supervisor`. It reads its job as one line of JSON from standard input."""

from __future__ import annotations

import select
import signal
import sys
import threading
from dataclasses import replace
from typing import Any

from samara.entry import MISUSED, CommandError, explain, one_line
from samara.models.target import load
from samara.realtime.loop.job import Job
from samara.realtime.loop.privileges import make_punctual
from samara.realtime.loop.simulator import RealTime, Report
from samara.realtime.loop.supervisor import GO, leave_report
from samara.realtime.session.command import Command


def main(path: str) -> int:
    """Does the job, and leaves its report in a file; exit code 0 if there is a report, whatever it says."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # scripts start what is in the background deaf to it
    job = Job.from_text(sys.stdin.readline())
    try:
        with make(job) as runner:
            if sys.stdin.readline() != GO:
                return 0  # who started it has gone
            leave_report(path, vars(_in_its_thread(runner, job)))
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if job.debug:
            raise
        message, code = (one_line(error), MISUSED) if isinstance(error, ValueError) else explain(error)
        leave_report(path, {"error": message, "code": code})
        return code
    return 0


def make(job: Job) -> RealTime:
    """The simulator, with its session, ready to run."""
    target = load(job.model, {name: str(value) for name, value in job.settings.items()})
    step = target.timeline.step
    rate = job.options.rate or (1.0 / step if step else None)
    if rate is None:
        raise CommandError(f"{target.name} does not define its step: give --rate")
    return RealTime(
        target.model, replace(job.options, rate=rate, plot=target.plot), method=job.method_of(target.method)
    )


def _in_its_thread(runner: RealTime, job: Job) -> Report:
    """The loop has a thread of its own, so that this one hears Ctrl-C, and whether who started it still lives."""
    found: list[Any] = []
    done = threading.Event()  # not thread.join, which takes a thread for ended when a signal interrupts it

    def work() -> None:
        try:
            standing = make_punctual(job.options.priority, job.options.cpu)
            report = runner.run(job.duration, bare=job.bare)
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
    sys.exit(main(sys.argv[1]))
