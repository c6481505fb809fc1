"""Steps by the native driver alone, as a benchmark takes them: nothing is recorded, and nothing is left out."""

from __future__ import annotations

import numpy as np

from samara.solve import Diverged, Simulation
from samara.solve.codes import Status
from samara.solve.diagnose import explain
from samara.solve.march import march
from samara.solve.transient import RENEWALS


def advance(sim: Simulation, step: float, steps: int) -> None:
    """So many steps [s] of a simulation that is assembled and analysed for them.

    A pivot sequence that no longer suits is renewed, as `transient` does: which step that happens in depends on the
    rounding of the processor. The time it takes counts as that of any other step.
    """
    nothing, renewals = (np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0))), 0
    while steps > 0:
        status, done, _ = march(
            sim.machine, sim.lu, sim.v, sim.settings, sim.memory, sim.counters, step, steps, steps + 1, 0, *nothing
        )
        steps -= done
        renewals = 0 if done else renewals + 1
        if status == Status.GROWTH and renewals <= RENEWALS:
            sim.renew_pivots(step)
        elif status != Status.OK:
            raise Diverged(explain(sim, Status(status), step))
