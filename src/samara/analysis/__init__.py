"""Analyses: freedoms, small motions, modes, steady rotation, fan diagram, linear systems, periodic motion, trim."""

from samara.analysis.disk import DiskMap, disk_map
from samara.analysis.fan import Campbell, campbell
from samara.analysis.freedoms import Freedom, draw_freedoms, freedoms, redundant_constraints
from samara.analysis.linear import Linearisation, linearise
from samara.analysis.modal import Modes, mac, modes
from samara.analysis.multiblade import Multiblade, multiblade
from samara.analysis.periodic import Periodic, periodic
from samara.analysis.ports import LinearModel, state_space
from samara.analysis.reduction import FirstOrder, first_order
from samara.analysis.run_sensitivity import RunSensitivity, transient_sensitivity
from samara.analysis.sensitivity import Sensitivities, sensitivity
from samara.analysis.steady import steady_rotation
from samara.analysis.synthesis import craig_bampton
from samara.analysis.trim import Harmonic, Trim, TrimPoint, trim

__all__ = [
    "Campbell",
    "DiskMap",
    "FirstOrder",
    "Freedom",
    "Harmonic",
    "LinearModel",
    "Linearisation",
    "Modes",
    "Multiblade",
    "Periodic",
    "RunSensitivity",
    "Sensitivities",
    "Trim",
    "TrimPoint",
    "campbell",
    "craig_bampton",
    "disk_map",
    "draw_freedoms",
    "first_order",
    "freedoms",
    "linearise",
    "mac",
    "modes",
    "multiblade",
    "periodic",
    "redundant_constraints",
    "sensitivity",
    "state_space",
    "steady_rotation",
    "transient_sensitivity",
    "trim",
]
