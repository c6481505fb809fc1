"""Relaxation: from any pose downhill to a stable balance, where Newton's method finds none or a wrong one.

Motions that the joints allow follow the forces, c + S p = 0, by a method of trust regions (Conn, Gould and Toint, Trust
Region Methods, 2000, ch. 7; More and Sorensen 1983):

    p = -(S + mu)^-1 c,     mu > -least eigenvalue of S,   so large that no part moves by more than the radius

S + mu has no negative eigenvalue, so that every step goes downhill, also where the mechanism is unstable; on top of a
hill, where c = 0, it goes along the most unstable motion. The work of the forces along a step (trapezoidal rule, gaps
of the constraints counted with their reactions) tells whether c and S foretold it: then the radius grows, else it
shrinks. No energy function is asked for, and loads may follow a node.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from samara.solve.machine import MOVE, residual, walk
from samara.solve.simulation import Simulation
from samara.solve.tangent import Tangent, multipliers, tangent

#: Bounds on the steps and on their time [s]; the first radius and the largest, in rad and of the mechanism's size.
STEPS, SECONDS, FIRST, FARTHEST = 400, 120.0, 0.1, 0.5
#: Work below this, of the largest force over the mechanism's size, says nothing; forces below this, of the largest, do
#: not move what is neutral.
ROUNDING, SLIGHT = 1e-9, 1e-6
#: Bounds on the corrections of a step, and on those of its mu.
CORRECTIONS, BISECTIONS = 8, 12


@dataclass(frozen=True)
class Relaxed:
    """How a relaxation ended: where it stands, the steps that it took, and why it is not in balance (empty: it is)."""

    tangent: Tangent
    steps: int
    message: str


def relax(sim: Simulation, tolerance: float) -> Relaxed:
    """Moves the simulation, at rest, downhill until steps are below the tolerance where no motion is unstable."""
    radius, size, steps = FIRST, np.inf, 0
    here, end = tangent(sim), time.monotonic() + SECONDS
    while steps < STEPS and time.monotonic() < end and radius >= tolerance:
        z, mu = _step(sim, here, radius)
        change = here.settling + here.allowed @ z
        size = _size(sim, change)
        if size < tolerance:
            return Relaxed(here, steps, "")
        steps += 1
        state = sim.system.state.copy()
        expected = here.force @ z + 0.5 * z @ here.stiffness @ z
        gained = _move(sim, here, change, mu)
        ratio = gained / expected if expected < -ROUNDING * here.load * sim.length else 1.0
        if not ratio > 0.1:
            sim.system.state[:] = state
            radius = 0.3 * min(radius, size)
            continue
        if ratio > 0.7 and size > 0.5 * radius:
            radius = min(2.0 * radius, FARTHEST)
        here = tangent(sim)
    return Relaxed(here, steps, f"it still moves by {size:.2g} a step after {steps} steps")


def _step(sim: Simulation, here: Tangent, radius: float) -> tuple[np.ndarray, float]:
    """Motion downhill, no longer than the radius, and its mu."""
    w, a = here.eigenvalues, here.vectors.T @ here.force
    if not w.size:
        return a, 0.0
    neutral = np.abs(w) <= here.noise
    a[neutral & (np.abs(a) <= SLIGHT * here.load)] = 0.0  # nothing to speak of moves it: it stays where it is
    least = float(w[0]) if w[0] < -here.noise else 0.0
    w = np.where(neutral, here.noise, w)

    def motion(mu: float) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return here.vectors @ np.where(a == 0.0, 0.0, -a / (w + mu))

    def size(z: np.ndarray) -> float:
        return _size(sim, here.allowed @ z)

    low = -least * (1.0 + 1e-3)
    z = motion(low)
    if size(z) <= radius:
        return (z if least == 0.0 else _tipped(z, here.vectors[:, 0], size, radius)), low
    near, far = 1e-9 * here.load / sim.length, here.load / sim.length  # beyond `low`
    while size(motion(low + far)) > radius:
        near, far = far, 16.0 * far
    for _ in range(BISECTIONS):
        middle = np.sqrt(near * far)
        near, far = (middle, far) if size(motion(low + middle)) > radius else (near, middle)
    return motion(low + far), low + far


def _tipped(z: np.ndarray, unstable: np.ndarray, size: Callable, radius: float) -> np.ndarray:
    """A step on top of a hill: along the most unstable motion, to the side where it goes already, up to the radius."""
    side = unstable if unstable @ z >= 0.0 else -unstable
    return z + side * (radius - size(z)) / size(side)


def _size(sim: Simulation, change: np.ndarray) -> float:
    """Largest change of a coordinate: of the mechanism's size, in rad, or of a state's size."""
    s = sim.system
    scale = np.concatenate(
        [np.tile([sim.length] * 3 + [1.0] * 3, len(s.free)), s.scale[: len(s.states)] + np.abs(s.state[sim.values])]
    )
    return float((np.abs(change) / scale).max(initial=0.0))


def _move(sim: Simulation, here: Tangent, change: np.ndarray, mu: float) -> float:
    """Makes a step, and returns the work that it takes [J]: negative downhill, nan where it leads astray.

    A straight step opens the joints and strains what is stiff. Both is corrected, by Newton's method in the directions
    whose stiffness is well above mu: there the step was Newton's own. Old matrices are good as long as they contract.
    """
    rows = _equations(sim)
    total, length, last = change.copy(), _size(sim, change), np.inf
    first, about = rows[here.leads], here
    _walk(sim, change)
    for _ in range(CORRECTIONS):
        rows = _equations(sim)
        more = _correction(sim, about, rows, mu)
        if not _size(sim, more) < 0.3 * last:
            about = tangent(sim)
            more = _correction(sim, about, rows, mu)
        last = _size(sim, more)
        if last < 1e-3 * length:
            return float(0.5 * (first + rows[here.leads]) @ total[here.leads])
        if not last < 2.0 * length:
            break
        total += more
        _walk(sim, more)
    return np.nan


def _equations(sim: Simulation) -> np.ndarray:
    residual(sim.machine)
    return sim.system.res[sim.system.rows].copy()


def _correction(sim: Simulation, about: Tangent, rows: np.ndarray, mu: float) -> np.ndarray:
    """Newton's, of the constraints and of motions that are well stiffer than mu."""
    stiff = about.eigenvalues > max(10.0 * mu, about.noise)
    vectors = about.vectors[:, stiff]
    force = vectors.T @ (about.allowed[about.leads].T @ rows[about.leads])
    held = sim.system.coordinates + multipliers(sim)[0]
    return about.closing @ rows[held] - about.allowed @ (vectors @ (force / about.eigenvalues[stiff]))


def _walk(sim: Simulation, change: np.ndarray) -> None:
    s = sim.system
    s.x[:] = 0.0
    s.x[s.rows[: s.coordinates]] = -change
    walk(sim.machine, MOVE)
