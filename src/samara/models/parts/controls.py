"""Pitch control without swashplate parts: servos in the pitch bearings, or an ideal swashplate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from samara.elements.control.servos.rotary_servo import RotaryServo
from samara.elements.rotor.pitch_control import PitchControl
from samara.model import Model, Node, Placement, State
from samara.models.parts.blade import AddedBlade
from samara.rotations import rotation_z


class Told(NamedTuple):
    """Command for blades or motors: a state, and its initial value."""

    state: State
    start: float


@dataclass(frozen=True)
class PitchServos:
    """A servo in the pitch bearing of each blade, `RotaryServo`; all blades have the same pitch.

    command: arguments of `RotaryServo`: states x with their gains, offset [rad], stiffness [N m/rad], damping
    [N m s/rad]. start: pitch at the start [rad].
    """

    command: Mapping[str, Any]
    start: float = 0.0

    def pitch(self, azimuth: float) -> float:
        """At the start [rad]."""
        return self.start

    def pitch_slope(self, azimuth: float) -> float:
        """It does not change with the azimuth."""
        return 0.0

    def attach(self, model: Model, blade: AddedBlade) -> None:
        """Adds name.servo."""
        fields: Any = {**blade.frames["pitch"], **self.command}
        model.add(f"{blade.name}.servo", RotaryServo(blade.arm, blade.root, **fields))


@dataclass(frozen=True)
class IdealSwashplate:
    """A spring and a damper that turn each blade to what an ideal swashplate commands, see `PitchControl`.

        pitch = collective + lateral cos(azimuth) + longitudinal sin(azimuth)

    craft: what does not turn; place: of the rotor in it. states: collective, lateral, longitudinal [rad]; gains: of
    them. start: their values at the start, which the blades have [rad].
    stiffness, damping: of the control system about a blade's pitch axis [N m/rad, N m s/rad].
    """

    craft: Node
    place: Placement
    states: Sequence[State]
    stiffness: float
    damping: float
    start: Sequence[float] = (0.0, 0.0, 0.0)
    gains: Sequence[float] = (1.0, 1.0, 1.0)

    @classmethod
    def steered(
        cls, craft: Node, place: Placement, sense: int, told: Sequence[Told | None], stiffness: float, damping: float
    ) -> IdealSwashplate:
        """As a pilot has it; told: collective, lateral (right), longitudinal (nose up) pitch; None: there is none.

        place: z along the thrust, x aft. sense: of rotation, by which lateral pitch is largest in front or behind.
        """
        signs, mean = (1.0, -float(sense), 1.0), next(one for one in told if one is not None)
        gains = [0.0 if one is None else sign for one, sign in zip(told, signs, strict=True)]
        found = [mean if one is None else one for one in told]
        start = [gain * one.start for one, gain in zip(found, gains, strict=True)]
        return cls(craft, place, [one.state for one in found], stiffness, damping, start, gains)

    def pitch(self, azimuth: float) -> float:
        """At the start [rad]."""
        mean, c, s = self.start
        return mean + c * float(np.cos(azimuth)) + s * float(np.sin(azimuth))

    def pitch_slope(self, azimuth: float) -> float:
        """[rad/rad]."""
        _, c, s = self.start
        return s * float(np.cos(azimuth)) - c * float(np.sin(azimuth))

    def attach(self, model: Model, blade: AddedBlade) -> None:
        """Adds name.control."""
        site, bearing = blade.site, blade.frames["pitch"]
        out = Placement((0.0, 0.0, 0.0), rotation_z(site.sense * site.azimuth))
        model.add(
            f"{blade.name}.control",
            PitchControl(
                self.craft, site.hub, blade.arm, blade.root, *self.states, place_craft=self.place, place_hub=out,
                place_arm=bearing["place_a"], place_blade=bearing["place_b"], gains=self.gains,
                stiffness=self.stiffness, damping=self.damping, sense=site.sense,
            ),
        )  # fmt: skip
