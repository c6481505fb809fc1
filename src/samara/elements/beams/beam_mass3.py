"""Mass along a three-node beam."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.beams.beam3 import shapes, slopes
from samara.elements.beams.line_mass import LineMass
from samara.elements.beams.section_mass import SectionMass
from samara.model import Node, Placement, matrix, node, placement, record


class BeamMass3(LineMass):
    """Mass along a `Beam3` with balance="energy": kinetic energy by Simpson's rule at the nodes.

        T = sum_k l_k (m |u_k|^2 + w_k . J w_k) / 2,     l = L (1/6, 2/3, 1/6)

    u_k: velocity of the section's centre of mass, w_k: angular velocity at node k. On curved beams l_k is the integral
    of the parabola N_k. Gravity is that of the model. Energy and momentum are balanced exactly, the mass matrix is
    symmetric and block-diagonal in the nodes, and frequencies are of order 4 in the element length: Simpson's rule
    loses no accuracy compared with full integration.
    Outputs: momentum [kg m/s] and angular momentum about the world's origin [kg m^2/s], in world axes.

    a, b, c:                the nodes along the beam.
    place_a, place_b, place_c: as in `Beam3`.
    section:                at all nodes; or section_1, section_2, section_3, one at each.
    lengths:                computed: lengths of the slices [m].
    Limits: with balance="volumes", frequencies are of order 2 only.
    Source: quadrature at the nodes as in spectral elements, Cohen, Higher-order numerical methods for transient wave
    equations, 2002, chapter 11.
    """

    c: Node = node(kw_only=False)
    place_c: Placement | Any = placement(default=None)
    section_1: SectionMass = record(default=None)
    section_2: SectionMass = record(default=None)
    section_3: SectionMass = record(default=None)
    lengths: Any = matrix((1, 3), default=None)  # filled in: of the slices [m]

    shapes: ClassVar = staticmethod(shapes)
    slopes: ClassVar = staticmethod(slopes)

    def nodes(self) -> list[Node]:
        """The middle node last, as `Beam3` has it."""
        return [self.a, self.c, self.b]

    def along(self) -> list[str]:
        return ["a", "b", "c"]
