"""Steps by the native driver alone, as benchmarks take them: complete, but without recording."""

from __future__ import annotations

from samara.solve import Diverged, Simulation
from samara.solve.native.codes import Status
from samara.solve.report.diagnosis import explain
from samara.solve.step.march import UNRECORDED, march


def advance(sim: Simulation, step: float, steps: int) -> None:
    """Takes this many steps [s] with a simulation that is assembled and analysed for them.

    A pivot sequence that no longer suits is renewed, as in any run: which step that happens in depends on the rounding
    of the processor. The time it takes counts as that of any other step.
    """
    made = sim.advance(lambda count: march(sim.work, step, count, count + 1, 0, *UNRECORDED), steps, step)
    if made.status != Status.OK:
        raise Diverged(explain(sim, made.status, step))
