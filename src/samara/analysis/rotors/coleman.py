"""Coleman's transformation of small motions: what the blades do as what the rotor does.

With xi = T(psi) eta (`analysis.rotors.frame`), psi_dot = Omega constant and T_1 = Omega T'(psi), small motions
y = (xi, xi_dot) of `analysis.linearisation.instant` become

    z = T^T y,     z_dot = T^T y_dot + T_1^T y

for displacements and their rates alike. Rates of displacements, not changes of twists: to these a turn of a node adds
something by its velocity, which is another for a craft that flies. Of a rotor with three blades or more that are alike,
on a support and in a flow that do not turn, z_dot is a constant matrix times z.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix, identity

from samara.analysis.linearisation.instant import Instant
from samara.analysis.rotors.frame import RotorFrame


def transformation(frames: Sequence[RotorFrame], order: int = 0) -> csr_matrix:
    """T of all rotors at their present azimuths, or its time derivative of some order."""
    size = frames[0].size
    if order == 0:
        T = identity(size, format="csr")
        for frame in frames:
            T = T @ frame.transformation(frame.azimuth)
        return csr_matrix(T)
    T = csr_matrix((size, size))
    for frame in frames:
        T = T + frame.speed**order * frame.transformation(frame.azimuth, order)
    return csr_matrix(T)


def in_multiblade(now: Instant, frames: Sequence[RotorFrame]) -> tuple[np.ndarray, np.ndarray]:
    """z and z_dot of all small motions at an instant."""
    T, T_1 = transformation(frames).T, transformation(frames, 1).T
    xi, first, second = now.pose, now.rate, now.second
    moved, rate = T @ xi, T @ first
    return np.vstack([moved, rate]), np.vstack([rate + T_1 @ xi, T @ second + T_1 @ first])
