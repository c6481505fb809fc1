"""Complementarity problems: unilateral constraints, impacts and Coulomb friction, native and without allocation.

    w = M z + q,  w >= 0,  z >= 0,  w.z = 0

- `lemke`: pivots, with a lexicographic rule that does not cycle; `closed_form` for one and two unknowns
- `gauss_seidel`: projected sweeps
- `semismooth`: Newton's method on the function of Fischer and Burmeister, with the elimination of `dense`
- `cones`: contacts with exact Coulomb friction, one after the other (`contact_point`) and at once (`cone_newton`)
- `polyhedral`: the same with a polygon for the circle, as a linear problem
- `scaling`: units taken out, so that tolerances are plain numbers
- `problem`: all of this for Python, by name and with words for what is wrong

Native functions take work arrays that are made once for a size (`lcp_work(n)` and others) and return a status of
`codes`; they may be called within a time step.
"""

from .codes import NOT_FINITE, RAY, SOLVED, STUCK, TOO_MANY, LCPStatus
from .cones import cone_residual, friction_work, solve_friction_cone
from .gauss_seidel import gauss_seidel, sweep_work
from .lemke import lcp_work, lemke
from .polyhedral import build_polyhedral, polyhedral_work, solve_friction_polyhedral
from .problem import ComplementarityError, ContactSolution, LCPSolution, NoSolution, solve_contact, solve_lcp
from .semismooth import newton_work, semismooth

__all__ = [
    "NOT_FINITE",
    "RAY",
    "SOLVED",
    "STUCK",
    "TOO_MANY",
    "ComplementarityError",
    "ContactSolution",
    "LCPSolution",
    "LCPStatus",
    "NoSolution",
    "build_polyhedral",
    "cone_residual",
    "friction_work",
    "gauss_seidel",
    "lcp_work",
    "lemke",
    "newton_work",
    "polyhedral_work",
    "semismooth",
    "solve_contact",
    "solve_friction_cone",
    "solve_friction_polyhedral",
    "solve_lcp",
    "sweep_work",
]
