"""Crank-Nicolson, the trapezoidal rule."""

from samara.solve.integrators.family import Integrator


def CrankNicolson() -> Integrator:
    """x_k = x_{k-1} + h (xdot_k + xdot_{k-1}) / 2: beta = delta = 0, no damping at all (rho_inf = 1).

    It starts the two-step formulas. On constrained systems its multipliers and accelerations ring without decay:
    prefer `TwoStep` with a radius below 1.
    """
    return Integrator("Crank-Nicolson", 1.0, two_step=0.0)
