"""Four flexible blades on a hub that spins as prescribed, in vacuum."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from samara.elements.beams.beam3 import Beam3
from samara.elements.beams.section import Section
from samara.elements.bodies.body import Body
from samara.method.timeline import Timeline
from samara.model import Constant, Expression, Model, Motion, Parameter, Placement
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_z

SPEED = 27.0
RADIUS = 7.0
MASS = 9.0  # kg/m
STIFFNESS = (2e8, 4e7, 4e7, 5e4, 5e4, 1.2e6)  # EA, GA, GA [N], GJ, EI flap, EI lag [N m^2]


@checked("rotor4")
def build(
    beams: Annotated[int, Quantity("", "three-node beams per blade", positive=True)] = 5,
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity along z")] = -9.81,
    speed: Annotated[float, Quantity("rad/s", "of the hub")] = SPEED,
    blades: Annotated[int, Quantity("", "blades; one is enough to follow its modes", positive=True)] = 4,
) -> Model:
    """Four uniform blades of 7 m, clamped to a hub that turns at `speed`, a named parameter of the model.

    The numbers are made up, of the size of a medium helicopter's: 9 kg/m, EI 50 kN m^2 in flap and 1.2 MN m^2 in lag.
    Masses are lumped at the nodes. The start is the undeformed rotor in rotation: blades then stretch and bend.
    """
    model = Model("rotor4", gravity=(0.0, 0.0, gravity), stand_in="blade data are made up")
    turned = Constant(Parameter("speed", speed, "rad/s")) * Expression(lambda t: t)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, turned)))
    spin, piece = np.array([0.0, 0.0, speed]), RADIUS / (2 * beams)
    mass = MASS * piece
    inertia = (0.02 * piece, mass * piece**2 / 12 + 0.002 * piece, mass * piece**2 / 12 + 0.018 * piece)
    for b in range(blades):
        R = rotation_z(b * 2 * np.pi / blades)
        nodes = [hub]
        for k in range(1, 2 * beams + 1):
            p = R @ np.array([k * piece, 0.0, 0.0])
            node = model.node(f"blade_{b}.n{k}", p, R, velocity=np.cross(spin, p), angular_velocity=spin)
            model.add(f"blade_{b}.m{k}", Body(node, mass=mass, inertia=inertia))
            nodes.append(node)
        for e in range(beams):
            place = Placement((0, 0, 0), R) if e == 0 else None
            model.add(
                f"blade_{b}.beam{e + 1}",
                Beam3(*nodes[2 * e : 2 * e + 3], section=Section(STIFFNESS), place_a=place, balance="volumes"),
            )
    sense = -1 if speed < 0.0 else 1
    order = [f"blade_{sense * b % blades}" for b in range(blades)]
    model.declare_rotor("rotor", hub=hub, blades=order, radius=RADIUS, sense=sense)
    return model


ROTOR4 = ReadyModel(
    "rotor4",
    build,
    "four flexible blades on a hub that spins as prescribed, in vacuum",
    source="made up, of the size of a medium helicopter's rotor",
    timeline=Timeline(end=2.0, step=2 * np.pi / SPEED / 90),
    plot=("blade_0.beam1.force_1", "blade_0.beam1.moment_1", "blade_0.n2.position"),
)
