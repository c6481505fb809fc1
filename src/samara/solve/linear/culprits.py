"""Diagnosis of Jacobians: which elements make one not finite, and what a singular one leaves undetermined."""

from __future__ import annotations

import numpy as np

from samara.solve.errors import SolveError
from samara.solve.linear.lu import SingularMatrix
from samara.system.system import System


def require_finite(s: System, values: np.ndarray, time: float) -> None:
    """Raises an error that names the culprit if entries of the Jacobian are not finite; time of the run [s]."""
    if not np.isfinite(values).all():
        raise SolveError(
            f"model {s.model.name!r} has a non-finite Jacobian at t = {time:g} s, first found at "
            f"{not_finite(s) or 'an unknown place'}: check for a division by zero or a square root of zero there"
        )


def not_finite(s: System) -> str | None:
    """The first element whose own equations, or their derivatives, are not finite at the present state."""
    for k, group in enumerate(s.groups):
        slopes = ~np.isfinite([*s.state.jacobian_values([k]), 0.0])
        bad = ~np.isfinite(s.state.residual([k]))
        for element, g, lane in group.places() if bad.any() or slopes.any() else ():
            if bad[s.unknowns_of(element)].any() or slopes[s.pattern.entries(group)[g, :, lane]].any():
                return f"element {element.name!r} ({group.kind.name})"
    return None


def singular(s: System, error: SingularMatrix, time: float) -> str:
    """That nothing determines these unknowns; time of the run [s]."""
    names = dict.fromkeys(s.unknowns.owner(i) for i in (*error.columns, *error.rows))
    return (
        f"model {s.model.name!r} has a singular Jacobian at t = {time:g} s: nothing determines "
        f"{', '.join(names)}; hold or load it, give it inertia, remove a constraint that repeats another, "
        "or take a smaller step"
    )
