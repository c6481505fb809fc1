"""Mass along a two-node beam."""

from __future__ import annotations

from typing import Any

from samara.elements.beams.line_mass import LineMass
from samara.elements.beams.section_mass import SectionMass
from samara.model import matrix, record


class BeamMass2(LineMass):
    """Mass along a `Beam2`: kinetic energy by the trapezoidal rule, half of the length at each node.

        T = sum_k L/2 (m |u_k|^2 + w_k . J w_k) / 2

    Otherwise as `BeamMass3`; frequencies are of order 2, the order of `Beam2`.

    a, b, place_a, place_b: as in `Beam2`.
    section:                at both nodes; or section_1 and section_2.
    lengths:                computed: lengths of the slices [m].
    """

    section_1: SectionMass = record(default=None)
    section_2: SectionMass = record(default=None)
    lengths: Any = matrix((1, 2), default=None)  # filled in: of the slices [m]

    @staticmethod
    def shapes(xi: float) -> tuple[float, float]:
        return 0.5 * (1.0 - xi), 0.5 * (1.0 + xi)

    @staticmethod
    def slopes(xi: float) -> tuple[float, float]:
        return -0.5, 0.5

    def along(self) -> list[str]:
        return ["a", "b"]
