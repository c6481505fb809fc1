"""Controllers of the ready model `pendulum` with its motor: from hanging to inverted, and held there."""

from __future__ import annotations

import math

import numpy as np

from samara.blocks.design.lqr import lqr
from samara.blocks.nonlinear.saturation import Saturation
from samara.blocks.nonlinear.unwrap import Unwrap
from samara.realtime.controllers.controller import Controller
from samara.realtime.controllers.ready.voltage import ByVoltage
from samara.realtime.controllers.tunable import tunable


class PendulumSwing(Controller):
    """Swings the pendulum up with a torque too weak to lift it, and holds it upright.

        swing:  u = gain (E_0 - E) sign(rate), within the limit;   E = m l^2 rate^2 / 2 - m g l cos(angle), E_0 = m g l
        catch:  when |z| < 0.8 limit / (m g l) near the top;       z = d + rate / sqrt(g / l), d: angle from the top
        hold:   u = -K (d, rate), by `lqr` for the sampled pendulum

    dE/dt = u rate, so that energy goes to what it is at rest on top. z is the part of a small motion about the top that
    grows; a torque within the limit can bring it back only while |z| < limit / (m g l).

    Source of the energy law: Astrom and Furuta, Swinging up a pendulum by energy control, Automatica 36, 2000.
    """

    rate = 1000.0
    session = "pendulum"
    sensors = ("hinge.angle", "hinge.angle_rate")
    actuators = ("torque",)

    mass = tunable(1.0, "kg", lower=1e-6, description="of the bob")
    length = tunable(1.0, "m", lower=1e-6, description="of the rod")
    gravity = tunable(9.81, "m/s^2", lower=1e-6, description="acceleration of gravity")
    limit = tunable(4.0, "N m", lower=1e-6, description="largest torque")
    gain = tunable(2.0, "1/rad", lower=0.0, description="of the energy error")
    angle_size = tunable(0.1, "rad", lower=1e-6, description="tolerable angle from the top")
    rate_size = tunable(1.0, "rad/s", lower=1e-6, description="tolerable rate near the top")

    def start(self, t, y):
        self.holding = False
        self.changed(())

    def changed(self, names):
        m, l, g, h = self.mass, self.length, self.gravity, self.period
        w = math.sqrt(g / l)
        c, s = math.cosh(w * h), math.sinh(w * h)
        A = np.array([[c, s / w], [w * s, c]])  # the pendulum about the top, sampled; exact
        B = np.array([[(c - 1.0) / w**2], [s / w]]) / (m * l * l)
        sizes = np.array([self.angle_size, self.rate_size])
        self.within = Saturation(-self.limit, self.limit, step=h)  # which refuses what is no number
        self.K = lqr(A, B, h / sizes**2, h / self.limit**2, discrete=True).K[0].tolist()

    def step(self, t, y):
        angle, rate = y.hinge_angle, y.hinge_angle_rate
        top = self.mass * self.gravity * self.length
        d = math.remainder(angle - math.pi, 2.0 * math.pi)
        growing = abs(d + rate * math.sqrt(self.length / self.gravity)) * top / self.limit
        holding = abs(d) < 0.5 and growing < (1.0 if self.holding else 0.8)
        if holding:
            u = -(self.K[0] * d + self.K[1] * rate)
        else:
            energy = 0.5 * self.mass * (self.length * rate) ** 2 - top * math.cos(angle)
            u = self.gain * (top - energy) * (1.0 if rate >= 0.0 else -1.0)
        answer = (self.within(u),)
        self.holding = holding
        return answer


class PendulumLift(Controller):
    """Turns the pendulum from hanging to inverted by a torque proportional to angle and rate, and holds it there.

        u = stiffness (pi - angle) - damping rate

    The law of the source (Attolico and Masarati 2003, section 5.1), which gives no numbers: those here are made up,
    for a bob of 1 kg on a rod of 1 m. The stiffness must exceed m g l.
    """

    rate = 1000.0
    session = "pendulum"
    sensors = ("hinge.angle", "hinge.angle_rate")
    actuators = ("torque",)

    stiffness = tunable(30.0, "N m/rad", lower=0.0, upper=500.0, description="of the angle from the top")
    damping = tunable(9.0, "N m s/rad", lower=0.0, upper=100.0, description="of the rate")

    def start(self, t, y):
        self.unwrapped = Unwrap(step=self.period)
        self.turn = 2.0 * math.pi if y.hinge_angle < -0.5 * math.pi else 0.0  # found beyond the top: back to it

    def step(self, t, y):
        angle = self.unwrapped(y.hinge_angle) + self.turn
        return (self.stiffness * (math.pi - angle) - self.damping * y.hinge_angle_rate,)


class PendulumSwingByVoltage(ByVoltage, PendulumSwing):
    """Swings up and holds a pendulum with a direct-current motor."""

    actuators = ("voltage",)

    def step(self, t, y):
        return self.voltages(super().step(t, y), (y.hinge_angle_rate,))


class PendulumLiftByVoltage(ByVoltage, PendulumLift):
    """Lifts and holds a pendulum with a direct-current motor."""

    actuators = ("voltage",)

    def step(self, t, y):
        return self.voltages(super().step(t, y), (y.hinge_angle_rate,))
