"""The start of a run with discrete laws, including their first calls."""

from __future__ import annotations

import numpy as np

from samara.solve.native.outputs import outputs
from samara.solve.sampling import sampling_of
from samara.solve.simulation import Simulation
from samara.solve.start.start import start

#: Change of what goes into a law, of its size, that shows that it depends on what the law answers.
LAW_DEPENDENCE = 1e-9


def start_with_laws(sim: Simulation, step: float | None) -> None:
    """Makes a simulation ready for its first step; step: [s], None where it follows an accuracy.

    Laws are called at the start, which is then made consistent with what they answer. States that start settled do so
    at these answers, unless the laws see them: in a loop they stay where they were when the laws were called.
    """
    size, sampling = step or float(sim.limits.next), sampling_of(sim)
    if sampling is not None:
        sampling.clear(sim)
    start(sim, size)
    if sampling is not None:
        found = sim.adjusted
        sampling.begin(sim, step)
        begun, seen = sim.state.copy(), _seen(sim)
        start(sim, size)
        if np.any(np.abs(_seen(sim) - seen) > LAW_DEPENDENCE * (1.0 + np.abs(seen))):
            sim.state.restore(begun)
            sim.settles = False
            try:
                start(sim, size)
            finally:
                sim.settles = True
        sim.adjusted = found


def _seen(sim: Simulation) -> np.ndarray:
    """What would go into the laws now, but for what other laws answer."""
    s = sim.machine.samples
    outputs(sim.work)
    return sim.machine.scratch.out[s.columns[s.direct < 0]].copy()
