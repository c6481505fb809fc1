"""A trim as it was asked for: the controls of a model, their limits, and what is measured over a period."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from samara.analysis.trim.problem.incidence import Incidence, flows, incidence
from samara.analysis.trim.problem.plan import Plan, TrimClock
from samara.analysis.trim.problem.request import Limits
from samara.analysis.trim.problem.target import Measure, Target, channels_of, label_of, measure_of
from samara.arguments import named
from samara.model import ModelError
from samara.results import Results
from samara.solve import Simulation
from samara.solve.native.kernels import set_time
from samara.solve.step.events import note_drives
from samara.solve.store.checkpoint import Snapshot

#: A control counts as large as this at least, for its nudge [its unit].
LEAST = 0.2


@dataclass
class TrialPoint:
    """A periodic motion under given controls, as far as it has settled.

    x: controls; y: measured; change: of the state over the last period; periods: marched for it; air: angles of attack.
    """

    x: np.ndarray
    y: np.ndarray
    change: float
    periods: int
    settled: bool
    results: Results
    saved: Snapshot
    air: Incidence = field(default_factory=Incidence)


@dataclass
class Problem:
    """What is asked for, of which simulation."""

    sim: Simulation
    controls: list[str]
    targets: list[Target]
    wanted: np.ndarray
    clock: TrimClock
    outputs: tuple[str, ...]

    def __post_init__(self) -> None:
        s = self.sim.system
        known = {**s.model.parameters, **s.layout.input_index}
        for name in self.controls:
            named(f"trim: model {s.model.name!r}", "parameter or input", name, known)
        self.labels = [label_of(t) for t in self.targets]
        self.measures: list[Measure] = [measure_of(t) for t in self.targets]
        needed = channels_of(s, self.measures)
        self.recorded = ("*",) if needed is None else (*needed, *self.outputs)
        self.air = flows(s.model)
        self.watched = self.recorded if needed is None else (*self.recorded, *self.air, *self.air.values())

    # ---- controls
    def limits(self, given: Limits) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of each control."""
        parameters = self.sim.system.model.parameters
        both = []
        for name in self.controls:
            low, high = given.get(name, (-np.inf, np.inf))
            if name in parameters:
                low, high = max(low, parameters[name].lower), min(high, parameters[name].upper)
            both.append((low, high))
        return np.array([b[0] for b in both]), np.array([b[1] for b in both])

    def start(self, what: str, given: Mapping[str, float], low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Values of the controls to start from, checked; what: they are called, in errors."""
        start = np.array([given[name] for name in self.controls])
        for name, value, lowest, highest in zip(self.controls, start, low, high, strict=True):
            if not lowest <= value <= highest:
                raise ModelError(
                    f"trim: {what} has {name!r} at {value:g}, outside its limits {lowest:g} .. {highest:g}"
                )
        return start

    def nudges(self, given: Mapping[str, float], start: np.ndarray) -> np.ndarray:
        """Small changes of the controls: 1 percent of each."""
        return np.array([given.get(c, 0.01 * max(abs(x), LEAST)) for c, x in zip(self.controls, start, strict=True)])

    def named(self, x: np.ndarray) -> dict[str, float]:
        return dict(zip(self.controls, map(float, x), strict=True))

    def put(self, x: np.ndarray) -> None:
        """Gives the controls to the model; the scheme starts anew, for something may jump."""
        s = self.sim.system
        for name, value in zip(self.controls, x, strict=True):
            if name in s.layout.input_index:
                s.set_input(name, float(value))
            elif s.parameters.find(name).value != value or any(a[i] != value for a, i in s.parameters.places(name)):
                s.set_parameter(name, float(value))

    def put_quietly(self, x: np.ndarray) -> None:
        """The same where the state has been moved along with them: nothing jumps, and the scheme goes on."""
        self.put(x)
        sim = self.sim
        sim.memory.clock.changes = sim.machine.jumps.parameter_changes[0]
        set_time(sim.machine, sim.time)
        note_drives(sim.machine)

    # ---- what is measured
    def timing(self, x: np.ndarray) -> tuple[float, float, int]:
        """Period, step and steps per period under controls x."""
        return self.clock(self.named(x))

    def plan(self, x: np.ndarray) -> Plan:
        _, step, steps = self.timing(x)
        return Plan(tuple(self.measures), self.recorded, step, steps, self.clock.variable)

    def measure(self, results: Results) -> np.ndarray:
        return np.array([measure(results) for measure in self.measures])

    def angles(self, results: Results) -> Incidence:
        return incidence(results, self.air)

    def kept(self, results: Results) -> Results:
        """What the user asked for, of all that was recorded."""
        if self.recorded == self.watched:
            return results
        columns = results.channels.indices(*self.recorded)
        table = np.ascontiguousarray(results.table[:, columns])
        return Results(results.channels.select(*self.recorded), results.time, table, results.attrs)
