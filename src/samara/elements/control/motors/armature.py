"""The armature of a direct-current motor: what motors in a circuit and motors that a signal feeds have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara.model import EnergyBooks, State, StateMotion, number


@dataclass(frozen=True)
class Wound:
    """What an armature is at an instant: its voltage [V], torque on the rotor [N m], energy [J] and heat [W]."""

    voltage: Any
    torque: Any
    stored: Any
    heat: Any


class Armature(EnergyBooks):
    """Of an element: windings that turn in a constant field.

        voltage = inductance di/dt + resistance i + constant w,     torque = constant i,     W = inductance i^2 / 2

    i: current [A], a state; w: speed of the rotor [rad/s].
    """

    constant: float = number(unit="N m/A")
    resistance: float = number(unit="ohm", nonnegative=True)
    inductance: float = number(unit="H", positive=True)

    @property
    def current(self) -> State:
        """The state that is the current of the armature."""
        return self.owned["current"]

    def wound(self, i: StateMotion, w: Any) -> Wound:
        """With a current, while the rotor turns at w."""
        return Wound(
            self.inductance * i.rate + self.resistance * i.value + self.constant * w,
            self.constant * i.value,
            0.5 * self.inductance * i.value**2,
            self.resistance * i.value**2,
        )
