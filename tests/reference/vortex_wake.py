"""Loads of a hovering rotor by a lifting line and its vortex wake: an oracle that shares only the aerofoil with Samara.

All lengths are divided by R, velocities by Omega R, circulations by Omega R^2. The rotor turns by +z, thrust is +z, and
blade 1 lies along +x; the wake goes down. An element of a filament shed by a blade has the age psi [rad]: the angle
that the blade has turned since.

    Gamma = c U cl(alpha, M) / 2,   alpha = theta - atan(w / r),   w = C Gamma

The blade is a straight bound vortex with panels of constant circulation. Their differences trail from the edges of the
panels on prescribed or relaxed lines, of all blades alike, by Biot and Savart's law. C is the matrix of downwash at the
middle of the panels per unit of circulation; it depends on the geometry of the wake only. What it leaves out: the
thickness of blades, swirl in the wake, and wakes that are not steady as seen from the blade.

Tip vortex (J. D. Kocurek, J. L. Tangler, A prescribed wake lifting surface hover performance analysis, Journal of the
American Helicopter Society 22(1), 1977, as given in J. G. Leishman, Principles of Helicopter Aerodynamics):

    z = k1 psi                             psi < 2 pi / N_b
    z = k1 2 pi / N_b + k2 (psi - 2 pi / N_b)      beyond
    r = 0.78 + 0.22 exp(-4 sqrt(C_T) psi)
    k1 = B + C (C_T / N_b^n)^m,   k2 = -sqrt(C_T - C_T0),   C_T0 = N_b^n (-B / C)^(1 / m)
    B = -0.000729 twist,   C = -2.3 + 0.206 twist,   m = 1 - 0.25 exp(0.04 twist),   n = 0.5 - 0.0172 twist  [degrees]

Inner sheet (A. J. Landgrebe, The wake geometry of a hovering helicopter rotor and its influence on rotor performance,
Journal of the American Helicopter Society 17(4), 1972, from the same book): linear in r, through

    z(r = 1) = -2.2 sqrt(C_T / 2) psi       to the passage of the next blade, then slope -2.7 sqrt(C_T / 2)
    z(r = 0) = 0                            then slope  twist / 128 (0.45 twist + 18) sqrt(C_T / 2)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

Array = NDArray[np.float64]


def biot_savart(at: Array, start: Array, end: Array, strength: Array, core: Array | float = 0.0) -> Array:
    """Velocity [m/s] at points (n, 3) from straight segments (m, 3) of circulation (m,) or (m, k): (n, 3) or (n, 3, k).

    v = Gamma / (4 pi) (r1 x r2) / (|r1 x r2|^2 + (core |r0|)^2) r0 . (r1 / |r1| - r2 / |r2|)

    core: radius that keeps the velocity finite, h / (h^2 + core^2) for a long line.
    """
    strength = np.asarray(strength, dtype=float)
    pieces = max(1, int(at.shape[0] * start.shape[0] / 2e6))
    parts = []
    core = np.broadcast_to(core, start.shape[:1])
    for some in np.array_split(at, pieces):
        r1, r2 = some[:, None, :] - start, some[:, None, :] - end
        r0 = end - start
        cross = np.cross(r1, r2)
        n1, n2 = np.linalg.norm(r1, axis=2), np.linalg.norm(r2, axis=2)
        along = np.einsum("mk,nmk->nm", r0, r1 / (n1 + 1e-300)[..., None] - r2 / (n2 + 1e-300)[..., None])
        square = np.einsum("nmk,nmk->nm", cross, cross) + core**2 * np.einsum("mk,mk->m", r0, r0) + 1e-40
        weight = along / square / (4 * np.pi)
        parts.append(np.einsum("nm,nmk,m...->nk...", weight, cross, strength, optimize=True))
    return np.concatenate(parts)


@dataclass(frozen=True)
class Geometry:
    """Lines of the tip vortex and of the inner sheet over age: slopes k1, k2; contraction; slopes at r = 1 and 0."""

    blades: int
    k1: float
    k2: float
    rate: float
    least: float = 0.78
    sheet_1: tuple[float, float] = (0.0, 0.0)
    sheet_0: tuple[float, float] = (0.0, 0.0)

    def tip(self, psi: Array) -> tuple[Array, Array]:
        """Radius and height of the tip vortex."""
        return self.least + (1 - self.least) * np.exp(-self.rate * psi), self.bent(psi, self.k1, self.k2)

    def sheet(self, r: float, psi: Array) -> tuple[Array, Array]:
        """Radius and height of a line of the inner sheet that leaves the blade at r."""
        edge, _ = self.tip(psi)
        z_1, z_0 = self.bent(psi, *self.sheet_1), self.bent(psi, *self.sheet_0)
        radius = r * edge
        return radius, z_0 + (z_1 - z_0) * r

    def bent(self, psi: Array, first: float, second: float) -> Array:
        """Slope `first` to the passage of the next blade, `second` beyond."""
        passage = 2 * np.pi / self.blades
        return first * np.minimum(psi, passage) + second * np.maximum(psi - passage, 0.0)


def kocurek_tangler(CT: float, blades: int, twist_deg: float = 0.0) -> Geometry:
    """The formulas above. CT: thrust coefficient; twist_deg: tip minus root [degrees], negative for washout."""
    B, C = -0.000729 * twist_deg, -2.3 + 0.206 * twist_deg
    m, n = 1.0 - 0.25 * np.exp(0.040 * twist_deg), 0.5 - 0.0172 * twist_deg
    least = blades**n * (-B / C) ** (1 / m) if B else 0.0
    root = np.sqrt(CT / 2)
    return Geometry(
        blades,
        k1=B + C * (CT / blades**n) ** m,
        k2=-np.sqrt(max(CT - least, 0.0)),
        rate=4.0 * np.sqrt(CT),
        sheet_1=(-2.2 * root, -2.7 * root),
        sheet_0=(0.0, twist_deg / 128 * (0.45 * twist_deg + 18.0) * root),
    )


@dataclass(frozen=True)
class Blade:
    """Blade of a rotor by its panels: edges (n + 1,), chord and pitch [rad] at their points (n,), number of blades.

    points: one in each panel, where the downwash counts. None: the middle. With edges at cosines of equal angles those
    between them are best: an elliptic wing is then exact.
    """

    blades: int
    edges: Array
    chord: Array
    pitch: Array
    points: Array | None = None

    @property
    def middles(self) -> Array:
        return 0.5 * (self.edges[1:] + self.edges[:-1]) if self.points is None else self.points


def constant_blade(blades: int, root: float, chord: float, pitch: float, panels: int = 24) -> Blade:
    """Constant chord, no twist; panels by half cosines, finest at the tip."""
    angles = np.linspace(0, np.pi / 2, 2 * panels + 1)
    edges, points = root + (1 - root) * np.sin(angles[::2]), root + (1 - root) * np.sin(angles[1::2])
    return Blade(blades, edges, np.full(panels, chord), np.full(panels, pitch), points)


def ages(turns: float, steps: int) -> Array:
    """Ages of the nodes: every 0.01 to 0.6, near the blade, then `steps` per turn, and half of that beyond 3 turns.

    A line is a polygon inside its circle: nodes so near that it stays within 1.3e-5 of the circle behind the blade.
    """
    h = 2 * np.pi / steps
    near, first = np.arange(0.0, 0.605, 0.01), int(0.6 / h) + 2
    return np.concatenate([near, np.arange(first, 3 * steps) * h, np.arange(6 * np.pi, 2 * np.pi * turns + h, 2 * h)])


def to_points(radius: Array, azimuth: Array, height: Array) -> Array:
    return np.stack([radius * np.cos(azimuth), radius * np.sin(azimuth), height], axis=-1)


def lines(blade: Blade, wake: Geometry, peak: float, psi: Array, roll: float = np.radians(60.0)) -> Array:
    """Nodes (edges, ages, 3) of the trailed lines: those outboard of `peak` join the tip vortex over the age `roll`.

    peak: where the bound circulation is largest. Rolling up is smooth, s = sin^2 of the age over `roll`.
    """
    tip_r, tip_z = wake.tip(psi)
    joined = np.sin(np.pi / 2 * np.clip(psi / roll, 0, 1)) ** 2
    all_lines = []
    for r in blade.edges:
        if r > peak:
            radius, height = r * (1 - joined) + tip_r * joined, tip_z
        else:
            radius, height = wake.sheet(r, psi)
        all_lines.append(to_points(radius, -psi, height))
    return np.array(all_lines)


def turned(points: Array, angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return points @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]]).T


def influence(blade: Blade, nodes: Array, at: Array, core: Array | float, own_bound: bool = False) -> Array:
    """Velocity at points (n, 3) per unit of circulation of each panel: (n, 3, panels). core: of (ages - 1,)."""
    panels = blade.middles.size
    core = np.broadcast_to(core, nodes.shape[1] - 1)
    trail = np.zeros((panels + 1, panels))  # an edge trails what its panels differ by; towards greater age
    trail[np.arange(panels), np.arange(panels)] -= 1.0
    trail[np.arange(1, panels + 1), np.arange(panels)] += 1.0
    total = np.zeros((at.shape[0], 3, panels))
    for k in range(blade.blades):
        angle = 2 * np.pi * k / blade.blades
        turned_nodes = turned(nodes, angle)
        start, end = turned_nodes[:, :-1].reshape(-1, 3), turned_nodes[:, 1:].reshape(-1, 3)
        which = np.repeat(np.arange(panels + 1), nodes.shape[1] - 1)
        total += biot_savart(at, start, end, trail[which], np.tile(core, panels + 1))
        if k or own_bound:
            edge = turned(to_points(blade.edges, np.zeros(panels + 1), np.zeros(panels + 1)), angle)
            total += biot_savart(at, edge[:-1], edge[1:], np.eye(panels), core[0])
    return total


def downwash_matrix(blade: Blade, nodes: Array, core: Array | float = 1e-6, behind: float = 0.0) -> Array:
    """C of w = C Gamma at the middles of the panels, on the bound line or some chords behind it, on the same circle.

    behind: 0 for Prandtl's lifting line at a quarter of the chord; 0.5 for the point at three quarters, where a section
    in two dimensions has its incidence (Pistolesi, Weissinger): what the bound vortex gives there in two dimensions,
    Gamma / (2 pi 0.5 c), belongs to the section and is taken off. A finite chord counts near the tip only so.
    """
    middles, back = blade.middles, behind * blade.chord
    at = to_points(middles, -back / middles, np.zeros(middles.size))
    C = -influence(blade, nodes, at, core, own_bound=behind > 0)[:, 2, :]
    return C - np.diag(1 / (2 * np.pi * back)) if behind else C


@dataclass(frozen=True)
class Loads:
    """Solution: radii, downwash w, incidence [rad], cl on the local speed of rotation, circulation, CT, CP, peak."""

    r: Array
    w: Array
    alpha: Array
    cl: Array
    gamma: Array
    CT: float
    CQ: float
    peak: float
    geometry: Geometry | None = None


Section = Callable[[Array, Array], tuple[Array, Array]]


def section_loads(blade: Blade, w: Array, section: Section, mach: float) -> Loads:
    """Loads of blade elements in a given downwash; section(alpha, Mach) gives cl and cd."""
    r = blade.middles
    phi, U = np.arctan2(w, r), np.hypot(r, w)
    alpha = blade.pitch - phi
    cl, cd = section(alpha, mach * U)
    dr = np.diff(blade.edges)
    factor = blade.blades / (2 * np.pi) * blade.chord * U**2 * dr
    normal, tangential = cl * np.cos(phi) - cd * np.sin(phi), cl * np.sin(phi) + cd * np.cos(phi)
    gamma = 0.5 * blade.chord * U * cl
    CT, CQ = float(np.sum(factor * normal)), float(np.sum(factor * tangential * r))
    return Loads(r, w, alpha, cl * (U / r) ** 2, gamma, CT, CQ, float(blade.edges[np.argmax(gamma)]))


def solve(blade: Blade, C: Array, section: Section, mach: float, start: Array | None = None) -> Loads:
    """Circulation for a given matrix: Newton's iteration on w - C Gamma(w), slope of the lift by a difference."""
    w = np.full(blade.middles.size, 0.05) if start is None else start.copy()
    for _ in range(60):
        h = 1e-6
        loads, ahead = (section_loads(blade, w + shift, section, mach) for shift in (0.0, h))
        residual = w - C @ loads.gamma
        jacobian = np.eye(w.size) - C * ((ahead.gamma - loads.gamma) / h)
        change = np.linalg.solve(jacobian, residual)
        w = w - change * min(1.0, 0.05 / (np.abs(change).max() + 1e-30))
        if np.abs(change).max() < 1e-12:
            break
    return section_loads(blade, w, section, mach)


