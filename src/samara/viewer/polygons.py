"""The scene as plain polygons and lines at poses of the nodes: for films and for other programs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

#: Corners of a box of side 1, and its faces.
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


class Solid(NamedTuple):
    """Points fixed to nodes, faces and lines between them. kind: of each face: blade, wing, beam, hull or box."""

    node: np.ndarray
    offset: np.ndarray
    faces: list[tuple[int, ...]]
    kinds: list[str]
    lines: np.ndarray

    def points(self, p: np.ndarray, R: np.ndarray) -> np.ndarray:
        """In the world [m], (n, 3), from the poses of the nodes, (nodes, 3) and (nodes, 3, 3): p + R offset."""
        at = self.offset.copy()
        own = self.node >= 0
        k = self.node[own]
        at[own] = p[k] + np.einsum("kij,kj->ki", R[k], self.offset[own])
        return at


def craft_of(scene: Mapping[str, Any]) -> int:
    """Number of the node that flies, -1 where nothing does: what is steered by sticks, or carries a rotor."""
    if scene.get("sticks"):
        return int(scene["sticks"]["craft"])
    return next((int(rotor["craft"]) for rotor in scene.get("rotors", ()) if rotor["craft"] >= 0), -1)


def solid_of(scene: Mapping[str, Any]) -> Solid:
    """Quads between the rings of surfaces, ends of them, and boxes."""
    node, offset = list(scene["node"]), [np.reshape(scene["offset"], (-1, 3)).astype(float)]
    faces: list[tuple[int, ...]] = []
    kinds: list[str] = []
    for skin in scene.get("surfaces", ()):
        rings, count = skin["rings"], len(skin["rings"][0])
        own = [(a[c], a[(c + 1) % count], b[(c + 1) % count], b[c]) for a, b in pairwise(rings) for c in range(count)]
        own += [tuple(rings[0]), tuple(reversed(rings[-1]))]
        faces += own
        kinds += [skin["kind"]] * len(own)
    for box in scene.get("boxes", ()):
        first = len(node)
        node += [box["node"]] * len(CORNERS)
        corners = CORNERS * box["size"] @ np.reshape(box["rotation"], (3, 3)).T + box["position"]
        offset.append(corners)
        faces += [tuple(first + c for c in face) for face in FACES]
        kinds += ["box"] * len(FACES)
    lines = np.reshape(scene["lines"], (-1, 2)).astype(np.int64)
    numbers = np.array(node, np.int64)
    if craft_of(scene) >= 0:  # what flies hangs on nothing: a line to the world is that of a sensor or a regulator
        lines = lines[(numbers[lines] >= 0).all(axis=1)]
    return Solid(numbers, np.concatenate(offset), faces, kinds, lines)
