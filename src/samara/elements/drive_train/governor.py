"""Governor of an engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.control.servos.limits import Limited
from samara.elements.drive_train.shafts import OnShaft
from samara.model import Contribution, Output, Site, State, number, option, setting, signal


class Governor(Limited, OnShaft):
    """Holds the speed of a rotor by the fuel of its engine: proportional and integral, with anticipation of its load.

        e = target - sense z_A . (w_B - w_A) [rad/s]
        v = proportional e + x + anticipation load,     u = clamp(v, lower, upper)
        dx/dt = integral e - (v - u) / tracking

    u: the fuel that is asked for, ``governor.output``, in `unit` [kg/s]: give it to the `LimitedServo` that is the
    metering valve. x: the integral, which starts at `start`, from lower to upper.
    target:     speed [rad/s], a signal: a number, a drive, an input or a state. sense: of rotation about z, 1 or -1.
    proportional [unit s/rad], integral [unit/rad]: without the integral the speed droops by what the load asks of the
                fuel, divided by `proportional`.
    load:       a signal that announces a load before the speed falls, most often the change of the collective pitch
                from the start [rad]; anticipation: fuel for it [unit/rad].
    lower, upper: limits of u, into which it bends over `corner`; tracking: time in which an integral that has run past
                a limit comes back [s]. scale: a size of the fuel that matters, in `unit`.
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
                Output("error", "rad/s", error, description="target less speed"),
            ],
        )
