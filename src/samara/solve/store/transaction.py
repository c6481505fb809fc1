"""Restores a simulation, bit for bit, if an operation on it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from samara.solve.contact.pool import rebind
from samara.solve.simulation import Simulation


@contextmanager
def rolled_back_on_error(sim: Simulation) -> Iterator[None]:
    """Whatever goes wrong inside, or interrupts it: what a step and the solver own, releases, counters are as before.

    Records that were replaced meanwhile are taken back as well.
    """
    s, attributes, placed = sim.system, dict(vars(sim)), sim.system.placed
    arrays = [sim.owned.block, *sim.solver_state().values(), sim.counters, sim.settings.words]
    arrays += [sim.machine.jumps.parameter_changes, sim.machine.samples.numbers]
    copies = [array.copy() for array in arrays]
    give = s.releases.give.copy() if s.releases is not None else None
    try:
        yield
    except BaseException:
        vars(sim).clear()
        vars(sim).update(attributes)
        for array, copy in zip(arrays, copies, strict=True):
            array[...] = copy
        rebind(sim.machine)
        s.placed = placed
        if s.releases is not None and give is not None:
            s.releases.give = give
        if sim.factored is not None:
            sim._bind()
        raise
