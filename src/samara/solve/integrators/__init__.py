"""Integrators: members of one two-step family, a file each."""

from samara.solve.integrators.bdf2 import BDF2
from samara.solve.integrators.crank_nicolson import CrankNicolson
from samara.solve.integrators.family import Formula, Integrator, coefficients
from samara.solve.integrators.two_step import TwoStep

__all__ = ["BDF2", "CrankNicolson", "Formula", "Integrator", "TwoStep", "coefficients"]
