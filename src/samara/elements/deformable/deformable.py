"""Base of deformable connections."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.elements.families import XYZ, Coupling
from samara.elements.laws.vector_laws.component_law import ComponentLaw
from samara.elements.laws.vector_laws.vector_law import VectorLaw
from samara.elements.still import is_zero
from samara.model import Grip, Output, record
from samara.rotations import cayley_from_rotation, exp_so3, half_cayley, rotation_from_cayley


class Deformable(Coupling):
    """Base of deformable connections: a law of the relative displacement, the relative rotation, or both.

    The law is a `VectorLaw`, or a sequence of one-dimensional laws, one per component (None: free).
    """

    grip = Grip.ELASTIC
    #: (name, unit of three coordinates, name, unit of their efforts), in the order of the coordinates
    reported: ClassVar[tuple[tuple[str, str, str, str], ...]] = ()
    #: name of the drives that turn the rest position, "" for none
    turned_by: ClassVar[str] = ""

    law: VectorLaw | Any = record(of=VectorLaw, such_as="LinearLaw3(...)")

    #: whether the rest position is turned at all: if not, the equations are shorter
    _turned = True

    def prepare(self) -> None:
        super().prepare()
        if isinstance(self.law, (tuple, list)):
            self.law = ComponentLaw(tuple(self.law))

    def examine(self) -> None:
        size = 3 * len(self.reported)
        if self.law.size != size:
            raise ValueError(f"law must be of {size} coordinates, got one of {self.law.size}")
        self._turned = bool(self.turned_by) and not all(map(is_zero, getattr(self, self.turned_by)))

    def structure(self) -> tuple:
        return (*super().structure(), self._turned)

    def effort(self, q, q_rate):
        return self.law(q, q_rate)

    def potential(self, q):
        return self.law.potential(q)

    def dissipation(self, q, q_rate):
        return self.law.dissipation(q, q_rate)

    def report(self, q, q_rate, efforts):
        outputs = []
        for k, (name, unit, effort, effort_unit) in enumerate(self.reported):
            part = slice(3 * k, 3 * k + 3)
            outputs += [
                Output(name, unit, q[part], XYZ, f"{name} that the law sees"),
                Output(f"{name}_rate", f"{unit}/s", q_rate[part], XYZ, f"rate of {name}"),
                Output(effort, effort_unit, np.asarray(efforts)[part], XYZ, f"{effort} that pulls b back"),
            ]
        return outputs


def rest_frame(rotation: Any, turned: bool):
    """R_AD of the frame D in which the connection is at rest; None where D has the axes of a."""
    return exp_so3(rotation) if turned else None


def half_turn_back(R, v):
    """v in the axes midway between two frames, from its components in the first; R: of the second seen from there."""
    return rotation_from_cayley(half_cayley(cayley_from_rotation(R))).T @ v
