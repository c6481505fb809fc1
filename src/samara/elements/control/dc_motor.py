"""Direct-current motor."""

from __future__ import annotations

from typing import Any

from samara.elements.families import Placed
from samara.model import Contribution, Output, Site, State, driven, number
from samara.rotations import arctan2, dot


class DCMotor(Placed):
    """Turns b against a about the z axis that their frames share, as a voltage drives its armature.

        C_B = constant i z_A on b, its opposite on a [N m]
        inductance di/dt + resistance i + constant dq/dt = voltage(t)

    i: current [A], a state, ``motor.current``; q: angle of b against a [rad]. voltage: a number, a drive or an input
    [V]. constant: torque per ampere [N m/A], and as much voltage per speed [V s/rad]; with a gear of ratio n, n times
    that of the motor. resistance [ohm], inductance [H]. Give the inertia of the rotor to a body. Put it
    where the hinge is, with the same frames.
    """

    voltage: Any = driven(unit="V")
    constant: float = number(unit="N m/A")
    resistance: float = number(unit="ohm", positive=True)
    inductance: float = number(unit="H", positive=True)

    @property
    def current(self) -> State:
        """The state that is the current of the armature."""
        return self.owned["current"]

    def own_states(self) -> dict[str, State]:
        return {"current": State(1, unit="A", scale=1.0, description="of the armature")}

    def formulate(self, site: Site) -> Contribution:
        i = site.states[0]

        def angle(a, b):
            a, b = a.at(self.place_a), b.at(self.place_b)
            return [arctan2(dot(a.y, b.x), dot(a.x, b.x))]

        q = site.measure(angle)
        rate, torque = q.rate[0], self.constant * i.value
        return Contribution(
            wrenches=q.wrenches([-torque]),
            balances=[self.inductance * i.rate + self.resistance * i.value + self.constant * rate - self.voltage],
            potential=0.5 * self.inductance * i.value**2,
            dissipated=self.resistance * i.value**2,
            supplied=self.voltage * i.value,
            outputs=[
                Output("angle", "rad", q.value[0]),
                Output("angle_rate", "rad/s", rate),
                Output("torque", "N m", torque, description="couple on b about z"),
                Output("voltage", "V", self.voltage),
            ],
        )
