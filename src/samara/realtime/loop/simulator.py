"""A model in real time, as run by `samara realtime`."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from samara.arguments import known, not_negative, positive
from samara.blas import one_thread
from samara.method.given import method_of
from samara.method.method import OF_PARTS, Method
from samara.model import ArgumentError, Model
from samara.realtime.loop.bare import bare_latencies
from samara.realtime.loop.clock import SECOND, Clock, machine_clock, made_up
from samara.realtime.loop.exchange import Exchange, alone, connected, show
from samara.realtime.loop.loop import loop
from samara.realtime.loop.options import Options
from samara.realtime.loop.reasons import reason
from samara.realtime.loop.rehearsal import TRIALS, lead, rehearsal_of, time_of_rehearsal
from samara.realtime.session import Session
from samara.realtime.session.accounts import Account, new_histogram, summary
from samara.realtime.session.card import Signal
from samara.realtime.session.ledger import Ledger, Phase
from samara.realtime.session.schedule import Ended, LoopPlan, Policy, Schedule
from samara.results import Channels, UnknownChannelError
from samara.scene import scene_of, shown
from samara.solve import Simulation, SolveError
from samara.solve.laws.samples import held_inputs
from samara.solve.measures import chosen
from samara.solve.native.codes import Counter, Status
from samara.solve.report.contacts import contact_counts
from samara.solve.sampling import sampling_of
from samara.solve.start.start_with_laws import start_with_laws
from samara.solve.start.velocity_offset import smooth_start
from samara.solve.start_report import warn_of_changes
from samara.solve.store.checkpoint import restore, snapshot
from samara.solve.tree.stepping import show as show_tree

#: Steps that are taken beforehand, so that all code and memory is there, and taken back.
WARM_UP = 32


@dataclass
class Report:
    """Report of a real-time run. Times are wall-clock times."""

    model: str
    rate: float  # Hz
    ended: str
    simulated: float  # s
    elapsed: float  # s
    real_over_sim: float  # time at work over simulated time
    accounts: dict[str, int]
    step_us: dict[str, float]
    latency_us: dict[str, float]
    bare_latency_us: dict[str, float] = field(default_factory=dict)
    iterations_per_step: float = 0.0
    jacobians_per_step: float = 0.0
    contacts: dict[str, float] = field(default_factory=dict)  # what was counted of contacts with impacts, if any
    silent_at_end: list[str] = field(default_factory=list)  # controllers without a sign of life, with their actuators
    message: str = ""  # what went wrong
    has: list[str] = field(default_factory=list)  # what makes the loop punctual
    lacks: list[str] = field(default_factory=list)  # what it was not allowed, with the remedy

    @property
    def failed(self) -> bool:
        """Whether it ended before it should."""
        return self.ended not in ("done", "asked")

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the accounts on the top level."""
        plain = dict(vars(self))
        plain |= plain.pop("accounts")
        return plain


def report_of(ledger: Ledger, model: str, rate: float, ended: str) -> Report:
    """What the ledger of a loop tells, by whomever it is read."""
    told = ledger.summary()
    busy, elapsed = 1e-9 * told.pop("busy"), 1e-9 * told.pop("elapsed")
    step_us, latency_us = told.pop("step_us"), told.pop("latency_us")
    simulated = told["cycles"] / rate
    ratio = busy / simulated if simulated else float("nan")
    return Report(model, rate, ended, simulated, elapsed, ratio, told, step_us, latency_us)


def first_shown(channels: Channels, patterns: Sequence[str]) -> list[str]:
    """Labels of the channels that match; a pattern without any is left out."""
    found: list[str] = []
    for pattern in patterns:
        with contextlib.suppress(UnknownChannelError):
            found += channels.select(pattern).labels
    return found


