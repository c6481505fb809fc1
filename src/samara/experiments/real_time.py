"""A ready model and a ready controller as two processes, in real time; and the same off-line.

    simulator --sensors--> controller       every step's sensors and actuators come to this process, the third
              <-actuators-

The simulator takes one step and waits until the controller has answered that sample: both begin together, at `begin`.
(A simulator driven by the controller waits for it anyway, with the initial sample.)
The off-line twin closes the loop with the same controller in one process, from the same sample: there the answer to
a sample takes effect in the next step, or `delay` samples later.
"""

from __future__ import annotations

import json
import os
import subprocess
import time as clock
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from samara.entry import command
from samara.experiments.registry import Finding
from samara.models import find
from samara.realtime.controllers import Measures, SimulatedLink
from samara.realtime.controllers import run as control
from samara.realtime.controllers.ready import READY
from samara.realtime.loop import Job, SimulatorError, Supervisor
from samara.realtime.session import Session
from samara.realtime.session.command import Command
from samara.results import Channel, Channels, Results
from samara.results.attrs import RunAttrs
from samara.solve import SolveError, Stepper
from samara.solve.measures import chosen
from samara.system import System

LABELS = ("real time, two processes", "off-line")
PAUSE = 0.01  # s, between two reads of the record
START = 120.0  # s, within which a controller must be ready
ROWS = 32768  # of the queue with every step
GRACE = 10.0  # s, within which it must exit on request
LEAST = 3.0  # s, simulated, allowed for a controller that takes over, however long it took to start


@dataclass(frozen=True)
class ReadyController:
    """A ready controller by name, with its tunable parameters."""

    name: str
    settings: dict[str, float] = field(default_factory=dict)

    def command(self, session: str) -> list[str]:
        """The command that starts it as a process."""
        settings = {name: repr(value) for name, value in self.settings.items()}
        module = "samara.realtime.controllers.process"
        return command(module, name=self.name, settings=settings, session=session, timeout=START)


@dataclass
class Taken:
    """Result of a real-time run.

    results:  all sensors and, under their own names, the actuators as they were in the step leading to the sample.
    stamps:   when each sample was made [ns of the machine's clock].
    begin:    simulated time of the first sample that was answered [s].
    report:   of the simulator's loop. summaries: of the controllers, in the order of their start; None if killed.
    marks:    simulated times [s] at which a controller was killed, restarted, and first answered again.
    ages:     how much older the last answered sample is than the newest one [s, simulated], sampled occasionally:
              the delay between sensor and command. 0: answered already; one period: the answer is being computed.
    """

    results: Results
    stamps: np.ndarray
    begin: float
    report: dict[str, Any]
    summaries: list[dict[str, Any] | None]
    marks: dict[str, float] = field(default_factory=dict)
    ages: np.ndarray = field(default_factory=lambda: np.zeros(1))

    def findings(self) -> tuple[Finding, ...]:
        """Timing of the loop and the controllers: a property of the machine, not of the physics."""
        r, heard = self.report, [s for s in self.summaries if s]
        return (
            Finding("real_over_sim", r["real_over_sim"], "1", "below 1"),
            Finding("overruns", r["overruns"], "1", f"0; in {r['cycles']} cycles"),
            Finding("wake_up_p99", 1e-6 * r["latency_us"]["p99"], "s", "of the machine"),
            Finding("silent_cycles", r["silent"], "1", "0 unless a controller was killed"),
            Finding("missed_samples", sum(s["missed"] for s in heard), "1", "0: unseen by the controller"),
            Finding("late_answers", sum(s["late"] for s in heard), "1", "0: after more than a period"),
            Finding("answer_age_p50", float(np.percentile(self.ages, 50)), "s", "0: of simulated time"),
            Finding("answer_age_p99", float(np.percentile(self.ages, 99)), "s", f"{1.0 / r['rate']:.4g}, a period"),
            Finding("dropped_rows", r["dropped"], "1", "0: the record is complete"),
        )


# ---- two processes


def in_real_time(job: Job, law: ReadyController | None, duration: float, kill: float = 0.0, dead: float = 1.0) -> Taken:
    """Runs for a simulated time [s] from the first answered sample on.

    kill: after this time [s] the controller is killed (SIGKILL), and another one is started `dead` [s] later; 0: never.
    law None: no controller; the run begins with the simulator. All processes have ended when this returns or raises.
    """
    name, rows = job.options.session or "experiment", job.options.record or ROWS
    job = job.with_options(session=f"{name}-{os.getpid()}", record=rows)
    try:
        with Supervisor(job) as simulator:
            session = simulator.wait_ready()
            return _Course(job, law, session, simulator).run(duration, kill, dead)
    except SimulatorError as error:
        raise SolveError(f"no simulator: {error}") from error


