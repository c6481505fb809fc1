"""Constitutive law of a beam's cross-section: forces from six strains."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from samara.elements.couplings import coupling, lowest
from samara.model import Record, matrix, number

#: Strains that a section may couple, from the simplest on: each alone; stretch with bending and shear with twist
#: (centres off the axis); all with all. A section with fewer couplings makes a cheaper kernel.
_STRETCH = np.array([1, 0, 0, 0, 1, 1], bool)
COUPLINGS: dict[str, np.ndarray] = {
    "diagonal": np.eye(6, dtype=bool),
    "blocks": np.equal.outer(_STRETCH, _STRETCH),
    "full": np.ones((6, 6), bool),
}


class Section(Record):
    """Linear elastic section: (N, T_y, T_z, M_x, M_y, M_z) = D e.

    Strains e = (axial, shear y, shear z, twist, bending about y, bending about z), in section axes, x along the beam.

    stiffness: symmetric positive definite 6x6, or its diagonal (EA, GA_y, GA_z, GJ, EI_y, EI_z) [N, N m, N m^2].
    """

    #: whether strain rates matter: a section without them makes a cheaper kernel
    viscous: ClassVar[bool] = False
    matrices: ClassVar[tuple[str, ...]] = ("stiffness",)

    stiffness: Any = matrix((6, 6), symmetric=True)

    def validate(self) -> None:
        super().validate()
        least = lowest(self.stiffness)
        if least <= 0:
            raise ValueError(
                f"stiffness is not positive definite (smallest eigenvalue {least:.3g}, scaled to a unit diagonal): "
                "check signs and couplings"
            )

    # ---- couplings that are known to be absent are no numbers of the kernel
    def _couplings(self) -> tuple[str, ...]:
        return tuple(coupling(getattr(self, name), COUPLINGS) for name in self.matrices)

    def structure(self) -> tuple:
        return (*super().structure(), *self._couplings())

    def rebuild(self, leaves: Iterator) -> Any:
        twin = super().rebuild(leaves)
        for name, word in zip(self.matrices, self._couplings(), strict=True):
            setattr(twin, name, np.where(COUPLINGS[word], getattr(twin, name), 0.0))
        return twin

    # ---- the law
    def forces(self, strain, rate):
        """Internal force and moment at strains and strain rates, six numbers."""
        return self.stiffness @ strain

    def energy(self, strain):
        """Stored energy per unit length [J/m]."""
        return 0.5 * (strain @ (self.stiffness @ strain))

    def dissipation(self, rate):
        """Dissipated power per unit length [W/m]."""
        return 0.0


class DampedSection(Section):
    """Section with stiffness-proportional damping: D (e + damping e_dot), damping in s."""

    viscous: ClassVar[bool] = True

    damping: float = number(unit="s", nonnegative=True)

    def forces(self, strain, rate):
        return self.stiffness @ (strain + self.damping * rate)

    def dissipation(self, rate):
        return self.damping * (rate @ (self.stiffness @ rate))


class ViscousSection(Section):
    """Section with a separate damping matrix: D e + V e_dot.

    viscosity: V, symmetric 6x6 or its diagonal [N s, N m s, N m^2 s].
    """

    viscous: ClassVar[bool] = True
    matrices: ClassVar[tuple[str, ...]] = ("stiffness", "viscosity")

    viscosity: Any = matrix((6, 6), symmetric=True)

    def validate(self) -> None:
        super().validate()
        least = lowest(self.viscosity)
        if least < -1e-12:
            raise ValueError(
                f"viscosity has a negative eigenvalue ({least:.3g}, scaled): it would feed energy into the motion"
            )

    def forces(self, strain, rate):
        return self.stiffness @ strain + self.viscosity @ rate

    def dissipation(self, rate):
        return rate @ (self.viscosity @ rate)
