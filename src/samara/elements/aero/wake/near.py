"""Near wake of a blade: the velocity that its own circulation induces at its stations, as a constant matrix.

    w = A Gamma      up, normal to the disk, at 3/4 of the chord (Weissinger),     w_4 = B Gamma at 1/4

Trailers leave all edges between stations and lie on arcs of `angle` behind the blade, in its frame. At 3/4 of the chord
the bound vortices count too, less what they do there in two dimensions, -Gamma / (pi c), which the section's own
cl(alpha) has: so tables of aerofoils stay in use. A lifting line at 1/4 overdoes loads that change along the span
within a chord, as where a vortex passes by; but the lift acts there, so it is normal to the flow *there*: with that at
3/4 the induced power comes out 9 to 20 % too high.

Points at 3/4 lie *on the arc*, c / 2 r behind: those straight back would lie outside of the trailer of the tip.
Source: J. Weissinger, The lift distribution of swept-back wings, NACA TM 1120 (1947).
"""

from __future__ import annotations

import numpy as np

#: Parts of the arc at which it is divided: short pieces near the blade.
CUTS = np.array([0.0, 1.0, 2.5, 5.0, 9.0, 14.0, 21.0, 30.0]) / 30.0
#: Core of trailers in the near wake, of the span: they pass between the points.
TRAILER_CORE = 1e-4


def segment_velocity(start: np.ndarray, end: np.ndarray, core: float, points: np.ndarray) -> np.ndarray:
    """Velocity of segments (n, 3) of unit circulation at points (m, 3): shape (m, n, 3); the textbook's form."""
    a, b = points[:, None, :] - start, points[:, None, :] - end
    across = np.cross(a, b)
    la, lb = (np.linalg.norm(v, axis=-1) for v in (a, b))
    s = end - start
    s2 = np.sum(s * s, axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        along = np.sum(s * (a / la[..., None] - b / lb[..., None]), axis=-1)
        weight = along / np.sqrt(np.sum(across * across, axis=-1) ** 2 + (core * core * s2) ** 2)
    return np.where(np.isfinite(weight), weight, 0.0)[..., None] * across / (4.0 * np.pi)


def near_wake(radii: np.ndarray, edges: np.ndarray, chord: np.ndarray, angle: float) -> tuple[np.ndarray, np.ndarray]:
    """A and B of a blade along x that turns about z to y: radii of stations, edges between them, chords [one length].

    angle: of the arcs [rad].
    """
    turned = -angle * CUTS
    along = np.stack([np.cos(turned), np.sin(turned), 0.0 * turned], axis=1)
    behind = 0.5 * chord / radii
    at_lift = np.stack([radii, 0.0 * radii, 0.0 * radii], axis=1)
    behind_it = np.stack([radii * np.cos(behind), -radii * np.sin(behind), 0.0 * radii], axis=1)
    A, B = (_trailers(points, edges, along) for points in (behind_it, at_lift))
    ends = np.stack([edges, 0.0 * edges, 0.0 * edges], axis=1)
    bound = segment_velocity(ends[:-1], ends[1:], TRAILER_CORE * (edges[-1] - edges[0]), behind_it)[..., 2]
    return A + bound + np.diag(1.0 / (np.pi * chord)), B


def _trailers(points: np.ndarray, edges: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Upward velocity at points for unit circulations between the edges: edge i trails Gamma_(i-1) - Gamma_i."""
    core = TRAILER_CORE * (edges[-1] - edges[0])
    each = [segment_velocity(r * along[:-1], r * along[1:], core, points)[..., 2].sum(axis=1) for r in edges]
    E = np.stack(each, axis=1)
    return E[:, 1:] - E[:, :-1]
