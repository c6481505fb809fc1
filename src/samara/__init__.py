"""Samara: general multibody dynamics for rotorcraft and aerospace mechanisms.

Everything a user needs is here by name; heavy parts are loaded when they are first used.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

__version__ = "0.1.0"

#: public name -> module it lives in
_EXPORTS: dict[str, str] = {}


def _export(module: str, *names: str) -> None:
    _EXPORTS.update(dict.fromkeys(names, module))


_export(
    "samara.model", "ArgumentError", "Constant", "Contribution", "Cosine", "Drive", "Element", "Expression", "Frame",
    "Input", "Model", "ModelError", "Motion", "Node", "Output", "Parameter", "Placement", "Product", "Ramp", "Sine",
    "Step", "Sum", "State", "Tabulated", "direction", "driven", "matrix", "node", "number", "numbers", "option",
    "placement", "record", "records", "setting", "state", "table", "vector",
)  # fmt: skip
_export("samara.tracing", "Curve", "Surface", "absolute", "cut", "fmax", "fmin", "select", "sign")
_export("samara.elements", "Coupling", "Joint", "Load", "RateJoint", "Body", "Revolute", "Spherical")
_export(
    "samara.elements",
    "Clamp",
    "Cylindrical",
    "Distance",
    "Gimbal",
    "GimbalRotation",
    "InLine",
    "InPlane",
    "PrescribedAngle",
    "PrescribedRate",
)
_export("samara.elements", "Prismatic", "Screw", "TotalJoint", "Universal")
_export("samara.elements", "CubicLaw", "DamperLaw", "DamperTableLaw", "Law", "LinearLaw", "OneSidedLaw", "SumLaw")
_export("samara.elements", "Axial", "Damper", "Rod", "Spring", "TableLaw", "Torsion")
_export("samara.elements", "Actuator", "Couple", "FollowerCouple", "FollowerForce", "Force", "RotaryActuator")
_export("samara.elements", "Beam2", "Beam3", "DampedSection", "Section", "Span", "ViscousSection", "add_beam")
_export("samara.elements", "BeamMass2", "BeamMass3", "SectionMass", "isotropic", "shifted")
_export("samara.elements", "ModalBody", "ModalInterface", "Reduction")
_export("samara.elements", "ComponentLaw", "FreeLaw", "LinearLaw3", "LinearLaw6", "SumVectorLaw", "VectorLaw")
_export("samara.elements", "ContactLaw", "FloresLaw", "HuntCrossleyLaw", "StopLaw")
_export("samara.elements", "DrivenLaw", "Friction", "FrictionLaw", "Frictionless", "JointFriction", "Lock", "LuGre")
_export("samara.elements", "DeformableDisplacement", "DeformableHinge", "DeformableJoint")
_export("samara.elements", "ActuatorLength", "Strut", "Swashplate", "add_gimbal_of_joints", "add_link")
_export("samara.elements", "add_pitch_link", "add_swashplate")
_export(
    "samara.elements", "AngleRegulator", "ControlLaw", "DCMotor", "Integral", "Lag", "PID", "RotaryServo", "ServoMotor"
)
_export("samara.elements", "AttitudeRegulator", "LinearServo", "SpeedRegulator", "ValueRegulator")
_export("samara.system", "System")
_export("samara.solve", "BDF2", "ChangedStart", "CrankNicolson", "Diverged", "Interrupted", "NotSaved", "Simulation")
_export("samara.solve", "SingularModel", "SolveError", "Stepper", "TwoStep", "assemble", "stability", "static")
_export("samara.solve", "transient")
_export("samara.results", "Results")
_export(
    "samara.analysis",
    "Harmonic",
    "campbell",
    "craig_bampton",
    "disk_map",
    "draw_freedoms",
    "freedoms",
    "linearise",
    "modes",
    "multiblade",
    "periodic",
    "redundant_constraints",
    "state_space",
    "steady_rotation",
    "trim",
)

__all__ = ["__version__", *sorted(_EXPORTS)]


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    if name in _rooms():
        return importlib.import_module(f"samara.{name}")
    raise AttributeError(f"module 'samara' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *_rooms()]


@functools.cache
def _rooms() -> tuple[str, ...]:
    """Packages inside this one, such as `samara.rotations`: loaded when they are first used, too."""
    import pkgutil

    return tuple(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