class RealTime:
    """A simulation, its loop, and the session through which other processes observe and control it.

    rate:       steps per second [Hz]; or an `Options` with this and all other choices.
    method:     how steps are taken; default `Method().in_real_time()`.
    clock:      default: the machine's clock.
    given:      options by name, see `Options`; and fields of the method, which override its own, except that
                `iterations` is the option.
    """

    def __init__(
        self,
        model: Model,
        rate: float | Options,
        *,
        method: Method | None = None,
        clock: Clock | None = None,
        **given: Any,
    ) -> None:
        names = dict.fromkeys(f.name for kind in (Options, Method) for f in fields(kind) if f.name not in OF_PARTS)
        known("RealTime", given, names)
        options = {f.name: given.pop(f.name) for f in fields(Options) if f.name in given}
        how = replace(rate, **options) if isinstance(rate, Options) else Options(rate, **options)
        method = method_of(RealTime, method or Method().in_real_time(), given)
        if method is not None and method.partition is not None:
            raise ArgumentError("RealTime: partitions are not supported: give a Method without partition")
        if clock is not None and not isinstance(clock, Clock):
            raise ArgumentError(f"RealTime: clock must be a Clock, such as machine_clock(), got {clock!r}")
        self.sim = Simulation(model, method=method)
        self.options, self.rate = how, positive("RealTime: rate", how.rate)
        policy = Policy[how.policy.upper()]
        self.plan = LoopPlan(
            round(SECOND / self.rate), 1.0 / self.rate, int(policy), how.iterations, how.few, how.driven
        )
        self._require_laws()
        start_with_laws(self.sim, self.plan.step)
        smooth_start(self.sim, self.plan.step)
        warn_of_changes(self.sim, stacklevel=2)
        self._room = rehearsal_of(self.sim)
        self._warm_up()
        self.start = snapshot(self.sim)
        self.session: Session | None = None
        self.box: Exchange = alone()
        self.clock = clock or machine_clock(self._spin())
        if how.session is not None:
            self._open(how.session)
        self.ledger = self.session.ledger if self.session else Ledger.private()
        self.ledger.policy = policy
        self.ledger.schedule[Schedule.STEPS] = -1  # it runs, until somebody holds it
        self.accounts = self.ledger.accounts

    def _require_laws(self) -> None:
        """Discrete laws must be native code, and sample at whole numbers of steps."""
        sampling = sampling_of(self.sim)
        if sampling is not None:
            sampling.require_native("RealTime", self.sim.model.name)
            sampling.require("RealTime", self.sim, self.plan.step, real_time=True)

    def _open(self, name: str) -> None:
        system, held = self.sim.system, held_inputs(self.sim.system)
        channels, columns = chosen(system, self.options.sensors)
        self.session = Session.create(
            name,
            rate=self.rate,
            sensors=[Signal(label, c.unit, description=c.description) for c in channels for label in c.labels],
            vectors=[channel for channel in channels if channel.components],
            actuators=[Signal(i.name, i.unit or "1") for i in system.drives.inputs if i.name not in held],
            parameters=[
                Signal(p.name, p.unit or "1", description=p.description, limits=system.parameters.checks.limits(p.name))
                for p in self.sim.model.parameters.values()
            ],
            record=self.options.record,
            model=self.sim.model.name,
            nodes=[node.name for node in shown(system)],
            scene=scene_of(system, chosen(system, ("*",))[0])() | {"plot": first_shown(channels, self.options.plot)},
        )
        self.box = connected(self.session, system, columns, self.options.patience)
        self.box.parameters.values[:] = [value for value, _ in system.parameters.recorded().values()]
        self.session.parameters.write(self.box.parameters.values.copy(), self.sim.time)
        self._tuning = self.session.serve_tuning(system.parameters.checks)
        self._show()

    def _show(self) -> None:
        """Sensors and view as they are, without a step."""
        if self.box.on:
            show(self.sim.work, self.box, self.sim.time, self.clock)

    def _warm_up(self) -> None:
        """Some steps on a clock of their own, with the same code, and back: nothing is compiled or touched later."""
        before = snapshot(self.sim)
        spare = Ledger.private()
        spare.schedule[Schedule.LEFT], spare.schedule[Schedule.STEPS] = WARM_UP, -1
        self._call(made_up(spin=self.plan.step), alone(), spare, self.plan._replace(driven=False))
        restore(self.sim, before)

    def _spin(self) -> float:
        """How long before a deadline the loop is awake [s]: long enough to rehearse the step, unless it is chosen.

        One that is driven by messages does not know when they come.
        """
        if self.options.spin is not None or self.plan.driven:
            return self.options.spin or 0.0
        shortest = time_of_rehearsal(self.sim.work, self.box, self._room, self.plan.step, TRIALS)
        return lead(shortest, self.plan.period) / SECOND

    def _call(self, clock: Clock, box: Exchange, ledger: Ledger, plan: LoopPlan) -> Ended:
        sim, accounts, ended = self.sim, ledger.accounts, Ended.DONE

        def serve(_: int) -> tuple[int, int, int]:
            nonlocal ended
            served = accounts[Account.CYCLES]
            ended = Ended(
                loop(sim.work, plan, self._room, clock, box, ledger.schedule, accounts, ledger.steps, ledger.latencies)
            )
            status = Status.GROWTH if ended == Ended.PIVOTS else Status.OK
            return status, int(accounts[Account.CYCLES] - served), 0

        while True:
            made = sim.advance(serve, 1, plan.step)
            if made.singular is not None:
                raise made.singular
            if made.status == Status.NOT_CONVERGED:
                raise SolveError(
                    f"model {sim.model.name!r}: no suitable pivots at t = {sim.time:g} s; increase the rate"
                )
            if made.status == Status.NOT_FINITE:
                return Ended.NOT_FINITE
            if ended != Ended.AGAIN:
                return ended
            self._reset()

    def _reset(self) -> None:
        """The state of the start; parameters stay as they were tuned, counts go on, deadlines begin anew."""
        self.ledger.phase = Phase.READY  # this takes longer than a period; the watchdog bears it
        counted = self.sim.counters.copy()
        restore(self.sim, self.start)
        self.sim.memory.clock.event = True  # parameters may be others than at the start
        self.sim.counters[:] = counted
        self.accounts[Account.RESETS] += 1
        self.ledger.schedule[Schedule.DEADLINE] = 0
        if self.ledger.schedule[Schedule.STEPS] > 0:  # steps that were asked for before are not taken after it
            self.ledger.schedule[Schedule.STEPS] = 0
        self._show()
        self.ledger.phase = Phase.RUNNING

    def run(self, duration: float | None = None, bare: float = 0.0) -> Report:
        """Serves periods for a time [s], or until it is asked to stop. bare: how long to measure the machine alone [s].

        The bare loop, the same waiting without work, runs half before and half after a run that is not ended earlier.
        """
        bare = not_negative("RealTime: bare", bare)
        if duration is not None:
            duration = positive("RealTime: duration", duration)
            if duration * self.rate < 1.0 - 1e-6:
                raise ArgumentError(
                    f"RealTime: a duration of {duration:g} s is shorter than one step, {self.plan.step:g} s"
                )
        self.sim.claim()
        with self.sim.alone(), one_thread():
            return self._serve(duration, bare)

    def _serve(self, duration: float | None, bare: float) -> Report:
        idle = new_histogram()

        def measure() -> None:
            bare_latencies(self.clock, self.plan.period, round(0.5 * bare * self.rate), idle, self.box.asked)

        measure()
        schedule = self.ledger.schedule
        schedule[Schedule.LEFT] = -1 if duration is None else round(duration * self.rate)
        schedule[Schedule.DEADLINE] = 0
        served, start = int(self.accounts[Account.CYCLES]), self.sim.counters.copy()
        self.ledger.thread = threading.get_native_id()
        self._show()
        self.ledger.phase, message, ended = Phase.RUNNING, "", Ended.PIVOTS
        try:
            ended = self._call(self.clock, self.box, self.ledger, self.plan)
        except SolveError as error:
            message = str(error)
        finally:
            self.ledger.ended = ended
            self.ledger.phase = Phase.ENDED
            if self.sim.tree is not None:  # the loop keeps coordinates; whoever looks at the state sees nodes
                show_tree(self.sim.machine)
        if ended == Ended.DONE:  # who asked for the end does not wait for it
            measure()
        message = reason(self.sim, ended, message, self.plan.step, self.sim.method.substeps, self._told())
        return self._report(
            ended, message, int(self.accounts[Account.CYCLES]) - served, self.sim.counters - start, idle
        )

    def _told(self) -> list[tuple[Signal, float]]:
        """What the actuators were told last."""
        signals = self.session.card.actuators if self.session is not None else ()
        return list(zip(signals, self.box.commands.tolist(), strict=False))

    def _report(self, ended: Ended, message: str, cycles: int, count: np.ndarray, idle: np.ndarray) -> Report:
        taken = max(int(count[Counter.STEPS]), 1)
        report = report_of(self.ledger, self.sim.model.name, self.rate, ended.name.lower())
        report.simulated = cycles * self.plan.step
        report.bare_latency_us = summary(idle) if idle.any() else {}
        report.iterations_per_step = float(count[Counter.ITERATIONS]) / taken
        report.jacobians_per_step = float(count[Counter.JACOBIANS]) / taken
        report.contacts = contact_counts(self.sim, count)
        report.silent_at_end = self.session.seats.silent() if self.session else []
        report.message = message
        return report

    def close(self) -> None:
        """Ends the session."""
        if self.session is not None:
            self._tuning.close()
            self.session.close()
            self.session, self.box = None, alone()

    def __enter__(self) -> RealTime:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
