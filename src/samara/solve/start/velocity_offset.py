"""A start without ringing: second-order accurate reactions from the first step on.

A step satisfies the constraints at position level, and the velocities from its formula violate them by a second-order
error that is smooth in time,

    G v = E(t) = O(h^2)

A start with G v = 0 deviates from that smooth error, and the difference rings in accelerations and reactions, with a
first-order amplitude, until it is damped. The initial velocities are therefore offset, and the error is measured in
three trial steps. For a two-step formula, b0 e_k + b1 e_(k-1) + b2 e_(k-2) is a smooth d_k / h; the first steps give

    E(t_k - h (b1 + 2 b2) / B) = d_k / B,     B = b0 + b1 + b2

and velocities start with E(0); those of the first step, which uses another formula, are projected to E(h).
Source of the idea: Arnold, Cardona, Bruls, A Lie algebra approach to Lie group time integration of constrained systems,
CISM 565, Springer 2016, section 4.
"""

from __future__ import annotations

import numpy as np

from samara.solve.native.codes import Counter, Status
from samara.solve.redundant.projection import velocities_on_constraints
from samara.solve.redundant.renewal import renew
from samara.solve.redundant.scheme import prepare
from samara.solve.sampling import laws_at_rest
from samara.solve.simulation import Simulation
from samara.solve.step.march import UNRECORDED, march
from samara.solve.store.checkpoint import restore, snapshot

#: Steps on trial.
TRIAL = 3


def smooth_start(sim: Simulation, step: float) -> None:
    """Displaces the velocities of a simulation before its first step [s]; leaves it as it is if the trial fails."""
    with laws_at_rest(sim):
        _smooth_start(sim, step)


def _smooth_start(sim: Simulation, step: float) -> None:
    s = sim.system
    projected = sim.settings.project or sim.scheme.solutions == 2  # which starts with projected steps
    if not s.layout.multiplier_count or projected or sim.tree is not None:
        return
    start, errors = snapshot(sim), [np.zeros(s.layout.multiplier_count)]
    for _ in range(TRIAL):
        status = _stepped(sim, step)
        errors.append(_violation(sim))
        if status != Status.OK:
            break
    smooth = (
        len(errors) == TRIAL + 1
        and status == Status.OK
        and not sim.counters[[Counter.EVENTS, Counter.DIVIDED, Counter.RETRIED]].any()
        and np.isfinite(errors).all()
    )
    counted = sim.counters.copy()
    restore(sim, start)
    sim.counters[Counter.ITERATIONS] = 0
    sim.counters[Counter.ANALYSES] = counted[Counter.ANALYSES]
    if not smooth:
        return
    b = sim.scheme.velocity_weights()
    total, shift = sum(b), (b[1] + 2.0 * b[2]) / sum(b)
    d_2, d_3 = (np.asarray(sum(c * errors[k - i] for i, c in enumerate(b))) / total for k in (2, 3))

    def smooth_error(k: float) -> np.ndarray:
        """After k steps, along the line through what the second and the third tell."""
        return d_2 + (k - (2.0 - shift)) * (d_3 - d_2)

    prepare(sim.machine, sim.settings, sim.memory, step)
    if not renew(sim.work):
        return
    sim.machine.multipliers.target[:] = smooth_error(0.0)
    velocities_on_constraints(sim.work)
    sim.machine.multipliers.target[:] = smooth_error(1.0)
    sim.memory.clock.first = True
    sim.memory.trust.factored_for = 0.0  # the projection after the first step wants those of its prediction


def _stepped(sim: Simulation, step: float) -> Status:
    """A step."""
    return sim.advance(lambda count: march(sim.work, step, count, 2, 0, *UNRECORDED), 1, step).status


def _violation(sim: Simulation) -> np.ndarray:
    """Rates of all constraints."""
    return sim.state.level("velocity")
