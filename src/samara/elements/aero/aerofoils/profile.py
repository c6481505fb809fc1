"""What a section of a blade or wing looks like: its chord and twist, with the thickness of a NACA 0012."""

from __future__ import annotations

import numpy as np

#: Corners of a section from the trailing edge over the top: distance behind the leading edge, and height, in chords.
#: Thickness as the NACA four-digit sections have it, 12 %: Abbott and von Doenhoff, Theory of Wing Sections, 1959.
_BEHIND = np.array([1.0, 0.65, 0.3, 0.08, 0.0])
_HALF = 0.6 * (
    0.2969 * np.sqrt(_BEHIND) - 0.126 * _BEHIND - 0.3516 * _BEHIND**2 + 0.2843 * _BEHIND**3 - 0.1015 * _BEHIND**4
)
PROFILE = np.column_stack([np.r_[_BEHIND, _BEHIND[-2:0:-1]], np.r_[_HALF, -_HALF[-2:0:-1]]])
#: Where the aerodynamic centre lies, in chords behind the leading edge.
QUARTER = 0.25


def section_ring(chord: float, twist: float, centre: float) -> np.ndarray:
    """Corners of a section in its axes (x span, y to the leading edge, z up) [m], shape (corners, 3).

    The aerodynamic centre lies at y = centre, a quarter chord behind the leading edge; twist turns about it, nose up.
    """
    ahead, up = chord * (QUARTER - PROFILE[:, 0]), chord * PROFILE[:, 1]
    c, s = np.cos(twist), np.sin(twist)
    return np.column_stack([np.zeros(len(ahead)), centre + c * ahead - s * up, s * ahead + c * up])
