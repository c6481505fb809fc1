"""Rotary servo."""

from __future__ import annotations

from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Contribution, Output, Site, State, number, reads
from samara.rotations import wrapped


class RotaryServo(Placed):
    """Rotates b relative to a about the z axis of their frames to an angle commanded by a state.

        C = stiffness (q - c) + damping dq/dt,     c = offset + gain x,     q: the angle, within half a turn of c

    C is the restoring couple on b [N m]. The stiffness is that of the linkage, so the command may jump. For a
    collective pitch use one state and a servo in the pitch bearing of each blade. The servo is not affected by its
    load; its power counts as supplied.

    x: the state, such as ``regulator.output``; gain [rad / its unit], offset [rad], stiffness [N m/rad],
    damping [N m s/rad]. Give it the same frames as the hinge.
    """

    x: State = reads(kw_only=False)
    stiffness: float = number(unit="N m/rad", positive=True)
    damping: float = number(default=0.0, unit="N m s/rad", nonnegative=True)
    gain: float = number(default=1.0)
    offset: float = number(default=0.0, unit="rad")

    def formulate(self, site: Site) -> Contribution:
        x = site.states[0]
        command, command_rate = self.offset + self.gain * x.value, self.gain * x.rate

        def angle(a, b):
            return [hinge_angle(a.at(self.place_a), b.at(self.place_b))]

        q = site.measure(angle)
        rate = q.rate[0]
        off = wrapped(q.value[0] - command)
        effort = self.stiffness * off + self.damping * rate
        return Contribution(
            wrenches=q.wrenches([effort]),
            potential=0.5 * self.stiffness * off**2,
            dissipated=self.damping * rate**2,
            supplied=-self.stiffness * off * command_rate,
            outputs=[
                Output("angle", "rad", command + off, description="of b relative to a, within half a turn of c"),
                Output("angle_rate", "rad/s", rate),
                Output("command", "rad", command),
                Output("effort", "N m", effort, description="restoring couple on b"),
            ],
        )
