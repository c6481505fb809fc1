"""A steadily spinning mechanism."""

from __future__ import annotations

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.joints.revolute import Revolute
from samara.model import Model
from samara.rotations import rotation_z


def build(arms: int = 3, speed: float = 30.0) -> Model:
    """A hub on a bearing with `arms` arms of three hinged links each, in steady rotation (ten bodies for three arms).

    Hinge axes alternate between vertical (lag) and tangential (flap), as in an articulated rotor; the links start
    straight out, where rotation about the vertical `speed` [rad/s] is an exact steady motion. No gravity.
    The numbers (hub 10 kg, links 0.5 m and 2 kg) are made up: the case is about the solver.
    """
    model = Model("spinning", stand_in="masses and lengths are made up")
    spin = (0.0, 0.0, speed)
    hub = model.node("hub", angular_velocity=spin)
    model.add("hub_body", Body(hub, mass=10.0, inertia=(0.2, 0.2, 0.4)))
    model.add("bearing", Revolute(model.ground, hub, at=(0, 0, 0), axis=(0, 0, 1)))
    length, first = 0.5, 0.2
    for k in range(arms):
        R = rotation_z(2 * np.pi * k / arms)
        inner = hub
        for i in range(3):
            at = R @ np.array([first + i * length, 0.0, 0.0])
            link = model.node(f"link_{k}_{i}", at, R, velocity=np.cross(spin, at), angular_velocity=spin)
            inertia = (1e-3, 2.0 * length**2 / 12, 2.0 * length**2 / 12)
            model.add(f"bar_{k}_{i}", Body(link, mass=2.0, inertia=inertia, com=(length / 2, 0.0, 0.0)))
            axis = (0, 0, 1) if i % 2 == 0 else R @ np.array([0.0, 1.0, 0.0])
            model.add(f"hinge_{k}_{i}", Revolute(inner, link, at=at, axis=axis))
            inner = link
    return model
