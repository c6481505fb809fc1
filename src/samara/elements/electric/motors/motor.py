"""Direct-current motor in a circuit."""

from __future__ import annotations

from samara.elements.control.motors.armature import Armature
from samara.elements.electric.motors.machine import ElectricMachine, weighed
from samara.model import Contribution, Output, Site, State


class Motor(Armature, ElectricMachine):
    """A direct-current motor: its armature between junctions p and n, its shaft in a hinge of b on a.

        v_p - v_n = inductance di/dt + resistance i + constant w
        torque on the rotor = constant i [N m]; the gear makes of it C_B on b about z_A, and its opposite on a

    i: current from p to n through it [A], a state, ``motor.current``; w: speed of the rotor [rad/s]. constant: torque
    per ampere [N m/A], and as much voltage per speed [V s/rad]; resistance [ohm], inductance [H] of the armature.
    gear: a `MotorGear`, by default of ratio 1 without friction, or an `ElasticMotorGear` with the inertia of the rotor.
    Put it where the hinge is, with the same frames. `DCMotor` is the motor that a signal feeds, without a circuit.
    """

    def windings(self) -> dict[str, State]:
        return {"current": State(1, unit="A", scale=self.current_scale(), description="from p to n")}

    def formulate(self, site: Site) -> Contribution:
        p, n, i, *geared = site.states
        q = self.hinge(site)
        w = self.gear.rotor_speed(geared, q.rate[0])
        armature = self.wound(i, w)
        gear = self.gear.transmit(geared, armature.torque, q.rate[0])
        u = p.value - n.value
        return Contribution(
            wrenches=q.wrenches([-gear.torque]),
            balances=[*weighed(i.value, -i.value), armature.voltage - u, *gear.balances],
            kinetic=gear.kinetic,
            potential=armature.stored + gear.potential,
            dissipated=armature.heat + gear.dissipated,
            outputs=[
                *self.shown(q, armature.torque, gear.torque, w),
                Output("voltage", "V", u, description="of p over n"),
            ],
        )
