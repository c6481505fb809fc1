"""Trim: the controls with which a rotor in periodic motion meets given targets."""

from samara.analysis.trim.find import trim
from samara.analysis.trim.problem.incidence import STALL, Incidence
from samara.analysis.trim.problem.plan import Period, Plan
from samara.analysis.trim.problem.target import Harmonic, Target
from samara.analysis.trim.solution import Status, Trim, TrimPoint
from samara.analysis.trim.sweep import Trims, trim_along

__all__ = [
    "STALL",
    "Harmonic",
    "Incidence",
    "Period",
    "Plan",
    "Status",
    "Target",
    "Trim",
    "TrimPoint",
    "Trims",
    "trim",
    "trim_along",
]
