"""Tail rotor of the SA 330 Puma: five blades on skewed flap hinges, complete with its own airloads and inflow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.blocks.pid import PID
from samara.elements.aero.aerofoils.naca0012 import naca0012
from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.inflow.wakes import RotorWake
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.blade import Planform
from samara.elements.aero.wind.air import Air
from samara.elements.control.regulators.value_regulator import ValueRegulator
from samara.model import Constant, Drive, Model, Node, Placement, State, as_drive
from samara.models.articulated_rotors import puma
from samara.models.parts.blade import Blade, BladeSite
from samara.models.parts.controls import PitchServos
from samara.models.parts.hinges import BladeHinge, Hinges
from samara.models.parts.masses import MassProperties

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
#: A uniform blade behind a skewed flap hinge, where the pitch bearing is too.
SLENDER, THIN = MASS * (RADIUS - HINGE) ** 2 / 12.0, MASS * GYRATION**2
BLADE = Blade(
    RADIUS, MassProperties(MASS, (0.5 * (RADIUS + HINGE), 0.0, 0.0), (THIN, SLENDER, SLENDER + THIN)), points=6,
    surface=Planform(station=(CUTOUT, RADIUS), chord=CHORD, aerofoil=naca0012()),
)  # fmt: skip
HINGES = Hinges(flap=BladeHinge(HINGE, delta3=DELTA3), pitch=BladeHinge(HINGE))


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

    Each blade has a flap hinge in the hub, skewed by delta-3 of 45 degrees so that flapping by b towards the thrust
    reduces the pitch by b, and outboard of it the pitch bearing with a servo,

        pitch = pedal + gain added - tan(delta3) flap

    It is stiff in plane. place: in the world at the start: origin at the hub's centre, z along the thrust, x at zero
    azimuth. pedal: a number, a `Parameter` or a drive [rad]; added: a state, such as an autopilot's contribution;
    start: initial pitch [rad]; sense: -1 clockwise seen against the thrust; inflow, induced: as in `puma.add_rotor`;
    wakes: of other rotors that act on it.

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
    command = _command(model, f"{prefix}command", as_drive(pedal), added, gain)
    servos = PitchServos(command | {"stiffness": LINKAGE, "damping": LINKAGE_DAMPING}, start)
    for k in range(BLADES):
        site = BladeSite(hub, place, sense, 2 * np.pi * k / BLADES, rotor=rotor, number=k)
        BLADE.add(model, f"{prefix}blade_{k + 1}", site, HINGES, servos)
    return rotor


def _command(model: Model, name: str, pedal: Drive, added: State, gain: float) -> dict[str, Any]:
    """The servo command: a constant becomes an offset; for any other drive a state holds the sum of both."""
    if isinstance(pedal, Constant):
        return {"x": added, "gain": gain, "offset": pedal.value}
    law = PID(proportional=-1.0)  # of target - x, so that the output is pedal + gain x
    both = ValueRegulator(added, law=law, target=-1.0 / gain * pedal, unit="rad", scale=0.01)
    return {"x": model.add(name, both).output, "gain": gain}
