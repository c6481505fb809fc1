"""A small rotor of rigid blades on central flap hinges: the rotor of the textbooks."""

from __future__ import annotations

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.linear_aerofoil import ThinAerofoil
from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.body import AeroBody
from samara.elements.aero.surfaces.strip import Stations
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.model import Expression, Model, Motion, Parameter, Placement, Sine
from samara.models.controls import Controllable, control
from samara.rotations import rotation_z

RADIUS, CHORD, SLOPE = 2.0, 0.1, 5.7  # m, m, 1/rad
SPEED, LOCK = 60.0, 8.0  # rad/s, -
STATIONS = 8


def hinged_rotor(
    *,
    blades: int = 4,
    speed: float = SPEED,
    collective: Controllable = 0.1,
    wind=(0.0, 0.0, 0.0),
    lock: float = LOCK,
    inflow: Inflow | None = None,
    aerofoil: Aerofoil | None = None,
    start: float = 3.0,
    azimuth: float = 0.0,
    **rotor,
) -> Model:
    """Rigid blades without twist, taper or cut-out, hinged on the axis, turned at a constant speed in a wind tunnel.

    Numbers are made up, of a wind-tunnel model's size: radius 2 m, chord 0.1 m, lift slope 5.7 a rad, drag 0.01. Pitch
    is driven outboard of the flap hinge:

        theta = collective + lateral cos psi + longitudinal sin psi

    psi: azimuth in the sense of rotation, from the disk's x axis. The three are parameters, and so are wind_x, wind_y,
    wind_z, the wind in world axes. Collective [rad] and the three of the wind [m/s] may be drives too, see `control`.

    speed: rad/s, negative when clockwise seen from above; lock: Lock number, rho a c R^4 / flap inertia; start: of the
    induced velocity [m/s]; azimuth: of the disk's x axis in the world [rad], where the first blade starts. The others
    go to `Rotor`.
    """
    model = Model("hinged-rotor", stand_in="numbers are made up")
    sense = np.sign(speed)
    air = Air(wind=[control(f"wind_{axis}", w, "m/s").drive for axis, w in zip("xyz", wind, strict=True)])
    mean = control("collective", collective).drive
    cyclic = {name: Parameter(name, 0.0, "rad") for name in ("lateral", "longitudinal")}
    disk = rotation_z(azimuth)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: speed * t))), rotation=disk)
    support = model.add(
        "rotor",
        Rotor(
            model.ground,
            hub,
            disk=Placement((0, 0, 0), disk),
            radius=RADIUS,
            speed=speed,
            air=air,
            inflow=inflow or Momentum(),
            solidity=blades * CHORD / (np.pi * RADIUS),
            start=start,
            blades=[f"blade_{k + 1}" for k in range(blades)],
            **rotor,
        ),
    )
    inertia = 1.225 * SLOPE * CHORD * RADIUS**4 / lock
    mass = 3.0 * inertia / RADIUS**2
    section = aerofoil or ThinAerofoil(slope=SLOPE, cd_0=0.01)
    first, end = sorted((0.0, sense * RADIUS))
    for k in range(blades):
        behind = k * 2.0 * np.pi / blades
        R = disk @ rotation_z(sense * behind) @ np.diag([sense, sense, 1.0])  # x along the span, y to the leading edge
        out, name = sense * R[:, 0], f"blade_{k + 1}"
        arm = model.node(f"{name}.arm", rotation=R, static=True)
        blade = model.node(f"{name}.root", rotation=R)
        slender = mass * RADIUS**2 / 12.0
        body = Body(blade, mass=mass, inertia=(1e-4 * slender, slender, slender), com=(0.5 * sense * RADIUS, 0, 0))
        model.add(f"{name}.mass", body)
        model.add(f"{name}.flap", Revolute(hub, arm, at=(0, 0, 0), axis=np.cross(out, (0, 0, 1)), axis_x=out, start={}))
        rate = abs(speed)
        theta = (
            mean
            + Sine(cyclic["lateral"], rate, phase=behind + 0.5 * np.pi)
            + Sine(cyclic["longitudinal"], rate, phase=behind)
        )
        model.add(f"{name}.pitch", TotalJoint(arm, blade, rotation=(theta, 0, 0), start={}))
        along = Stations.gauss(first, end, STATIONS, CHORD)
        model.add(f"{name}.air", AeroBody(blade, stations=along, aerofoil=section, rotor=support))
    return model
