"""A simulation that is put back, bit by bit, when what is tried with it fails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from samara.solve.native.codes import Counter
from samara.solve.simulation import Simulation


@contextmanager
def rolled_back_on_error(sim: Simulation) -> Iterator[None]:
    """Whatever goes wrong inside, or interrupts it: state, past, carriers, releases and counters are as they were."""
    s, tree, attributes = sim.system, sim.machine.tree, dict(vars(sim))
    held = (*sim.machine, *tree, *tree.implicit, *attributes.values())
    arrays = [a for a in held if isinstance(a, np.ndarray)]
    copies, placed = [a.copy() for a in arrays], s.placed
    give = s.releases.give.copy() if s.releases is not None else np.zeros(0)
    try:
        yield
    except BaseException:
        vars(sim).clear()
        vars(sim).update(attributes)
        for array, copy in zip(arrays, copies, strict=True):
            array[...] = copy
        s.placed = placed
        if s.releases is not None:
            s.releases.give = give
        if sim.counters[Counter.ANALYSES]:
            sim._bind()
        raise
