"""Distributed mass of a two-node beam."""

from __future__ import annotations

from typing import Any, ClassVar

from samara.elements.beams.section_mass import SectionMass
from samara.elements.beams.volume_mass import VolumeMass
from samara.model import matrix, record


class BeamMass2(VolumeMass):
    """Mass spread along a `Beam2`: each half gives its node what moves it.

        F_i = int_i m (a - g) dx,     M_i = int_i m (q - x_i) x (a - g) + sum_k N_k d(J w_k)/dt dx

    q, a: the centres of mass and their accelerations, on the line through those at the nodes. All else as `BeamMass3`.

    a, b, place_a, place_b: as in `Beam2`.
    section:                of both halves; or section_1 and section_2.
    Limits: as `BeamMass3`; frequencies are of order 2, as those of rigid pieces are.
    Source: as `BeamMass3`, with a single cut.
    """

    borders: ClassVar[tuple[float, ...]] = (-1.0, 0.0, 1.0)

    section_1: SectionMass = record(None)
    section_2: SectionMass = record(None)
    weights: Any = matrix((2, 3), None)  # filled in: integrals of N_j N_k over the pieces [m]

    @staticmethod
    def shapes(xi: float) -> tuple[float, float]:
        return 0.5 * (1.0 - xi), 0.5 * (1.0 + xi)

    @staticmethod
    def slopes(xi: float) -> tuple[float, float]:
        return -0.5, 0.5

    def along(self) -> list[str]:
        return ["a", "b"]
