"""Double pendulum."""

from __future__ import annotations

import math
from typing import Annotated

from samara.elements.bodies.body import Body
from samara.elements.joints.revolute import Revolute
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Model, Placement
from samara.models.mechanisms.rods import box_inertia
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import rotation_x, rotation_z


@checked("double-pendulum")
def build(
    mass_1: Annotated[float, Quantity("kg", "mass of the upper rod", positive=True)] = 1.0,
    mass_2: Annotated[float, Quantity("kg", "mass of the lower rod", positive=True)] = 1.0,
    length_1: Annotated[float, Quantity("m", "length of the upper rod", positive=True)] = 1.0,
    length_2: Annotated[float, Quantity("m", "length of the lower rod", positive=True)] = 1.0,
    width: Annotated[float, Quantity("m", "side of the rods' square section", positive=True)] = 0.05,
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity, along -y")] = 9.81,
    angle_1: Annotated[float, Quantity("rad", "angle of the upper rod from the downward vertical")] = math.pi / 2,
    angle_2: Annotated[float, Quantity("rad", "angle of the lower rod against the upper one")] = 0.0,
    twist: Annotated[float, Quantity("rad", "angle between the hinges' axes: not 0 makes the motion spatial")] = 0.0,
) -> Model:
    """Two uniform rods. The upper hinge turns about z; the lower one about z turned by `twist` about the upper rod.

    The numbers are arbitrary round ones.
    """
    model = Model("double pendulum", gravity=(0.0, -gravity, 0.0))
    upper, lower = model.node("upper"), model.node("lower")  # the hinges say where they start
    model.add("rod_1", Body(upper, mass=mass_1, inertia=box_inertia(mass_1, length_1, width, width)))
    model.add("rod_2", Body(lower, mass=mass_2, inertia=box_inertia(mass_2, length_2, width, width)))
    down = Placement(rotation=rotation_z(-math.pi / 2))
    top, bottom, inner = (Placement((x, 0.0, 0.0)) for x in (-length_1 / 2, length_1 / 2, -length_2 / 2))
    model.add("hinge_1", Revolute(model.ground, upper, place_a=down, place_b=top, start={"angle": angle_1}))
    twisted = bottom @ Placement(rotation=rotation_x(twist))
    model.add("hinge_2", Revolute(upper, lower, place_a=twisted, place_b=inner, start={"angle": angle_2}))
    return model


DOUBLE_PENDULUM = ReadyModel(
    "double-pendulum",
    build,
    "two rods in a row, planar or spatial",
    source="round numbers chosen here",
    timeline=Timeline(end=10.0, step=1e-3),
    method=Method(integrator="two-step:0.9"),
    plot=("hinge_1.angle", "hinge_2.angle", "lower.position"),
)
