"""A transient run step by step, with inputs set between the steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

import numpy as np

from samara.arguments import named, whole
from samara.method.given import StepperFields, records
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Model, ModelError
from samara.results import Results, UnknownChannelError
from samara.solve.as_simulation import as_simulation
from samara.solve.errors import Diverged
from samara.solve.laws.samples import held_inputs
from samara.solve.measures import channels
from samara.solve.native.codes import Status
from samara.solve.report.diagnosis import explain
from samara.solve.run import Run
from samara.solve.simulation import Simulation
from samara.solve.start.start import notice_written
from samara.system.system import System

#: What a run is taken to last where nothing is said [s].
USUAL_END = 1.0


class Stepper:
    """Advances a model in time step by step, for off-line simulation with a controller in the loop.

        stepper = Stepper(model, step=1e-3)
        while stepper.time < 5.0:
            angle = stepper.measure("hinge.angle")
            stepper.feed("torque", -40.0 * angle)
            stepper.advance()
        results = stepper.results()

    step:     [s], fixed. An input value acts from the next step on, and is held.
    method, timeline: as in `samara.transient`, or their fields by name. outputs: channels to record; any channel can be
              measured, recorded or not. end: expected duration of the run [s], by default 1 s, for which memory is
              allocated in advance.
    """

    def __init__(
        self,
        model: Model | System | Simulation,
        step: float | None = None,
        *,
        method: Method | None = None,
        timeline: Timeline | None = None,
        **given: Unpack[StepperFields],
    ) -> None:
        method, timeline = records(Stepper, method, timeline, {"step": step, **given})
        end = max(timeline.end or USUAL_END, timeline.step or 0.0)
        step = replace(timeline, end=end, who="Stepper").require("Stepper", fixed=True).step or 0.0
        sim = as_simulation("Stepper", model, method, trees=True, runs=True)
        self.sim, self.step, self._held = sim, step, held_inputs(sim.system)
        self._ended = "completed", ""  # how the last advance did
        self._run = Run(sim, replace(timeline, end=sim.time + end))
        with sim.alone():
            self._run.start(fresh=True)
            self._run.advance(0)  # loads or compiles the native code
        every, first = channels(sim.system)
        self._columns = {
            label: int(start) + i for c, start in zip(every, first, strict=True) for i, label in enumerate(c.labels)
        }
        self._units = {label: c.unit for c in every for label in c.labels}

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.sim.time

    @property
    def measures(self) -> dict[str, str]:
        """Units of all scalar measurements, by name: "hinge.angle", "bob.position.x"."""
        return dict(self._units)

    @property
    def inputs(self) -> dict[str, str]:
        """Units of the inputs, by name, except those that hold the outputs of discrete laws."""
        return {source.name: source.unit for source in self.sim.system.drives.inputs if source.name not in self._held}

    def columns(self, names: tuple[str, ...]) -> np.ndarray:
        """Where these measures lie in `sim.system.arrays.out` after a step."""
        for name in names:
            named(f"model {self.sim.model.name!r}", "measure", name, self._columns, UnknownChannelError)
        return np.array([self._columns[name] for name in names], dtype=np.int64)

    def measure(self, name: str) -> float:
        """A measure at the present time: a channel of one number, or a component ("bob.position.x")."""
        return float(self.sim.system.arrays.out[self.columns((name,))[0]])

    def feed(self, name: str, value: float) -> None:
        """Sets an input, from the next step on."""
        if name in self._held:
            raise ModelError(f"Stepper: input {name!r} holds the output of a discrete law and cannot be set")
        self.sim.system.set_input(name, value)

    def advance(self, count: int = 1) -> None:
        """Takes this many steps; raises `Diverged` if no solution is found."""
        count = whole("Stepper: count", count, least=0)
        self.sim.claim()
        with self.sim.alone():
            notice_written(self.sim)
            if self._run.sampling is not None:
                self._run.sampling.take_numbers(self.sim)
            self._advance(count)
            if self._run.sampling is not None:
                self._run.sampling.forget(self.sim, self.sim.machine.samples.memory)

    def _advance(self, count: int) -> None:
        run, self._ended = self._run, ("completed", "")
        while count > 0:
            try:
                status, done = run.attempt(count)
            except Diverged as error:  # of a law that samples
                self._ended = "failed", str(error)
                raise
            count -= done
            if status != Status.OK:
                failure = Diverged(run.reason or explain(self.sim, status, self.step))
                self._ended = "failed", str(failure)
                failure.results = self.results()
                raise failure

    def results(self) -> Results:
        """The results recorded so far; their status is "failed" after a failed advance."""
        return self._run.results(*self._ended)
