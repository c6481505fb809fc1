"""Complementarity problems: unilateral constraints, impacts and Coulomb friction, in native code without allocation.

    w = M z + q,  w >= 0,  z >= 0,  w.z = 0

- `lemke`: pivoting, with a lexicographic rule that prevents cycling; `closed_form` for one and two unknowns
- `gauss_seidel`: projected sweeps
- `semismooth`: Newton's method on the Fischer-Burmeister function, with the elimination in `dense`
- `cones`: contacts with exact Coulomb friction, one at a time (`contact_point`) or all at once (`cone_newton`)
- `polyhedral`: friction with a polygon in place of the circle, as a linear complementarity problem
- `scaling`: nondimensional form, so that tolerances have no units
- `problem`: the Python interface, with methods chosen by name and readable error messages

Native functions take work arrays that are allocated once per size (`lcp_work(n)` and others) and return a status from
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
