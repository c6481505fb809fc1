"""Tail rotor of the SA 330 Puma: five blades on skewed flap hinges, a full rotor with its own air and inflow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.inflow.wakes import RotorWake
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform, add_blade_air
from samara.elements.aero.wind.air import Air
from samara.elements.bodies.body import Body
from samara.elements.control.regulators.value_regulator import ValueRegulator
from samara.elements.control.servos.rotary_servo import RotaryServo
from samara.elements.joints.revolute import Revolute
from samara.model import Constant, Drive, Model, Node, Placement, State, as_drive
from samara.models.articulated_rotors import puma
from samara.rotations import rotation_from_axes, rotation_from_axis_angle, rotation_z

BLADES, RADIUS = 5, 1.56  # m
SOLIDITY = 0.19
CHORD = SOLIDITY * np.pi * RADIUS / BLADES
#: Turns for each of the main rotor: 1278 rpm for 265 rpm are 4.82; 24/5 makes the whole machine periodic in five turns.
GEAR = 24.0 / 5.0
SPEED = GEAR * puma.SPEED  # rad/s
DELTA3 = np.pi / 4  # rad
# stand-ins
HINGE, CUTOUT = 0.10, 0.35  # m
MASS = 4.0  # of a blade [kg]
GYRATION = 0.25 * CHORD  # about the span [m]
LINKAGE, LINKAGE_DAMPING = 3e4, 5.0  # in pitch, of a blade [N m/rad, N m s/rad]
POINTS = 6


def add_tail_rotor(
    model: Model,
    prefix: str = "tail.",
    *,
    mast: Node,
    hub: Node,
    place: Placement,
    air: Air,
    pedal: Any,
    added: State,
    start: float,
    sense: int = -1,
    gain: float = 1.0,
    inflow: Inflow | None = None,
    induced: float = 10.0,
    wakes: Sequence[RotorWake] = (),
) -> Rotor:
    """Adds the tail rotor between a mast (the fuselage) and a hub that turns on it at sense times `SPEED`.

    Each blade: flap hinge in the hub, skewed by delta-3 of 45 degrees so that a blade that flaps by b towards the
    thrust loses b of pitch; behind it the pitch bearing with a servo,

        pitch = pedal + gain added - tan(delta3) flap

    stiff in plane. place: in the world at the start: origin at the hub's centre, z along the thrust, x where the
    azimuth is zero. pedal: a number, a `Parameter` or a drive [rad]; added: a state, what an autopilot adds; start:
    pitch at the start [rad]; sense: -1 clockwise seen against the thrust; inflow, induced: as in `puma.add_rotor`;
    wakes: of other rotors that blow on it.

    Radius, number of blades, solidity, gearing and delta-3: see `samara.models.helicopters.helicopter`. Stand-ins:
    blades without twist, NACA 0012, hinge offset, cut-out, mass, inertia, stiffness of the linkage.
    """
    rotor = model.add(
        f"{prefix}rotor",
        Rotor(
            mast, hub, disk=mast.local(place), radius=RADIUS, speed=sense * SPEED, air=air,
            inflow=inflow or Momentum(), solidity=SOLIDITY, start=induced,
            blades=[f"{prefix}blade_{k + 1}" for k in range(BLADES)], wakes=wakes,
        ),
    )  # fmt: skip
    surface = Planform(station=(CUTOUT, RADIUS), chord=CHORD, aerofoil=naca0012())
    command = _command(model, f"{prefix}command", as_drive(pedal), added, gain)
    command |= {"stiffness": LINKAGE, "damping": LINKAGE_DAMPING}
    for k in range(BLADES):
        azimuth = Placement((0.0, 0.0, 0.0), rotation_z(sense * 2 * np.pi * k / BLADES))
        frame = place @ azimuth @ Placement((HINGE, 0.0, 0.0))
        _add_blade(model, f"{prefix}blade_{k + 1}", hub, frame, rotor, sense, start, command, surface)
    return rotor


def _command(model: Model, name: str, pedal: Drive, added: State, gain: float) -> dict[str, Any]:
    """What the servos follow: a constant is their offset, for another drive a state is the sum of both."""
    if isinstance(pedal, Constant):
        return {"x": added, "gain": gain, "offset": pedal.value}
    law = PID(proportional=-1.0)  # of target - x, so that the output is pedal + gain x
    both = ValueRegulator(added, law=law, target=-1.0 / gain * pedal, unit="rad", scale=0.01)
    return {"x": model.add(name, both).output, "gain": gain}


def _add_blade(
    model: Model,
    name: str,
    hub: Node,
    frame: Placement,
    rotor: Rotor,
    sense: int,
    start: float,
    command: dict,
    surface: Planform,
) -> None:
    """An arm without mass between flap hinge and pitch bearing, and the blade; both have their node at the hinge."""
    x, y, _ = frame.rotation.T
    motion: dict[str, Any] = {
        "velocity": hub.velocity_at(frame.position), "angular_velocity": hub.angular_velocity
    }  # fmt: skip
    arm = model.node(f"{name}.arm", frame.position, frame.rotation, static=True, **motion)
    skewed = -np.cos(DELTA3) * y - sense * np.sin(DELTA3) * x
    model.add(f"{name}.flap", Revolute(hub, arm, at=frame.position, axis=skewed, axis_x=frame.rotation[:, 2]))
    turned = frame.rotation @ rotation_from_axis_angle((1.0, 0.0, 0.0), sense * start)
    root = model.node(f"{name}.root", frame.position, turned, **motion)
    bearing = Placement((0.0, 0.0, 0.0), rotation_from_axes(z=(sense, 0, 0), x=(0, 0, 1)))  # nose up is positive
    model.add(f"{name}.pitch", Revolute(arm, root, place_a=bearing, place_b=bearing))
    model.add(f"{name}.servo", RotaryServo(arm, root, place_a=bearing, place_b=bearing, **command))
    length = RADIUS - HINGE
    slender, thin = MASS * length**2 / 12.0, MASS * GYRATION**2
    model.add(
        f"{name}.body", Body(root, mass=MASS, com=(0.5 * length, 0.0, 0.0), inertia=(thin, slender, slender + thin))
    )
    place = Placement((-HINGE, 0.0, 0.0))
    add_blade_air(model, name, surface, node=root, place=place, leading=sense, points=POINTS, rotor=rotor)
