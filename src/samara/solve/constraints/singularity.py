"""Solutions with the matrix of all equations; a singular matrix is explained by redundant joints or free motions."""

from __future__ import annotations

import numpy as np

from samara.solve.constraints.redundancy import redundancy
from samara.solve.constraints.redundancy_report import doubled
from samara.solve.errors import SingularModel
from samara.solve.linear.culprits import require_finite, singular
from samara.solve.linear.lu import SingularMatrix, analyse, new_storage, refactor, solve
from samara.solve.linear.sparse import LARGE_SYSTEM, solver
from samara.solve.report.algebraic_loops import in_words, loop_through
from samara.solve.simulation import Simulation


def factorised(sim: Simulation, values: np.ndarray, redundant: bool, named: bool = True):
    """A function rows -> unknowns, for a matrix with these entries; errors name what is redundant, or free."""
    s = sim.system
    require_finite(s, values, sim.time)
    if s.unknowns.size > LARGE_SYSTEM:
        if (found := solver(s, values)) is not None:
            return found
        if not named:
            raise SingularModel(s.model.name)
    try:
        lu = analyse(s.unknowns.size, s.pattern.indptr, s.pattern.indices, values)
    except SingularMatrix as error:
        if not named:
            raise SingularModel(s.model.name) from None
        message = _name_redundant(sim, error) if redundant else singular(sim.system, error, sim.time)
        raise SingularModel(message + _named_loop(sim, error)) from None
    v = new_storage(lu)
    v[lu.slot] += values
    refactor(lu, v)

    def apply(rows: np.ndarray) -> np.ndarray:
        x = np.zeros(s.unknowns.size)
        solve(lu, v, np.ascontiguousarray(rows), x)
        return x

    return apply


def _named_loop(sim: Simulation, error: SingularMatrix) -> str:
    """Of states of order zero that nothing determines: the loop that they make, if they make one."""
    layout = sim.system.layout
    first = 6 * len(layout.free)
    for row in (*error.columns, *error.rows):
        k = int(row) - first
        if 0 <= k < len(layout.states) and layout.states[k].order == 0:
            names = loop_through(sim.model, layout.states[k])
            if len(names) > 1:
                return f"; {in_words(sim.model, layout.states[k])}"
    return ""


def _name_redundant(sim: Simulation, error: SingularMatrix) -> str:
    """Which joints repeat each other, and in which directions."""
    s, found = sim.system, redundancy(sim)
    if not found.count:  # too many loops to look at, or a singular matrix for another reason
        return singular(sim.system, error, sim.time)
    names = dict.fromkeys(s.unknowns.owner(s.layout.coordinates + int(k)) for k in found.rows)
    return (
        f"model {s.model.name!r} has {found.count} redundant constraint(s) among {', '.join(names)}: "
        f"{'; '.join(map(str, doubled(sim, found)))}; replace a joint by one that leaves more freedom (a spherical or "
        "in-line joint closes most loops), or give Model(..., redundant='least-squares')"
    )
