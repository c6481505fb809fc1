"""Analyses: degrees of freedom, small motions, modes, steady rotation, fan diagram, linear systems, periodic motion,
trim, modes identified from runs, modes tracked along a parameter."""

from samara.analysis.freedoms import Freedom, draw_freedoms, freedoms, redundant_constraints
from samara.analysis.identification import Identified, era, logarithmic_decrement, matrix_pencil, moving_block
from samara.analysis.linearisation.linear import Linearisation, linearise
from samara.analysis.linearisation.prescribed_motion import NotConstant
from samara.analysis.linearisation.state_space import LinearModel, state_space
from samara.analysis.modal.campbell import Campbell, campbell
from samara.analysis.modal.coleman_plot import coleman_plot
from samara.analysis.modal.component_modes import craig_bampton
from samara.analysis.modal.floquet import Floquet, floquet
from samara.analysis.modal.modes import Modes, mac, modes
from samara.analysis.modal.tracking import Branches, track
from samara.analysis.periodic_motion.periodic import Periodic, periodic
from samara.analysis.periodic_motion.steady_rotation import steady_rotation
from samara.analysis.rotors.disk import DiskMap, disk_map
from samara.analysis.rotors.harmonics import Harmonics, harmonics
from samara.analysis.rotors.hub_loads import hub_loads
from samara.analysis.rotors.multiblade import Multiblade, multiblade
from samara.analysis.sensitivities.run_sensitivity import RunSensitivity, transient_sensitivity
from samara.analysis.sensitivities.sensitivity import Sensitivities, sensitivity
from samara.analysis.trim import Harmonic, Trim, TrimPoint, Trims, trim, trim_along
from samara.solve.linear_systems.first_order import FirstOrder, first_order

__all__ = [
    "Branches",
    "Campbell",
    "DiskMap",
    "FirstOrder",
    "Floquet",
    "Freedom",
    "Harmonic",
    "Harmonics",
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
    "harmonics",
    "hub_loads",
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
