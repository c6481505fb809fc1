"""The air and what it does to blades: atmosphere, wind and gusts, aerofoils."""

from samara.elements.aero.aerofoil import Aerofoil, flat_plate
from samara.elements.aero.air import Air
from samara.elements.aero.atmosphere import Atmosphere, standard_atmosphere
from samara.elements.aero.beam import AeroBeam3
from samara.elements.aero.blade import Planform, add_beam_air, add_blade_air
from samara.elements.aero.body import AeroBody
from samara.elements.aero.drag import Drag
from samara.elements.aero.dryden import Dryden, dryden_power, dryden_spectrum
from samara.elements.aero.dynamic_stall import LeishmanBeddoes
from samara.elements.aero.gusts import DrivenGust, Front, Gust, OneMinusCosine, SineGust, SmoothStep, Standing
from samara.elements.aero.inflow import Inflow, Momentum, NoInflow, PittPeters
from samara.elements.aero.kirchhoff import KirchhoffAerofoil
from samara.elements.aero.naca0012 import CORRECTIONS, Correction, naca0012
from samara.elements.aero.rotor import Rotor
from samara.elements.aero.stall import StallConstants
from samara.elements.aero.station_flow import DynamicStall, QuasiSteady, Theodorsen, Unsteady
from samara.elements.aero.strip import Stations
from samara.elements.aero.tabulated import TabulatedAerofoil, extended
from samara.elements.aero.thin import ThinAerofoil
from samara.elements.aero.tip_loss import prandtl
from samara.elements.aero.unsteady import apparent_mass, lagged_downwash, theodorsen, wagner

__all__ = [
    "CORRECTIONS",
    "AeroBeam3",
    "AeroBody",
    "Aerofoil",
    "Air",
    "Atmosphere",
    "Correction",
    "Drag",
    "DrivenGust",
    "Dryden",
    "DynamicStall",
    "Front",
    "Gust",
    "Inflow",
    "KirchhoffAerofoil",
    "LeishmanBeddoes",
    "Momentum",
    "NoInflow",
    "OneMinusCosine",
    "PittPeters",
    "Planform",
    "QuasiSteady",
    "Rotor",
    "SineGust",
    "SmoothStep",
    "StallConstants",
    "Standing",
    "Stations",
    "TabulatedAerofoil",
    "Theodorsen",
    "ThinAerofoil",
    "Unsteady",
    "add_beam_air",
    "add_blade_air",
    "apparent_mass",
    "dryden_power",
    "dryden_spectrum",
    "extended",
    "flat_plate",
    "lagged_downwash",
    "naca0012",
    "prandtl",
    "standard_atmosphere",
    "theodorsen",
    "wagner",
]
