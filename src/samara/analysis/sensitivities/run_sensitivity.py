"""Runs in time with their derivatives by parameters: the direct method, beside the run itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from samara.analysis.sensitivities.sensitivity import given_change, given_names, unknown_columns
from samara.method.given import RunFields, records
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Model
from samara.results import Channel, Channels, Results, RunAttrs
from samara.solve import Diverged, Interrupted, Simulation
from samara.solve.as_simulation import as_simulation
from samara.solve.errors import NotSmooth
from samara.solve.interrupt import noting_interrupts
from samara.solve.measures import chosen
from samara.solve.native.codes import Status
from samara.solve.run import LOOK_INTERVAL
from samara.solve.start.start import make_ready
from samara.solve.tangent.sensitivity_march import (
    LARGE_TURN,
    failure,
    follow_carriers,
    make_along,
    march_along,
    measure_along,
)
from samara.solve.tangent.start import start_along
from samara.system.system import System

#: Numbers that are recorded at most: 16 GB.
MOST_NUMBERS = 2_000_000_000


@dataclass(frozen=True)
class RunSensitivity:
    """A run and its derivatives.

    results: the run, as `transient` would record it.
    by:      for each parameter the derivatives of all channels, as results: ``found.by["mass"]["tip.position"]``.
    """

    results: Results
    by: Mapping[str, Results]

    def __getitem__(self, which: tuple[str, str]) -> np.ndarray:
        """found["tip.position", "mass"]: as an array over time."""
        if not isinstance(which, tuple) or len(which) != 2:
            example = f"[{self.results.channels.names[0]!r}, {next(iter(self.by))!r}]"
            raise KeyError(f"give a channel and a parameter, as {example}")
        channel, parameter = which
        if parameter not in self.by:
            raise KeyError(f"no parameter {parameter!r}; there are: {', '.join(self.by)}")
        return self.by[parameter][channel]


def transient_sensitivity(
    model: Model | System | Simulation,
    end: float | None = None,
    step: float | None = None,
    parameters: str | tuple[str, ...] | list[str] = ("*",),
    *,
    method: Method | None = None,
    timeline: Timeline | None = None,
    **given: Unpack[RunFields],
) -> RunSensitivity:
    """Simulates a model until the time `end` [s] at a fixed step, with derivatives of all results by parameters and
    inputs.

    parameters: names of parameters or inputs (a unit of an input that lasts from the start on); all parameters by
                default.
    method, timeline: as in `transient`, or their fields by name; at a fixed step.

    The run starts from the present state, which is assumed independent of the parameters, as far as joints and the
    equilibrium of massless parts permit: after `static`, for example, the equilibrium is taken as given. The
    derivatives are those of the numerical solution, exact except for rounding and Newton's tolerance; if assembly moves
    parts at the start, that start is differentiated to nine digits. Each parameter costs about one iteration per step.
    The run ends with an error if a drive or a parameter jumps, or the rate of a prescribed motion does, since the time
    of the jump may depend on a parameter. The start is not smoothed (`samara.solve.start.velocity_offset`), so
    reactions oscillate slightly at first. Steps that project velocities onto the constraints (`stabilise`, and by
    default `CrankNicolson`) are rejected.

    After errors and Ctrl-C (`Interrupted`) the error has `.results`, a `RunSensitivity` up to that time.
    """
    who = "transient_sensitivity"
    method, timeline = records(transient_sensitivity, method, timeline, {"end": end, "step": step, **given})
    timeline.require(who, fixed=True)
    sim = as_simulation(who, model, method)
    names = given_names("transient_sensitivity", sim, parameters)
    if sim.started:
        raise ArgumentError(
            f"transient_sensitivity: the simulation of model {sim.model.name!r} has already been run, "
            f"without derivatives by parameters: give the model, or a new Simulation"
        )
    if sim.settings.project:
        raise ArgumentError(
            f"transient_sensitivity: steps of model {sim.model.name!r} project velocities onto the "
            f"constraints, which is not differentiated here: give a Simulation with stabilise=False, or an "
            f"integrator with damping"
        )
    timeline.require_room(who, sim.time)
    timeline.require_end_in_sight(who, sim.time, 0)
    with sim.alone():
        return _Run(sim, names, timeline).go()


class _Run:
    def __init__(self, sim: Simulation, names: tuple[str, ...], timeline: Timeline) -> None:
        end, self.step, self.every = timeline.end or 0.0, timeline.step or 0.0, timeline.every
        self.sim, self.names, self.count = sim, names, round((end - sim.time) / self.step)
        self.channels, self.columns = chosen(sim.system, timeline.outputs)
        rows = self.count // self.every + 1
        if rows * (1 + len(names)) * max(1, self.columns.size) > MOST_NUMBERS:
            raise ArgumentError(
                f"transient_sensitivity: {rows} rows of {self.columns.size} channels and their derivatives do not fit "
                "into memory: record fewer (outputs=...), or less often (every=...)"
            )
        self.times, self.rows = np.zeros(rows), np.zeros((rows, self.columns.size))
        self.slopes = np.zeros((rows, len(names), self.columns.size))
        self.written = 0

    def go(self) -> RunSensitivity:
        """Start and march; whatever happens, what was recorded comes back, or goes with the error."""
        with noting_interrupts() as interrupted:
            try:
                self._march(self._start(), interrupted)
            except (Diverged, NotSmooth) as error:
                error.results = self._found("failed", str(error))
                raise
            if interrupted():
                found = self._found("interrupted", f"interrupted at t = {self.sim.time:g} s")
                stopped = Interrupted(found.results)
                stopped.results = found  # type: ignore[assignment]
                raise stopped
        return self._found("completed", "")

    def _start(self) -> Any:
        sim = self.sim
        changes = [given_change(sim, name) for name in self.names]
        tangents, without_carriers = start_along(sim, changes, self.step), sim.state.copy()
        make_ready(sim, self.step)
        along = make_along(sim, changes, tangents, LARGE_TURN)
        along.before[:] = without_carriers
        follow_carriers(sim.machine, along, 0.0)
        self.rows[0], self.times[0], self.written = sim.state.outputs()[self.columns], sim.time, 1
        measure_along(sim.machine, along, self.columns, self.slopes[0])
        return along

    def _march(self, along: Any, interrupted: Callable[[], bool]) -> None:
        """Native calls of about a breath each, of whole rows."""
        sim, done, chunk = self.sim, 0, self.every
        while done < self.count and not interrupted():
            k, began = self.written, time.perf_counter()
            arrays = (self.times[k:], self.rows[k:], self.slopes[k:])
            count = min(chunk, self.count - done)
            status, steps, more = march_along(sim, along, self.step, count, self.every, self.columns, *arrays)
            done, self.written = done + steps, k + more
            if status != Status.OK:
                raise failure(sim, status)
            spent = max(time.perf_counter() - began, 1e-6)
            chunk = self.every * max(1, int(min(steps * LOOK_INTERVAL / spent, 4 * chunk)) // self.every)

    def _found(self, status: str, message: str) -> RunSensitivity:
        sim, known, n = self.sim, self.sim.system.parameters.named, self.written
        attrs = RunAttrs(
            model=sim.model.name,
            parameters={name: (p.value, p.unit) for name, p in sim.model.parameters.items()},
            integrator=sim.integrator.name,
            method=sim.method.described(),
            options={"step": self.step, "every": self.every},
            analyses=("transient_sensitivity",),
            status=status,  # type: ignore[arg-type]
            message=message,
            stand_in=sim.model.stand_in,
            notes=tuple(sim.adjusted.notes()),
        )
        by = {}
        for k, name in enumerate(self.names):
            unit = (known[name].unit if name in known else "") or "1"
            channels = Channels([_derived(channel, name, unit) for channel in self.channels])
            values = np.where(unknown_columns(self.channels), np.nan, self.slopes[:n, k])
            by[name] = Results(channels, self.times[:n], values, replace(attrs, model=f"{sim.model.name}, by {name}"))
        return RunSensitivity(Results(self.channels, self.times[:n], self.rows[:n], attrs), by)


def _derived(channel: Channel, parameter: str, unit: str) -> Channel:
    text = f"derivative of {channel.description or channel.name} by {parameter}"
    per = channel.unit if unit == "1" else f"{channel.unit} ({unit})-1"
    return Channel(channel.name, per, channel.components, text, channel.frame)
