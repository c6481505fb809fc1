"""What the finite-volume beams share: strains along a line of frames, and the balance of the pieces between cuts."""

from __future__ import annotations

import numpy as np

from samara.rotations import cayley_body_map, cayley_from_rotation, cross, rotation_from_cayley
from samara.tracing import cut


def strains(p_slope, R, twist_slope) -> np.ndarray:
    """(R^T p', curvature): stretches and curvatures in section axes, undeformed values not yet taken away."""
    return np.concatenate([R.T @ p_slope, twist_slope])


def section_frame(R_ref, g, g_slope):
    """Orientation and curvature of a section turned by g (Gibbs-Rodrigues) against R_ref, with g' along the beam."""
    return R_ref @ rotation_from_cayley(g), cayley_body_map(g) @ g_slope


def relative(R_ref, R) -> np.ndarray:
    """Gibbs-Rodrigues parameters of R against R_ref."""
    return cut(cayley_from_rotation(R_ref.T @ R))


def balance(frames, cuts) -> list[np.ndarray]:
    """What each node's equations receive: its piece is loaded by the section forces at the cuts beside it.

    frames: of the nodes along the beam; cuts: (point, force, moment) between them, in common axes, as exerted by the
    outer part (towards the last node) on the inner one. A node feels the cut after it and the opposite of the one before.
    """
    wrenches = []
    for k, frame in enumerate(frames):
        force, moment = np.zeros(3), np.zeros(3)
        for sign, neighbour in ((1.0, k), (-1.0, k - 1)):
            if 0 <= neighbour < len(cuts):
                point, F, M = cuts[neighbour]
                force = force + sign * F
                moment = moment + sign * (M + cross(point - frame.p, F))
        wrenches.append(-np.concatenate([frame.R.T @ force, frame.R.T @ moment]))
    return wrenches
