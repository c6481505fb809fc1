"""Solvers: assembly, statics and transient analysis; Newton's method, linear solvers and integrators."""

from samara.solve.errors import Diverged, NotSaved, SingularModel, SolveError
from samara.solve.integrators import BDF2, CrankNicolson, Integrator, LookAhead, TwoStep
from samara.solve.simulation import Simulation
from samara.solve.start.assembly import assemble
from samara.solve.start_report import ChangedStart
from samara.solve.statics.stability import Stability, stability
from samara.solve.statics.static import static
from samara.solve.stepper import Stepper
from samara.solve.transient import Interrupted, transient

__all__ = [
    "BDF2",
    "ChangedStart",
    "CrankNicolson",
    "Diverged",
    "Integrator",
    "Interrupted",
    "LookAhead",
    "NotSaved",
    "Simulation",
    "SingularModel",
    "SolveError",
    "Stability",
    "Stepper",
    "TwoStep",
    "assemble",
    "stability",
    "static",
    "transient",
]
