"""Uniform beam rotating about its root, the classical model of a rotating blade."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.joints.revolute import Revolute
from samara.method.timeline import Timeline
from samara.model import Constant, Expression, Model, Motion, Parameter
from samara.models.registry import Quantity, ReadyModel, checked

LENGTH, MASS, EI = 1.0, 1.0, 1.0  # m, kg/m, N m^2: frequencies are then those without dimension
STIFF = 1e6 * EI / LENGTH**2  # EA and GA, so large that stretch and shear shift frequencies by some 1e-5
GYRATION = 5e-4 * LENGTH  # of the section [m]


@checked("rotating-beam")
def build(
    elements: Annotated[int, Quantity("", "three-node beams", positive=True)] = 8,
    speed: Annotated[float, Quantity("rad/s", "rotation about z; also a parameter of the model")] = 4.0,
    hinged: Annotated[bool, Quantity("", "free to flap about y at the root, else clamped")] = False,
    lag_stiffness: Annotated[float, Quantity("N m^2", "EI in the plane of rotation; across it 1", positive=True)] = 4.0,
    push: Annotated[float, Quantity("rad/s", "rate at which the whole beam flaps up at the start")] = 0.1,
    inertia: Annotated[str, Quantity("", "distributed or lumped", choices=("distributed", "lumped"))] = "distributed",
) -> Model:
    """A beam along x from the axis of rotation, of unit length, mass and EI, stiff in stretch and shear.

    Frequencies and speeds in rad/s equal eta = omega L^2 sqrt(m / EI) and lam = Omega L^2 sqrt(m / EI) in the tables
    for Euler-Bernoulli beams without hub radius (Wright, Smith, Thresher, Wang, Journal of Applied Mechanics 49, 1982).
    """
    model = Model("rotating beam")
    turn = Constant(Parameter("speed", speed, unit="rad/s")) * Expression(lambda t: t)
    hub = model.prescribed("hub", Motion(rotation=(0, 0, turn)))
    spin = np.array([0.0, -push, speed])
    root = hub
    if hinged:
        root = model.node("root", angular_velocity=spin)
        model.add("hinge", Revolute(hub, root, at=(0, 0, 0), axis=(0, 1, 0)))
    section = MASS * GYRATION**2
    span = Span(
        station=[0.0, LENGTH], mass=MASS, EA=STIFF, GA_y=STIFF, GA_z=STIFF, GJ=EI, EI_y=EI, EI_z=lag_stiffness,
        inertia_y=section, inertia_z=section,
    )  # fmt: skip
    add_beam(model, "beam", span, root=root, elements=elements, inertia=inertia, angular_velocity=spin)
    return model


ROTATING_BEAM = ReadyModel(
    "rotating-beam",
    build,
    "uniform beam that turns about its root, clamped or hinged",
    source="without dimension, as in the tables of Wright, Smith, Thresher and Wang, J. Applied Mechanics 49, 1982",
    timeline=Timeline(end=2.0, step=2e-3),
    plot=("beam.beam1.moment_1", "beam.n2.position"),
)
