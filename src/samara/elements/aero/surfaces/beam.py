"""Aerodynamic surface on a three-node beam."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.surfaces.station_flow import SectionMotion
from samara.elements.aero.surfaces.surface import AeroSurface
from samara.elements.beams.beam3 import shapes
from samara.model import Contribution, Frame, Node, Placement, Site, node, placement
from samara.rotations import cayley_from_rotation, cross, dot, rotation_from_cayley


class AeroBeam3(AeroSurface):
    """Blade-element loads along a `Beam3`: stations move with the beam, loads are applied to its nodes by virtual work.

        p = sum_i N_i p_i,   v = sum_i N_i v_i,   w = sum_i N_i w_i,   R = R_b R(N_a g_a + N_c g_c)
        F_i = N_i F,   M_i = N_i (M + arm x F)

    N_i: parabolas through the nodes, g: Gibbs-Rodrigues parameters relative to the middle node, as in the beam.

    a, b, c: the nodes along the beam. place_a, place_b, place_c: the sections in them, as in `Beam3`: x along the
              span, y towards the leading edge, z up.
    stations: `x` from -1 to 1 along the beam, `length` scaled with its half length; twist relative to the sections.
    aerofoil, unsteady, air, rotor: see `AeroSurface`.
    """

    a: Node = node(kw_only=False)
    b: Node = node(kw_only=False)
    c: Node = node(kw_only=False)
    place_a: Placement | Any = placement(default=None)
    place_b: Placement | Any = placement(default=None)
    place_c: Placement | Any = placement(default=None)

    def own_nodes(self) -> list[Node]:
        """The middle node last, as the beam has it."""
        return [self.a, self.c, self.b]

    def span_ends(self) -> list[np.ndarray]:
        return [self._point(x) for x in self.station_range()]

    def station_points(self) -> np.ndarray:
        return np.array([self._point(float(x)) for x in self.stations.x])

    def _point(self, x: float) -> np.ndarray:
        """Of the axis in the world, as described, x from -1 to 1 [m]."""
        nodes, names = (self.a, self.b, self.c), ("place_a", "place_b", "place_c")
        points = [(n.start @ self.place_of(name)).position for n, name in zip(nodes, names, strict=True)]
        return np.asarray(_blend(shapes(x), points))

    def sections(self) -> list[tuple[float, Node, Placement]]:
        nodes = {-1.0: (self.a, self.place_a), 0.0: (self.b, self.place_b), 1.0: (self.c, self.place_c)}
        worlds = [n.place @ place for n, place in nodes.values()]  # as the beam has them
        low, high = self.station_range() if len(self.stations) > 1 else (-1.0, 1.0)
        found = []
        for x in (low, *(at for at in nodes if low + 1e-6 < at < high - 1e-6), high):
            N, middle = shapes(x), worlds[1].rotation
            g_a, g_c = (cayley_from_rotation(middle.T @ w.rotation) for w in (worlds[0], worlds[2]))
            R = middle @ rotation_from_cayley(N[0] * g_a + N[2] * g_c)
            section = Placement(_blend(N, [w.position for w in worlds]), R)
            carrier = nodes[float(np.clip(round(x), -1, 1))][0]
            found.append((x, carrier, carrier.local(section)))
        return found

    def formulate(self, site: Site) -> Contribution:
        stations = self.stations
        n_a, n_c, n_b = self.own_frames(site)
        nodes = [n_a, n_b, n_c]
        sections = [n.at(place) for n, place in zip(nodes, (self.place_a, self.place_b, self.place_c), strict=True)]
        v, w = [s.R @ s.v for s in sections], [s.R @ s.w for s in sections]
        # accelerations as vectors, in axes of the element
        speeding = [s.R @ (s.carried.dv + cross(s.w, s.carried.v)) for s in sections]
        spinning = [s.R @ s.dw for s in sections]
        a, b, c = sections
        g_a, g_c = (cayley_from_rotation(b.R.T @ s.R) for s in (a, c))
        forces, moments = [np.zeros(3)] * 3, [np.zeros(3)] * 3
        loads, own, acting, lifting, power = [], [], [], [], 0.0
        for k in range(len(stations)):
            N = shapes(stations.x[k])
            R = b.R @ rotation_from_cayley(N[0] * g_a + N[2] * g_c)
            p, velocity, spin = (_blend(N, x) for x in ([s.p for s in sections], v, w))
            rates = _blend(N, speeding), _blend(N, spinning)
            load, equations = self.station_load(site, self._motion(site, R, p, (velocity, spin), rates, k), k)
            own += equations
            F = R[:, 0] * load.x + R[:, 1] * load.y + R[:, 2] * load.z
            M = R[:, 0] * load.moment + R[:, 1] * load.bank + R[:, 2] * load.veer
            arm = R[:, 1] * stations.centre[k]
            M = M + cross(arm, F)
            acting.append((p, F))
            lifting.append(p + arm)
            forces = [f + N[i] * F for i, f in enumerate(forces)]
            moments = [m + N[i] * M for i, m in enumerate(moments)]
            power = power + dot(F, velocity) + dot(M, spin)
            loads.append(load)
        # what each section gets, at its node and in the node's axes
        wrenches = [_at_node(n, s.p, f, m) for n, s, f, m in zip(nodes, sections, forces, moments, strict=True)]
        total = np.sum(forces, axis=0)
        about = np.sum([m + cross(s.p, f) for s, f, m in zip(sections, forces, moments, strict=True)], axis=0)
        ordered = [wrenches[0], wrenches[2], wrenches[1]]
        return Contribution(
            wrenches=[*self.no_load(site), *ordered],
            balances=[*self.shares(site, total, about, acting), *own],
            supplied=power,
            outputs=[*self.station_outputs(site, loads, acting), *self.wake_outputs(site, lifting)],
        )

    def _motion(self, site: Site, R, p, twist, rates, k: int) -> SectionMotion:
        """Of the section of station k at p with axes R, from its twist and the rates of it, in axes of the element."""
        (velocity, spin), (acceleration, spin_rate) = twist, rates
        induced = self.induced_at(site, p, k, lambda: velocity - self.outer_air(site, p))

        def against_air(ahead):
            arm = R[:, 1] * ahead
            return velocity + cross(spin, arm) - self.smooth_air(site, p + arm) - induced

        def gust(ahead):
            found = self.local_gust(site, p + R[:, 1] * ahead)
            return None if found is None else -(R.T @ found)

        def rate(ahead):
            # of the components in axes that turn, against a wind that stays
            arm = R[:, 1] * ahead
            inertial = acceleration + cross(spin_rate, arm) + cross(spin, cross(spin, arm))
            return R.T @ (inertial - cross(spin, against_air(ahead)))

        shift = self.lift_shift(site, k)
        at_lift = None if shift is None else R.T @ shift
        return SectionMotion(lambda ahead: R.T @ against_air(ahead), gust, rate, R.T @ spin, R.T @ spin_rate, at_lift)


def _blend(N, values):
    return sum(N[i] * x for i, x in enumerate(values))


def _at_node(n: Frame, point, force, moment) -> np.ndarray:
    """What the equations of a node get from a load at a point, all given in axes of the element."""
    return -np.concatenate([n.R.T @ force, n.R.T @ (moment + cross(point - n.p, force))])
