"""Drive train of the helicopter: a turboshaft engine with its governor, a freewheel, and gears to both rotors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.control.servos.limited_servo import LimitedServo
from samara.elements.drive_train.freewheel import Freewheel
from samara.elements.drive_train.gear import Gear
from samara.elements.drive_train.governor import Governor
from samara.elements.drive_train.turboshaft import TurboshaftEngine, fuel_flow, gas_speed
from samara.elements.joints.revolute import Revolute
from samara.model import Drive, Model, ModelError, Node, Placement, Step
from samara.models.articulated_rotors import puma, tail_rotor
from samara.rotations import rotation_from_axes

KINDS = ("prescribed", "turboshaft")
#: A time that no run reaches [s].
NEVER = 1e6
#: Speed of the shafts between engine and gears: that of the tail rotor [rad/s].
SPEED = tail_rotor.SPEED
#: Where these shafts are: aft of the centre of mass, to the right, up [m]; their axis is along x.
PLACE = (0.6, 0.0, 1.3)
#: Mass of each, with its wheels [kg]; and what the fuselage is less for them.
SHAFT_MASS = 40.0
PARTS = ((2 * SHAFT_MASS, PLACE),)
#: Power that both rotors take in level flight, where an engine starts: airspeed [m/s], power [W]; as `trim` has it.
LEVEL = ((0.0, 10.0, 20.0, 40.0, 60.0, 70.0, 80.0), (0.951e6, 0.815e6, 0.622e6, 0.540e6, 0.750e6, 0.974e6, 1.332e6))
STAND_IN = "engine, governor, freewheel and inertia of the drive train are made up"


@dataclass(frozen=True)
class Turboshaft:
    """The engine and the drive train up to the rotors, referred to shafts that turn at `SPEED`. All data are stand-ins.

    failure: time of the flame-out [s]; burning: alternatively a signal, 1 while it burns and 0 after flame-out.
    power: of both engines together [W]; fuel: flow at that power [kg/s]; idle, time: see `TurboshaftEngine`.
    turbine, gearbox: inertia of the power turbines and of the parts behind the freewheel [kg m^2].
    stiffness, damping: of the freewheel [N m/rad, N m s/rad].
    proportional [kg/s per rad/s], integral [kg/s per rad], anticipation [kg/s per rad of collective]: of the governor.
    valve: lag of the metering valve [s]; rate: largest rate of the fuel flow, as a fraction of `fuel` per second;
    least: smallest fuel flow, as a fraction of `fuel`.
    """

    failure: float = NEVER
    burning: Any = None
    power: float = 2.3e6
    fuel: float = 0.25
    idle: float = 0.2
    time: float = 0.5
    turbine: float = 20.0
    gearbox: float = 3.0
    stiffness: float = 2e5
    damping: float = 2e3
    proportional: float = 0.008
    integral: float = 0.003
    anticipation: float = 0.5
    valve: float = 0.1
    rate: float = 0.5
    least: float = 0.1

    def __post_init__(self) -> None:
        if not self.failure >= 0.0:
            raise ModelError(f"helicopter: failure must not be negative, got {self.failure} s")
        if self.burning is not None and self.failure != NEVER:
            raise ModelError("helicopter: give either failure or burning, not both")


def add_drive_train(
    model: Model,
    fuselage: Node,
    main: Node,
    tail: Node,
    *,
    sense: int,
    engine: Turboshaft,
    collective: Drive,
    start: float,
    airspeed: float = 0.0,
) -> None:
    """Adds it between the fuselage and both hubs, which turn on the fuselage freely.

        engine.turbine - engine.freewheel - drive - drive.main  (gear) - main hub
                                                  - drive.tail  (gear) - tail hub

    The governor holds the power turbine at `SPEED`, with anticipation of changes of the collective pitch from its
    `start` [rad]. airspeed: of the level flight whose power the engine starts with [m/s].
    """
    power = float(np.interp(airspeed, *LEVEL))
    shafts = [_shaft(model, name, fuselage, sense, inertia)
              for name, inertia in (("engine", engine.turbine), ("drive", engine.gearbox))]  # fmt: skip
    turbine, drive = shafts
    frames: dict[str, Any] = {"place_a": fuselage.local(turbine.place), "place_b": Placement(), "sense": sense}
    flow = fuel_flow(power, engine.power, engine.fuel, engine.idle)
    limits = {"lower": engine.least * engine.fuel, "upper": engine.fuel, "corner": 0.02 * engine.fuel}
    fuel: dict[str, Any] = limits | {"start": flow, "unit": "kg/s", "scale": engine.fuel}
    governor = Governor(
        fuselage, turbine, target=SPEED, proportional=engine.proportional, integral=engine.integral,
        load=collective - start, anticipation=engine.anticipation, **fuel, **frames,
    )  # fmt: skip
    asked = model.add("engine.governor", governor).output
    valve = LimitedServo(command=asked, time=engine.valve, rate=engine.rate * engine.fuel, **fuel)
    given = model.add("engine.valve", valve).output
    burning = Step(0.0, time=engine.failure, before=1.0) if engine.burning is None else engine.burning
    model.add(
        "engine.turbine",
        TurboshaftEngine(
            fuselage, turbine, flow=given, power=engine.power, speed=SPEED, fuel=engine.fuel, idle=engine.idle,
            time=engine.time, burning=burning, start=gas_speed(power, engine.power, engine.idle), **frames,
        ),
    )  # fmt: skip
    sprags = Freewheel(
        turbine, drive, place_a=Placement(), place_b=Placement(), sense=sense, stiffness=engine.stiffness,
        damping=engine.damping, start=power / SPEED / engine.stiffness,
    )  # fmt: skip
    model.add("engine.freewheel", sprags)
    model.add("drive.main", Gear(drive, main, fuselage, ratio=SPEED / puma.SPEED))
    model.add("drive.tail", Gear(drive, tail, fuselage, ratio=SPEED / tail_rotor.SPEED))


def _shaft(model: Model, name: str, fuselage: Node, sense: int, inertia: float) -> Node:
    """A shaft along x that turns at `SPEED`, with its wheels."""
    place = fuselage.place @ Placement(PLACE, rotation_from_axes(z=(1, 0, 0), x=(0, 0, 1)))
    motion = {
        "velocity": fuselage.velocity_at(place.position),
        "angular_velocity": sense * SPEED * place.rotation[:, 2],
    }
    shaft = model.node(f"{name}.shaft", place.position, place.rotation, **motion)
    model.add(f"{name}.shaft.body", Body(shaft, mass=SHAFT_MASS, inertia=(0.5 * inertia, 0.5 * inertia, inertia)))
    model.add(f"{name}.shaft.bearing", Revolute(fuselage, shaft, place_a=fuselage.local(place), place_b=Placement()))
    return shaft
