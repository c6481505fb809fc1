"""Governor of an engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.control.servos.limits import Limited
from samara.elements.drive_train.shafts import OnShaft
from samara.model import Contribution, Output, Site, State, number, option, setting, signal


class Governor(Limited, OnShaft):
    """Rotor-speed governor acting on the engine's fuel flow: proportional-integral, with load anticipation.

        e = target - sense z_A . (w_B - w_A) [rad/s]
        v = proportional e + x + anticipation load,     u = clamp(v, lower, upper)
        dx/dt = integral e - (v - u) / tracking

    u: the fuel demand, ``governor.output``, in `unit` [kg/s]: pass it to the `LimitedServo` that models the metering
    valve. x: the integral, which starts at `start`, from lower to upper.
    target:     speed [rad/s], a signal: a number, a drive, an input or a state. sense: of rotation about z, 1 or -1.
    proportional [unit s/rad], integral [unit/rad]: without the integral the speed droops by the change in fuel demand
                divided by `proportional`.
    load:       a signal that anticipates a load, usually the change of the collective pitch from its initial value
                [rad]; anticipation: its fuel demand [unit/rad].
    lower, upper: limits of u, rounded over `corner`; tracking: time constant of the anti-windup [s]. scale: typical
                fuel flow, in `unit`.
    """

    target: Any = signal(unit="rad/s")
    proportional: float = number(nonnegative=True)
    integral: float = number(default=0.0, nonnegative=True)
    load: Any = signal(default=0.0)
    anticipation: float = number(default=0.0)
    lower: float = number(default=0.0)
    tracking: float = number(default=0.5, unit="s", positive=True)
    sense: int = option(default=1, choices=(1, -1))
    unit: str = setting(default="kg/s")
    scale: float = setting(default=0.1)

    def own_states(self) -> dict[str, State]:
        return {"output": State(0, **self.about()), "integral": State(1, **self.about())}

    def formulate(self, site: Site) -> Contribution:
        asked_for, integral = site.states[-2:]
        speed = self.sense * self.slip(site).value[0]
        error = self.received(site, "target") - speed
        asked = self.proportional * error + integral.value + self.anticipation * self.received(site, "load")
        within = self.within(asked)
        return Contribution(
            wrenches=[np.zeros(6) for _ in site.frames],
            balances=[
                asked_for.value - within,
                integral.rate - self.integral * error + (asked - within) / self.tracking,
            ],
            outputs=[
                Output("speed", "rad/s", speed, description="in the sense of rotation"),
                Output("error", "rad/s", error, description="target minus speed"),
            ],
        )
