"""A craft that anybody can fly: a free rigid body with a lift, three couples and damping, for tests of the panel.

    F = (0, 0, lift) - c v,     C = (-roll, -pitch, -yaw) - d w + k z x up          in axes aft, right, up

v, w: velocity and angular velocity; k z x up rights it as a weight below would. So with a constant couple it rests at
k sin(tilt) = couple, and with a constant lift it climbs at (lift - m g) / c.
"""

import numpy as np

import samara as sm
from samara.model import driven, number
from samara.rotations import cross

MASS, GRAVITY = 2.0, 9.81
WEIGHT = MASS * GRAVITY
DRAG, RIGHTING, SPIN = 2.0, 4.0, 1.5  # N s/m, N m, N m s/rad
ROLL, PITCH, YAW, LIFT = 1.0, 0.8, 0.6, 4.0  # what the sticks do at their ends [N m], and the lift over the weight [N]


class Propulsion(sm.Load):
    """See the top of this file."""

    lift: object = driven(unit="N")
    couple: object = driven(unit="N m", size=3)
    drag: float = number(unit="N s/m")
    righting: float = number(unit="N m")
    spin: float = number(unit="N m s/rad")

    def load(self, n, world):
        z = np.array([0.0, 0.0, 1.0])
        force = self.lift * z - self.drag * n.v
        return force, -self.couple - self.spin * n.w + self.righting * cross(z, world.R[:, 2])


def make_model():
    model = sm.Model("craft", gravity=(0, 0, -GRAVITY))
    body = model.node("body", position=(0, 0, 3))
    model.add("mass", sm.Body(body, mass=MASS, inertia=(0.08, 0.1, 0.12)))
    roll, pitch, yaw = (sm.Input(name, unit="N m") for name in ("roll", "pitch", "yaw"))
    lift = sm.Input("lift", initial=WEIGHT, unit="N")
    model.add("fans", Propulsion(body, lift=lift, couple=(roll, pitch, yaw), drag=DRAG, righting=RIGHTING, spin=SPIN))
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    sections = ((-0.6, 0.02), (-0.45, 0.12), (0.0, 0.16), (0.3, 0.07), (0.7, 0.03))
    model.adorn("hull", body, [[(x, r * np.cos(a), r * np.sin(a)) for a in angle] for x, r in sections])
    model.adorn("wing", body, [[(x, y, z) for x, z in ((0.1, -0.02), (0.1, 0.02), (-0.2, 0.0))] for y in (-0.7, 0.7)])
    model.adorn("fin", body, [[(x, y, z) for x, y in ((0.7, -0.02), (0.7, 0.02), (0.45, 0.0))] for z in (0.0, 0.3)])
    model.declare_sticks(
        craft=body,
        roll=sm.Stick(roll, (-ROLL, ROLL)),
        pitch=sm.Stick(pitch, (-PITCH, PITCH)),
        yaw=sm.Stick(yaw, (-YAW, YAW)),
        collective=sm.Stick(lift, (WEIGHT - LIFT, WEIGHT + LIFT), failsafe=WEIGHT),
    )
    return model
