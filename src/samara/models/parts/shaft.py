"""A shaft that turns a hub relative to its support."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from samara.elements.joints.prescribed_motion.prescribed_angle import PrescribedAngle
from samara.elements.joints.prescribed_motion.prescribed_rate import PrescribedRate
from samara.elements.joints.revolute import Revolute
from samara.model import Drive, Expression, Model, Node, Placement
from samara.models.parts.masses import MassProperties


@dataclass(frozen=True)
class Shaft:
    """A hub on a hinge.

    speed: at the start, in the sense of rotation [rad/s]. sense: seen against z, 1 counter-clockwise, -1 clockwise.
    hub:   its mass; None: none. driven: whether that speed is held, and what carries the shaft feels the torque; else
           something else turns the hub: a motor, an engine. rate: a drive that a held speed follows [rad/s], which has
           that speed at the start; None: it is constant.
    """

    speed: float
    sense: int = 1
    hub: MassProperties | None = None
    driven: bool = True
    rate: Drive | None = None

    @property
    def spin(self) -> float:
        """About z [rad/s]."""
        return self.sense * self.speed

    def add(self, model: Model, prefix: str, craft: Node, place: Placement, laden: bool = False) -> Node:
        """Adds the node prefix + "hub" and the hinges "shaft" and "engine"; place: in the world, z along the shaft.

        laden: whether others are going to add their masses to the hub.
        """
        turning = craft.angular_velocity + self.spin * place.rotation[:, 2]
        motion: dict[str, Any] = {"velocity": craft.velocity_at(place.position), "angular_velocity": turning}
        hub = model.node(
            f"{prefix}hub", place.position, place.rotation, static=self.hub is None and not laden, **motion
        )
        if self.hub is not None:
            self.hub.add(model, f"{hub.name}.body", hub)
        frames: dict[str, Any] = {"place_a": craft.local(place), "place_b": Placement()}
        model.add(f"{prefix}shaft", Revolute(craft, hub, **frames))
        if self.rate is not None:
            model.add(f"{prefix}engine", PrescribedRate(craft, hub, rate=float(self.sense) * self.rate, **frames))
        elif self.driven:
            spin = self.spin
            model.add(f"{prefix}engine", PrescribedAngle(craft, hub, angle=Expression(lambda t: spin * t), **frames))
        return hub
