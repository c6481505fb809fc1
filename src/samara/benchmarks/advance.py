"""Steps by the native driver alone, as a benchmark takes them: nothing is recorded, and nothing is left out."""

from __future__ import annotations

from samara.solve import Diverged, Simulation
from samara.solve.native.codes import Status
from samara.solve.report.diagnosis import explain
from samara.solve.step.march import UNRECORDED, march
from samara.solve.transient import RENEWALS


def advance(sim: Simulation, step: float, steps: int) -> None:
    """So many steps [s] of a simulation that is assembled and analysed for them.

    A pivot sequence that no longer suits is renewed, as `transient` does: which step that happens in depends on the
    rounding of the processor. The time it takes counts as that of any other step.
    """
    renewals = 0
    while steps > 0:
        with sim.helped(step):
            status, done, _ = march(sim.work, step, steps, steps + 1, 0, *UNRECORDED)
        steps -= done
        renewals = 0 if done else renewals + 1
        if status == Status.GROWTH and renewals <= RENEWALS:
            sim.renew_pivots(step)
        elif status != Status.OK:
            raise Diverged(explain(sim, Status(status), step))
