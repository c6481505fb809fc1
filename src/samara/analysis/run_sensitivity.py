"""Runs in time with their derivatives by parameters: the direct method, beside the run itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from samara.analysis.sensitivity import given_change, given_names
from samara.model import Model, arguments
from samara.model.arguments import positive
from samara.results import Channel, Channels, Results
from samara.solve import Diverged, Integrator, Simulation, SolveError, assemble
from samara.solve.along import NOT_SMOOTH, UNSUITABLE, follow_carriers, make_along, march_along, measure_along
from samara.solve.codes import Memory, Status
from samara.solve.diagnose import explain
from samara.solve.given import simulation_of
from samara.solve.measures import chosen
from samara.solve.pace import pace
from samara.solve.start import make_ready
from samara.solve.start_along import start_along
from samara.system.system import System


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
        channel, parameter = which
        if parameter not in self.by:
            raise KeyError(f"no parameter {parameter!r}; there are: {', '.join(self.by)}")
        return self.by[parameter][channel]


def transient_sensitivity(
    model: Model | System | Simulation,
    end: float,
    step: float,
    parameters: str | tuple[str, ...] | list[str] = ("*",),
    *,
    outputs: str | tuple[str, ...] | list[str] = ("*",),
    every: int = 1,
    integrator: Integrator | None = None,
    tolerance: float | None = None,
) -> RunSensitivity:
    """Simulates a model until the time `end` [s] at a fixed step, and what parameters and inputs do to all of it.

    parameters: names of parameters or inputs (a unit of an input that lasts from the start on); all parameters by
                default.
    outputs, every, integrator, tolerance: as in `transient`.

    The derivatives are those of the numerical solution, exact but for rounding and Newton's tolerance. A parameter
    costs about an iteration per step. Where a drive or a parameter jumps in the run, it ends with an error: the time of
    a jump may follow a parameter. The start is not smoothed (`samara.solve.smooth`), so reactions ring a little first.
    """
    plan = pace("transient_sensitivity", end, step, None, every)
    patterns = arguments.outputs("transient_sensitivity: outputs", outputs)
    step = positive("transient_sensitivity: step", step)
    sim = simulation_of("transient_sensitivity", model, integrator, tolerance)
    names = given_names(sim, parameters)
    with sim.alone():
        return _Run(sim, names, patterns).go(step, round(plan.end / step), plan.every)


class _Run:
    def __init__(self, sim: Simulation, names: tuple[str, ...], patterns: tuple[str, ...]) -> None:
        self.sim, self.names = sim, names
        self.channels, self.columns = chosen(sim.system, patterns)

    def go(self, h: float, count: int, every: int) -> RunSensitivity:
        sim = self.sim
        assemble(sim, step=h)
        changes = [given_change(sim, name) for name in self.names]
        tangents = np.array([start_along(sim, change) for change in changes])
        along = make_along(sim, changes, tangents)
        make_ready(sim, h)
        follow_carriers(sim.machine, along, 0.0)
        total = count // every + 1
        times, rows = np.zeros(total), np.zeros((total, self.columns.size))
        slopes = np.zeros((total, len(self.names), self.columns.size))
        rows[0], times[0] = sim.state.outputs()[self.columns], sim.time
        measure_along(sim.machine, along, self.columns, slopes[0])
        done, written = 0, 1
        while done < count:
            status, steps, more = march_along(
                sim.work, along, h, count - done, every, self.columns, times[written:], rows[written:], slopes[written:]
            )
            done, written = done + steps, written + more
            if status == Status.GROWTH and sim.renew_pivots(h):
                continue
            if status != Status.OK:
                raise self._failure(status)
        return self._found(times[:written], rows[:written], slopes[:written])

    def _failure(self, status: int) -> SolveError:
        sim = self.sim
        where = f"model {sim.model.name!r} at t = {sim.memory[Memory.TIME]:g} s"
        if status == NOT_SMOOTH:
            return SolveError(
                f"{where}: something jumps or a step was divided, and derivatives do not go through that: end the run "
                "before it, make the drive smooth, or take a smaller step"
            )
        if status == UNSUITABLE:
            return SolveError(f"{where}: the Jacobian became singular; take a smaller step")
        return Diverged(explain(sim, Status(status), None))

    def _found(self, times: np.ndarray, rows: np.ndarray, slopes: np.ndarray) -> RunSensitivity:
        known = self.sim.system.parameters.named
        by = {}
        for k, name in enumerate(self.names):
            unit = (known[name].unit if name in known else "") or "1"
            channels = Channels([_derived(channel, name, unit) for channel in self.channels])
            by[name] = Results(channels, times, slopes[:, k])
        return RunSensitivity(Results(self.channels, times, rows), by)


def _derived(channel: Channel, parameter: str, unit: str) -> Channel:
    text = f"derivative of {channel.description or channel.name} by {parameter}"
    per = channel.unit if unit == "1" else f"{channel.unit} ({unit})-1"
    return Channel(channel.name, per, channel.components, text, channel.frame)
