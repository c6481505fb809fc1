"""Equations of a model as the papers' program, MBDyn, would count them: a comparison of models, not of programs.

Rules, with which the counts that the papers print come out (Morandini, Masarati, Mantegazza, 31st European Rotorcraft
Forum, 2005; Attolico and Masarati 2003):

    nodes    12 with inertia (velocities are unknowns of their own), 6 without; a scalar node 1
    joints   clamp 6, revolute 5, universal 4, spherical 3, in-line 2, in-plane 1, distance 4 (a multiplier and three
             components of a direction), gimbal 5 and its spherical joint 3, prismatic 3 for the rotation and its
             in-line joint 2; a lock one for each axis that it holds; whatever is elastic none
    motion   a node that moves as prescribed: its 6 and the 6 equations that move it; an angle or a rate prescribed
             in a joint 1
    ground   a clamped node, 12, where something holds on to it that needs a node; hinges, balls and clamps on the
             ground need none
    modes    2 each, and 6 for each node on them; the root of a wing that is held costs nothing
    control  one for each state of a regulator, and for a motor's torque; 6 for a swashplate: three scalar nodes of
             pitch, three of the actuators' lengths
    drive    a rigid gear 1; one for each state of an engine, a governor, a valve or a freewheel
    air      none: loads and uniform inflow are known before the step

The scissors of a swashplate, ideal here, are in-plane joints there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from samara.elements.aero.inflow.inflow import Momentum, NoInflow
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.drag import Drag
from samara.elements.aero.surfaces.surface import AeroSurface
from samara.elements.beams.along import AlongBeam
from samara.elements.bodies.body import Body
from samara.elements.control.blocks.lag import Lag
from samara.elements.control.motors.servo_motor import ServoMotor
from samara.elements.control.regulators.regulator import Regulator
from samara.elements.control.servos.limited_servo import LimitedServo
from samara.elements.control.servos.linear_servo import LinearServo
from samara.elements.control.servos.rotary_servo import RotaryServo
from samara.elements.deformable.deformable import Deformable
from samara.elements.drive_train.elastic_gear import ElasticGear
from samara.elements.drive_train.gear import Gear
from samara.elements.drive_train.shafts import OnShaft
from samara.elements.joints.clamp import Clamp
from samara.elements.joints.gimbal import Gimbal, GimbalRotation
from samara.elements.joints.lock import Lock
from samara.elements.joints.point_constraints.distance import Distance
from samara.elements.joints.point_constraints.in_line import InLine
from samara.elements.joints.point_constraints.in_plane import InPlane
from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.prescribed_motion.prescribed_rate import PrescribedRate
from samara.elements.joints.prismatic import Prismatic
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.spherical import Spherical
from samara.elements.joints.universal import Universal
from samara.elements.loads.components import Components
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.elements.modal.body import ModalBody
from samara.elements.modal.interface import ModalInterface
from samara.elements.rotor.actuator_length import ActuatorLength
from samara.elements.rotor.pitch_control import PitchControl
from samara.elements.springs.line import Line
from samara.elements.springs.on_axis import OnAxis
from samara.model import Constant, Element, Model, ModelError, Node, Parameter

STATIC, DYNAMIC, SCALAR, HELD = 6, 12, 1, 6  # a node without and with inertia, a scalar one; what holds or moves a node
SCISSORS = 1  # an in-plane joint


@dataclass(frozen=True)
class CountLine:
    """Elements or nodes of one kind: how many they are and how many equations they have together."""

    number: int
    equations: int


def _states(element: Element) -> int:
    return sum(1 for _ in element.owned)


def _of_rotor(rotor: Any) -> int:
    if not isinstance(rotor.inflow, Momentum | NoInflow):
        raise ModelError(
            f"source count: rotor {rotor.name!r} has the inflow {type(rotor.inflow).__name__}, for which the papers "
            "give no rule; count it with Momentum()"
        )
    return 0


#: Equations of an element by its class; the nearest base class that is here decides.
RULES: dict[type[Element], int | Callable[[Any], int]] = {
    Clamp: 6, Revolute: 5, Universal: 4, Spherical: 3, InLine: 2, InPlane: 1, Distance: 4,
    GimbalRotation: 5, Gimbal: 5 + 3, PrescribedAngle: 1, PrescribedRate: 1, Prismatic: 3 + 2, Lock: _states,
    ModalBody: lambda body: 2 * len(body.reduction.frequencies), ModalInterface: HELD,
    Body: 0, AlongBeam: 0, Deformable: 0, Line: 0, OnAxis: 0, Components: 0,
    LinearServo: 0, RotaryServo: 0, ServoMotor: 0, PitchControl: 0, RotaryActuator: SCALAR, Lag: SCALAR,
    Gear: 1, ElasticGear: _states, OnShaft: _states, LimitedServo: _states, Regulator: _states, Rotor: _of_rotor,
    AeroSurface: _states, Drag: 0,
}  # fmt: skip
#: What can hold on to the ground without a node there: MBDyn has a form of its own for it, or it only measures.
ON_THE_GROUND = (Clamp, Revolute, Spherical, RotaryActuator, Components, Regulator, ServoMotor, Body)


def source_lines(model: Model) -> dict[str, CountLine]:
    """Equations of a model by kind, see the rules of this module; `ModelError` names a kind that has none."""
    lines: dict[str, CountLine] = {}

    def add(kind: str, equations: int) -> None:
        so_far = lines.get(kind, CountLine(0, 0))
        lines[kind] = CountLine(so_far.number + 1, so_far.equations + equations)

    plates = _plates(model)
    for node in model.nodes.values():
        add(f"{node.kind} node", _of_node(model, node))
    for element in model.elements.values():
        kind = type(element).__name__
        if isinstance(element, GimbalRotation) and not plates.isdisjoint(_names(element)):
            add("scissors", SCISSORS)
        else:
            add(kind, equations_of(element))
        if _is_actuator(element):
            add("pitch and length of an actuator", 2 * SCALAR)
    return lines


def source_equations(model: Model) -> int:
    """All of `source_lines`: 283 of the rigid Puma, 763 of the elastic one, 84 of the robot, as printed."""
    return sum(line.equations for line in source_lines(model).values())


def equations_of(element: Element) -> int:
    """Of one element, by the rule of its class."""
    for kind in type(element).__mro__:
        if kind in RULES:
            rule = RULES[kind]
            return rule(element) if callable(rule) else rule
    raise ModelError(
        f"source count: no rule for {type(element).__name__} ({element.name!r}); add one to `RULES` in "
        "samara.models.source_count"
    )


def _of_node(model: Model, node: Node) -> int:
    if node.kind in ("static", "dynamic"):
        return DYNAMIC if node.kind == "dynamic" else STATIC
    held = _touching(model, node)
    if node.kind == "ground":
        return 0 if all(isinstance(element, ON_THE_GROUND) for element in held) else STATIC + HELD
    # the root of a wing: a modal element may be held by itself, but one that is moved needs its node
    if held and _rests(node) and all(isinstance(element, ModalBody | ModalInterface) for element in held):
        return 0
    return STATIC + HELD


def _rests(node: Node) -> bool:
    """Whether a prescribed node is told to stay where it is, by numbers that nothing changes."""
    return node.motion is not None and all(
        isinstance(drive, Constant) and not isinstance(drive.value, Parameter) for drive in node.motion.drives
    )


def _touching(model: Model, node: Node) -> list[Element]:
    return [element for element in model.elements.values() if any(n is node for n in element.nodes())]


def _names(element: Element) -> set[str]:
    return {node.name for node in element.nodes()}


def _is_actuator(element: Element) -> bool:
    return isinstance(getattr(element, "length", None), ActuatorLength)


def _plates(model: Model) -> set[str]:
    """Plates of swashplates: what actuators hold besides the mast, and what turns on it."""
    elements = list(model.elements.values())
    fixed = {element.nodes()[1].name for element in elements if _is_actuator(element)}
    bearings = [_names(element) for element in elements if isinstance(element, Revolute)]
    return fixed.union(*(pair for pair in bearings if pair & fixed))
