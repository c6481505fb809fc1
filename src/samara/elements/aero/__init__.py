"""The air and what it does to blades: atmosphere, wind and gusts, aerofoils."""

from samara.elements.aero.air import Air
from samara.elements.aero.atmosphere import Atmosphere, standard_atmosphere
from samara.elements.aero.dryden import Dryden, dryden_power, dryden_spectrum
from samara.elements.aero.gusts import DrivenGust, Front, Gust, OneMinusCosine, SineGust, SmoothStep, Standing

__all__ = [
    "Air",
    "Atmosphere",
    "DrivenGust",
    "Dryden",
    "Front",
    "Gust",
    "OneMinusCosine",
    "SineGust",
    "SmoothStep",
    "Standing",
    "dryden_power",
    "dryden_spectrum",
    "standard_atmosphere",
]