class _Course:
    """A run in progress."""

    def __init__(self, job: Job, law: ReadyController | None, session: Session, simulator: Supervisor) -> None:
        self.job, self.law, self.session, self.simulator = job, law, session, simulator
        self.controllers: list[subprocess.Popen] = []
        self.needed: list[subprocess.Popen] = []  # controllers that must stay alive
        self.rows: list = []
        self.now = 0.0  # simulated time of the newest row [s]
        self.marks: dict[str, float] = {}
        self.ages: list[float] = []

    def run(self, duration: float, kill: float, dead: float) -> Taken:
        try:
            if self.law is not None:
                self._handshake()
            else:
                self.simulator.go()
            begin = 0.0 if self.job.options.driven else self.now
            ends = begin + duration
            if kill:
                self._collect(begin + kill)
                self._kill()
                self._collect(begin + kill + dead)
                self._start_again()
                ends = max(ends, self.now + LEAST)
            self._collect(ends)
            report, summaries = self._end()
        finally:
            for process in self.controllers:
                process.terminate()  # a process that has ended does not receive it
                _ended(process)
        return self._taken(begin, ends, report, summaries)

    def _handshake(self) -> None:
        """One step, so that there is a row; the controller answers that sample; then the simulator goes on."""
        if not self.job.options.driven:
            self.session.command(Command.STEP, 1)
        self.simulator.go()
        if not self.job.options.driven:
            self._until(lambda: self.now > 0.0, "the simulator takes no step")
        self._control()
        self._until(lambda: self.session.seats.driven.all(), "no controller drives the model")
        self._drain()
        self.session.command(Command.START)

    def _control(self) -> None:
        assert self.law is not None
        self.controllers.append(popen(self.law.command(self.session.card.name)))
        self.needed = [self.controllers[-1]]

    def _kill(self) -> None:
        self.marks["killed"], self.needed = self.now, []
        self.controllers[-1].kill()
        self.controllers[-1].wait()

    def _start_again(self) -> None:
        self.marks["started"] = self.now
        self._control()
        pid = self.controllers[-1].pid

        def heard() -> bool:
            return any(c.process.pid == pid and c.silence < 0.05 for c in self.session.controllers)

        self._until(heard, "the controller did not come back")
        self.marks["heard"] = self.now

    def _collect(self, until: float) -> None:
        def there() -> bool:
            if self.law is not None:
                answered = max(box.read().time for box in self.session.seats.mailboxes)  # first: ages are not negative
                self.ages.append(self.session.sensors.read().time - answered)
            return self.now >= until

        self._until(there, "simulated time does not advance", 60.0 + 20.0 * (until - self.now))

    def _until(self, done: Any, problem: str, timeout: float = START) -> None:
        """Drains the record until a condition holds; raises an error if it does not, or if a process has ended."""
        end = clock.monotonic() + timeout
        while not done():
            self._drain()
            if self.simulator.process.poll() is not None:
                raise SolveError(f"{problem}: {self.simulator.error()}")
            for process in self.needed:
                if process.poll() is not None:
                    raise SolveError(f"{problem}: {_last_words(process)}")
            if clock.monotonic() > end:
                raise SolveError(f"{problem} after {timeout:g} s")
            clock.sleep(PAUSE)

    def _drain(self) -> None:
        assert self.session.record is not None
        rows = self.session.record.drain()
        if len(rows.time):
            self.rows.append(rows)
            self.now = float(rows.time[-1])

    def _end(self) -> tuple[dict[str, Any], list[dict[str, Any] | None]]:
        """Ends the simulator first, as at the end of a session; the controllers detect this and report."""
        self.session.command(Command.STOP)
        report = self.simulator.wait(GRACE)
        if report.failed:
            raise SolveError(f"the loop ended: {report.message or report.ended}")
        return report.as_dict(), [None if p.returncode == -9 else _told(p) for p in self.controllers]

    def _taken(self, begin: float, ends: float, report: dict, summaries: list) -> Taken:
        card = self.session.card
        system = System(find(self.job.model).make(**self.job.settings))
        channels, _ = chosen(system, self.job.options.sensors)
        driven = [Channel(s.name, s.unit or "1", (), "in force in the step before") for s in card.actuators]
        time, table, stamps = (
            np.concatenate([getattr(rows, name) for rows in self.rows]) for name in ("time", "values", "stamp")
        )
        wanted = (time > begin - 0.5 / self.job.rate) & (time < ends + 0.5 / self.job.rate)
        told: dict[str, float | str] = {"rate": self.job.rate, "policy": self.job.options.policy}
        attrs = RunAttrs(
            model=self.job.model, integrator="two-step", options=told,
            counters={"overruns": report["overruns"], "cycles": report["cycles"]}, analyses=("realtime",),
            stand_in=system.model.stand_in,
        )  # fmt: skip
        results = Results(Channels([*channels, *driven]), time[wanted], table[wanted], attrs)
        return Taken(results, stamps[wanted], begin, report, summaries, self.marks, np.array(self.ages or [0.0]))


