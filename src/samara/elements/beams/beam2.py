"""Two-node beam."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.beams.section import Section
from samara.elements.beams.volume import BeamCut, VolumeBeam, relative
from samara.model import matrix, record
from samara.rotations import half_cayley, rotation_from_cayley
from samara.tracing import cut


class Beam2(VolumeBeam):
    """Geometrically exact beam on two nodes: section forces at one cut, in the middle.

        e = (R^T (p_b - p_a) / L, k) - (the same in the reference pose),   k L = 4 tan(x / 4) axis,
        (F, M) = D e + D_v e_dot

    R is exactly half way between the rotations of a and b, x is the angle from a to b: both nodes are treated alike.
    The strain-free shape is the initial one. Outputs as in `Beam3`, at the one cut.

    a, b:             the nodes along the beam.
    place_a, place_b: section centre and axes in each node (x along the beam).
    section:          at the cut.
    balance:          "volumes" or "energy", as in `Beam3`.
    rest:             computed from the reference pose: six undeformed strains and the length [m] at the cut.
    Limits: rotations between the nodes below half a turn. Cheaper but less accurate than `Beam3`: its shear force is
    constant, so varying bending moments need several elements. Power balance as in `Beam3`.
    Source: Ghiringhelli, Masarati, Mantegazza, Multibody implementation of finite volume C0 beams, AIAA J. 38, 2000,
    with a single cut.
    """

    count: ClassVar[int] = 1

    section_1: Section = record(default=None)
    rest: Any = matrix((1, 7), default=None)  # filled in: six undeformed strains and the length

    def along(self) -> list[str]:
        return ["a", "b"]

    def at_cut(self, k: int, R: list, p: list) -> BeamCut:
        g = relative(R[1], R[0])  # 2 tan(x / 2), from b back to a
        half = cut(half_cayley(g))
        return BeamCut(0.5 * (p[0] + p[1]), p[1] - p[0], R[1] @ rotation_from_cayley(half), -2.0 * half)
