"""Elements: one physical family a folder, one element a file."""

from samara.elements.bodies.body import Body
from samara.elements.families import Coupling, Joint, Load, Placed, RateJoint
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.spherical import Spherical

__all__ = ["Body", "Coupling", "Joint", "Load", "Placed", "RateJoint", "Revolute", "Spherical"]
