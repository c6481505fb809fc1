"""Constitutive law of a beam's cross-section: forces from six strains."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from samara.elements.couplings import coupling, lowest, may_act
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
    polar_radius: polar radius of gyration k of the area that carries the tension, about the section's centre [m];
               sqrt((EI_y + EI_z) / EA) for a homogeneous section. Zero, the default, leaves out the trapeze effect.

    Trapeze (bifilar) effect: twist stretches the fibres off the axis, so tension N stiffens the section in torsion and
    twist shortens it. The stiffness acts on the strains with e_1 + k^2 e_4^2 / 2 in place of the stretch e_1:

        V = e~ . D e~ / 2,     e~ = e + (k^2 e_4^2 / 2, 0, 0, 0, 0, 0)
        uncoupled:  N = EA (e_1 + k^2 e_4^2 / 2),     M_x = (GJ + N k^2) e_4

    All fibres are taken at the distance k. Left out is what their spread adds under large twist, of third order in e_4
    and without tension: E (int r^4 dA - k^4 A) e_4^3 / 2. Compression softens; the section buckles at N = -GJ / k^2.
    Source: J. C. Houbolt, G. W. Brooks, NACA report 1346 (1958), the term T k_A^2 phi' of the torsional moment.
    """

    #: whether strain rates matter: a section without them makes a cheaper kernel
    viscous: ClassVar[bool] = False
    matrices: ClassVar[tuple[str, ...]] = ("stiffness",)

    stiffness: Any = matrix((6, 6), symmetric=True)
    _: dataclasses.KW_ONLY
    polar_radius: float = number(default=0.0, unit="m", nonnegative=True)

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

    def _trapeze(self) -> bool:
        return may_act(self.polar_radius)

    def structure(self) -> tuple:
        return (*super().structure(), *self._couplings(), self._trapeze())

    def rebuild(self, leaves: Iterator) -> Any:
        twin = super().rebuild(leaves)
        for name, word in zip(self.matrices, self._couplings(), strict=True):
            setattr(twin, name, np.where(COUPLINGS[word], getattr(twin, name), 0.0))
        if not self._trapeze():
            twin.polar_radius = None
        return twin

    # ---- the law
    def forces(self, strain, rate):
        """Internal force and moment at strains and strain rates, six numbers."""
        return self._with_untwisting(self.stiffness @ self._stretched(strain), strain)

    def energy(self, strain):
        """Stored energy per unit length [J/m]."""
        strain = self._stretched(strain)
        return 0.5 * (strain @ (self.stiffness @ strain))

    def dissipation(self, strain, rate):
        """Dissipated power per unit length [W/m]."""
        return 0.0

    # ---- trapeze effect
    def _stretched(self, strain):
        """Strains with the mean stretch of the fibres."""
        if self.polar_radius is None:
            return strain
        return strain + _only(0, 0.5 * self.polar_radius**2 * strain[3] * strain[3])

    def _stretched_rate(self, strain, rate):
        """Their time derivative."""
        if self.polar_radius is None:
            return rate
        return rate + _only(0, self.polar_radius**2 * strain[3] * rate[3])

    def _with_untwisting(self, forces, strain):
        """Internal force and moment with the moment of the inclined fibres."""
        if self.polar_radius is None:
            return forces
        return forces + _only(3, self.polar_radius**2 * strain[3] * forces[0])


class DampedSection(Section):
    """Section with stiffness-proportional damping: D (e + damping e_dot), damping in s; e with the trapeze effect, if
    any."""

    viscous: ClassVar[bool] = True

    damping: float = number(unit="s", nonnegative=True)

    def forces(self, strain, rate):
        both = self._stretched(strain) + self.damping * self._stretched_rate(strain, rate)
        return self._with_untwisting(self.stiffness @ both, strain)

    def dissipation(self, strain, rate):
        rate = self._stretched_rate(strain, rate)
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
        return super().forces(strain, rate) + self.viscosity @ rate

    def dissipation(self, strain, rate):
        return rate @ (self.viscosity @ rate)


def _only(place: int, value):
    """Six numbers, all zero but one."""
    return np.array([value if k == place else 0.0 for k in range(6)])
