"""Drag of a bluff body."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    vector,
)
from samara.rotations import cross, dot

#: speed squared that is added, so that the square root has a slope in still air [m^2/s^2]
STILL_AIR_SPEED_2 = 1e-4


class Drag(Aerodynamic, Drawn):
    """Drag of a fuselage or any bluff body by three equivalent areas.

        F = -rho / 2 |v| (S_x v_x, S_y v_y, S_z v_z)

    v: velocity of the origin of `place` relative to the air, in its axes, where F acts [m/s]. S: equivalent flat-plate
    areas `area`, drag over dynamic pressure along each axis [m^2]. Lift, moments and rotational damping are neglected.

    n, place: the node, and the point of application in it. air: that of the rotor, if one is given.
    rotor, factor: the rotor whose wake acts on the body, and the ratio of the wake velocity there to the induced
              velocity at the disk: 1 just below it, 2 far below. The resulting force is the download; it acts on the
              body and is not part of the rotor's loads.
    """

    n: Node = node(kw_only=False)
    place: Placement | Any = placement(default=None)
    area: Any = vector(unit="m^2")
    factor: float = number(default=1.0)

    def examine(self) -> None:
        if np.any(np.asarray(self.area, float) < 0.0):
            raise ValueError(f"area must not be negative, got {self.area}")

    def readings(self) -> list[State]:
        return self.states()

    def draw(self, sketch: Sketch) -> None:
        """The air load, where it acts."""
        sketch.vector("force", self.n, Placement(self.place.position))

    def formulate(self, site: Site) -> Contribution:
        n = site.frames[-1]
        s = n.at(self.place)
        air = self.body_air(site, s.p, self.factor)
        v = s.v - s.R.T @ air
        size = np.sqrt(dot(v, v) + STILL_AIR_SPEED_2)
        F = s.R @ (-0.5 * self.air.at(site.world.see(s.p)).density * size * self.area * v)
        M = cross(s.p, F)
        wrench = -np.concatenate([F, M])
        return Contribution(
            wrenches=[*self.no_load(site), wrench],
            supplied=dot(F, n.v) + dot(M, n.w),
            outputs=[
                Output("force", "N", F, XYZ, "air load on the node, in its axes"),
                Output("speed", "m/s", size, description="against the air, wake included"),
            ],
        )
