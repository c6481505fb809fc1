"""Motor with its torque commanded by a state."""

from __future__ import annotations

from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Contribution, Output, Site, State, number, reads


class ServoMotor(Placed):
    """A couple between two nodes about the z axis of their frames, commanded by a state.

        C_B = gain x z_A on b, its opposite on a [N m]

    x: the state, such as ``regulator.output``; gain [N m / its unit]. Give it the same frames as the hinge. In a
    `RotaryActuator` the torque is a drive.
    """

    x: State = reads(kw_only=False)
    gain: float = number(default=1.0)

    def formulate(self, site: Site) -> Contribution:
        def angle(a, b):
            return [hinge_angle(a.at(self.place_a), b.at(self.place_b))]

        q = site.measure(angle)
        torque = self.gain * site.states[0].value
        return Contribution(
            wrenches=q.wrenches([-torque]),
            supplied=torque * q.rate[0],
            outputs=[
                Output("angle", "rad", q.value[0]),
                Output("angle_rate", "rad/s", q.rate[0]),
                Output("torque", "N m", torque, description="couple on b about z"),
            ],
        )
