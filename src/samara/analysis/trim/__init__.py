"""Trim: the controls with which a rotor, in periodic motion, does what is asked of it."""

from samara.analysis.trim.find import trim
from samara.analysis.trim.found import Status, Trim, TrimPoint
from samara.analysis.trim.incidence import STALL, Incidence
from samara.analysis.trim.plan import Period, Plan
from samara.analysis.trim.sweep import Trims, trim_along
from samara.analysis.trim.target import Harmonic, Target

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
