"""`samara bench wake`: the Puma's rotor with a free vortex wake at 400 Hz on one core; what an interaction costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from samara.benchmarks.rotorcraft.rotors import BenchmarkRotor, measured, settled, timed
from samara.benchmarks.rows import Row, cpu_time_per_call
from samara.elements.aero.wake.free_wake import FreeWake
from samara.elements.aero.wake.segments import induce, packed
from samara.models.articulated_rotors import puma

RATE = 400.0
AIMS = {"rigid": "0.08", "elastic": "0.10"}
#: What is changed in the wake, one at a time: arguments of `FreeWake`.
VARIANTS: Mapping[str, dict[str, Any]] = {
    "as it is": {},
    "marker 20 deg": {"marker": np.radians(20.0)},
    "marker 8 deg": {"marker": np.radians(8.0)},
    "2 inboard": {"inboard": 2},
    "4 inboard": {"inboard": 4},
    "1 + 1 turns": {"turns": 1.0},
    "3 + 1 turns": {"turns": 3.0},
    "4 + 1 turns": {"turns": 4.0},
    "whole": {"sliced": False},
    "double": {"precision": "double"},
}
#: Operations of an interaction, counted in the text of the kernels: by the core of stations, and of markers.
OPERATIONS = {"stations": 52, "markers": 54}
SEGMENTS = 576


def rows(
    blades: tuple[str, ...] = ("rigid", "elastic"), steps: int = 4000, variants: Mapping[str, dict] = VARIANTS
) -> Iterator[Row]:
    """Both rotors, what changes of the wake cost, and the kernels alone."""
    for kind in blades:
        name = "puma-free-wake" if kind == "rigid" else f"puma-free-wake-{kind}"
        yield from measured(BenchmarkRotor(name, _rotor(kind), RATE, None, aim=AIMS[kind]), steps)
    yield from compared(variants, steps)
    yield from interactions()


def _rotor(blades: str, **changed: Any) -> partial:
    return partial(puma.build, blades=blades, inflow=FreeWake(step=1.0 / RATE, **changed))


def compared(variants: Mapping[str, dict], steps: int) -> Iterator[Row]:
    """The rigid rotor with other wakes, in turn, 100 steps each; and single steps of each, called from Python."""
    step, rounds = 1.0 / RATE, range(max(3, steps // 100))
    sims = {name: settled(_rotor("rigid", **changed)(), step) for name, changed in variants.items()}
    spent = np.array([[timed(sim, step, 100) / 100 for sim in sims.values()] for _ in rounds])
    for name, times in zip(sims, spent.T, strict=True):
        singles = [timed(sims[name], step, 1) for _ in range(steps)]
        case = f"wake, {name}"
        yield Row(case, "us_per_step_median", float(np.median(times)) * 1e6, "us", "", f"{times.min() * 1e6:.1f} least")
        yield Row(case, "us_per_step_p999", float(np.percentile(singles, 99.9)) * 1e6, "us")
        yield Row(case, "real_over_sim", float(np.median(times)) / step, "", "", f"at {RATE:.0f} Hz")


def interactions(count: int = SEGMENTS) -> Iterator[Row]:
    """Segments on as many points, both cores in both precisions."""
    rng = np.random.default_rng(1)
    start, points = rng.normal(size=(2, count, 3))
    segments = packed(start, start + 0.1 * rng.normal(size=(count, 3)), 1.0, 0.05)
    for at, operations in OPERATIONS.items():
        for kind in (np.float32, np.float64):
            S, X = segments.astype(kind), np.ascontiguousarray(points.T, kind)
            call = partial(induce, S, *X, *np.zeros_like(X), at == "markers")
            ns = cpu_time_per_call(call, repeats=20, inner=10).median / count**2 * 1e9
            precision = "single" if kind is np.float32 else "double"
            note = f"{count} segments on as many points, {precision}: {operations / ns:.0f} GFLOP/s"
            yield Row(f"kernel, {at}, {precision}", "ns_per_interaction", ns, "ns", "", note)
