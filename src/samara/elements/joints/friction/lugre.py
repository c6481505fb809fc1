"""LuGre friction."""

from __future__ import annotations

import numpy as np

from samara.elements.joints.friction.friction import JointFriction, Traction
from samara.elements.laws.stribeck import check_peak, stribeck
from samara.model import ModelError, State, number
from samara.rotations import dot

#: Speed below which the size of a sliding speed is rounded off [m/s].
REST = 1e-9
#: Largest bristle damping times Stribeck's speed over the coefficient of friction for which bristles never give energy.
PASSIVE = 9.3


class LuGre(JointFriction):
    """LuGre bristle friction: elastic presliding, sticking without creep, and hysteresis.

        T = (N + preload) (stiffness z + damping exp(-(v / stribeck)^2) dz/dt) + viscous v
        dz/dt = v - stiffness |v| z / mu(v),     mu(v) = coulomb + (static - coulomb) exp(-(v / stribeck)^2)

    z: deflection of the bristles [m], one state for each sliding speed; v: sliding speed [m/s], for a hinge its rate
    times the radius; N: magnitude of the joint's reaction force [N]. Coefficients are per unit of normal force. At
    steady speed T = mu(v) (N + preload) + viscous v, as with `Friction`.

    coulomb, static, stribeck, viscous, preload: as in `Friction`.
    stiffness: of the bristles [1/m]: they deflect by mu / stiffness before the surfaces slide.
    damping:   of the bristles [s/m]; it decreases with speed, and damping stribeck <= 9.3 coulomb, so that friction
               never generates energy.

    The energy of the bristles is reported as potential energy, which is not exact while the normal force varies.
    Source: Canudas de Wit, Olsson, Astrom and Lischinsky, A new model for control of systems with friction, IEEE
    Transactions on Automatic Control 40(3), 1995; the velocity-dependent damping: Olsson, Control systems with
    friction,
    thesis, Lund, 1996.
    """

    coulomb: float = number(positive=True)
    stiffness: float = number(unit="1/m", positive=True)
    static: float = number(default=None, nonnegative=True)
    stribeck: float = number(default=0.01, unit="m/s", positive=True)
    damping: float = number(default=0.0, unit="s/m", nonnegative=True)
    viscous: float = number(default=0.0, unit="N s/m", nonnegative=True)
    preload: float = number(default=0.0, unit="N", nonnegative=True)

    def __post_init__(self) -> None:
        if self.static is None:
            self.static = self.coulomb

    def validate(self) -> None:
        super().validate()
        check_peak(self, "coulomb", "static")
        if float(self.damping) * float(self.stribeck) > PASSIVE * float(self.coulomb):
            largest = PASSIVE * float(self.coulomb) / float(self.stribeck)
            raise ModelError(
                f"LuGre: damping must be at most {largest:.3g} s/m: above it the bristles would generate energy"
            )

    def own_states(self, slips: int) -> dict[str, State]:
        scale = float(self.static) / float(self.stiffness)
        labels = ("bristle",) if slips == 1 else tuple(f"bristle_{k}" for k in "xyz"[:slips])
        return {label: State(1, unit="m", scale=scale, description="deflection of the bristles") for label in labels}

    def traction(self, site, normal, slip):
        v, v2 = np.asarray(slip), dot(slip, slip)
        z, z_rate = (np.array([getattr(state, name) for state in site.states]) for name in ("value", "rate"))
        mu, fade = stribeck(self.coulomb, self.static, v2, self.stribeck)
        speed, pressing = np.sqrt(v2 + REST**2), normal + self.preload
        forces = pressing * (self.stiffness * z + self.damping * fade * z_rate) + self.viscous * v
        potential = 0.5 * pressing * self.stiffness * dot(z, z)
        lost = dot(forces, v) - pressing * self.stiffness * dot(z, z_rate)
        return Traction(forces, lost, potential, z_rate - v + (self.stiffness * speed / mu) * z)
