"""Airload on a fuselage by coefficients."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.surfaces.body_coefficients import BodyCoefficients
from samara.elements.aero.surfaces.surface import Aerodynamic
from samara.elements.families import XYZ
from samara.model import (
    Contribution,
    Drawn,
    Node,
    Output,
    Placement,
    Site,
    Sketch,
    State,
    node,
    number,
    placement,
    record,
)
from samara.rotations import arctan2, cross, dot

#: Speed squared that is added, so that the square root has a slope in still air [m^2/s^2].
STILL_AIR_SPEED_2 = 1e-4
#: Speed [m/s] that gives an incidence to a body at rest or in a flow from its side.
SLIGHT_SPEED = 1e-6


class Fuselage(Aerodynamic, Drawn):
    """Airload on a fuselage, or on a complete empennage, by six coefficients over incidence and sideslip.

        F = q S (c_x, c_y, c_z),   M = q S L (c_l, c_m, c_n),   q = rho |v|^2 / 2
        alpha = atan2(v_z, v_x),   beta = atan2(v_y, sqrt(v_x^2 + v_z^2))

    v: velocity of the origin of `place` relative to the air, in its axes: x forward, y to the right, z down [m/s]. F
    acts at this origin, M about it. Angles cover the full circle; the load is smooth at zero airspeed. Effects of
    rotation are neglected; use several elements along the body to include them.

    n, place: the node, and the frame of the load in it. area, length: S [m^2], L [m].
    coefficients: `CoefficientTables(...)` or `QuadraticCoefficients(...)`.
    air: that of the rotor, if one is given. rotor, factor: the rotor whose wake acts on the body, as in `Drag`.
    """

    n: Node = node(kw_only=False)
    place: Placement | Any = placement(default=None)
    coefficients: BodyCoefficients = record()
    area: float = number(unit="m^2", positive=True)
    length: float = number(unit="m", positive=True)
    factor: float = number(default=1.0)

    def prepare(self) -> None:
        super().prepare()
        if not isinstance(self.coefficients, BodyCoefficients):
            raise ValueError(
                "coefficients must be CoefficientTables(...) or QuadraticCoefficients(...), "
                f"got {type(self.coefficients).__name__}"
            )

    def readings(self) -> list[State]:
        return self.states()

    def draw(self, sketch: Sketch) -> None:
        """The air load on the node."""
        for output in ("force", "moment"):
            sketch.vector(output, self.n)

    def formulate(self, site: Site) -> Contribution:
        n = site.frames[-1]
        s = n.at(self.place)
        here = site.world.see(s.p)
        wind = self.body_air(site, s.p, self.factor)
        v = s.v - s.R.T @ wind
        size = np.sqrt(dot(v, v) + STILL_AIR_SPEED_2)
        level = np.sqrt(v[0] ** 2 + v[2] ** 2 + SLIGHT_SPEED**2)
        alpha, beta = arctan2(v[2], v[0] + SLIGHT_SPEED), arctan2(v[1], level)
        c = self.coefficients.coefficients(v / size, alpha, beta)
        q = 0.5 * self.air.at(here).density * dot(v, v) * self.area
        F = s.R @ (q * np.array([*c[:3]]))
        M = s.R @ (q * self.length * np.array([*c[3:]])) + cross(s.p, F)
        return Contribution(
            wrenches=[*self.no_load(site), -np.concatenate([F, M])],
            supplied=dot(F, n.v) + dot(M, n.w),
            outputs=[
                Output("force", "N", F, XYZ, "air load on the node, in its axes"),
                Output("moment", "N m", M, XYZ, "its moment about the node, in its axes"),
                Output("speed", "m/s", size, description="against the air, wake included"),
                Output("alpha", "rad", alpha, description="incidence, wake included"),
                Output("beta", "rad", beta, description="sideslip"),
            ],
        )
