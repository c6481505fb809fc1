"""Annular momentum theory: induced velocity that varies along the radius."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.elements.aero.inflow.descent import DESCENTS, axial_flow
from samara.elements.aero.inflow.inflow import GRADIENTS, MASS, STILL_AIR_SPEED, Disk, Inflow, gradient_balances
from samara.elements.aero.inflow.inflow_at_blade import Felt
from samara.elements.aero.inflow.tip_loss import prandtl_factor
from samara.model import ModelError, Output, number, numbers, option, setting
from samara.tracing import cut
from samara.tracing.expressions.table import plain_numbers

#: What is lost near the ends of blades, see `Annular`.
LOSSES = ("both", "tip", "none")
#: Rings, where no radii are given.
RINGS = 12
#: Least distance of a ring from the ends of blades [R]: at an end itself Prandtl's factor has no slope.
LEAST = 1e-6


class Annular(Inflow):
    """Blade-element momentum theory: a separate momentum balance and induced velocity for every annulus of the disk.

        M rho R dA v_dot + 2 rho dA F V v = dT,     V^2 = V_e^2 + (V_z + v)^2,     v_j = factor ground v

    dT: thrust of the blades in the ring, dA its area; V_z, V_e: speed of the disk along the shaft and across it;
    F: Prandtl's factor on the momentum of a ring near the ends of blades, from the inflow of the ring itself:

        F = (2 / pi) acos(exp(-f)),   f = (N_b / 2) (1 - r) / (r sin(phi)) at the tip, with r - r_0 at the root

    M = 128 / (75 pi), the disk's apparent mass distributed by area. In axial flight this is the classical theory; in
    forward flight each ring uses Glauert's V, and `gradient` adds a linear variation along the wind in proportion to
    the mean u. Swirl of the wake is neglected. The induced power is exactly the sum of v dT over the rings.

    radii:    of the rings [R], increasing, one state each; v is linear between them, and the load of a station is
              shared by the two adjacent rings. None: 12 of equal area. `radii=stations.x / R` gives one ring per
              station, the classical calculation; for a blade of several elements use the stations of all. Compiling 120
              rings takes 20 s, once; split blades with that many stations into elements of about ten.
    losses:   "both", "tip" or "none". gradient, dynamic, factor, descent: as in `Momentum`.
    areas, centres, root, blades: computed from the rotor's blades: the area represented by the stations of a ring
              [R^2], so that quadrature and rings agree, their mean radius [R], at which F is evaluated, the root radius
              of the blades [R], and their number. A ring without adjacent stations has no effect.

    Sources: J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition, sections 3.3 and 3.4; M. L. Buhl 2005
    for rings as windmills. Limit: rings do not represent the contracting wake of a rotor with few blades, which passes
    close to the next blade; see the validation of section loads.
    """

    by_blade: ClassVar[bool] = True
    by_station: ClassVar[bool] = True
    radii: Any = numbers(default=None, unit="R")
    losses: str = option(default="both", choices=LOSSES)
    gradient: str = option(default="uniform", choices=GRADIENTS)
    dynamic: bool = option(default=True, choices=(True, False))
    factor: float = number(default=1.0, positive=True)
    descent: str = option(default="measured", choices=DESCENTS)
    areas: Any = numbers(default=None, unit="R^2")
    centres: Any = numbers(default=None, unit="R")
    root: float = number(default=0.0, unit="R", nonnegative=True)
    blades: float = number(default=0.0, nonnegative=True)

    def __post_init__(self) -> None:
        filled = {
            "areas": self.areas,
            "centres": self.centres,
            "root": None if _is_zero(self.root) else self.root,
            "blades": None if _is_zero(self.blades) else self.blades,
        }
        for name, value in filled.items():
            if value is not None:
                raise ModelError(f"Annular: {name} is computed from the rotor's blades: omit it")
        if self.radii is None:
            self.radii = np.sqrt((np.arange(RINGS) + 0.5) / RINGS)
        try:
            given = plain_numbers(self.radii, "Annular: radii")
        except (TypeError, ValueError):
            raise ModelError(
                f"Annular: radii must be numbers, relative to the rotor radius, got {self.radii!r}"
            ) from None
        rising = given.ndim == 1 and len(given) > 0 and bool(np.all(np.diff(given) > 0.0))
        if not rising or not (0.0 < given[0] and given[-1] < 1.0):
            raise ModelError(
                f"Annular: radii must increase and lie between 0 and 1, relative to the rotor radius, "
                f"got {self.radii!r}"
            )
        self.radii = given
        self.areas, self.centres = np.full(len(given), np.pi / len(given)), given.copy()

    def flows(self) -> dict[str, int]:
        order = 1 if self.dynamic else 0
        linear = {} if self.gradient == "uniform" else {"g_x": 0, "g_y": 0}
        return {"u": 0} | linear | {f"v_{j + 1}": order for j in range(len(self.radii))}

    def starts(self, u: float) -> dict[str, float]:
        return {name: u for name in self.flows() if name not in ("g_x", "g_y")}

    @property
    def _first(self) -> int:
        """Place of the first ring among the states."""
        return 1 if self.gradient == "uniform" else 3

    def felt(self, radii: np.ndarray) -> Felt:
        weights = _hats(np.asarray(self.radii, float), radii)
        touched = np.flatnonzero(weights.any(axis=0))
        used = np.arange(touched[0], touched[-1] + 1)
        return FeltRings(weights[:, used], self.gradient != "uniform", int(self._first + used[0]))

    def survey(self, radii: np.ndarray, areas: np.ndarray, ends: tuple[float, float], blades: int) -> None:
        weights = areas[:, None] * _hats(np.asarray(self.radii, float), radii)
        share, felt = weights.sum(axis=0), radii @ weights
        # rings that no station lies beside: nothing is induced there, whatever their area
        used = share > 0.0
        object.__setattr__(self, "areas", np.where(used, share, np.mean(areas)))
        inner = int(np.argmin(radii))
        # a blade of one station does not tell its ends: half of what it stands for is inboard
        half = 0.25 * areas[inner] * blades / (np.pi * radii[inner])
        root = float(ends[0]) if ends[0] < radii[inner] else max(float(radii[inner] - half), 0.0)
        centres = np.where(used, felt / np.where(used, share, 1.0), np.mean(ends))
        object.__setattr__(self, "centres", np.clip(centres, root + LEAST, 1.0 - LEAST))
        object.__setattr__(self, "blades", float(blades))
        object.__setattr__(self, "root", root)

    def balances(self, disk: Disk) -> list:
        rings = disk.flows[self._first :]
        # all that a ring knows of the disk: few numbers, from which derivatives begin anew
        climb, edgewise_2 = cut(disk.speed[2]), cut(disk.speed[0] ** 2 + disk.speed[1] ** 2)
        tip, share = cut(disk.tip), cut(1.0 / (self.factor * disk.ground))
        size = cut(disk.density * disk.radius**2)
        rows, mean, whole = [], 0.0, 0.0
        for ring, r, area in zip(rings, self.centres, self.areas, strict=True):
            v = share * ring.value
            through = cut(climb + v)
            F = self._kept(tip, r, through)
            axial, _ = axial_flow(climb, v, still=STILL_AIR_SPEED, descent=self.descent, loss=F)
            flow = np.sqrt(F**2 * edgewise_2 + axial**2)
            lag = MASS * disk.radius * share * ring.rate if self.dynamic else 0.0
            rows.append(size * area * (lag + 2.0 * flow * v))
            mean, whole = mean + area * F * ring.value, whole + area
        first = [disk.u.value - mean / whole]
        return [*first, *(gradient_balances(self.gradient, disk) if self._first == 3 else ()), *rows]

    def _kept(self, tip: Any, r: Any, through: Any) -> Any:
        """Prandtl's factor F of the ring at r [R], with a flow through it and that speed of the tips [m/s]."""
        if self.losses == "none":
            return 1.0
        w = np.sqrt(through**2 + STILL_AIR_SPEED**2)
        # blades by two over r sin(phi)
        pitch = 0.5 * self.blades * np.sqrt((tip * r) ** 2 + w**2) / (r * w)
        kept = prandtl_factor(pitch * (1.0 - r))
        return kept if self.losses == "tip" else kept * prandtl_factor(pitch * (r - self.root))

    def outputs(self, disk: Disk) -> list[Output]:
        names = tuple(str(j + 1) for j in range(len(self.radii)))
        rings = disk.flows[self._first :]
        thrust = self.balances(disk)[self._first :]
        linear = tuple(self.flows())[: self._first]
        return [
            Output("induced", "m/s", [s.value for s in disk.flows[: self._first]], linear if self._first > 1 else ()),
            Output("ring_induced", "m/s", [ring.value for ring in rings], names, "at the blades, against the thrust"),
            Output("ring_thrust", "N", list(thrust), names, "of the blades in each ring"),
        ]


