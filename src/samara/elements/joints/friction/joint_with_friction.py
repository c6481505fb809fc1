"""Joints whose surfaces may rub."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.elements.families import XYZ, Joint, reaction_on_b, reactions
from samara.elements.joints.friction.friction import Frictionless, JointFriction
from samara.model import Frame, Frictional, Output, Site, State, number, record
from samara.rotations import dot

#: Squared force that a pressing force is never below [N^2]: its root has a slope at rest too.
SMALLEST_FORCE_2 = 1e-18
NO_FRICTION = Frictionless()


class Rubbing(Joint, Frictional):
    """A joint with optional friction; a subclass defines `slip` in addition to its constraint.

    friction: a `Friction`; none by default. The reported force and couple include it; `slip` [m/s] and the opposing
    force `friction` [N] are reported as well.
    """

    returning = True
    #: how many sliding speeds
    slips: ClassVar[int] = 1

    friction: Any = record(default=NO_FRICTION, of=JointFriction, such_as="Friction(coulomb, ...)")

    def own_states(self) -> dict[str, State]:
        return self.friction.own_states(self.slips)

    def has_friction(self) -> bool:
        return bool(self.friction.acts)

    def slip(self, a: Frame, b: Frame) -> list:
        """Speeds of b's surface against a's [m/s], linear in the twists."""
        raise NotImplementedError

    def prepare(self) -> None:
        super().prepare()
        if self.friction is None:
            self.friction = NO_FRICTION

    def formulate(self, site: Site):
        held = super().formulate(site)
        if not self.friction.acts:
            return held
        slip = site.measure_rates(lambda a, b: self.slip(a.at(self.place_a), b.at(self.place_b)))
        force, _ = reaction_on_b(held.wrenches[-1], self.place_b)
        rub = self.friction.traction(site, np.sqrt(dot(force, force) + SMALLEST_FORCE_2), slip.value)
        held.wrenches = [w + r for w, r in zip(held.wrenches, slip.wrenches(rub.forces), strict=True)]
        held.dissipated, held.potential = rub.dissipated, rub.potential
        if len(rub.balances):
            held.balances = held.balances + rub.balances
        axes = () if self.slips == 1 else XYZ[: self.slips]
        rubbing = [
            *reactions(held.wrenches[-1], self.place_b),
            Output("slip", "m/s", slip.value, axes, "speed of b's surface against a's"),
            Output("friction", "N", rub.forces, axes, "force against the slip"),
        ]
        held.outputs = list({output.name: output for output in (*held.outputs, *rubbing)}.values())
        return held


class RubbingHinge(Rubbing):
    """A joint with friction between rotating surfaces, which have a radius [m]."""

    radius: float = number(default=0.0, unit="m", nonnegative=True)

    def examine(self) -> None:
        if self.friction.acts and float(self.radius) == 0.0:
            raise ValueError("friction needs the radius of the bearing: give radius [m]")


def turning(a: Frame, b: Frame) -> np.ndarray:
    """Angular velocity of b against a, in axes of b [rad/s]."""
    return b.w - b.R.T @ a.angular_velocity()


def sliding(a: Frame, b: Frame) -> np.ndarray:
    """Velocity of b's origin against the body of a, in axes of E [m/s]."""
    return b.velocity(np.zeros(3)) - a.velocity(a.see(b.p))
