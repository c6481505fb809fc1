"""Planar robot with two flexible links, of Politecnico di Milano."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.control.motors.dc_motor import DCMotor
from samara.elements.electric.circuits.earth import Earth
from samara.elements.joints.revolute import Revolute
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.elements.modal.body import ModalBody
from samara.elements.modal.interface import ModalInterface
from samara.method.timeline import Timeline
from samara.model import Constant, Cosine, Input, Junction, Model, Node, Parameter
from samara.models.mechanisms.driven_joint import ELECTRIC, rubbing
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.robots.motor_drive import MotorDrive, add_motor_drive
from samara.results import Results

LENGTH, HEIGHT = 1.0, 0.1  # m, of both links
ARMS = ("beam", "modal")
MOTORS = ("torque", "voltage", "current")


@dataclass(frozen=True)
class RobotLink:
    """A strip that stands upright, so that it bends in the plane: thickness [m], mass [kg], EI in the plane [N m^2].

    poisson is not in the table of the source: it enters torsion and shear, hardly the motion in the plane.
    """

    thickness: float
    mass: float
    EI: float
    poisson: float

    def span(self) -> Span:
        """Its section, homogeneous: E from the table's EI, Saint-Venant's torsion of a thin strip, shear factor 5/6."""
        t, h = self.thickness, HEIGHT
        E = 12 * self.EI / (h * t**3)
        G = E / (2 * (1 + self.poisson))
        area, density = t * h, self.mass / (LENGTH * t * h)
        return Span(
            station=[0.0, LENGTH],
            mass=self.mass / LENGTH,
            EA=E * area,
            GA_y=5 / 6 * G * area,
            GA_z=5 / 6 * G * area,
            GJ=G * h * t**3 / 3 * (1 - 0.63 * t / h),
            EI_y=E * t * h**3 / 12,
            EI_z=self.EI,
            inertia_y=density * t * h**3 / 12,
            inertia_z=density * h * t**3 / 12,
        )


STEEL = RobotLink(thickness=0.005, mass=3.9, EI=215.625, poisson=0.30)
ALUMINIUM = RobotLink(thickness=0.0025, mass=0.685, EI=9.336, poisson=0.33)

#: Motors with harmonic-drive-like gears and current loops, made up: torques of the ready controller, 20 and 4 N m, take
#: 8 and 4.4 A.
DRIVES = (
    MotorDrive(0.05, 1.0, 1e-3, inertia=2e-5, ratio=50.0, stiffness=5e3, damping=2.0, friction=0.3, viscous=0.05),
    MotorDrive(0.03, 2.0, 1e-3, inertia=5e-6, ratio=30.0, stiffness=1e3, damping=0.2, friction=0.06, viscous=0.01),
)


@checked("robot")
def build(
    arm: Annotated[str, Quantity("", "how a link is modelled: beam or modal", choices=ARMS)] = "beam",
    beams: Annotated[int, Quantity("", "three-node beams a link", positive=True)] = 1,
    damping: Annotated[float, Quantity("s", "structural damping, proportional to stiffness", lower=0.0)] = 0.0,
    angle_1: Annotated[float, Quantity("rad", "angle of the first joint at the start")] = 0.0,
    angle_2: Annotated[float, Quantity("rad", "angle of the second joint at the start")] = 0.0,
    rate_1: Annotated[float, Quantity("rad/s", "rate of the first joint at the start")] = 0.0,
    rate_2: Annotated[float, Quantity("rad/s", "rate of the second joint at the start")] = 0.0,
    pulse_1: Annotated[float, Quantity("N m", "height of the torque pulse in the first joint")] = 1.0,
    pulse_2: Annotated[float, Quantity("N m", "height of the torque pulse in the second joint")] = 0.1,
    pulse_time: Annotated[float, Quantity("s", "duration of the pulse, there and back", positive=True)] = 2.4,
    motor: Annotated[
        str,
        Quantity("", "what drives: torque; voltage of direct-current motors; current loops of such", choices=MOTORS),
    ] = "torque",
    friction: Annotated[
        float, Quantity("N m", "dry friction of the first joint; the second has a fifth of it", lower=0.0)
    ] = 0.0,
    gear_friction: Annotated[
        float, Quantity("N m", "of the first gear, with current loops; the second has a fifth of it", lower=0.0)
    ] = 0.3,
) -> Model:
    """Two strips in a row in the horizontal plane x-y, with a hinge about z and a motor at the root of each.

        ground -joint_1- link_1.root ... link_1.n(2 beams) -joint_2- link_2.root ... link_2.n(2 beams)

    torque of motor k = Input torque_k + pulse_k s(t),  s: 0 to 1 to -1 to 0 along half cosines, of no impulse

    Feed the inputs ``torque_1`` and ``torque_2`` and read ``joint_1.angle`` and ``joint_2.angle`` to close a loop; set
    the parameters ``pulse_1`` and ``pulse_2`` to zero then. There is no weight and by default no friction, as in the
    source.

    Left for later by the source, and all made up here: motor="voltage" puts a `DCMotor` in each joint instead, which
    the inputs ``voltage_1`` and ``voltage_2`` [V] drive and the pulses do not. motor="current" makes the torque by a
    `Motor` on a circuit with an elastic gear, its friction and the inertia of the rotor, an amplifier of 24 V, and a
    loop that follows the current for the torque that is asked for: see `DRIVES` and `samara.models.robots.motor_drive`.
    friction gives the joints `LuGre` friction, whatever presses on them.

    Lengths, heights, thicknesses, masses and EI are those of the source (Attolico and Masarati 2003, table 1), which
    agree with steel of 207 GPa and aluminium of 71.7 GPa. Stand-ins: Poisson's ratios, and that hinges and motors have
    no mass of their own and the tip carries nothing: the table gives none.

    One beam a link is the model of the source, of 84 equations: see `equations`.
    """
    model = Model("robot", stand_in="Poisson's ratios; joints and tip without mass of their own")
    inner = model.ground
    shape = Cosine(1.0, pulse_time / 3) + Cosine(-2.0, pulse_time / 3, start=pulse_time / 3)
    shape = shape + Cosine(1.0, pulse_time / 3, start=2 * pulse_time / 3)
    for k, link, turn, rate, pulse in (
        (1, STEEL, angle_1, rate_1, pulse_1),
        (2, ALUMINIUM, angle_2, rate_2, pulse_2),
    ):
        root = model.node(f"link_{k}.root", frame=inner)
        add = _add_beams if arm == "beam" else _add_modes
        tip = add(model, f"link_{k}", link, root, beams, damping)
        start = {"angle": turn, "angle_rate": rate}
        model.add(f"joint_{k}", Revolute(inner, root, **rubbing(friction * (1.0, 0.2)[k - 1]), start=start))
        if motor == "voltage":
            model.add(f"motor_{k}", DCMotor(inner, root, voltage=Input(f"voltage_{k}", unit="V"), **ELECTRIC))
        else:
            torque = Input(f"torque_{k}", unit="N m") + Constant(Parameter(f"pulse_{k}", pulse, "N m")) * shape
            if motor == "torque":
                model.add(f"motor_{k}", RotaryActuator(inner, root, torque=torque))
            else:
                drive = replace(DRIVES[k - 1], friction=gear_friction * (1.0, 0.2)[k - 1])
                add_motor_drive(model, k, (inner, root), _earth(model), torque, drive, rate)
        inner = tip
    return model


def _earth(model: Model) -> Junction:
    """The junction that all circuits share."""
    if "earth" not in model.elements:
        model.add("earth", Earth(model.potential("ground_potential")))
    return model.elements["earth"].n  # type: ignore[attr-defined]


def _add_beams(model: Model, name: str, link: RobotLink, root: Node, beams: int, damping: float) -> Node:
    """Finite-volume beams with lumped bodies, as the source has them."""
    return add_beam(model, name, link.span(), root=root, elements=beams, damping=damping, inertia="lumped")[-1]


def _add_modes(model: Model, name: str, link: RobotLink, root: Node, beams: int, damping: float) -> Node:
    """The link reduced to two vibrations and the static modes of its tip, from a fine mesh."""
    from samara.analysis import craig_bampton  # solves: loaded only when it is needed

    alone = Model(f"{name} alone")
    nodes = add_beam(alone, "link", link.span(), root=alone.node("root"), elements=max(beams, 4), damping=damping)
    reduction = craig_bampton(alone, "root", [nodes[-1].name], modes=2)
    tip = model.node(f"{name}.n{2 * beams}", (LENGTH, 0.0, 0.0), frame=root, static=True)
    body = model.add(name, ModalBody(root, reduction=reduction))
    model.add(f"{name}.tip", ModalInterface(root, tip, body=body, point=nodes[-1].name))
    return tip


def clamped_link(link: RobotLink, beams: int = 1) -> Model:
    """One link alone, its root held: its modes are what the source's data can be checked by."""
    model = Model("link", stand_in="Poisson's ratio")
    add_beam(model, "link", link.span(), root=model.ground, elements=beams, inertia="lumped")
    return model


