"""Three-node beam."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.elements.beams.section import Section
from samara.elements.beams.volume import BeamCut, VolumeBeam, relative
from samara.model import Node, Placement, matrix, node, placement, record
from samara.rotations import cayley_body_map, rotation_from_cayley
from samara.tracing import cut

#: Where the pieces of the beam are cut, as fractions of its half length: exact forces for a cubic deflection.
CUTS = (-1.0 / np.sqrt(3.0), 1.0 / np.sqrt(3.0))


class Beam3(VolumeBeam):
    """Geometrically exact beam on three nodes: section forces at two cuts, at +-1/sqrt(3) of its half length.

        e = (R^T p' - R_0^T p_0',  k - k_0),     (F, M) = D e + D_v e_dot,
        volumes: node 1: F_I,  node 2: F_II - F_I,  node 3: -F_II  (and moments about the nodes)
        energy:  sum over the cuts of length (F, M) . de, by the virtual motion of the nodes

    p is interpolated by parabolas through the section centres, rotations as Gibbs-Rodrigues parameters against the
    middle node. The strain-free shape is the initial one, so initial curvature and twist come with the placements.
    Outputs, at each cut: internal force [N] and moment [N m], strain and curvature [1/m], in section axes.

    a, b, c:       the nodes along the beam, b in the middle.
    place_a, place_b, place_c: section centre and axes in each node (x along the beam).
    section:       at both cuts; or section_1 and section_2, one for each.
    balance:       "volumes": the pieces between the cuts are in equilibrium; internal forces of statically determinate
                   beams are exact on any mesh. "energy": power is exactly the rate of the stored energy, and the
                   stiffness is symmetric; with `BeamMass3` frequencies are of order 4.
    rest:          computed from the reference pose: six undeformed strains and the length at each cut.
    Limits: rotations between neighbouring nodes below half a turn. With "volumes", power and stored energy agree only
    as the mesh is refined, and fast modes of beams with low shear stiffness may grow without damping.
    Source: Ghiringhelli, Masarati, Mantegazza, Multibody implementation of finite volume C0 beams, AIAA J. 38, 2000.
    """

    count: ClassVar[int] = 2

    c: Node = node(kw_only=False)
    place_c: Placement | Any = placement(default=None)
    section_1: Section = record(default=None)
    section_2: Section = record(default=None)
    rest: Any = matrix((2, 7), default=None)  # filled in: six undeformed strains, the length per unit of the parameter

    def nodes(self) -> list[Node]:
        """The middle node last: its axes are the element's own."""
        return [self.a, self.c, self.b]

    def along(self) -> list[str]:
        return ["a", "b", "c"]

    def at_cut(self, k: int, R: list, p: list) -> BeamCut:
        N, S = shapes(CUTS[k]), slopes(CUTS[k])
        first, last = relative(R[1], R[0]), relative(R[1], R[2])
        g, g_slope = cut(N[0] * first + N[2] * last), cut(S[0] * first + S[2] * last)
        point = cut(N[0] * p[0] + N[1] * p[1] + N[2] * p[2])
        slope = cut(S[0] * p[0] + S[1] * p[1] + S[2] * p[2])
        return BeamCut(point, slope, R[1] @ rotation_from_cayley(g), cayley_body_map(g) @ g_slope)


def shapes(xi: float) -> tuple[float, float, float]:
    """Parabolas through -1, 0, 1."""
    return 0.5 * xi * (xi - 1.0), 1.0 - xi * xi, 0.5 * xi * (xi + 1.0)


def slopes(xi: float) -> tuple[float, float, float]:
    """Their derivatives."""
    return xi - 0.5, -2.0 * xi, xi + 0.5
