"""The start of a run with discrete laws, which are called for the first time."""

from __future__ import annotations

from samara.solve.sampling import sampling_of
from samara.solve.simulation import Simulation
from samara.solve.start import start


def start_with_laws(sim: Simulation, step: float | None) -> None:
    """Makes a simulation ready for its first step; step: [s], None where it follows an accuracy.

    Laws are called at the start, which is then made consistent with what they answer.
    """
    size, sampling = step or float(sim.limits[3]), sampling_of(sim)
    if sampling is not None:
        sampling.clear(sim)
    start(sim, size)
    if sampling is not None:
        found = sim.adjusted
        sampling.begin(sim, step)
        start(sim, size)
        sim.adjusted = found
