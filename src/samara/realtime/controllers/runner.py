"""Runs a controller against a simulator until either ends."""

from __future__ import annotations

import difflib
import gc
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np

from samara.realtime.controllers.controller import Controller, ControllerError
from samara.realtime.controllers.guard import Guard
from samara.realtime.controllers.link import Link, LinkPort
from samara.solve.interrupt import noting_interrupts

#: How long to wait for a sample before looking around [s].
PATIENCE = 0.1
#: How many step times are kept for the summary: the latest.
KEPT = 100_000
#: Relative difference of two rates that are the same.
SAME = 1e-6


@dataclass
class Summary:
    """Summary of a controller run.

    ended:      reason: "duration", "interrupted", "simulator gone".
    handled:    samples answered. missed: samples never seen (gaps in the sequence).
    late:       outputs sent more than a period after their sample was made.
    exceptions, not_finite: failed steps. changes: changes of tunable numbers. restarts: restarts of the simulator.
    simulated:  time from the first sample to the last [s].
    step_us:    execution time of the controller's own steps [us]: p50, p99, max of the last 100 000.
    """

    controller: str
    simulator: str
    rate: float
    ended: str = ""
    handled: int = 0
    missed: int = 0
    late: int = 0
    exceptions: int = 0
    not_finite: int = 0
    changes: int = 0
    restarts: int = 0
    simulated: float = 0.0
    step_us: dict[str, float] | None = None

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def __str__(self) -> str:
        us = self.step_us or {"p50": 0.0, "p99": 0.0, "max": 0.0}
        failed = f", {self.exceptions} exceptions, {self.not_finite} not finite" * bool(
            self.exceptions or self.not_finite
        )
        return (
            f"{self.controller} with {self.simulator} at {self.rate:g} Hz: {self.handled} samples in "
            f"{self.simulated:.3f} s, {self.missed} missed, {self.late} late{failed}, {self.changes} changes; "
            f"a step took {us['p50']:.1f} us (p99 {us['p99']:.1f}, max {us['max']:.1f}); ended: {self.ended}"
        )


def run(
    controller: Controller,
    link: Link,
    *,
    duration: float | None = None,
    wait: bool = False,
    report: Callable[[str], None] | None = None,
) -> Summary:
    """Answers samples until the simulator goes away, `duration` [s, simulated] is over, or SIGINT or SIGTERM comes.

    wait:   when the simulator goes away, wait for its return.
    report: takes one line about something that went wrong; by default it goes to standard error.
    """
    return Runner(controller, link, duration, wait, report or _to_stderr).run()


