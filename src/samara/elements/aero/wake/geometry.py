"""Where the vortices of a free wake are at an instant, how strong they are, and what they induce anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samara.elements.aero.wake import memory as places
from samara.elements.aero.wake.law import pack_wake
from samara.elements.aero.wake.segments import PACKED, induce
from samara.tracing.driver.driver_cache import driver


class Filament(NamedTuple):
    """A free vortex: points from the blade on, oldest last, shape (n, 3) [m]; circulation and core of the segments."""

    blade: int
    number: int  # 0 is the tip vortex, others from the root on
    points: np.ndarray
    circulation: np.ndarray
    core: np.ndarray


class WakeGeometry(NamedTuple):
    """The wake of a rotor in world axes. segments: all, packed, with what is bound in the blades and the rings beyond.

    Each blade is bound as one vortex from filament to filament, so velocities within a chord of it are not those that
    its stations feel.
    """

    filaments: tuple[Filament, ...]
    segments: np.ndarray
    hub: np.ndarray

    def velocity(self, points: Any) -> np.ndarray:
        """Velocity [m/s] that all vortices induce at points of the world (..., 3) [m]: the wind is not in it."""
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
def _take(numbers, memory, u, S, points, strengths, cores):
    """Packs the segments, and copies markers from the hub on, circulation and squared cores; how many segments."""
    w = places.wake_of(numbers, memory)
    for f in range(w.filaments):
        core = w.table[places.FILAMENT * (f % w.kinds) + 1]
        for i in range(w.length):
            strengths[f, i], cores[f, i] = w.G[f * w.length + i], core + numbers[places.GROWTH] * i
            for c in range(3):
                points[f, i, c] = w.M[3 * (f * w.length + i) + c] + w.plain[places.EXPECTED + c]
    return pack_wake(w, numbers, u, S)


def wake_geometry_of(numbers: np.ndarray, memory: np.ndarray, inputs: np.ndarray) -> WakeGeometry:
    """From the arrays of the law after a step; see `samara.elements.aero.wake.memory`."""
    blades, kinds, L = (int(numbers[k]) for k in (places.BLADES, places.FILAMENTS, places.LENGTH))
    S = np.zeros((places.segment_count(blades, kinds, L), PACKED))
    points, strengths, cores = np.zeros((blades * kinds, L, 3)), *np.zeros((2, blades * kinds, L))
    count = _take(numbers, memory, inputs, S, points, strengths, cores)
    filaments = tuple(
        Filament(f // kinds, f % kinds, points[f], strengths[f, :-1], np.sqrt(cores[f, :-1]))
        for f in range(blades * kinds)
    )
    return WakeGeometry(filaments, S[:count], memory[places.EXPECTED : places.EXPECTED + 3].copy())
