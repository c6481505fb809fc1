"""Where the points of a scene are, and how the plane of a rotor's tips lies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


def places(scene: Mapping[str, Any], poses: np.ndarray, points: Any = None) -> np.ndarray:
    """Points of a scene in the world [m], (n, 3), from the poses of the nodes: position, rotation by rows (nodes, 12).

    points: numbers of those that are wanted, all if none are given.
    """
    node, offset = np.asarray(scene["node"], int), np.asarray(scene["offset"], float).reshape(-1, 3)
    if points is not None:
        node, offset = node[points], offset[points]
    found = offset.copy()
    own = node >= 0
    k = node[own]
    found[own] = poses[k, :3] + np.einsum("kij,kj->ki", poses[k, 3:].reshape(-1, 3, 3), offset[own])
    return found


@dataclass(frozen=True)
class TipPath:
    """Elevation of the tips over the disk's plane, seen from its centre [rad]: coning + cosine cos psi + sine sin psi.

    By least squares, whatever the spacing of the blades. elevation, psi: of each blade. cosine, sine: of the tilt of
    the plane through the tips. With a positive cosine they are high at psi = 0 (aft), and the disk leans forward. None
    with fewer than three blades.
    """

    elevation: np.ndarray
    psi: np.ndarray
    coning: float
    cosine: float | None
    sine: float | None


def tip_path(scene: Mapping[str, Any], rotor: Mapping[str, Any], poses: np.ndarray) -> TipPath:
    """Of a rotor of the scene at these poses, all blades at once."""
    disk = np.asarray(rotor["disk"], float)
    p, R = disk[:3], disk[3:].reshape(3, 3)
    if rotor["craft"] >= 0:
        craft = poses[rotor["craft"]]
        turned = craft[3:].reshape(3, 3)
        p, R = craft[:3] + turned @ p, turned @ R
    tips = places(scene, poses, [blade["tip"] for blade in rotor["blades"]])
    x, y, z = ((tips - p) @ R).T
    psi, elevation = rotor["sense"] * np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))
    if len(psi) < 3:
        return TipPath(elevation, psi, float(elevation.mean()), None, None)
    waves = np.column_stack([np.ones(len(psi)), np.cos(psi), np.sin(psi)])
    coning, cosine, sine = np.linalg.lstsq(waves, elevation)[0]
    return TipPath(elevation, psi, float(coning), float(cosine), float(sine))
