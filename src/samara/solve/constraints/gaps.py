"""Open joints: poses that do not satisfy the constraints of the mechanism."""

from __future__ import annotations

import numpy as np

from samara.solve.constraints.redundancy import holders
from samara.solve.errors import SolveError
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.simulation import Simulation

#: Gap of a joint that is an error of a run, of the size of the mechanism.
FITS = 1e-4


def open_joint(sim: Simulation, error: type[SolveError] = SolveError) -> SolveError | None:
    """The error that says which joint does not fit at the present poses, if there is one."""
    with sim.state.plain():
        gaps, (places, _) = np.abs(sim.state.residual()[sim.system.layout.coordinates :]), multipliers(sim)
    wide = np.zeros(gaps.size, bool)
    wide[places] = gaps[places] > FITS * sim.length
    names = [e.name for e, numbers in holders(sim).values() if wide[numbers].any()]
    if not names:
        return None
    return error(
        f"the state of model {sim.model.name!r} is none of its own: joint {names[0]!r} does not fit, by "
        f"{gaps[wide].max():.3g} (m or rad); bring it to rest by static(...), or put it together by assemble(...)"
    )
