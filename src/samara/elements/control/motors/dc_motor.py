"""Direct-current motor."""

from __future__ import annotations

from typing import Any

from samara.elements.control.motors.armature import Armature
from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import Contribution, Output, Site, State, setting, signal


class DCMotor(Armature, Placed):
    """A direct-current motor between two nodes, about the z axis of their frames, driven by a voltage signal.

        C_B = constant i z_A on b, its opposite on a [N m]
        inductance di/dt + resistance i + constant dq/dt = voltage(t)

    i: current [A], a state, ``motor.current``; q: angle of b relative to a [rad]. voltage: a number, a drive, an input
    or a state, such as the output of a regulator [V]. constant: torque constant [N m/A], equal to the back-EMF constant
    [V s/rad]; with a gear of ratio n, n times that of the motor. resistance [ohm], inductance [H]. scale: typical
    current [A]. Model the inertia of the rotor by a body. Give it the same frames as the hinge. `Motor` is the version
    for circuits.
    """

    voltage: Any = signal(unit="V")
    scale: float = setting(default=1.0)

    def own_states(self) -> dict[str, State]:
        return {"current": State(1, unit="A", scale=self.scale, description="of the armature")}

    def formulate(self, site: Site) -> Contribution:
        i, voltage = site.states[-1], self.received(site, "voltage")
        q = site.measure(lambda a, b: [hinge_angle(a.at(self.place_a), b.at(self.place_b))])
        rate = q.rate[0]
        armature = self.wound(i, rate)
        return Contribution(
            wrenches=q.wrenches([-armature.torque]),
            balances=[armature.voltage - voltage],
            potential=armature.stored,
            dissipated=armature.heat,
            supplied=voltage * i.value,
            outputs=[
                Output("angle", "rad", q.value[0]),
                Output("angle_rate", "rad/s", rate),
                Output("torque", "N m", armature.torque, description="couple on b about z"),
                Output("voltage", "V", voltage),
            ],
        )
