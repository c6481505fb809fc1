"""Distributed mass of a three-node beam."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.beams.beam3 import CUTS, shapes, slopes
from samara.elements.beams.section_mass import SectionMass
from samara.elements.beams.volume_mass import VolumeMass
from samara.model import Node, Placement, matrix, node, placement, record


class BeamMass3(VolumeMass):
    """Mass spread along a `Beam3`: each piece between the cuts at +-1/sqrt(3) gives its node what moves it.

        F_i = int_i m (a - g) dx,     M_i = int_i m (q - x_i) x (a - g) + sum_k N_k d(J w_k)/dt dx

    q, a: the centres of mass and their accelerations, on the parabola through those at the nodes; x_i: node i; J: inertia
    of the section. Gravity g is that of the model. Linear and angular momentum of the parabola are balanced exactly.
    Outputs: momentum [kg m/s] and angular momentum about the world's origin [kg m^2/s], in world axes.

    a, b, c, place_a, ...:  as in `Beam3`.
    section:                of all three pieces; or section_1, section_2, section_3, one for each node's piece.
    Limits: as `Beam3`. The mass matrix is not symmetric, and the power of these forces is the rate of the kinetic energy
    only as the mesh is refined, as with the strain energy of the beam. Frequencies are of order 4.
    Source: the finite volumes of Ghiringhelli, Masarati, Mantegazza, AIAA J. 38, 2000, with inertia forces as the
    load on the pieces.
    """

    borders: ClassVar[tuple[float, ...]] = (-1.0, *CUTS, 1.0)

    c: Node = node()
    place_c: Placement = placement()
    section_1: SectionMass = record(None)
    section_2: SectionMass = record(None)
    section_3: SectionMass = record(None)
    weights: Any = matrix((3, 6), None)  # filled in: integrals of N_j N_k over the pieces [m]

    shapes = staticmethod(shapes)
    slopes = staticmethod(slopes)

    def nodes(self) -> list[Node]:
        """The middle node last: its axes are the element's own."""
        return [self.a, self.c, self.b]

    def along(self) -> list[str]:
        return ["a", "b", "c"]
