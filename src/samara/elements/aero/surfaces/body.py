"""Aerodynamic surface on a rigid part."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.surfaces.station_flow import SectionMotion
from samara.elements.aero.surfaces.surface import AeroSurface
from samara.elements.families import XYZ
from samara.model import Contribution, Frame, Node, Output, Placement, Site, Sketch, node, placement
from samara.rotations import cross, dot


class AeroBody(AeroSurface):
    """Blade-element loads along a straight span that is fixed to a node.

    n, place: the node, and the frame of the span in it: x along the span, y towards the leading edge, z up.
    stations: points along x; aerofoil, unsteady, air, rotor: see `AeroSurface`.
    """

    n: Node = node(kw_only=False)
    place: Placement | Any = placement(default=None)

    def station_range(self) -> tuple[float, float]:
        """Of all lengths together about their centre, as it is for pieces side by side."""
        x, swept = (np.asarray(column, float) for column in (self.stations.x, self.stations.swept_cosine))
        lengths = np.asarray(self.stations.length, float) * np.where(swept > 0.0, swept, 1.0)
        whole = float(lengths.sum())
        middle = float(lengths @ x) / whole if whole > 0.0 else 0.0
        low, high = middle - 0.5 * whole, middle + 0.5 * whole
        known = len(x) > 1 and low < x.min() and x.max() < high
        return (low, high) if known else super().station_range()

    def span_ends(self) -> list[np.ndarray]:
        frame = self.n.start @ self.place
        return [frame.point((x, 0.0, 0.0)) for x in self.station_range()]

    def station_points(self) -> np.ndarray:
        frame = self.n.start @ self.place_of("place")
        return np.array([frame.point((float(x), 0.0, 0.0)) for x in self.stations.x])

    def sections(self) -> list[tuple[float, Node, Placement]]:
        low, high = self.station_range()
        if low == high:  # one station stands for all of its strip
            low, high = (low + side * 0.5 * float(self.stations.length[0]) for side in (-1.0, 1.0))
        inner = sorted(float(x) for x in self.stations.x if low < x < high)
        return [(x, self.n, self.place @ Placement((x, 0.0, 0.0))) for x in (low, *inner, high)]

    def draw(self, sketch: Sketch) -> None:
        """The surface, and the air load on the node."""
        super().draw(sketch)
        for output in ("force", "moment"):
            sketch.vector(output, self.n)

    def formulate(self, site: Site) -> Contribution:
        s, stations = self.own_frames(site)[-1].at(self.place), self.stations
        force, moment, loads, own, acting, lifting = np.zeros(3), np.zeros(3), [], [], [], []
        for k in range(len(stations)):
            x = stations.x[k]
            load, equations = self.station_load(site, self._motion(site, s, k), k)
            own += equations
            here = np.array([load.x, load.y, load.z])
            force = force + here
            at = np.array([x, stations.centre[k], 0.0])
            moment = moment + cross(at, here) + np.array([load.moment, load.bank, load.veer])
            acting.append((s.point(np.array([x, 0.0, 0.0])), s.R @ here))
            lifting.append(s.point(at))
            loads.append(load)
        # from the frame of the span to the node, whose axes are the element's
        F = s.R @ force
        M = s.R @ moment + cross(s.p, F)
        n = self.own_frames(site)[-1]
        return Contribution(
            wrenches=[*self.no_load(site), -np.concatenate([F, M])],
            balances=[*self.shares(site, F, M, acting), *own],
            supplied=dot(F, n.v) + dot(M, n.w),
            outputs=[
                Output("force", "N", F, XYZ, "air load on the node, in its axes"),
                Output("moment", "N m", M, XYZ, "its moment about the node, in its axes"),
                *self.station_outputs(site, loads, acting),
                *self.wake_outputs(site, lifting),
            ],
        )

    def _motion(self, site: Site, s: Frame, k: int) -> SectionMotion:
        """Of the section of station k."""
        x = self.stations.x[k]
        axis = np.array([x, 0.0, 0.0])

        def against():
            return s.R @ (s.v + cross(s.w, axis)) - self.outer_air(site, s.point(axis))

        induced = self.induced_at(site, s.point(axis), k, against)

        def air(point):
            return s.R.T @ (self.smooth_air(site, s.point(point)) + induced)

        def smooth(ahead):
            point = np.array([x, ahead, 0.0])
            return s.v + cross(s.w, point) - air(point)

        def gust(ahead):
            found = self.local_gust(site, s.point(np.array([x, ahead, 0.0])))
            return None if found is None else -(s.R.T @ found)

        def acceleration(ahead):
            # components against a wind that stays: d/dt (v - R^T wind) = dv/dt + w x R^T wind
            point = np.array([x, ahead, 0.0])
            return s.dv + cross(s.dw, point) + cross(s.w, air(point))

        shift = self.lift_shift(site, k)
        return SectionMotion(smooth, gust, acceleration, s.w, s.dw, None if shift is None else s.R.T @ shift)
