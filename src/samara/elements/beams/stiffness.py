"""Stiffness of common sections, and about another axis."""

from __future__ import annotations

import numpy as np

from samara.arguments import finite, positive, real_numbers
from samara.model import ArgumentError
from samara.rotations import skew


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
    given = {"E": E, "area": area, "inertia_y": inertia_y, "inertia_z": inertia_z, "torsion": torsion, "shear": shear}
    for name, value in given.items():
        positive(f"isotropic: {name}", value)
    finite("isotropic: poisson", poisson)
    G = E / (2 * (1 + poisson))
    return np.array([E * area, shear * G * area, shear * G * area, G * torsion, E * inertia_y, E * inertia_z])


def shifted(stiffness, y: float, z: float) -> np.ndarray:
    """Transfers a section's 6x6 stiffness from its centre, at (y, z) [m], to the reference axis.

    The section is rigid in its plane, so at its centre (strains e, axis: e_0, o = (0, y, z)) the stretches are
    e_0 + k x o and the curvatures the same: D_0 = T^T D T, T = [[I, -skew(o)], [0, I]].
    """
    D = real_numbers("shifted: stiffness", stiffness)
    if D.shape not in ((6,), (6, 6)):
        raise ArgumentError(f"shifted: stiffness must be 6 numbers, its diagonal, or 6 x 6, got the shape {D.shape}")
    T = np.eye(6)
    T[:3, 3:] = -skew(np.array([0.0, finite("shifted: y", y), finite("shifted: z", z)]))
    return T.T @ (np.diag(D) if D.ndim == 1 else D) @ T
