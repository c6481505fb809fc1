"""Analyses about a state: small motions, modes, steady rotation, fan diagram, linear input-output form."""

from samara.analysis.fan import Campbell, campbell
from samara.analysis.linear import Linearisation, linearise
from samara.analysis.modal import Modes, mac, modes
from samara.analysis.ports import StateSpace, state_space
from samara.analysis.reduction import FirstOrder, first_order
from samara.analysis.steady import steady_rotation
from samara.analysis.synthesis import craig_bampton

__all__ = [
    "Campbell",
    "FirstOrder",
    "Linearisation",
    "Modes",
    "StateSpace",
    "campbell",
    "craig_bampton",
    "first_order",
    "linearise",
    "mac",
    "modes",
    "state_space",
    "steady_rotation",
]
