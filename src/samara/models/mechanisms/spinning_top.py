"""Heavy symmetrical top."""

from __future__ import annotations

import math
from typing import Annotated

from samara.elements.bodies.body import Body
from samara.elements.joints.spherical import Spherical
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Model, ModelError
from samara.models.registry import Quantity, ReadyModel, checked
from samara.rotations import cross, rotation_y


@checked("spinning-top")
def build(
    mass: Annotated[float, Quantity("kg", "mass", positive=True)] = 15.0,
    height: Annotated[float, Quantity("m", "distance of the centre of mass from the fixed point", positive=True)] = 1.0,
    inertia_axial: Annotated[
        float, Quantity("kg m^2", "moment of inertia about the top's axis", positive=True)
    ] = 0.46875,
    inertia_across: Annotated[
        float, Quantity("kg m^2", "moment of inertia across it, about the centre of mass", positive=True)
    ] = 0.234375,
    gravity: Annotated[float, Quantity("m/s^2", "acceleration of gravity, along -z")] = 9.81,
    spin: Annotated[float, Quantity("rad/s", "angular velocity at the start, component on the top's axis")] = 150.0,
    tilt: Annotated[float, Quantity("rad", "angle of the top's axis from the vertical")] = math.pi / 3,
    steady: Annotated[bool, Quantity("", "start in steady slow precession; otherwise with `precession`")] = True,
    precession: Annotated[float, Quantity("rad/s", "rate about the vertical at the start, if not steady")] = 0.0,
) -> Model:
    """A top on a spherical joint at the origin, its axis along z of the node ``top`` in the centre of mass.

    Mass, height and moments of inertia are those of the heavy top of the literature on Lie-group integrators
    (Geradin and Cardona, Flexible Multibody Dynamics, 2001; Bruls and Cardona, J. Comput. Nonlinear Dyn. 5, 2010), and
    so is the spin. The tilt was chosen here. Let go with ``steady=false`` the top nutates.
    """
    if steady:
        precession = steady_precession(mass, height, inertia_axial, inertia_across, gravity, spin, tilt)
    model = Model("spinning top", gravity=(0.0, 0.0, -gravity))
    R_WT = rotation_y(tilt)
    axis = R_WT[:, 2]
    w_WT = spin * axis + precession * (_UP - math.cos(tilt) * axis)
    position = height * axis
    top = model.node("top", position, R_WT, velocity=cross(w_WT, position), angular_velocity=w_WT)
    model.add("rotor", Body(top, mass=mass, inertia=(inertia_across, inertia_across, inertia_axial)))
    model.add("tip", Spherical(model.ground, top, at=(0.0, 0.0, 0.0)))
    return model


_UP = rotation_y(0.0)[:, 2]


def steady_precession(
    mass: float, height: float, inertia_axial: float, inertia_across: float, gravity: float, spin: float, tilt: float
) -> float:
    """The slow rate of steady precession Omega [rad/s], from I1 cos(tilt) Omega^2 - I3 spin Omega + m g l = 0.

    I1 = inertia_across + m l^2 is about the fixed point, I3 = inertia_axial, l = height.
    """
    a = (inertia_across + mass * height**2) * math.cos(tilt)
    b, c = inertia_axial * spin, mass * gravity * height
    if b * b < 4.0 * a * c or b == 0.0:
        least = math.sqrt(max(4.0 * a * c, 0.0)) / inertia_axial
        raise ModelError(
            f"spinning top: no steady precession at a spin of {spin:g} rad/s (at least {least:.4g} is needed); "
            "give more spin, or steady=false"
        )
    # the smaller root, written so that it stays exact when the axis is horizontal (a = 0)
    return 2.0 * c / (b + math.copysign(math.sqrt(b * b - 4.0 * a * c), b))


SPINNING_TOP = ReadyModel(
    "spinning-top",
    build,
    "a heavy symmetrical top on a fixed point, in steady precession",
    source="Geradin and Cardona 2001, Bruls and Cardona 2010 (tilt chosen here)",
    timeline=Timeline(end=2.0, step=1e-4),
    method=Method(integrator="two-step:0.9"),
    plot=("top.position", "top.angular_velocity", "rotor.momentum"),
)