def equations(model: Model) -> dict[str, int]:
    """How many equations a step solves: counted as the source does, and as Samara does.

    source: 12 a node with inertia (velocities are unknowns of their own), one a constraint, one a motor's torque. One
            beam a link gives the 84 that the paper names; how it counts, it does not say.
    samara: 6 per node, one a constraint. Torques are inputs.
    """
    nodes = sum(node.free for node in model.nodes.values())
    joints = sum(isinstance(element, Revolute) for element in model.elements.values())
    motors = sum(isinstance(element, RotaryActuator) for element in model.elements.values())
    return {"source": 12 * nodes + 5 * joints + motors, "samara": 6 * nodes + 5 * joints}


def angular_momentum(model: Model, results: Results) -> np.ndarray:
    """Of all bodies about the z axis of the first joint at every sample, shape (n,) [kg m^2/s].

    h = sum p x m v_c + R J_c w,   v_c = v + w x R c
    """
    total = np.zeros(len(results.time))
    for element in model.elements.values():
        if not isinstance(element, Body):
            continue
        name, m = element.n.name, float(element.mass)
        R = results[f"{name}.rotation"].reshape(-1, 3, 3)
        w = results[f"{name}.angular_velocity"]
        arm = R @ np.asarray(element.com, float)
        p, v = results[f"{name}.position"] + arm, results[f"{name}.velocity"] + np.cross(w, arm)
        own = np.einsum("nij,nj->ni", R @ np.asarray(element.inertia, float) @ np.swapaxes(R, 1, 2), w)
        total += (np.cross(p, m * v) + own)[:, 2]
    return total


ROBOT = ReadyModel(
    "robot",
    build,
    "a planar robot with two flexible links and a motor in each hinge",
    source="Attolico and Masarati 2003, table 1 (Poisson's ratios are stand-ins)",
    timeline=Timeline(end=4.0, step=1 / 330),
    plot=("joint_1.angle", "joint_2.angle", "link_2.n2.position", "motor_1.effort"),
)
