"""Ready controllers: a control law for each ready model that needs one, by the name that `samara controller` takes.

They are ordinary subclasses of `Controller`, as a user would write them.
"""

from __future__ import annotations

from samara.realtime.controllers.controller import Controller
from samara.realtime.controllers.ready.pendulum import (
    PendulumLift,
    PendulumLiftByVoltage,
    PendulumSwing,
    PendulumSwingByVoltage,
)
from samara.realtime.controllers.ready.robot import RobotPath, RobotPathByVoltage
from samara.realtime.controllers.ready.rotor_vibration import HigherHarmonic, IndividualBlade
from samara.realtime.controllers.ready.tiltrotor import TiltrotorSpeed
from samara.realtime.controllers.ready.wing_vibration import WingVibration, WingVibrationFed

READY: dict[str, type[Controller]] = {
    "pendulum-swing": PendulumSwing,
    "pendulum-lift": PendulumLift,
    "pendulum-swing-voltage": PendulumSwingByVoltage,
    "pendulum-lift-voltage": PendulumLiftByVoltage,
    "robot": RobotPath,
    "robot-voltage": RobotPathByVoltage,
    "tiltrotor": TiltrotorSpeed,
    "higher-harmonic": HigherHarmonic,
    "individual-blade": IndividualBlade,
    "wing-vibration": WingVibration,
    "wing-vibration-fed": WingVibrationFed,
}

__all__ = [
    "READY",
    "HigherHarmonic",
    "IndividualBlade",
    "PendulumLift",
    "PendulumLiftByVoltage",
    "PendulumSwing",
    "PendulumSwingByVoltage",
    "RobotPath",
    "RobotPathByVoltage",
    "TiltrotorSpeed",
    "WingVibration",
    "WingVibrationFed",
]