def wake_loads(
    blade: Blade,
    section: Section,
    mach: float,
    geometry: Callable[[float, int], Geometry] = kocurek_tangler,
    *,
    behind: float = 0.0,
    turns: float = 12.0,
    steps: int = 36,
) -> Loads:
    """Loads and the wake that belongs to their thrust and to the place of their largest circulation, found in turn."""
    psi = ages(turns, steps)
    inner = blade.edges[(blade.edges > 0.5) & (blade.edges < 0.97)]
    CT, peak, start = 0.005, float(inner[-1]), None
    for _ in range(60):
        wake = geometry(CT, blade.blades)
        C = downwash_matrix(blade, lines(blade, wake, peak, psi), behind=behind)
        loads = solve(blade, C, section, mach, start)
        start = loads.w
        new_peak = float(inner[np.argmin(np.abs(inner - loads.peak))])
        if abs(loads.CT - CT) < 1e-6 and new_peak == peak:
            return replace(loads, geometry=wake)
        CT, peak = CT + 0.6 * (loads.CT - CT), new_peak
    return replace(loads, geometry=wake)


def through(place: tuple[float, float], thrust: float) -> Callable[[float, int], Geometry]:
    """Geometry whose tip vortex is at a measured radius and height as the next blade passes, the rest by CT."""

    def geometry(_: float, blades: int) -> Geometry:
        base, (r, z) = kocurek_tangler(thrust, blades), place
        age = 2 * np.pi / blades
        return replace(base, k1=z / age, rate=-np.log((r - base.least) / (1 - base.least)) / age)

    return geometry


