"""Random small mechanisms: the same answer moved, turned, boosted, mirrored, in other units and started later.

In each formulation and with each kind of integrator of it. Bounds: Newton's method is converged to 1e-12 of the largest
velocity; explicit steps leave rounding alone. 10 km away a place is known to 2e-12 m, a velocity to that over a step.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from runs import TOLERANCE
from twins import MOVED, TURNED, View, twin

import samara as sm

STEP, STEPS = 1e-3, 30
MECHANISMS = range(4)  # seeds; odd ones fly
WAYS: dict[str, dict[str, Any]] = {
    "redundant": {},
    "recursive": {"formulation": "recursive"},
    "implicit": {"formulation": "recursive", "integrator": sm.TwoStep(0.6)},
}
MIRROR = np.diag([1.0, -1.0, 1.0])


@dataclass(frozen=True)
class Units:
    """How many of the new units are in one of the old: of length, mass and time; mirrored across y."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0
    mirrored: bool = False


def mechanism(seed: int, units: Units | None = None, boost: np.ndarray | None = None) -> sm.Model:
    """Three bodies on random joints, with springs, dampers and a dead force; boost: of one that flies [m/s]."""
    units, rng, flies = units or Units(), np.random.default_rng(seed), seed % 2 == 1
    L, M, T = units.length, units.mass, units.time
    Q, sense = (MIRROR, -1.0) if units.mirrored else (np.eye(3), 1.0)

    def vector(size: float, unit: float) -> np.ndarray:
        return unit * (Q @ rng.uniform(-size, size, 3))

    model = sm.Model(f"mechanism{seed}", gravity=L / T**2 * np.array([0, 0, -9.81]))
    place, before = np.zeros(3), model.ground
    for k in range(3):
        here = place + vector(0.5, L)
        start = {"velocity": vector(2.0, L / T), "angular_velocity": sense * vector(3.0, 1 / T)} if k == 0 else {}
        if boost is not None and start:
            start["velocity"] = start["velocity"] + boost
        node = model.node(f"n{k}", here, **(start if flies else {}))
        inertia = M * L**2 * rng.uniform(0.02, 0.03, 3)
        model.add(f"body{k}", sm.Body(node, mass=M * rng.uniform(0.5, 2.0), inertia=inertia))
        kind, axis, rate = rng.integers(3), Q @ _unit(rng.normal(size=3)), rng.uniform(-3.0, 3.0)
        spin, slide = sense * vector(3.0, 1 / T), rng.uniform(-1.0, 1.0) * L / T
        frame = {"at": 0.5 * (here + place), "axis": axis}
        if k or not flies:
            if kind == 0:
                joint: sm.Joint = sm.Revolute(before, node, start={"angle_rate": sense * rate / T}, **frame)
            elif kind == 1:
                joint = sm.Prismatic(before, node, start={"displacement_rate": slide}, **frame)
            else:
                joint = sm.Spherical(before, node, at=frame["at"], start={"angular_velocity": spin})
            model.add(f"joint{k}", joint)
            law = sm.LinearLaw(30.0 * M / T**2, damping=0.5 * M / T)
            model.add(f"spring{k}", sm.Rod(before, node, ends=(place + vector(0.3, L), here + vector(0.3, L)), law=law))
        place, before = here, node
    model.add("push", sm.Force(before, force=vector(5.0, M * L / T**2)))
    return model


def _unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def run(model: sm.Model, way: str, step: float = STEP, late: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Positions and velocities of all nodes, (rows, nodes, 3)."""
    sim = sm.Simulation(model, tolerance=TOLERANCE, **WAYS[way])
    sim.memory.clock.time = late
    results = sm.transient(sim, late + STEPS * step, step, progress=False)
    names = [f"n{k}" for k in range(3)]
    return tuple(np.stack([results[f"{n}.{what}"] for n in names], axis=1) for what in ("position", "velocity"))


@functools.cache
def base(seed: int, way: str) -> tuple[np.ndarray, np.ndarray]:
    """As it is."""
    return run(mechanism(seed), way)


def compare(found: tuple[np.ndarray, ...], seed: int, way: str, ulp: float = 0.0) -> None:
    """Places to 1e-9 of a metre or so, speeds to 1e-8: thirty steps of Newton's tolerance; ulp: of places [m]."""
    for rows, wanted, bound in zip(found, base(seed, way), (1e-9 + 100 * ulp, 1e-8 + 100 * ulp / STEP), strict=True):
        assert np.abs(wanted[-1] - wanted[0]).max() > 1e-3  # it moves
        np.testing.assert_allclose(rows, wanted, rtol=0.0, atol=bound)


def seen(found: tuple[np.ndarray, np.ndarray], view: View) -> tuple[np.ndarray, np.ndarray]:
    """As from the world of the original."""
    p, v = found
    times = STEP * np.arange(len(p))[:, None, None]
    return (p - view.shift - times * view.boost) @ view.turn, (v - view.boost) @ view.turn


CASES = pytest.mark.parametrize(("seed", "way"), [(seed, way) for seed in MECHANISMS for way in WAYS])


@CASES
@pytest.mark.parametrize("view", [TURNED, MOVED], ids=["turned", "moved"])
def test_turned_and_moved(seed, way, view):
    ulp = np.spacing(np.linalg.norm(view.shift)) if view.shift.any() else 0.0
    compare(seen(run(twin(mechanism(seed), view), way), view), seed, way, ulp)


@pytest.mark.parametrize(("seed", "way"), [(seed, way) for seed in MECHANISMS if seed % 2 for way in WAYS])
def test_boosted(seed, way):
    view = View(boost=np.array([30.0, -20.0, 10.0]))
    compare(seen(run(mechanism(seed, boost=view.boost), way), view), seed, way)


@CASES
def test_mirrored(seed, way):
    p, v = run(mechanism(seed, Units(mirrored=True)), way)
    compare((p @ MIRROR, v @ MIRROR), seed, way)


@CASES
@pytest.mark.parametrize("units", [Units(1e3, 1e3, 1.0), Units(0.01, 1e-4, 10.0)], ids=["mm, g", "large, slow"])
def test_in_other_units(seed, way, units):
    p, v = run(mechanism(seed, units), way, STEP * units.time)
    compare((p / units.length, v * units.time / units.length), seed, way)


@CASES
def test_started_later(seed, way):
    compare(run(mechanism(seed), way, late=1000.0), seed, way)
