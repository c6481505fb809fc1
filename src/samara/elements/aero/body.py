"""Aerodynamic surface on a rigid part."""

from __future__ import annotations

import numpy as np

from samara.elements.aero.aerofoil import Aerofoil
from samara.elements.aero.strip import Stations, station_outputs, strip_load
from samara.elements.aero.surface import Aerodynamic
from samara.elements.families import XYZ
from samara.model import Contribution, Node, Output, Placement, Site, node, placement, record
from samara.rotations import cross, dot


class AeroBody(Aerodynamic):
    """Blade-element loads along a straight span that is fixed to a node.

    n, place: the node, and the frame of the span in it: x along the span, y towards the leading edge, z up.
    stations: points along x with chord and twist, see `Stations`; aerofoil: of all of them.
    air, rotor: see `Aerodynamic`.
    """

    n: Node = node()
    place: Placement = placement()
    stations: Stations = record()
    aerofoil: Aerofoil = record()

    def formulate(self, site: Site) -> Contribution:
        s, stations = self.own_frames(site)[-1].at(self.place), self.stations
        force, moment, loads = np.zeros(3), np.zeros(3), []
        for k in range(len(stations)):
            x, control = stations.x[k], stations.control[k]
            looked_at = np.array([x, control, 0.0])
            velocity = s.v + cross(s.w, looked_at) - s.R.T @ self.air_at(site, s.point(looked_at))
            load = strip_load(
                self.aerofoil,
                self.air,
                stations.chord[k],
                stations.length[k],
                stations.cosine[k],
                stations.sine[k],
                velocity,
                stations.lift[k],
            )
            here = np.array([0.0, load.y, load.z])
            force = force + here
            moment = moment + cross(np.array([x, stations.centre[k], 0.0]), here) + np.array([load.moment, 0.0, 0.0])
            loads.append(load)
        # from the frame of the span to the node, whose axes are the element's
        F = s.R @ force
        M = s.R @ moment + cross(s.p, F)
        n = self.own_frames(site)[-1]
        wrenches = [-np.concatenate([F, M])]
        if self.rotor:
            wrenches.insert(0, np.zeros(6))
        return Contribution(
            wrenches=wrenches,
            balances=self.shares(site, F, M),
            supplied=dot(F, n.v) + dot(M, n.w),
            outputs=[
                Output("force", "N", F, XYZ, "air load on the node, in its axes"),
                Output("moment", "N m", M, XYZ, "its moment about the node, in its axes"),
                *station_outputs(loads, stations),
            ],
        )
