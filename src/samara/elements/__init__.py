"""Elements: one physical family a folder, one element a file."""

from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.beam2 import Beam2
from samara.elements.beams.beam3 import Beam3
from samara.elements.beams.beam_mass2 import BeamMass2
from samara.elements.beams.beam_mass3 import BeamMass3
from samara.elements.beams.section import DampedSection, Section, ViscousSection
from samara.elements.beams.section_mass import SectionMass
from samara.elements.beams.span import Span
from samara.elements.beams.stiffness import isotropic, shifted
from samara.elements.bodies.body import Body
from samara.elements.control import (
    PID,
    AngleRegulator,
    AttitudeRegulator,
    ControlLaw,
    DCMotor,
    Integral,
    Lag,
    LinearServo,
    RotaryServo,
    ServoMotor,
    SpeedRegulator,
    ValueRegulator,
)
from samara.elements.deformable.displacement import DeformableDisplacement
from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.deformable.joint import DeformableJoint
from samara.elements.families import Coupling, Joint, Load, Placed, RateJoint
from samara.elements.joints import (
    Clamp,
    Cylindrical,
    Distance,
    Friction,
    Frictionless,
    Gimbal,
    GimbalRotation,
    InLine,
    InPlane,
    JointFriction,
    Lock,
    LuGre,
    PrescribedAngle,
    PrescribedRate,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    TotalJoint,
    Universal,
)
from samara.elements.laws.component_law import ComponentLaw
from samara.elements.laws.contact import ContactLaw, FloresLaw, HuntCrossleyLaw
from samara.elements.laws.cubic import CubicLaw
from samara.elements.laws.damper import DamperLaw
from samara.elements.laws.damper_table import DamperTableLaw
from samara.elements.laws.driven import DrivenLaw
from samara.elements.laws.free import FreeLaw
from samara.elements.laws.friction import FrictionLaw
from samara.elements.laws.law import Law, SumLaw
from samara.elements.laws.linear import LinearLaw
from samara.elements.laws.linear_vector import LinearLaw3, LinearLaw6
from samara.elements.laws.one_sided import OneSidedLaw
from samara.elements.laws.stop import StopLaw
from samara.elements.laws.table import TableLaw
from samara.elements.laws.vector_law import SumVectorLaw, VectorLaw
from samara.elements.loads.actuator import Actuator
from samara.elements.loads.couple import Couple
from samara.elements.loads.follower_couple import FollowerCouple
from samara.elements.loads.follower_force import FollowerForce
from samara.elements.loads.force import Force
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.elements.modal.body import ModalBody
from samara.elements.modal.interface import ModalInterface
from samara.elements.modal.reduction import Reduction
from samara.elements.rotor.actuator_length import ActuatorLength
from samara.elements.rotor.gimbal_of_joints import add_gimbal_of_joints
from samara.elements.rotor.link import add_link
from samara.elements.rotor.pitch_link import add_pitch_link
from samara.elements.rotor.swashplate import Swashplate, add_swashplate
from samara.elements.springs.axial import Axial
from samara.elements.springs.damper import Damper
from samara.elements.springs.rod import Rod
from samara.elements.springs.spring import Spring
from samara.elements.springs.strut import Strut
from samara.elements.springs.torsion import Torsion

__all__ = [
    "PID",
    "Actuator",
    "ActuatorLength",
    "AngleRegulator",
    "AttitudeRegulator",
    "Axial",
    "Beam2",
    "Beam3",
    "BeamMass2",
    "BeamMass3",
    "Body",
    "Clamp",
    "ComponentLaw",
    "ContactLaw",
    "ControlLaw",
    "Couple",
    "Coupling",
    "CubicLaw",
    "Cylindrical",
    "DCMotor",
    "DampedSection",
    "Damper",
    "DamperLaw",
    "DamperTableLaw",
    "DeformableDisplacement",
    "DeformableHinge",
    "DeformableJoint",
    "Distance",
    "DrivenLaw",
    "FloresLaw",
    "FollowerCouple",
    "FollowerForce",
    "Force",
    "FreeLaw",
    "Friction",
    "FrictionLaw",
    "Frictionless",
    "Gimbal",
    "GimbalRotation",
    "HuntCrossleyLaw",
    "InLine",
    "InPlane",
    "Integral",
    "Joint",
    "JointFriction",
    "Lag",
    "Law",
    "LinearLaw",
    "LinearLaw3",
    "LinearLaw6",
    "LinearServo",
    "Load",
    "Lock",
    "LuGre",
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
    "RotaryServo",
    "Screw",
    "Section",
    "SectionMass",
    "ServoMotor",
    "Span",
    "SpeedRegulator",
    "Spherical",
    "Spring",
    "StopLaw",
    "Strut",
    "SumLaw",
    "SumVectorLaw",
    "Swashplate",
    "TableLaw",
    "Torsion",
    "TotalJoint",
    "Universal",
    "ValueRegulator",
    "VectorLaw",
    "ViscousSection",
    "add_beam",
    "add_gimbal_of_joints",
    "add_link",
    "add_pitch_link",
    "add_swashplate",
    "isotropic",
    "shifted",
]
