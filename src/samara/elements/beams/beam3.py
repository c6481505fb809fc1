"""Three-node beam."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.beams.section import Section
from samara.elements.beams.volume import balance, relative, section_frame, strains
from samara.model import Contribution, Element, Frame, Node, Output, Placement, Site, matrix, node, placement, record
from samara.rotations import dot
from samara.tracing import cut

#: Where the pieces of the beam are cut, as fractions of its half length: exact forces for a cubic deflection.
CUTS = (-1.0 / np.sqrt(3.0), 1.0 / np.sqrt(3.0))
FORCES = ("x", "y", "z")


class Beam3(Element):
    """Geometrically exact beam on three nodes by finite volumes: the pieces between cuts at +-1/sqrt(3) are in balance.

        e = (R^T p' - R_0^T p_0',  k - k_0),     (F, M) = D e + D_v e_dot,
        node 1: F_I,  node 2: F_II - F_I,  node 3: -F_II  (and moments about the nodes)

    p is interpolated by parabolas through the section centres, rotations as Gibbs-Rodrigues parameters against the
    middle node. The strain-free shape is the initial one, so initial curvature and twist come with the placements.

    a, b, c:       the nodes along the beam, b in the middle.
    place_a, ...:  section centre and axes in each node (x along the beam).
    section_1, section_2: at the two cuts; give `section` for both.
    Limits: rotations between neighbouring nodes below half a turn.
    Source: Ghiringhelli, Masarati, Mantegazza, Multibody implementation of finite volume C0 beams, AIAA J. 38, 2000.
    """

    a: Node = node()
    b: Node = node()
    c: Node = node()
    section_1: Section = record()
    section_2: Section = record()
    place_a: Placement = placement()
    place_b: Placement = placement()
    place_c: Placement = placement()
    rest: Any = matrix((2, 7), None)  # filled in: six undeformed strains and the length a unit of the parameter

    def nodes(self) -> list[Node]:
        """The middle node last: its axes are the element's own."""
        return [self.a, self.c, self.b]

    def prepare(self) -> None:
        placed = [p if isinstance(p, Placement) else Placement() if p is None else Placement(p) for p in self._places()]
        worlds = [n.place @ p for n, p in zip((self.a, self.b, self.c), placed, strict=True)]
        points = [w.position for w in worlds]
        rows = []
        for xi in CUTS:
            slope = sum(d * p for d, p in zip(_slopes(xi), points, strict=True))
            length = float(np.linalg.norm(slope))
            span = np.linalg.norm(points[2] - points[0])
            if length < 1e-9 * max(span, 1e-300) or span == 0.0:
                raise ValueError("has no length: its three nodes must lie apart along the beam")
            e = self._strains([w.rotation for w in worlds], points, xi, length)
            rows.append([*e, length])
        middle = dot(points[1] - points[0], points[2] - points[0]) / dot(points[2] - points[0], points[2] - points[0])
        if not 0.05 < middle < 0.95:
            raise ValueError("has its nodes out of order: b must lie between a and c")
        self.rest = np.array(rows)

    def _places(self):
        return self.place_a, self.place_b, self.place_c

    @staticmethod
    def _strains(R, p, xi: float, length):
        """Total strains at a cut from the three section frames (first, middle, last)."""
        shapes, slopes = _shapes(xi), _slopes(xi)
        first, last = relative(R[1], R[0]), relative(R[1], R[2])
        g = shapes[0] * first + shapes[2] * last
        g_slope = (slopes[0] * first + slopes[2] * last) / length
        p_slope = sum(d * point for d, point in zip(slopes, p, strict=True)) / length
        section, curvature = section_frame(R[1], cut(g), cut(g_slope))
        return strains(cut(p_slope), section, curvature)

    def formulate(self, site: Site) -> Contribution:
        cuts, energy, heat, outputs = [], 0.0, 0.0, []
        for k, (xi, section) in enumerate(zip(CUTS, (self.section_1, self.section_2), strict=True)):
            length = self.rest[k, 6]
            e, rate = self._measured(site, k, section.viscous)
            forces = section.forces(e, rate)
            point, R = self._cut(site, xi)
            cuts.append((point, cut(R @ forces[:3]), cut(R @ forces[3:])))
            energy = energy + length * section.energy(e)
            heat = heat + length * section.dissipation(rate)
            where = f"at cut {k + 1}, in section axes"
            outputs.append(Output(f"force_{k + 1}", "N", forces[:3], FORCES, f"internal force {where}"))
            outputs.append(Output(f"moment_{k + 1}", "N m", forces[3:], FORCES, f"internal moment {where}"))
            outputs.append(Output(f"strain_{k + 1}", "1", e[:3], FORCES, f"axial and shear strain {where}"))
            outputs.append(Output(f"curvature_{k + 1}", "1/m", e[3:], FORCES, f"twist and bending {where}"))
        a, c, b = site.frames
        first, middle, last = balance([a, b, c], cuts)
        return Contribution(wrenches=[first, last, middle], potential=energy, dissipated=heat, outputs=outputs)

    def _sections(self, a: Frame, c: Frame, b: Frame) -> list[Frame]:
        """The section frames along the beam."""
        return [f.at(p) for f, p in zip((a, b, c), self._places(), strict=True)]

    def _measured(self, site: Site, k: int, viscous: bool):
        """Strains at a cut, and their rates if they matter."""

        def strain(*frames):
            at = self._sections(*frames)
            return self._strains([f.R for f in at], [f.p for f in at], CUTS[k], self.rest[k, 6]) - self.rest[k, :6]

        if not viscous:
            return strain(*site.frames), np.zeros(6)
        measured = site.measure(strain)
        return measured.value, measured.rate

    def _cut(self, site: Site, xi: float):
        """Point and orientation of a cut."""
        at = self._sections(*site.frames)
        shapes, R = _shapes(xi), [f.R for f in at]
        g = shapes[0] * relative(R[1], R[0]) + shapes[2] * relative(R[1], R[2])
        point = sum(n * f.p for n, f in zip(shapes, at, strict=True))
        return cut(point), section_frame(R[1], cut(g), np.zeros(3))[0]


def _shapes(xi: float) -> tuple[float, float, float]:
    """Parabolas through -1, 0, 1."""
    return 0.5 * xi * (xi - 1.0), 1.0 - xi * xi, 0.5 * xi * (xi + 1.0)


def _slopes(xi: float) -> tuple[float, float, float]:
    return xi - 0.5, -2.0 * xi, xi + 0.5
