"""The simulator of an experiment against the clock, as a process of its own.

    python -m samara.experiments.simulator_process '{"model": "pendulum", ...}'

The only argument is a `Job` in JSON. It runs until somebody asks for the end through its session, or its standard input
is closed: so it does not outlive who started it, even if that is killed. On standard output it then says how it went.
"""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import asdict, dataclass, field
from typing import Any

from samara.models import find
from samara.realtime.command import Command
from samara.realtime.privileges import make_punctual
from samara.realtime.session import Session
from samara.realtime.simulator import RealTime


@dataclass(frozen=True)
class Job:
    """What to simulate: a ready model with its settings, the rate [Hz], measures that are published, and a session.

    driven: a step waits for the controller's answer instead of the clock, see `samara.realtime.simulator.RealTime`.
    """

    model: str
    settings: dict[str, Any] = field(default_factory=dict)
    rate: float = 1000.0
    policy: str = "skip"
    sensors: tuple[str, ...] = ("*",)
    session: str = "experiment"
    rows: int = 32768  # of the queue with every step
    driven: bool = False

    def command(self) -> list[str]:
        """How to start it."""
        return [sys.executable, "-m", "samara.experiments.simulator_process", json.dumps(asdict(self))]


def run(job: Job) -> dict[str, Any]:
    """Until it is asked to end; the report of the loop, plain."""
    model = find(job.model).make(**job.settings)
    with RealTime(
        model, job.rate, policy=job.policy, session=job.session, sensors=tuple(job.sensors), record=job.rows,
        driven=job.driven,
    ) as runner:  # fmt: skip
        threading.Thread(target=_end_with_input, args=(job.session,), daemon=True).start()
        standing = make_punctual()
        report = runner.run()
    if report.failed:
        raise SystemExit(f"the loop ended: {report.message or report.ended}")
    return report.as_dict() | {"has": standing.has, "lacks": standing.lacks}


def _end_with_input(session: str) -> None:
    """Who started this process holds the other end of its standard input: nothing is ever sent."""
    sys.stdin.read()
    with Session.connect(session, timeout=1.0) as guest:
        guest.command(Command.STOP)


if __name__ == "__main__":
    print(json.dumps(run(Job(**json.loads(sys.argv[1])))))
