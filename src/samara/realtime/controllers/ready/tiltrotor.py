"""Controller of the ready model `tiltrotor` with an external governor."""

from __future__ import annotations

import math

from samara.blocks.pid import PID
from samara.realtime.controllers.controller import Controller
from samara.realtime.controllers.tunable import tunable


class TiltrotorSpeed(Controller):
    """Holds the speed of a windmilling rotor through its collective pitch.

        pitch_{k+1} = pitch_k + h gain (speed_k - target), within the limits

    Increasing the pitch reduces the speed. The law is from the source (Morandini, Masarati and Mantegazza, 31st
    European Rotorcraft Forum, 2005); the gain and limits are the assumed ones of the ready model. It starts from the
    present pitch.
    """

    session = "tiltrotor"
    sensors = ("rotor.speed", "collective.output.value")
    actuators = ("collective",)

    target = tunable(2 * math.pi * 1000.0 / 87, "rad/s", lower=0.0, description="speed of the rotor")
    gain = tunable(0.15, "1", lower=0.0, upper=2.0, description="rad/s of pitch for 1 rad/s of error")
    lower = tunable(math.radians(20.0), "rad", description="minimum pitch")
    upper = tunable(math.radians(75.0), "rad", description="maximum pitch")

    def start(self, t, y):
        self.law = PID(
            integral=-self.gain, lower=self.lower, upper=self.upper, initial=y[1], anti_windup="clamping",
            step=self.period,
        )  # fmt: skip

    def changed(self, names):
        self.law.tune(integral=-self.gain, lower=self.lower, upper=self.upper)

    def step(self, t, y):
        return (self.law(self.target, y.rotor_speed, elapsed=self.elapsed),)
