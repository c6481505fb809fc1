"""The rotor of Caradonna and Tung in hover."""

from __future__ import annotations

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.inflow.tip_loss import prandtl
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.aero.wind.air import Air
from samara.model import Expression, Model, Motion, Placement
from samara.rotations import rotation_z

RADIUS, CHORD, BLADES = 1.143, 0.1905, 2
SOLIDITY = BLADES * CHORD / (np.pi * RADIUS)
COUNT = 16
#: Radii of the stations of a blade whose root is at one chord [R].
STATIONS = Stations.gauss(CHORD, RADIUS, COUNT, CHORD).x / RADIUS


def caradonna_tung(
    pitch_deg: float,
    speed_rpm: float,
    mach: float,
    *,
    loss: float = 0.0,
    inflow: Inflow | None = None,
    aerofoil: Aerofoil | None = None,
    cutout: float = CHORD,
) -> Model:
    """Two stiff blades of a NACA 0012 without twist: radius 1.143 m, chord 0.1905 m, root at one chord.

    pitch_deg, speed_rpm, mach: collective pitch, speed, Mach number of the tip, which gives the speed of sound. loss:
    inflow ratio for Prandtl's tip loss on lift, 0 for none. Blades are rigid and fixed to the hub. inflow: uniform if
    none is given; one along the blade has losses of its own, ``Annular(radii=STATIONS)`` a ring for each station of the
    default root.
    Source: F. X. Caradonna, C. Tung, Experimental and analytical studies of a model helicopter rotor in hover, NASA
    TM-81232 (1981).
    """
    speed = speed_rpm * np.pi / 30.0
    model = Model("caradonna-tung")
    air = Air(sound=speed * RADIUS / mach)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: speed * t))))
    rotor = Rotor(
        model.ground,
        hub,
        radius=RADIUS,
        speed=speed,
        air=air,
        inflow=inflow or Momentum(),
        solidity=SOLIDITY,
        start=3.0,
        blades=[f"blade_{k + 1}" for k in range(BLADES)],
    )
    model.add("rotor", rotor)
    lift = prandtl(RADIUS, BLADES, loss) if loss else 1.0
    along = Stations.gauss(cutout, RADIUS, COUNT, CHORD, np.radians(pitch_deg), lift=lift)
    section = aerofoil or naca0012()
    for k in range(BLADES):
        place = Placement((0, 0, 0), rotation_z(2.0 * np.pi * k / BLADES))
        model.add(f"blade_{k + 1}", AeroBody(hub, place=place, stations=along, aerofoil=section, rotor=rotor))
    return model