class Runner:
    """The state of a run; `run` makes one."""

    def __init__(
        self, controller: Controller, link: Link, duration: float | None, wait: bool, report: Callable[[str], None]
    ) -> None:
        self.controller, self.link, self.duration, self.patient, self.report = controller, link, duration, wait, report
        self.guard = Guard(controller, report)
        info = link.info
        self.divide = _divided(controller, info.rate)
        self.period = controller.period = self.divide / info.rate
        _check_names(controller, "sensor", controller.sensors, info.sensors)
        _check_names(controller, "actuator", controller.actuators, info.actuators)
        self.summary = Summary(type(controller).__name__, info.name, 1.0 / self.period)
        self._took = np.zeros(KEPT)
        self._first: float | None = None  # simulated time of the first sample
        self._time = 0.0
        self._seen: int | None = None  # sequence of the last sample, and of the last that was answered
        self._answered: int | None = None

    def run(self) -> Summary:
        """Until the end, whichever comes first."""
        with noting_interrupts(signal.SIGINT, signal.SIGTERM) as interrupted:  # first: what is opened is closed again
            self._run(interrupted)
        return self._summed_up()

    def _run(self, interrupted: Callable[[], bool]) -> None:
        link, controller = self.link, self.controller
        link.open(controller.sensors, controller.actuators)
        gc.collect()
        gc.freeze()  # what is there now is never looked through again: collections in the loop are short
        try:
            link.announce(controller.parameters())
            link.consult(controller.examine)
            self.summary.ended = self._loop(interrupted)
            last = controller.stop(self._time)
            if last is not None and link.alive():
                link.send(self.guard.check(last), self._time)
        finally:
            gc.unfreeze()
            link.close()

    def _loop(self, interrupted: Callable[[], bool]) -> str:
        link = self.link
        while not interrupted():
            sample = link.wait(PATIENCE)
            if sample is None:
                if not link.alive() and not self._back(interrupted):
                    return "interrupted" if interrupted() else "simulator gone"
                self._change()  # also while the simulator is held
                continue
            if self._first is None or sample.time < self._time:
                self._begin(sample.time)
            self._time = sample.time
            if self._seen is not None:
                self.summary.missed += max(sample.sequence - self._seen - 1, 0)
            self._seen = sample.sequence
            if self._answered is None or sample.sequence - self._answered >= self.divide:
                self._answered = sample.sequence
                self._answer(sample)
            if self.duration is not None and self._elapsed() >= self.duration - 0.5 * self.period:
                return "duration"
        return "interrupted"

    def _change(self) -> None:
        """Takes what others want changed."""
        wanted = self.link.changes()
        if wanted:
            self.summary.changes += len(self.guard.change(wanted))
            self.link.announce(self.controller.parameters())

    def _answer(self, sample) -> None:
        self._change()
        start = perf_counter()
        values = self.guard(sample.time, sample.values)
        self._took[self.summary.handled % KEPT] = perf_counter() - start
        if values is not None:
            self.link.send(values, sample.time)
        self.summary.handled += 1
        self.summary.late += self.link.now() - sample.stamp > self.period

    def _begin(self, t: float) -> None:
        """A first sample: of all, or of a simulator that has started anew."""
        if self._first is not None:
            self.summary.restarts += 1
            self.summary.simulated += self._time - self._first
        self.guard.restart()
        self._first, self._time, self._seen, self._answered = t, t, None, None

    def _back(self, interrupted: Callable[[], bool]) -> bool:
        """Whether a simulator that went away has come back."""
        if not self.patient:
            self.report(f"the simulator {self.summary.simulator!r} has gone")
            return False
        self.report(f"the simulator {self.summary.simulator!r} has gone; waiting for its return")
        while not interrupted():
            if self.link.reopen(PATIENCE):
                self.link.announce(self.controller.parameters())
                self._seen = self._answered = None
                return True
        return False

    def _elapsed(self) -> float:
        return self.summary.simulated + (self._time - self._first if self._first is not None else 0.0)

    def _summed_up(self) -> Summary:
        s = self.summary
        s.simulated = self._elapsed()
        s.exceptions, s.not_finite = self.guard.exceptions, self.guard.not_finite
        took = 1e6 * self._took[: min(s.handled, KEPT)]
        if took.size:
            p50, p99 = np.percentile(took, [50, 99])
            s.step_us = {"p50": float(p50), "p99": float(p99), "max": float(took.max())}
        return s


def _divided(controller: Controller, rate: float) -> int:
    """How many samples of the simulator make one step of the controller."""
    if controller.rate is None:
        return 1
    divide = round(rate / controller.rate)
    if divide < 1 or abs(divide * controller.rate / rate - 1.0) > SAME:
        raise ControllerError(
            f"{type(controller).__name__}: its rate, {controller.rate:g} Hz, does not divide the simulator's, {rate:g} "
            "Hz; run the simulator at a multiple of it, or set rate = None to follow the simulator"
        )
    return divide


def _check_names(controller: Controller, what: str, wanted: tuple[str, ...], ports: tuple[LinkPort, ...]) -> None:
    known = [port.name for port in ports]
    for name in wanted:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known[:12]) or 'none'}"
            raise ControllerError(f"{type(controller).__name__}: the simulator has no {what} {name!r}; {hint}")


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
