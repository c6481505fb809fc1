"""Free wake of a hovering rotor, marched in time: where the tip vortex goes without measured geometry.

    python tests/reference/free_wake.py 8      turns the rotor of Caradonna and Tung at 8 degrees, some minutes

Lines of `vortex_wake.py` that drift with the air: one tip vortex of the largest circulation, which starts at the
centroid of what trails outboard of it (Betz), and the lines inboard of it. All blades have the same wake, so only that
of one is marched, by Euler's rule, in the axes of the blade. After `kept` turns lines go on as helices with the pitch
of their last turn.

Cores: v = h / (h^2 + core^2), tip vortex core^2 = 0.01^2 + 2.55e-5 psi (growth by H. B. Squire, Aeronautical Quarterly
16, 1965, at the Reynolds number of the vortex; 0.01 R is 6 percent of the chord); lines of the inner sheet 0.05, half
of their distance. The piece of a curved line beside a node, which straight segments lack, is added by its cut-off,
v = Gamma / (4 pi r) ln(l / 0.642 core), l to the neighbour (P. G. Saffman, Vortex Dynamics, 1992). A compiled sum is
all that is not NumPy here.

The wake is never quite steady in hover, neither in air nor here: after eight to ten turns lines of the inner sheet
entangle and pass through the blade, and means over longer runs are spoilt. So loads are medians over turns 3 to 8. At 8
degrees they change by 3 points of a percent from 0.68 R outboard with a turn less kept, or with twice the core of the
sheet. Convergence in steps is not shown: the one run with 36, with three turns kept, did not settle.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numba
import numpy as np
from vortex_wake import (
    Array,
    Blade,
    Loads,
    Section,
    constant_blade,
    downwash_matrix,
    kocurek_tangler,
    solve,
    to_points,
    turned,
)

SHEET_CORE = 0.05
STEPS = 24
STEP = 2 * np.pi / STEPS


@numba.njit(fastmath=True, cache=True)
def velocity(at, start, end, strength, core):  # pragma: no cover - compiled
    """Biot and Savart as in `vortex_wake.biot_savart`, compiled, one circulation per segment."""
    total = np.zeros((at.shape[0], 3))
    for i in range(at.shape[0]):
        vx = vy = vz = 0.0
        for j in range(start.shape[0]):
            ax, ay, az = at[i, 0] - start[j, 0], at[i, 1] - start[j, 1], at[i, 2] - start[j, 2]
            bx, by, bz = at[i, 0] - end[j, 0], at[i, 1] - end[j, 1], at[i, 2] - end[j, 2]
            cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
            na, nb = np.sqrt(ax * ax + ay * ay + az * az) + 1e-12, np.sqrt(bx * bx + by * by + bz * bz) + 1e-12
            lx, ly, lz = ax - bx, ay - by, az - bz
            along = lx * (ax / na - bx / nb) + ly * (ay / na - by / nb) + lz * (az / na - bz / nb)
            square = cx * cx + cy * cy + cz * cz + core[j] ** 2 * (lx * lx + ly * ly + lz * lz) + 1e-16
            weight = strength[j] * along / square / (4 * np.pi)
            vx, vy, vz = vx + weight * cx, vy + weight * cy, vz + weight * cz
        total[i, 0], total[i, 1], total[i, 2] = vx, vy, vz
    return total


@dataclass
class FreeWake:
    """Lines (1 + inner, kept turns, 3) of blade 1 in its axes, their circulation by segment, and the loads."""

    blade: Blade
    section: Section
    mach: float
    kept: int = 5
    far: int = 6
    behind: float = 0.5
    lines: Array = field(init=False)
    strength: Array = field(init=False)
    loads: Loads = field(init=False)

    def __post_init__(self) -> None:
        blade = self.blade
        psi = np.linspace(0.0, 2 * np.pi * self.kept, self.kept * STEPS + 1)
        self.inner = int(np.argmin(np.abs(blade.edges - 0.9))) + 1
        wake = kocurek_tangler(0.06 * float(blade.pitch.mean()) ** 1.3, blade.blades)
        cylinder = [wake.tip(psi)] + [wake.sheet(r, psi) for r in blade.edges[: self.inner]]
        self.lines = np.array([to_points(r, -psi, z) for r, z in cylinder])
        tip = np.sqrt(0.01**2 + 2.55e-5 * (psi[:-1] + STEP / 2))
        self.core = np.array([tip] + [np.maximum(tip, SHEET_CORE)] * self.inner)
        self.trail = self.solve(None)
        self.strength = np.repeat(self.trail[:, None], psi.size - 1, axis=1)

    def extended(self) -> Array:
        """The lines and their helices beyond."""
        last, before = self.lines[:, -1], self.lines[:, -1 - STEPS]
        slope = np.minimum((last[:, 2] - before[:, 2]) / (2 * np.pi), -0.02)
        ages = 2 * STEP * np.arange(1, self.far * STEPS // 2 + 1)
        radius = np.hypot(self.lines[:, -STEPS:, 0], self.lines[:, -STEPS:, 1]).mean(axis=1)
        azimuth = np.arctan2(last[:, 1], last[:, 0])[:, None] - ages
        tail = to_points(np.broadcast_to(radius[:, None], azimuth.shape), azimuth, last[:, 2:] + slope[:, None] * ages)
        return np.concatenate([self.lines, tail], axis=1)

    def solve(self, start: Array | None) -> Array:
        """Loads in the wake as it is; circulation that trails now: of the tip vortex, then of the inner lines."""
        r, azimuth, z = self.fine()
        joined = np.sin(np.pi / 2 * np.clip(-azimuth[0] / np.radians(60.0), 0, 1)) ** 2
        nodes = []
        for k, edge in enumerate(self.blade.edges):
            if k < self.inner:
                nodes.append(to_points(r[1 + k], azimuth[1 + k], z[1 + k]))
            else:
                nodes.append(to_points(edge * (1 - joined) + r[0] * joined, azimuth[0], z[0]))
        near = azimuth[0, 1:] > -0.8
        C = downwash_matrix(self.blade, np.array(nodes), np.where(near, 1e-6, 0.01), self.behind)
        self.loads = solve(self.blade, C, self.section, self.mach, start)
        trail = -np.diff(np.concatenate([[0.0], self.loads.gamma, [0.0]]))
        outer = trail[self.inner :]
        self.start = float(outer @ self.blade.edges[self.inner :] / outer.sum())
        return np.concatenate([[outer.sum()], trail[: self.inner]])

    def fine(self) -> tuple[Array, Array, Array]:
        """Cylindrical coordinates of the nodes, with 24 more in each of the first three steps."""
        line = self.extended()
        azimuth = np.unwrap(np.arctan2(line[..., 1], line[..., 0]), axis=1)
        polar = np.stack([np.hypot(line[..., 0], line[..., 1]), azimuth, line[..., 2]])
        part = np.linspace(0, 3, 73)[:-1]
        k = part.astype(int)
        young = polar[:, :, k] * (1 - part + k) + polar[:, :, k + 1] * (part - k)
        r, azimuth, z = np.concatenate([young, polar[:, :, 3:]], axis=2)
        return r, azimuth, z

    def drift(self) -> Array:
        """Velocity of all nodes but those on the blade."""
        line, blade = self.extended(), self.blade
        more = line.shape[1] - self.lines.shape[1]
        strength = np.concatenate([self.strength, np.repeat(self.strength[:, -STEPS:].mean(1)[:, None], more, 1)], 1)
        core = np.concatenate([self.core, np.repeat(self.core[:, -1:], more, axis=1)], axis=1)
        at = self.lines[:, 1:].reshape(-1, 3)
        total = np.zeros_like(at)
        bound = to_points(blade.edges, np.zeros(blade.edges.size), np.zeros(blade.edges.size))
        for k in range(blade.blades):
            angle = 2 * np.pi * k / blade.blades
            other, edge = turned(line, angle), turned(bound, angle)
            start, end = other[:, :-1].reshape(-1, 3), other[:, 1:].reshape(-1, 3)
            total += velocity(at, start, end, strength.ravel(), core.ravel())
            total += velocity(at, edge[:-1], edge[1:], self.loads.gamma, np.full(blade.middles.size, 0.03))
        r = np.hypot(at[:, 0], at[:, 1])
        near = np.log(np.maximum(STEP * r / (0.642 * self.core.ravel()), 1.0))
        total[:, 2] -= self.strength.ravel() / (4 * np.pi * r) * near
        return total.reshape(self.lines[:, 1:].shape)

    def step(self) -> None:
        """The blade turns by a step: nodes drift, and a new one is on the blade."""
        moved = self.lines.copy()
        drift = self.drift()
        moved[:, 1:] += STEP * drift
        moved[:, 0] += STEP * drift[:, 0] / 2
        moved = turned(moved, -STEP)
        first = np.concatenate([[self.start], self.blade.edges[: self.inner]])
        fresh = to_points(first, np.zeros(first.size), np.zeros(first.size))
        self.lines = np.concatenate([fresh[:, None], moved[:, :-1]], axis=1)
        self.strength = np.concatenate([self.trail[:, None], self.strength[:, :-1]], axis=1)
        self.trail = self.solve(self.loads.w)

    def passage(self) -> tuple[float, float]:
        """Radius and height of the tip vortex as the next blade passes."""
        x, y, z = self.lines[0, STEPS // self.blade.blades]
        return float(np.hypot(x, y)), float(z)


def median_loads(wake: FreeWake, turns: int, over: int) -> dict[str, Array]:
    """March and return medians over the last turns: CT, cl at the points, place of the tip vortex; deviation of CT."""
    kept = []
    for k in range(turns * STEPS):
        wake.step()
        if k >= (turns - over) * STEPS:
            kept.append([wake.loads.CT, *wake.passage(), *wake.loads.cl])
    table = np.array(kept)
    middle = np.median(table, axis=0)
    return {"CT": middle[0], "deviation": table[:, 0].std(), "passage": middle[1:3], "cl": middle[3:]}


def main() -> None:
    """Print CT, the tip vortex at the passage and section lift at the measured stations, as rows of a CSV file."""
    from samara import naca0012

    foil = naca0012()

    def section(alpha: Array, mach: Array) -> tuple[Array, Array]:
        pairs = [foil.coefficients(float(a), float(m))[:2] for a, m in zip(alpha, mach, strict=True)]
        cl, cd = np.array(pairs, dtype=float).T
        return cl, cd

    for pitch in sys.argv[1:]:
        blade = constant_blade(2, 1 / 6, 1 / 6, np.radians(float(pitch)), 20)
        found = median_loads(FreeWake(blade, section, 0.435), turns=8, over=6)
        cl = np.interp([0.50, 0.68, 0.80, 0.89, 0.96], blade.middles, found["cl"])
        numbers = [found["CT"], found["deviation"], *found["passage"], *cl]
        print(",".join([pitch, *(f"{x:.5f}" for x in numbers)]), flush=True)


if __name__ == "__main__":
    main()
