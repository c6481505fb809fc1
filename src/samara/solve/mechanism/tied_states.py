"""States tied to others, such as the quantity stored at a pressure or temperature (`model.state`, `Site.tied`)."""

from __future__ import annotations

import numpy as np

from samara.solve.errors import SolveError
from samara.solve.simulation import Simulation

#: Of Newton's method for their values, and the change at which it ends, relative to the value.
MOST_ITERATIONS, SMALLEST_CHANGE = 50, 1e-14
#: What is borne at the last, of rounding.
LARGEST_MISMATCH = 1e-9


def tie(sim: Simulation) -> None:
    """Gives tied states the values that their equations say: one correction, unless they were given another gap."""
    tied, first = tied_states(sim), 6 * len(sim.system.layout.free)
    for _ in range(MOST_ITERATIONS if tied.any() else 0):
        slopes = sim.jacobian(1.0, 0.0, 0.0).diagonal()[first : first + tied.size]
        rows, values = sim.state.residual()[first : first + tied.size], sim.state.values
        change = rows[tied] / slopes[tied]
        values[tied] -= change
        sim.state.values = values
        if np.all(np.abs(change) <= SMALLEST_CHANGE * np.abs(values[tied])):
            return
    if tied.any():
        size = np.abs(values) + sim.state.scales
        lost = np.abs(change) / size[tied]
        if not lost.max() <= LARGEST_MISMATCH:
            state = sim.system.layout.states[int(np.flatnonzero(tied)[np.argmax(lost)])]
            raise SolveError(
                f"model {sim.model.name!r}: state {state.name!r} has no initial value consistent with "
                f"the states it depends on: check their values, such as a pressure or a volume"
            )


def tied_states(sim: Simulation) -> np.ndarray:
    """Which of the states are tied to others."""
    return np.array([state.tied for state in sim.system.layout.states], dtype=bool)
