"""One period after the other, with little around the native calls; and by how much the state changes in each."""

from __future__ import annotations

import numpy as np

from samara.analysis.periodic_motion.periodic import change, last
from samara.analysis.periodic_motion.transition import largest
from samara.analysis.rotors.motion import Posture, between, elsewhere, read
from samara.results import Results, RunAttrs
from samara.solve import Simulation, transient
from samara.solve.measures import chosen
from samara.solve.native.codes import Status
from samara.solve.step.march import march
from samara.solve.store.checkpoint import restore, snapshot


class Turner:
    """Marches a simulation period by period and records channels, by their patterns."""

    def __init__(self, sim: Simulation, patterns: tuple[str, ...]) -> None:
        self.sim, self.patterns = sim, patterns
        self.channels, self.columns = chosen(sim.system, patterns)
        self.flies: bool | None = None  # whether a part flies free

    def __call__(self, step: float, steps: int) -> Results:
        """The next period, of so many steps [s]. Raises what `transient` raises."""
        sim = self.sim
        if not sim.started or sim.redundancy is not None or not sim.division.is_whole:
            return self._carefully(step, steps)
        sim.claim()
        saved, times, rows = snapshot(sim), np.zeros(steps), np.zeros((steps, self.columns.size))

        def take(count: int) -> tuple[int, int, int]:
            first = steps - count
            return march(sim.work, step, count, 1, 0, self.columns, times[first:], rows[first:])

        with sim.alone():
            made = sim.advance(take, steps, step)
        if made.status != Status.OK:  # shorter steps, or an error that says why
            restore(sim, saved)
            return self._carefully(step, steps)
        return Results(self.channels, times, rows)

    def _carefully(self, step: float, steps: int) -> Results:
        sim = self.sim
        results = transient(sim, sim.time + steps * step, step, outputs=self.patterns, progress=False)
        return last(results, steps)

    def change(self, before: Posture, period: float) -> float:
        """Of the state from an instant until now, in the measure of `periodic`."""
        sim = self.sim
        if self.flies is None:
            self.flies = elsewhere(sim).shape[1] > 0
        if self.flies:
            return change(sim, before, read(sim), period)
        return largest(sim, between(before, read(sim)), period)


def described(sim: Simulation, results: Results, step: float) -> Results:
    """The results of a period with what is to be known of the run that they come from."""
    attrs = RunAttrs(
        model=sim.model.name,
        parameters=sim.system.parameters.recorded(),
        integrator=sim.integrator.name,
        options={"step": step, "tolerance": float(sim.settings.tolerance), "every": 1},
        analyses=("trim",),
        stand_in=sim.model.stand_in,
        notes=tuple(sim.adjusted.notes()),
    )
    return Results(results.channels, results.time, results.table, attrs)
