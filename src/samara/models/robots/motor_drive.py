"""A joint's drive as a robot has it: a direct-current motor, a gear, an amplifier and a loop for the current."""

from __future__ import annotations

from dataclasses import dataclass

from samara.blocks.pid import PID
from samara.elements.control.regulators.value_regulator import ValueRegulator
from samara.elements.electric.circuits.amplifier import Amplifier
from samara.elements.electric.motors.motor import Motor
from samara.elements.electric.motors.motor_gear import ElasticMotorGear
from samara.model import Constant, Drive, Junction, Model, Node


@dataclass(frozen=True)
class MotorDrive:
    """Numbers of a drive; those of the ready models are made up.

    constant [N m/A], resistance [ohm], inductance [H], inertia [kg m^2]: of the motor. ratio, stiffness [N m/rad],
    damping [N m s/rad], friction [N m], viscous [N m s/rad]: of the gear, at the joint. supply [V], output [ohm]: of
    the amplifier. bandwidth: of the current loop [rad/s].
    """

    constant: float
    resistance: float
    inductance: float
    inertia: float
    ratio: float
    stiffness: float
    damping: float
    friction: float
    viscous: float
    supply: float = 24.0
    output: float = 0.1
    bandwidth: float = 1000.0

    @property
    def per_ampere(self) -> float:
        """Torque at the joint per ampere [N m/A]."""
        return self.ratio * self.constant

    @property
    def reflected(self) -> float:
        """Inertia of the rotor as the joint feels it [kg m^2]."""
        return self.ratio**2 * self.inertia

    def gear(self, speed: float = 0.0) -> ElasticMotorGear:
        """The gear, with the joint turning at this speed [rad/s] at the start."""
        return ElasticMotorGear(
            ratio=self.ratio,
            friction=self.friction,
            viscous=self.viscous,
            inertia=self.inertia,
            stiffness=self.stiffness,
            damping=self.damping,
            start=speed,
        )

    def loop(self) -> PID:
        """A proportional and integral law whose zero is at the pole of the winding: a lag of 1 / bandwidth."""
        resistance = self.resistance + self.output
        return PID(
            proportional=self.bandwidth * self.inductance,
            integral=self.bandwidth * resistance,
            lower=-self.supply,
            upper=self.supply,
            tracking=self.inductance / resistance,
        )


def add_motor_drive(
    model: Model,
    k: int,
    nodes: tuple[Node, Node],
    earth: Junction,
    torque: Drive,
    drive: MotorDrive,
    speed: float = 0.0,
) -> None:
    """Adds ``motor_k``, ``amplifier_k``, ``loop_k`` and the junction ``feed_k`` at a hinge between two nodes.

    torque: wanted at the joint [N m]; the loop makes the current for it, torque / (ratio constant). speed: of the joint
    at the start [rad/s].
    """
    feed = model.potential(f"feed_{k}")
    motor = Motor(
        *nodes,
        feed,
        earth,
        constant=drive.constant,
        resistance=drive.resistance,
        inductance=drive.inductance,
        gear=drive.gear(speed),
    )
    model.add(f"motor_{k}", motor)
    wanted = Constant(1.0 / drive.per_ampere) * torque
    loop = ValueRegulator(motor.current, law=drive.loop(), target=wanted, unit="V")
    model.add(f"loop_{k}", loop)
    amplifier = Amplifier(feed, earth, input=loop.output, limit=drive.supply, resistance=drive.output)
    model.add(f"amplifier_{k}", amplifier)
