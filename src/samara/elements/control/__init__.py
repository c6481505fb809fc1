"""Regulators, and what acts at their command.

A regulator measures, compares with a set point and gives its answer as a scalar state, ``regulator.output``; a servo
or a motor takes that state and acts between two nodes. All of it is part of the equations that a step solves: there is
no delay of a step between measure and action.
"""

from samara.elements.control.angle import AngleRegulator
from samara.elements.control.attitude import AttitudeRegulator
from samara.elements.control.dc_motor import DCMotor
from samara.elements.control.integral import Integral
from samara.elements.control.lag import Lag
from samara.elements.control.law import ControlLaw
from samara.elements.control.linear_servo import LinearServo
from samara.elements.control.motor import ServoMotor
from samara.elements.control.pid import PID
from samara.elements.control.regulator import Regulator
from samara.elements.control.servo import RotaryServo
from samara.elements.control.speed import SpeedRegulator
from samara.elements.control.value import ValueRegulator

__all__ = [
    "PID",
    "AngleRegulator",
    "AttitudeRegulator",
    "ControlLaw",
    "DCMotor",
    "Integral",
    "Lag",
    "LinearServo",
    "Regulator",
    "RotaryServo",
    "ServoMotor",
    "SpeedRegulator",
    "ValueRegulator",
]
