"""Joints."""

from samara.elements.joints.clamp import Clamp
from samara.elements.joints.cylindrical import Cylindrical
from samara.elements.joints.distance import Distance
from samara.elements.joints.friction import Friction, Frictionless, JointFriction
from samara.elements.joints.gimbal import Gimbal, GimbalRotation
from samara.elements.joints.in_line import InLine
from samara.elements.joints.in_plane import InPlane
from samara.elements.joints.lock import Lock
from samara.elements.joints.lugre import LuGre
from samara.elements.joints.prescribed_angle import PrescribedAngle
from samara.elements.joints.prescribed_rate import PrescribedRate
from samara.elements.joints.prismatic import Prismatic
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.screw import Screw
from samara.elements.joints.spherical import Spherical
from samara.elements.joints.total import TotalJoint
from samara.elements.joints.universal import Universal

__all__ = [
    "Clamp",
    "Cylindrical",
    "Distance",
    "Friction",
    "Frictionless",
    "Gimbal",
    "GimbalRotation",
    "InLine",
    "InPlane",
    "JointFriction",
    "Lock",
    "LuGre",
    "PrescribedAngle",
    "PrescribedRate",
    "Prismatic",
    "Revolute",
    "Screw",
    "Spherical",
    "TotalJoint",
    "Universal",
]
