"""Engine."""

from __future__ import annotations

from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Contribution, Output, Site, State, number, option, reads
from samara.tracing import fmax


class Engine(Placed):
    """Drives b relative to a about the z axis of their frames with a power commanded by a state.

        C_B = sense power x / max(sense dq/dt, slow) on b, its opposite on a [N m],     q: angle of b against a [rad]

    x: the state, a throttle from 0 to 1; power: maximum power [W]; slow: speed below which the torque is constant
    [rad/s]; sense: of rotation about z, 1 or -1. The throttle may come from a governor: a `SpeedRegulator` followed by
    a `LimitedServo`, whose limits are those of the power. Give it the same frames as the hinge of the shaft.
    """

    x: State = reads(kw_only=False)
    power: float = number(unit="W", positive=True)
    slow: float = number(unit="rad/s", positive=True)
    sense: int = option(default=1, choices=(1, -1))

    def formulate(self, site: Site) -> Contribution:
        def angle(a, b):
            return [hinge_angle(a.at(self.place_a), b.at(self.place_b))]

        q = site.measure(angle)
        speed = self.sense * q.rate[0]
        torque = self.power * site.states[0].value / fmax(speed, self.slow)
        return Contribution(
            wrenches=q.wrenches([-self.sense * torque]),
            supplied=torque * speed,
            outputs=[
                Output("speed", "rad/s", speed, description="of b against a, in the sense of rotation"),
                Output("torque", "N m", torque, description="couple on b in the sense of rotation"),
                Output("power", "W", torque * speed),
            ],
        )
