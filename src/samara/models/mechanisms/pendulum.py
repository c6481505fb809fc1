"""Simple pendulum."""

from __future__ import annotations

import math
from typing import Annotated, Any

from samara.elements.bodies.body import Body
from samara.elements.control.motors.dc_motor import DCMotor
from samara.elements.joints.revolute import Revolute
from samara.elements.loads.rotary_actuator import RotaryActuator
from samara.method.timeline import Timeline
from samara.model import Input, Model, ModelError
from samara.models.mechanisms.driven_joint import ELECTRIC, rubbing
from samara.models.registry import Quantity, ReadyModel, checked

#: A body needs some inertia: this one changes the period of the default pendulum by 5e-10 of itself [kg m^2].
POINT_INERTIA = 1e-9


@checked("pendulum")
def build(
    mass: Annotated[float, Quantity("kg", "mass of the bob", positive=True)] = 1.0,
    length: Annotated[float, Quantity("m", "distance of the bob from the hinge", positive=True)] = 1.0,
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity, along -y")] = 9.81,
    angle: Annotated[float, Quantity("rad", "angle at the start, from the downward vertical, about z")] = -math.pi / 2,
    rate: Annotated[float, Quantity("rad/s", "its rate at the start")] = 0.0,
    motor: Annotated[bool, Quantity("", "whether a motor in the hinge takes the input `torque`")] = False,
    electric: Annotated[bool, Quantity("", "whether that motor is a direct-current one: it takes `voltage`")] = False,
    friction: Annotated[
        float, Quantity("N m", "dry friction of the hinge, without what the force in it adds", lower=0.0)
    ] = 0.0,
) -> Model:
    """A point mass on a massless rod, in the x-y plane; ``hinge.angle`` is measured from the downward vertical.

    The defaults are those of problem A01 of the IFToMM library of benchmarks: the bob is let go at x = -1 m, y = 0.
    With a motor, feed the input ``torque`` [N m, about z] to control it; with an electric one (`DCMotor`, its numbers
    are made up) the input ``voltage`` [V]. friction is that of `LuGre`; the
    force in the hinge adds 2 mm times itself, 0.02 N m for the weight of the bob.
    """
    if electric and not motor:
        raise ModelError("pendulum: electric says what kind of motor it is: set motor=true as well")
    model = Model("pendulum", gravity=(0.0, -gravity, 0.0))
    bob = model.node("bob", (0.0, -length, 0.0))
    model.add("mass", Body(bob, mass=mass, inertia=(POINT_INERTIA,) * 3))
    places: dict[str, Any] = {"place_a": (0.0, 0.0, 0.0), "place_b": (0.0, length, 0.0)}
    start = {"angle": angle, "angle_rate": rate}
    model.add("hinge", Revolute(model.ground, bob, **rubbing(friction), **places, start=start))
    if electric:
        model.add("motor", DCMotor(model.ground, bob, voltage=Input("voltage", unit="V"), **ELECTRIC, **places))
    elif motor:
        model.add("motor", RotaryActuator(model.ground, bob, torque=Input("torque", unit="N m"), **places))
    return model


PENDULUM = ReadyModel(
    "pendulum",
    build,
    "a point mass on a rod, let go from the horizontal",
    source="IFToMM Library of Computational Benchmark Problems, A01 simple pendulum",
    timeline=Timeline(end=10.0, step=5e-4),
    plot=("bob.position", "hinge.angle", "hinge.force"),
)
