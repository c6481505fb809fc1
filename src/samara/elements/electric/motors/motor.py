"""DC motor in a circuit."""

from __future__ import annotations

from samara.elements.control.motors.armature import Armature
from samara.elements.electric.motors.machine import ElectricMachine, weighed
from samara.model import Contribution, Output, Site, State


class Motor(Armature, ElectricMachine):
    """A DC motor: its armature lies between junctions p and n, its shaft is a hinge of b on a.

        v_p - v_n = inductance di/dt + resistance i + constant w
        torque on the rotor = constant i [N m]; the gear converts it to C_B on b about z_A, and its opposite on a

    i: current from p to n through the motor [A], the state ``motor.current``; w: rotor speed [rad/s]. constant: torque
    per ampere [N m/A], equal to the back-EMF per speed [V s/rad]; resistance [ohm], inductance [H] of the armature.
    gear: a `MotorGear`, by default with ratio 1 and no friction, or an `ElasticMotorGear` with the rotor inertia.
    Place the motor at the hinge, with the same frames. `DCMotor` is driven by a signal and needs no circuit.
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
