"""Inertia of a beam's cross-section."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.elements.couplings import may_act
from samara.model import Record, matrix, number, vector


class SectionMass(Record):
    """Inertia of a beam per unit length.

    mass:    [kg/m] > 0.
    inertia: about the section's centre of mass, in section axes, x along the beam [kg m]: three principal moments or a
             symmetric positive definite 3x3 matrix. For a flat section J_x = J_y + J_z.
    com:     centre of mass from the section's centre, in section axes [m].
    """

    mass: float = number(unit="kg/m", positive=True)
    inertia: Any = matrix((3, 3), unit="kg m", symmetric=True)
    com: Any = vector(default=(0.0, 0.0, 0.0), unit="m")

    def validate(self) -> None:
        super().validate()
        moments = np.linalg.eigvalsh(np.asarray(self.inertia, float))
        if moments[0] <= 0:
            raise ValueError(
                f"inertia must be positive definite (smallest moment {moments[0]:.3g} kg m): it is the "
                f"only rotational inertia of the nodes; for a thread, give that of a thin strip"
            )

    # ---- a centre on the axis is no number of the kernel
    def _centred(self) -> bool:
        return not any(map(may_act, np.ravel(self.com)))

    def structure(self) -> tuple:
        return (*super().structure(), self._centred())

    def rebuild(self, leaves: Iterator) -> Any:
        twin = super().rebuild(leaves)
        if self._centred():
            twin.com = None
        return twin
