"""Parts of machines: blades, hinges, controls, rotors, airframes, as records that add themselves to a model."""

from samara.models.ground.deck import Deck
from samara.models.ground.landing_gear import LandingGear, Leg
from samara.models.parts.airframe import Airframe
from samara.models.parts.blade import AddedBlade, Blade, BladeControl, BladeSite
from samara.models.parts.controls import IdealSwashplate, PitchServos, Told
from samara.models.parts.flight import (
    Autopilot,
    Flight,
    FlightControls,
    between,
    hold,
    trim_flight,
    trim_held,
    turn_rate_of,
)
from samara.models.parts.hinges import BladeHinge, Flexure, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.parts.rotors import AddedRotor, ArticulatedRotor, HingelessRotor, RotorPart, TeeteringRotor
from samara.models.parts.shaft import Shaft

__all__ = [
    "AddedBlade", "AddedRotor", "Airframe", "ArticulatedRotor", "Autopilot", "Blade", "BladeControl", "BladeHinge",
    "BladeSite", "Deck", "Flexure", "Flight", "FlightControls", "HingelessRotor", "Hinges", "IdealSwashplate",
    "LandingGear", "Leg", "MassProperties", "PitchServos", "RotorPart", "Shaft", "TeeteringRotor", "Told", "between",
    "hold", "trim_flight", "trim_held", "turn_rate_of",
]  # fmt: skip
