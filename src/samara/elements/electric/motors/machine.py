"""Electric machines: two terminals, and a shaft in a hinge between two nodes."""

from __future__ import annotations

from typing import Any

from samara.elements.electric.motors.motor_gear import MotorGear
from samara.elements.families import Placed
from samara.elements.geometry.alignment import hinge_angle
from samara.model import ELECTRIC, Connection, Junction, Measure, Networked, Output, Site, State, Way, record, state


def check_terminals(p: Any, n: Any) -> None:
    """Rejects anything but a pair of electric junctions."""
    for junction in (p, n):
        if not isinstance(junction, Junction):
            raise ValueError(f"{junction!r} is not a junction: use what model.potential(...) returned")
        if junction.domain is not ELECTRIC:
            raise ValueError(f"junction {junction.name!r} is {junction.domain.name}, and this is an electric element")
    if p is n:
        raise ValueError(f"both ends are at junction {p.name!r}: nothing would flow")


def weighed(*flows: Any) -> list:
    """Balances of the junctions that these currents leave."""
    return [ELECTRIC.weight * flow for flow in flows]


class ShaftElement(Placed, Networked):
    """An element between two junctions that acts about a hinge of node b on node a, the common z axis of their frames.

    p, n: the electric junctions, as returned by `model.potential`.
    """

    p: Junction = state(kw_only=False)
    n: Junction = state(kw_only=False)

    def examine(self) -> None:
        super().examine()
        check_terminals(self.p, self.n)

    def connections(self) -> list[Connection]:
        return [Connection(Way.FLOWS, self.p, self.n)]

    def hinge(self, site: Site) -> Measure:
        """Angle of b relative to a."""
        return site.measure(lambda a, b: [hinge_angle(a.at(self.place_a), b.at(self.place_b))])


class ElectricMachine(ShaftElement):
    """A motor with its gear. Subclasses define the states of the `windings` and the equations."""

    gear: MotorGear = record(default=MotorGear(), of=MotorGear, such_as="MotorGear(ratio=50)")

    def windings(self) -> dict[str, State]:
        """States of the windings."""
        raise NotImplementedError

    def current_scale(self) -> float:
        """Typical magnitude of its currents [A]: an ampere for volts, a milliampere for millivolts."""
        return min(self.p.scale, self.n.scale) / ELECTRIC.scale

    def own_states(self) -> dict[str, State]:
        return {**self.windings(), **self.gear.own_states()}

    def shown(self, q: Measure, torque: Any, shaft: Any, w: Any) -> list[Output]:
        """Recorded channels of the shaft and the rotor."""
        return [
            Output("angle", "rad", q.value[0], description="of b against a"),
            Output("angle_rate", "rad/s", q.rate[0]),
            Output("torque", "N m", shaft, description="couple on b about z"),
            Output("rotor_torque", "N m", torque, description="of the field on the rotor"),
            Output("rotor_speed", "rad/s", w),
        ]
