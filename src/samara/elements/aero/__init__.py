"""The air and what it does to blades: atmosphere, wind and gusts, aerofoils."""

from samara.elements.aero.aerofoil import Aerofoil, flat_plate
from samara.elements.aero.air import Air
from samara.elements.aero.atmosphere import Atmosphere, standard_atmosphere
from samara.elements.aero.dryden import Dryden, dryden_power, dryden_spectrum
from samara.elements.aero.dynamic_stall import LeishmanBeddoes
from samara.elements.aero.gusts import DrivenGust, Front, Gust, OneMinusCosine, SineGust, SmoothStep, Standing
from samara.elements.aero.kirchhoff import KirchhoffAerofoil
from samara.elements.aero.naca0012 import CORRECTIONS, Correction, naca0012
from samara.elements.aero.stall import StallConstants
from samara.elements.aero.tabulated import TabulatedAerofoil
from samara.elements.aero.thin import ThinAerofoil
from samara.elements.aero.unsteady import lagged_downwash, theodorsen, wagner

__all__ = [
    "CORRECTIONS",
    "Aerofoil",
    "Air",
    "Atmosphere",
    "Correction",
    "DrivenGust",
    "Dryden",
    "Front",
    "Gust",
    "KirchhoffAerofoil",
    "LeishmanBeddoes",
    "OneMinusCosine",
    "SineGust",
    "SmoothStep",
    "StallConstants",
    "Standing",
    "TabulatedAerofoil",
    "ThinAerofoil",
    "dryden_power",
    "dryden_spectrum",
    "flat_plate",
    "lagged_downwash",
    "naca0012",
    "standard_atmosphere",
    "theodorsen",
    "wagner",
]