class FeltRings(Felt):
    """Induced velocity of the rings beside each station, and of a gradient.

    weights: of the rings for each station, by its radius in the reference pose; linear: whether there is a gradient;
    first: place of the first of these rings among the states.
    """

    weights: Any = numbers()
    linear: bool = option(choices=(True, False))
    first: int = setting(default=1)

    def places(self) -> tuple[int, ...]:
        return (*((1, 2) if self.linear else ()), *self.loaded())

    def loaded(self) -> tuple[int, ...]:
        return tuple(range(self.first, self.first + np.shape(self.weights)[1]))

    def velocity(self, flows, x, y, k):
        rings = flows[2:] if self.linear else flows
        own = sum(weight * flow for weight, flow in zip(self.weights[k], rings, strict=True))
        return own + flows[0] * x + flows[1] * y if self.linear else own

    def shares(self, lifts):
        columns = range(np.shape(self.weights)[1])
        return [sum(-self.weights[k][j] * lift.force for k, lift in enumerate(lifts)) for j in columns]


def _is_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and value == 0.0


def _hats(nodes: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Piecewise linear weights of nodes at positions x, constant beyond the ends; shape (positions, nodes)."""
    return np.stack([np.interp(x, nodes, unit) for unit in np.eye(len(nodes))], axis=1)
