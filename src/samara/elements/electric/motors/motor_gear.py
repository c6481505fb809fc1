"""Gears between a motor's rotor and its shaft: rigid, or elastic with the inertia of the rotor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from samara.elements.laws.friction import smooth_direction
from samara.model import State, StateMotion, number
from samara.model.schema.record import KeywordRecord


@dataclass(frozen=True)
class Geared:
    """Effect of a rotor torque through a gear: torque on the shaft [N m], balances of its states, energies and heat."""

    torque: Any
    balances: list = field(default_factory=list)
    kinetic: Any = 0.0
    potential: Any = 0.0
    dissipated: Any = 0.0


class MotorGear(KeywordRecord):
    """A rigid gear, with friction at the shaft; the rotor has no inertia of its own.

        w = ratio dq/dt,     torque on the shaft = ratio torque - rub(dq/dt)
        rub(r) = friction s(r / transition) + viscous r,     s(u) = u (3 - u^2) / 2 for |u| < 1, the sign of u beyond

    w: rotor speed [rad/s]; q: shaft angle [rad]. ratio: turns of the rotor per turn of the shaft, negative if they turn
    in opposite directions. friction [N m], viscous [N m s/rad]: of the gear, referred to the shaft; transition: shaft
    speed below which dry friction is regularised [rad/s], so a shaft that should stick creeps instead. Add the rotor
    inertia times ratio squared to the body of the shaft, or use an `ElasticMotorGear`.
    """

    ratio: float = number(default=1.0)
    friction: float = number(default=0.0, unit="N m", nonnegative=True)
    viscous: float = number(default=0.0, unit="N m s/rad", nonnegative=True)
    transition: float = number(default=0.01, unit="rad/s", positive=True)

    def validate(self) -> None:
        super().validate()
        if float(self.ratio) == 0.0:
            raise ValueError("ratio must not be 0: the rotor would not turn")

    def own_states(self) -> dict[str, State]:
        """States of the gear."""
        return {}

    def rotor_speed(self, states: list[StateMotion], rate: Any) -> Any:
        """Rotor speed [rad/s] while the shaft turns at `rate`."""
        return self.ratio * rate

    def rub(self, rate: Any) -> Any:
        """Friction torque on the shaft [N m]."""
        return (self.friction * smooth_direction(rate * rate, self.transition) + self.viscous) * rate

    def transmit(self, states: list[StateMotion], torque: Any, rate: Any) -> Geared:
        """How the gear transmits a torque on the rotor [N m]."""
        rubbed = self.rub(rate)
        return Geared(self.ratio * torque - rubbed, dissipated=rubbed * rate)


class ElasticMotorGear(MotorGear):
    """An elastic gear between a shaft and a rotor with inertia.

        inertia dw/dt = torque - (T + rub(w / ratio)) / ratio,     dx/dt = w / ratio - dq/dt
        T = stiffness x + damping dx/dt, on the shaft

    w: rotor speed [rad/s], x: twist of the gear at the shaft [rad]; both are states, ``motor.speed`` and
    ``motor.twist``. inertia: of the rotor about its axis [kg m^2]; stiffness [N m/rad], damping [N m s/rad] of the
    gear, referred to the shaft; start: initial speed of the shaft [rad/s], which also sets that of the rotor. The
    rotor's momentum acts through the gear only: it has no gyroscopic effect on its support.
    """

    inertia: float = number(unit="kg m^2", positive=True)
    stiffness: float = number(unit="N m/rad", positive=True)
    damping: float = number(default=0.0, unit="N m s/rad", nonnegative=True)
    start: float = number(default=0.0, unit="rad/s", plain=True)

    def own_states(self) -> dict[str, State]:
        turning = float(self.ratio) * float(self.start)
        size = abs(float(self.ratio))
        return {
            "speed": State(1, value=turning, unit="rad/s", scale=size, description="of the rotor"),
            "twist": State(1, unit="rad", scale=1e-2, description="of the gear, at the shaft"),
        }

    def rotor_speed(self, states: list[StateMotion], rate: Any) -> Any:
        return states[0].value

    def transmit(self, states: list[StateMotion], torque: Any, rate: Any) -> Geared:
        w, x = states
        turning = w.value / self.ratio
        slip, rubbed = turning - rate, self.rub(turning)
        passed = self.stiffness * x.value + self.damping * slip
        return Geared(
            passed,
            [self.inertia * w.rate - torque + (passed + rubbed) / self.ratio, x.rate - slip],
            kinetic=0.5 * self.inertia * w.value**2,
            potential=0.5 * self.stiffness * x.value**2,
            dissipated=self.damping * slip**2 + rubbed * turning,
        )
