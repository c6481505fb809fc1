"""A tilted rotor disc driven through a gimbal, a Cardan joint, or a gimbal made of base joints."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.joints.gimbal import Gimbal
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.total import TotalJoint
from samara.elements.joints.universal import Universal
from samara.elements.laws.linear import LinearLaw
from samara.elements.rotor.gimbal_of_joints import add_gimbal_of_joints
from samara.elements.springs.torsion import Torsion
from samara.method.timeline import Timeline
from samara.model import Model, Placement
from samara.models.quantity import AROUND
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_x, rotation_y, rotation_z

SPEED = 40.0
TILT_DEG = 10.0
COUPLINGS = ("gimbal", "cardan", "joints")


@checked("gimbal")
def build(
    coupling: Annotated[
        str, Quantity("", "gimbal, cardan, or joints: the gimbal made of base joints", choices=COUPLINGS)
    ] = "gimbal",
    tilt_deg: Annotated[
        float, Quantity("deg", "angle of the disc's axis against the mast's", lower=-89.0, upper=89.0)
    ] = TILT_DEG,
    speed: Annotated[float, Quantity("rad/s", "of the mast", positive=True)] = SPEED,
    blades: Annotated[int, Quantity("", "rigid blades, each on a lag hinge with a spring", positive=True)] = 3,
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity across the mast, along x")] = 0.0,
    lean_deg: Annotated[float, Quantity("deg", "angle of the mast against z, about y", **AROUND)] = 0.0,
) -> Model:
    """A mast turned at constant speed, and a hub on a coupling whose axis a bearing holds tilted in space.

    With a gimbal the hub turns as evenly as the mast. Through a Cardan joint its speed swings twice a turn between
    cos(tilt) and 1 / cos(tilt) of the mast's, and the blades lag and lead against their hinges. Gravity across the
    mast, as with a tiltrotor in forward flight, makes them do so once a turn in either.
    """
    model = Model("gimbal", gravity=(gravity, 0.0, 0.0), stand_in="rotor data are made up")
    R_mast, spin = rotation_y(np.deg2rad(lean_deg)), np.array([0.0, 0.0, speed])
    mast = model.node("mast", rotation=R_mast, angular_velocity=R_mast @ spin)
    model.add("mast_body", Body(mast, mass=10.0, inertia=(0.1, 0.1, 0.05)))
    upright = Placement((0, 0, 0), R_mast)
    model.add("bearing", Revolute(model.ground, mast, place_a=upright))
    model.add("motor", PrescribedAngle(model.ground, mast, place_a=upright, angle=lambda t: speed * t))
    R = R_mast @ rotation_x(np.deg2rad(tilt_deg))
    # a Cardan joint turns its outlet more slowly where the tilt is about the arm of the mast
    w = R @ spin * (np.cos(np.deg2rad(tilt_deg)) if coupling == "cardan" else 1.0)
    hub = model.node("hub", rotation=R, angular_velocity=w)
    model.add("hub_body", Body(hub, mass=20.0, inertia=(0.5, 0.5, 0.8)))
    outlet = Placement((0, 0, 0), R)
    free = (False, False, False)
    model.add(
        "outlet",
        TotalJoint(model.ground, hub, hold_position=free, hold_rotation=(True, True, False), place_a=outlet),
    )
    if coupling == "joints":
        add_gimbal_of_joints(model, "coupling", mast, hub)
    else:
        model.add("coupling", (Gimbal if coupling == "gimbal" else Universal)(mast, hub))
    for k in range(blades):
        R_blade = R @ rotation_z(2 * np.pi * k / blades)
        p, hinge = R_blade @ [1.2, 0, 0], R_blade @ [0.2, 0, 0]
        blade = model.node(f"blade_{k}", p, R_blade, velocity=np.cross(w, p), angular_velocity=w)
        model.add(f"blade_{k}.body", Body(blade, mass=8.0, inertia=(0.02, 2.0, 2.0)))
        place: dict[str, Any] = {"at": hinge, "axis": R[:, 2]}
        model.add(f"blade_{k}.hinge", Revolute(hub, blade, **place))
        model.add(f"blade_{k}.damper", Torsion(hub, blade, law=LinearLaw(2e3, damping=40.0), **place))
    # the circle is that of the blades' centres of mass: how far they reach is not given
    model.declare_rotor("rotor", hub=hub, blades=[f"blade_{k}" for k in range(blades)], radius=1.2)
    return model


GIMBAL = ReadyModel(
    "gimbal",
    build,
    "a tilted rotor disc driven through a gimbal or a Cardan joint",
    source="made up; the joints are those of Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005",
    timeline=Timeline(end=2 * np.pi / SPEED * 4, step=2 * np.pi / SPEED / 360),
    plot=("hub.angular_velocity", "blade_0.hinge.angle"),
)