def popen(command: list[str]) -> subprocess.Popen:
    """Starts a process in its own group: Ctrl-C reaches the parent only, which ends it properly."""
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def _ended(process: subprocess.Popen) -> None:
    """Waits for a process that was asked to exit, and kills it if it does not."""
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def _told(process: subprocess.Popen) -> dict[str, Any]:
    """Output of a process at its end."""
    try:
        out, said = process.communicate(timeout=GRACE)
    except subprocess.TimeoutExpired:
        process.terminate()
        out, said = process.communicate(timeout=GRACE)
    if process.returncode != 0:
        raise SolveError(_last_words(process, said))
    return json.loads(out)


def _last_words(process: subprocess.Popen, said: str | None = None) -> str:
    """Why a process ended; said: its error output, if it was already read."""
    if said is None:
        said = process.stderr.read()  # type: ignore[union-attr]
    lines = said.strip().splitlines()
    return f"its process ended with {process.returncode}: {lines[-1] if lines else 'no message'}"


# ---- off-line


def off_line(job: Job, law: ReadyController | None, until: float, begin: float = 0.0, delay: int = 0) -> Results:
    """The same in one process: the controller starts with the sample at `begin` [s], answers act `delay` samples late.

    Uses the integration method of the loop.
    """
    ready = find(job.model)
    model = ready.make(**job.settings)
    options: dict[str, Any] = {"method": job.method_of(ready.method), "outputs": job.options.sensors}
    before = round(begin * job.rate)
    if law is None:
        stepper = Stepper(model, 1.0 / job.rate, end=until, **options)
        stepper.advance(round(until * job.rate))
        return stepper.results()
    link = SimulatedLink(model, job.rate, until, delay=delay, **options)
    if before:
        link.stepper.advance(before)
    control(READY[law.name](**law.settings), link, report=lambda line: None)
    return link.results()


def aligned(twin: Results, results: Results) -> Results:
    """The samples of a twin at the times of a run."""
    gap = float(np.median(np.diff(results.time)))
    rows = np.searchsorted(twin.time, results.time - 0.5 * gap)
    return Results(twin.channels, twin.time[rows], twin.table[rows], twin.attrs)


def answers(law: ReadyController, results: Results, rate: float) -> np.ndarray:
    """The controller's response to each sample of a record, (samples, actuators), if it sees every one."""
    controller = READY[law.name](**law.settings)
    controller.period = 1.0 / rate
    y, columns = Measures(controller.sensors), [results[name] for name in controller.sensors]
    found: list[list[float]] = []
    for k in range(len(results)):
        y.values[:] = [float(column[k]) for column in columns]
        if not found:
            controller.start(float(results.time[k]), y)
        found.append(list(controller.step(float(results.time[k]), y)))
    return np.array(found)


def delays(law: ReadyController, results: Results, rate: float, most: int = 10_000) -> np.ndarray:
    """Age, in samples, of the response in force in the step to each sample but the first; -1: none matches.

    0: the response to the preceding sample, the earliest possible. The law is evaluated along the record and its
    responses are searched, newest first: this is exact if the law has no memory, or saw every sample.
    """
    said = answers(law, results, rate)
    used = np.column_stack([results[name] for name in READY[law.name].actuators])
    found = np.full(len(results) - 1, -1)
    for k in range(1, len(results)):
        first = max(k - most, 0)
        same = np.flatnonzero((said[first:k] == used[k]).all(axis=1))
        if same.size:
            found[k - 1] = k - 1 - (first + same[-1])
    return found
