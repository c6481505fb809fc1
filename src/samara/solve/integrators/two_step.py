"""The default: A/L-stable two-step formula with tunable damping of the fastest modes."""

from samara.model import ArgumentError
from samara.model.arguments import finite
from samara.solve.integrators.family import Integrator


def TwoStep(radius: float = 0.6) -> Integrator:
    """Two-step formula with asymptotic spectral radius `radius` (rho_inf) in [0, 1].

    With g = (1 - rho)^2 and D = 2 (1 + alpha) - g:
    beta = alpha [(2 + alpha) g + 2 (1 + alpha)(2 rho - 1)] / D,   delta = alpha^2 g / (2 D).
    rho = 0 is BDF2; rho = 1 is a trapezoidal rule over two steps. 0.6 suits rotors (Masarati et al. 2001).
    """
    radius = finite("TwoStep: radius", radius)
    if not 0.0 <= radius <= 1.0:
        raise ArgumentError(f"TwoStep: radius must be from 0 to 1, got {radius:g}")
    return Integrator(f"two-step, rho_inf = {radius:g}", radius)