def uniform(blade: Blade, section: Section, mach: float) -> Loads:
    """Blade elements in the mean induced velocity of momentum theory: w = sqrt(CT / 2)."""

    def excess(w: float) -> float:
        return section_loads(blade, np.full(blade.middles.size, w), section, mach).CT - 2 * w**2

    return section_loads(blade, np.full(blade.middles.size, brentq(excess, 1e-4, 0.5)), section, mach)


def annular(blade: Blade, section: Section, mach: float, losses: str = "tip") -> Loads:
    """Blade elements and momentum ring by ring, with Prandtl's losses on the momentum, each panel a ring:

        N_b c / (2 pi) U^2 (cl cos(phi) - cd sin(phi)) = 4 F w^2 r,   F = 2/pi acos(exp(-f))
        f = N_b (1 - r) / (2 r sin(phi)) at the tip;   with r - root for 1 - r at the root

    losses: "tip", "both" (the product of both factors) or "none". The root is where the blade begins.
    """
    w = [_ring(blade, k, section, mach, losses) for k in range(blade.middles.size)]
    return section_loads(blade, np.array(w), section, mach)


def _ring(blade: Blade, k: int, section: Section, mach: float, losses: str) -> float:
    edges, r = blade.edges[k : k + 2], float(blade.middles[k])
    ring = Blade(blade.blades, edges, blade.chord[k : k + 1], blade.pitch[k : k + 1], np.array([r]))
    ends = {"none": [], "tip": [1 - r], "both": [1 - r, r - blade.edges[0]]}[losses]

    def excess(w: float) -> float:
        steep = blade.blades / (2 * r * np.sin(np.arctan2(w, r)))
        kept = np.prod([2 / np.pi * np.arccos(np.exp(-steep * end)) for end in ends])
        return float(section_loads(ring, np.array([w]), section, mach).CT / np.diff(edges)[0] - 4 * kept * w**2 * r)

    return float(brentq(excess, 1e-5, 0.6, xtol=1e-12))
