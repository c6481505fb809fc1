"""Controllers of ready models, by name."""

from __future__ import annotations

from samara.realtime.controllers.controller import Controller
from samara.realtime.controllers.ready.pendulum import PendulumLift, PendulumSwing
from samara.realtime.controllers.ready.robot import RobotPath, RobotPathByVoltage
from samara.realtime.controllers.ready.tiltrotor import TiltrotorSpeed

READY: dict[str, type[Controller]] = {
    "pendulum-swing": PendulumSwing,
    "pendulum-lift": PendulumLift,
    "robot": RobotPath,
    "robot-voltage": RobotPathByVoltage,
    "tiltrotor": TiltrotorSpeed,
}

__all__ = ["READY", "PendulumLift", "PendulumSwing", "RobotPath", "RobotPathByVoltage", "TiltrotorSpeed"]
