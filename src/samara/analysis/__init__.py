"""Analyses: freedoms, small motions, modes, steady rotation, fan diagram, linear systems, periodic motion, trim, modes
identified from runs, modes followed along a parameter."""

from samara.analysis.coleman_plot import coleman_plot
from samara.analysis.disk import DiskMap, disk_map
from samara.analysis.fan import Campbell, campbell
from samara.analysis.floquet import Floquet, floquet
from samara.analysis.freedoms import Freedom, draw_freedoms, freedoms, redundant_constraints
from samara.analysis.identification import Identified, era, logarithmic_decrement, matrix_pencil, moving_block
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
from samara.analysis.told import NotConstant
from samara.analysis.tracking import Branches, track
from samara.analysis.trim import Harmonic, Trim, TrimPoint, Trims, trim, trim_along

__all__ = [
    "Branches",
    "Campbell",
    "DiskMap",
    "FirstOrder",
    "Floquet",
    "Freedom",
    "Harmonic",
    "Identified",
    "LinearModel",
    "Linearisation",
    "Modes",
    "Multiblade",
    "NotConstant",
    "Periodic",
    "RunSensitivity",
    "Sensitivities",
    "Trim",
    "TrimPoint",
    "Trims",
    "campbell",
    "coleman_plot",
    "craig_bampton",
    "disk_map",
    "draw_freedoms",
    "era",
    "first_order",
    "floquet",
    "freedoms",
    "linearise",
    "logarithmic_decrement",
    "mac",
    "matrix_pencil",
    "modes",
    "moving_block",
    "multiblade",
    "periodic",
    "redundant_constraints",
    "sensitivity",
    "state_space",
    "steady_rotation",
    "track",
    "transient_sensitivity",
    "trim",
    "trim_along",
]
