"""The model rotor over which Elliott, Althoff and others measured the inflow in forward flight."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform, add_blade_air
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.joints.total import TotalJoint
from samara.model import Expression, Model, Motion, Parameter, Placement, Sine
from samara.rotations import rotation_z

RADIUS, CHORD, BLADES, SPEED = 0.860552, 0.06604, 4, 2113.0 * np.pi / 30.0  # m, m, -, rad/s
TWIST = np.radians(-8.0)
THRUST = 0.0064  # C_T
#: Where blades begin [m], a stand-in.
CUTOUT = 0.24 * RADIUS
#: By advance ratio: angle of the shaft, back positive [rad], and pitch at 0.75 R, A_1 and B_1 as measured [deg].
CASES: dict[float, tuple[float, tuple[float, float, float]]] = {
    0.15: (np.radians(-3.0), (9.37, -1.11, 3.23)),
    0.35: (np.radians(-5.7), (9.20, -0.30, 6.80)),
}
TURN = 2.0 * np.pi / SPEED


def elliott_althoff(mu: float, inflow: Inflow | None = None, points: int = 14, **controls: float) -> Model:
    """Four blades of a NACA 0012, radius 0.861 m, twist -8 degrees, in the tunnel at an advance ratio of `CASES`.

        theta = collective + lateral cos psi + longitudinal sin psi     at 0.75 R

    Blades do not flap: where the disk's moments vanish on average (`trim`), a rotor with hinges on the axis does not
    flap against its shaft either. collective, lateral, longitudinal [rad] are parameters; psi: from downstream.
    Sources: J. W. Elliott, S. L. Althoff, R. H. Sailey, NASA TM 100541 (1988), mu = 0.15; D. R. Hoad and others, the
    volume for 0.35. Root cut-out and mass of the blades are stand-ins.
    """
    lean, printed = CASES[mu]
    V = mu * SPEED * RADIUS / np.cos(lean)
    model = Model("elliott-althoff", stand_in="root cut-out and mass of the blades")
    air = Air.standard(wind=(V * np.cos(lean), 0.0, V * np.sin(lean)))
    hub = model.prescribed("hub", Motion(rotation=(0, 0, Expression(lambda t: SPEED * t))))
    names = [f"blade_{k + 1}" for k in range(BLADES)]
    rotor = model.add(
        "rotor",
        Rotor(
            model.ground, hub, radius=RADIUS, speed=SPEED, air=air, inflow=inflow or Momentum(), start=5.0,
            solidity=BLADES * CHORD / (np.pi * RADIUS), blades=names,
        ),
    )  # fmt: skip
    first = dict(zip(("collective", "lateral", "longitudinal"), np.radians(printed) * (1.0, -1.0, -1.0), strict=True))
    asked = {name: Parameter(name, controls.get(name, value), "rad") for name, value in first.items()}
    station = np.array([CUTOUT, RADIUS])
    surface = Planform(station=station, chord=CHORD, aerofoil=naca0012(), twist=TWIST * (station / RADIUS - 0.75))
    for k, name in enumerate(names):
        behind = 2.0 * np.pi * k / BLADES
        blade = model.node(f"{name}.root", rotation=rotation_z(behind), angular_velocity=(0.0, 0.0, SPEED))
        model.add(f"{name}.mass", Body(blade, mass=0.5, com=(0.5 * RADIUS, 0, 0), inertia=(1e-4, 0.03, 0.03)))
        theta: Any = (
            asked["collective"]
            + Sine(asked["lateral"], SPEED, phase=behind + 0.5 * np.pi)
            + Sine(asked["longitudinal"], SPEED, phase=behind)
        )
        out = Placement((0.0, 0.0, 0.0), rotation_z(behind))
        joint = TotalJoint(hub, blade, place_a=out, place_b=Placement(), rotation=(theta, 0, 0), start={})
        model.add(f"{name}.pitch", joint)
        add_blade_air(model, name, surface, node=blade, points=points, rotor=rotor)
    return model
