"""Dry friction in joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from samara.elements.families import XYZ, Joint, reaction_on_b, reactions
from samara.elements.laws.friction import smooth_direction
from samara.model import Frame, ModelError, Output, Record, Site, State, number, record
from samara.rotations import dot

#: Squared force that a pressing force is never below [N^2]: its root has a slope at rest too.
TINY = 1e-18


@dataclass
class Traction:
    """Forces against each sliding speed [N], and what goes with them."""

    forces: Any
    dissipated: Any
    potential: Any = 0.0
    #: equations of the friction's own states
    balances: Any = ()


class JointFriction(Record):
    """What resists the sliding of a joint's surfaces; a subclass gives `traction`."""

    #: whether there is any
    acts: ClassVar[bool] = True

    def own_states(self, slips: int) -> dict[str, State]:
        """Memory of the contact, {label: state}, for so many sliding speeds; none by default."""
        return {}

    def traction(self, site: Site, normal, slip) -> Traction:
        """Forces against each sliding speed, from the pressing force [N] and the sliding speeds [m/s]."""
        raise NotImplementedError


class Frictionless(JointFriction):
    """None at all: what joints have by default."""

    acts: ClassVar[bool] = False


class Friction(JointFriction):
    """Coulomb's friction with Stribeck's peak and a viscous part, made smooth about rest.

        T = (mu(|v|) (N + preload) s(|v| / transition) / |v| + viscous) v,
        mu(v) = coulomb + (static - coulomb) exp(-(v / stribeck)^2),     s(u) = u (3 - u^2) / 2 for u < 1, 1 beyond

    N: size of the joint's reaction force [N]; v: sliding speed [m/s], of a hinge its rate times the radius.

    coulomb:    coefficient of sliding friction. static: that at rest, by default the same, not less.
    stribeck:   speed over which the one turns into the other [m/s].
    transition: speed below which the force rises from zero [m/s]; beyond it the law is Coulomb's exactly. What should
                stick creeps: by 2/3 of the transition times the share of the limit, for small shares.
                Newton's method wants it above what friction takes off the speed in a step, h mu N / m.
    viscous:    [N s/m]. preload: pressing force that is always there [N].

    Of the reaction only the force presses, not the couples of a hinge or guide. The friction of a joint that presses
    itself on can be without a solution (Painleve): keep coulomb times lever arms below one.
    """

    coulomb: float = number(nonnegative=True)
    static: float = number(None, nonnegative=True)
    stribeck: float = number(0.01, unit="m/s", positive=True)
    transition: float = number(1e-3, unit="m/s", positive=True)
    viscous: float = number(0.0, unit="N s/m", nonnegative=True)
    preload: float = number(0.0, unit="N", nonnegative=True)

    def __post_init__(self) -> None:
        if self.static is None:
            self.static = self.coulomb

    def validate(self) -> None:
        super().validate()
        if float(self.static) < float(self.coulomb):
            raise ModelError(
                f"Friction: static ({float(self.static):g}) must not be less than coulomb ({float(self.coulomb):g})"
            )

    def traction(self, site, normal, slip):
        v2 = dot(slip, slip)
        mu = self.coulomb + (self.static - self.coulomb) * np.exp(-v2 / self.stribeck**2)
        pressed = mu * (normal + self.preload) * smooth_direction(v2, self.transition)
        forces = (pressed + self.viscous) * np.asarray(slip)
        return Traction(forces, dot(forces, slip))


NO_FRICTION = Frictionless()


class Rubbing(Joint):
    """A joint whose surfaces may rub; a subclass gives `slip` beside its constraint.

    friction: a `Friction`; none by default. The reported force and couple include it, and `slip` [m/s] and `friction`
    [N], the force against it, are reported too.
    """

    #: how many sliding speeds
    slips: ClassVar[int] = 1

    friction: Any = record(NO_FRICTION)

    def own_states(self) -> dict[str, State]:
        return self.friction.own_states(self.slips)

    def slip(self, a: Frame, b: Frame) -> list:
        """Speeds of b's surface against a's [m/s], linear in the twists."""
        raise NotImplementedError

    def prepare(self) -> None:
        super().prepare()
        if self.friction is None:
            self.friction = NO_FRICTION
        if not isinstance(self.friction, JointFriction):
            raise ValueError(f"friction must be a Friction(coulomb, ...), got {self.friction!r}")

    def formulate(self, site: Site):
        held = super().formulate(site)
        if not self.friction.acts:
            return held
        slip = site.measure_rates(lambda a, b: self.slip(a.at(self.place_a), b.at(self.place_b)))
        force, _ = reaction_on_b(held.wrenches[-1], self.place_b)
        rub = self.friction.traction(site, np.sqrt(dot(force, force) + TINY), slip.value)
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
    """A rubbing joint whose surfaces turn: it has a radius [m]."""

    radius: float = number(0.0, unit="m", nonnegative=True)

    def examine(self) -> None:
        if self.friction.acts and float(self.radius) == 0.0:
            raise ValueError("friction needs the radius of the bearing: give radius [m]")


def turning(a: Frame, b: Frame) -> np.ndarray:
    """Angular velocity of b against a, in axes of b [rad/s]."""
    return b.w - b.R.T @ a.angular_velocity()


def sliding(a: Frame, b: Frame) -> np.ndarray:
    """Velocity of b's origin against the body of a, in axes of E [m/s]."""
    return b.velocity(np.zeros(3)) - a.velocity(a.see(b.p))
