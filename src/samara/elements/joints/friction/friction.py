"""Dry friction of joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from samara.elements.laws.friction import smooth_direction
from samara.elements.laws.stribeck import check_peak, stribeck
from samara.model import Record, Site, State, number
from samara.rotations import dot


@dataclass
class Traction:
    """Forces against each sliding speed [N], and what goes with them."""

    forces: Any
    dissipated: Any
    potential: Any = 0.0
    #: equations of the friction's own states
    balances: Any = ()


class JointFriction(Record):
    """Base of joint friction; a subclass defines `traction`."""

    #: whether there is any
    acts: ClassVar[bool] = True

    def own_states(self, slips: int) -> dict[str, State]:
        """Memory of the contact, {label: state}, for so many sliding speeds; none by default."""
        return {}

    def traction(self, site: Site, normal, slip) -> Traction:
        """Forces against each sliding speed, from the pressing force [N] and the sliding speeds [m/s]."""
        raise NotImplementedError


class Frictionless(JointFriction):
    """No friction, the default of joints."""

    acts: ClassVar[bool] = False


class Friction(JointFriction):
    """Coulomb friction with a Stribeck peak and a viscous part, regularised near zero speed.

        T = (mu(|v|) (N + preload) s(|v| / transition) / |v| + viscous) v,
        mu(v) = coulomb + (static - coulomb) exp(-(v / stribeck)^2),     s(u) = u (3 - u^2) / 2 for u < 1, 1 beyond

    N: magnitude of the joint's reaction force [N]; v: sliding speed [m/s], for a hinge its rate times the radius.

    coulomb:    coefficient of sliding friction. static: coefficient at rest, by default the same, never less.
    stribeck:   speed scale of the transition between the two [m/s].
    transition: speed below which the force is regularised [m/s]; above it the law is exactly Coulomb's. In place of
                sticking the joint creeps: at low load, by 2/3 of the transition times the ratio of load to friction
                limit. For convergence of Newton's method it should exceed the speed lost to friction in one step, h mu
                N / m.
    viscous:    [N s/m]. preload: constant normal force [N].

    Only the reaction force counts as normal force, not the couples of a hinge or guide. A self-locking joint may have
    no solution (Painleve's paradox): keep coulomb times the lever-arm ratio below one.
    """

    coulomb: float = number(nonnegative=True)
    static: float = number(default=None, nonnegative=True)
    stribeck: float = number(default=0.01, unit="m/s", positive=True)
    transition: float = number(default=1e-3, unit="m/s", positive=True)
    viscous: float = number(default=0.0, unit="N s/m", nonnegative=True)
    preload: float = number(default=0.0, unit="N", nonnegative=True)

    def __post_init__(self) -> None:
        if self.static is None:
            self.static = self.coulomb

    def validate(self) -> None:
        super().validate()
        check_peak(self, "coulomb", "static")

    def traction(self, site, normal, slip):
        v2 = dot(slip, slip)
        mu, _ = stribeck(self.coulomb, self.static, v2, self.stribeck)
        pressed = mu * (normal + self.preload) * smooth_direction(v2, self.transition)
        forces = (pressed + self.viscous) * np.asarray(slip)
        return Traction(forces, dot(forces, slip))
