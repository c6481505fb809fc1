"""Integrators: one file per scheme, with its formulas."""

from samara.solve.integrators.bdf2 import BDF2
from samara.solve.integrators.crank_nicolson import CrankNicolson
from samara.solve.integrators.family import Formula, LinearTwoStep, SecondOrder
from samara.solve.integrators.integrator import Functions, Integrator
from samara.solve.integrators.look_ahead import LookAhead
from samara.solve.integrators.two_step import TwoStep

__all__ = [
    "BDF2",
    "CrankNicolson",
    "Formula",
    "Functions",
    "Integrator",
    "LinearTwoStep",
    "LookAhead",
    "SecondOrder",
    "TwoStep",
]
