"""Geometry and strength of the vortices of a free wake at one instant, and their induced velocity."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samara.elements.aero.wake import memory as places
from samara.elements.aero.wake.law import pack_images, pack_wake
from samara.elements.aero.wake.segments import PACKED, induce
from samara.tracing.driver.driver_cache import driver


class Filament(NamedTuple):
    """A free vortex: points from the blade on, oldest last, shape (n, 3) [m]; circulation and core of the segments."""

    rotor: str
    blade: int
    number: int  # 0 is the tip vortex, others from the root on
    points: np.ndarray
    circulation: np.ndarray
    core: np.ndarray


class WakeGeometry(NamedTuple):
    """The wakes of all rotors in world axes. segments: all, packed, with what is bound in blades, the rings beyond, and
    their images under the ground.

    Each blade is represented by one bound vortex from filament to filament, so velocities within a chord of it differ
    from those at its stations.
    """

    filaments: tuple[Filament, ...]
    segments: np.ndarray
    hub: np.ndarray

    def velocity(self, points: Any) -> np.ndarray:
        """Velocity [m/s] induced by all vortices at points of the world (..., 3) [m], without the wind."""
        given = np.asarray(points, float)
        X = np.ascontiguousarray((given.reshape(-1, 3) - self.hub).T)
        U = np.zeros_like(X)
        induce(self.segments, *X, *U, False)
        return U.T.reshape(given.shape)

    def save(self, path: str | Path) -> None:
        """The filaments as lines of a VTK file (legacy, text), with circulation [m^2/s] and core radius [m]."""
        points = np.concatenate([f.points for f in self.filaments])
        counts = [len(f.points) for f in self.filaments]
        firsts = np.cumsum([0, *counts[:-1]])
        lines = [f"{n} {' '.join(map(str, range(k, k + n)))}" for k, n in zip(firsts.tolist(), counts, strict=True)]
        text = ["# vtk DataFile Version 3.0", "free wake", "ASCII", "DATASET POLYDATA", f"POINTS {len(points)} double"]
        text += [" ".join(f"{x:.9g}" for x in p) for p in points]
        text += [f"LINES {len(lines)} {len(points) + len(lines)}", *lines, f"POINT_DATA {len(points)}"]
        for name in ("circulation", "core"):
            values = np.concatenate([[*getattr(f, name), getattr(f, name)[-1]] for f in self.filaments])
            text += [f"SCALARS {name} double 1", "LOOKUP_TABLE default", *(f"{v:.9g}" for v in values)]
        Path(path).write_text("\n".join(text) + "\n", encoding="ascii")


@driver
def _take(numbers, memory, u, S):
    """Packs the segments of all rotors, from the hub of the first one; how many there are."""
    n = 0
    for k in range(int(numbers[places.ROTORS])):
        own, kept, into, _ = places.parts_of(numbers, memory, u, u, k)
        n = pack_wake(places.wake_of(own, kept), own, into, S, n, places.from_first(numbers, memory, k))
    return pack_images(numbers, memory, S, n)


@driver
def _take_filaments(numbers, memory, k, points, strengths, cores):
    """Copies markers of rotor k in the world, circulation and squared cores."""
    own, kept, _, _ = places.parts_of(numbers, memory, memory, memory, k)
    w = places.wake_of(own, kept)
    for f in range(w.filaments):
        core = w.table[places.FILAMENT * (f % w.kinds) + 1]
        for i in range(w.length):
            strengths[f, i], cores[f, i] = w.G[f * w.length + i], core + own[places.GROWTH] * i
            for c in range(3):
                points[f, i, c] = w.M[3 * (f * w.length + i) + c] + w.plain[places.EXPECTED + c]


def wake_geometry_of(
    rotors: Sequence[str], numbers: np.ndarray, memory: np.ndarray, inputs: np.ndarray
) -> WakeGeometry:
    """From the arrays of the law of these rotors after a step; see `samara.elements.aero.wake.memory`."""
    filaments, rows = list[Filament](), 0
    for k, name in enumerate(rotors):
        first = int(numbers[places.PARTS + places.PART * k])
        at = (places.BLADES, places.FILAMENTS, places.LENGTH)
        blades, kinds, L = (int(numbers[first + place]) for place in at)
        rows += places.segment_count(blades, kinds, L, bool(numbers[first + places.GROUND]))
        points, strengths, cores = np.zeros((blades * kinds, L, 3)), *np.zeros((2, blades * kinds, L))
        _take_filaments(numbers, memory, k, points, strengths, cores)
        filaments += [
            Filament(name, f // kinds, f % kinds, points[f], strengths[f, :-1], np.sqrt(cores[f, :-1]))
            for f in range(blades * kinds)
        ]
    S = np.zeros((rows, PACKED))
    count = _take(numbers, memory, inputs, S)
    return WakeGeometry(tuple(filaments), S[:count], memory[places.EXPECTED : places.EXPECTED + 3].copy())
