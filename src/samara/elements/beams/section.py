"""What a beam's cross-section does: forces from six strains."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.model import Record, matrix, number


class Section(Record):
    """Linear elastic section: (N, T_y, T_z, M_x, M_y, M_z) = D e.

    Strains e = (axial, shear y, shear z, twist, bending about y, bending about z), in section axes, x along the beam.

    stiffness: symmetric positive definite 6x6, or its diagonal (EA, GA_y, GA_z, GJ, EI_y, EI_z) [N, N m, N m^2].
    """

    #: whether strain rates matter: a section without them makes a cheaper kernel
    viscous: ClassVar[bool] = False

    stiffness: Any = matrix((6, 6), symmetric=True)

    def validate(self) -> None:
        super().validate()
        values = np.linalg.eigvalsh(np.asarray(self.stiffness, float))
        if values[0] <= 0:
            raise ValueError(
                f"stiffness is not positive definite (smallest eigenvalue {values[0]:.3g}): check signs and couplings"
            )

    def forces(self, strain, rate):
        """Internal force and moment at strains and strain rates, six numbers."""
        return self.stiffness @ strain

    def energy(self, strain):
        """Stored energy a unit length [J/m]."""
        return 0.5 * (strain @ (self.stiffness @ strain))

    def dissipation(self, rate):
        """Power turned into heat a unit length [W/m]."""
        return 0.0


class DampedSection(Section):
    """Section with proportional damping: D (e + damping e_dot), damping in s."""

    viscous: ClassVar[bool] = True

    damping: float = number(unit="s", nonnegative=True)

    def forces(self, strain, rate):
        return self.stiffness @ (strain + self.damping * rate)

    def dissipation(self, rate):
        return self.damping * (rate @ (self.stiffness @ rate))


class ViscousSection(Section):
    """Section with a damping matrix of its own: D e + V e_dot, V symmetric 6x6 or its diagonal [N s, N m s, N m^2 s]."""

    viscous: ClassVar[bool] = True

    viscosity: Any = matrix((6, 6), symmetric=True)

    def forces(self, strain, rate):
        return self.stiffness @ strain + self.viscosity @ rate

    def dissipation(self, rate):
        return rate @ (self.viscosity @ rate)


def isotropic(
    E: float,
    area: float,
    inertia_y: float,
    inertia_z: float,
    torsion: float,
    poisson: float = 0.3,
    shear: float = 5 / 6,
) -> np.ndarray:
    """Diagonal of a homogeneous section's stiffness: E [Pa], area [m^2], second moments and torsion constant [m^4]."""
    G = E / (2 * (1 + poisson))
    return np.array([E * area, shear * G * area, shear * G * area, G * torsion, E * inertia_y, E * inertia_z])
