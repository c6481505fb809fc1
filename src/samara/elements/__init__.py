"""Elements: one physical family a folder, one element a file."""

from samara.elements.beams.beam2 import Beam2
from samara.elements.beams.beam3 import Beam3
from samara.elements.beams.beam_mass2 import BeamMass2
from samara.elements.beams.beam_mass3 import BeamMass3
from samara.elements.beams.section import DampedSection, Section, ViscousSection, isotropic, shifted
from samara.elements.beams.section_mass import SectionMass
from samara.elements.beams.span import Span, add_beam
from samara.elements.bodies.body import Body
from samara.elements.families import Coupling, Joint, Load, Placed, RateJoint
from samara.elements.joints import (
    Clamp,
    Cylindrical,
    Distance,
    Gimbal,
    GimbalRotation,
    InLine,
    InPlane,
    PrescribedAngle,
    PrescribedRate,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    TotalJoint,
    Universal,
)
from samara.elements.laws.cubic import CubicLaw
from samara.elements.laws.damper import DamperLaw
from samara.elements.laws.damper_table import DamperTableLaw
from samara.elements.laws.law import Law, SumLaw
from samara.elements.laws.linear import LinearLaw
from samara.elements.laws.one_sided import OneSidedLaw
from samara.elements.laws.table import TableLaw
from samara.elements.loads.actuator import Actuator
from samara.elements.loads.couple import Couple
from samara.elements.loads.follower_couple import FollowerCouple
from samara.elements.loads.follower_force import FollowerForce
from samara.elements.loads.force import Force
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.elements.modal.body import ModalBody
from samara.elements.modal.interface import ModalInterface
from samara.elements.modal.reduction import Reduction
from samara.elements.springs.axial import Axial
from samara.elements.springs.damper import Damper
from samara.elements.springs.rod import Rod
from samara.elements.springs.spring import Spring
from samara.elements.springs.torsion import Torsion

__all__ = [
    "Actuator",
    "Axial",
    "Beam2",
    "Beam3",
    "BeamMass2",
    "BeamMass3",
    "Body",
    "Clamp",
    "Couple",
    "Coupling",
    "CubicLaw",
    "Cylindrical",
    "DampedSection",
    "Damper",
    "DamperLaw",
    "DamperTableLaw",
    "Distance",
    "FollowerCouple",
    "FollowerForce",
    "Force",
    "Gimbal",
    "GimbalRotation",
    "InLine",
    "InPlane",
    "Joint",
    "Law",
    "LinearLaw",
    "Load",
    "ModalBody",
    "ModalInterface",
    "OneSidedLaw",
    "Placed",
    "PrescribedAngle",
    "PrescribedRate",
    "Prismatic",
    "RateJoint",
    "Reduction",
    "Revolute",
    "Rod",
    "RotaryActuator",
    "Screw",
    "Section",
    "SectionMass",
    "Span",
    "Spherical",
    "Spring",
    "SumLaw",
    "TableLaw",
    "Torsion",
    "TotalJoint",
    "Universal",
    "ViscousSection",
    "add_beam",
    "isotropic",
    "shifted",
]
