"""Second backward difference formula."""

from samara.solve.integrators.family import Integrator


def BDF2() -> Integrator:
    """BDF2, the member with rho_inf = 0: annihilates what the step cannot resolve."""
    return Integrator("BDF2", 0.0)
