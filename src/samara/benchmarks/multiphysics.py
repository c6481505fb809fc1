"""`samara bench multiphysics`: mechanics with hydraulics in the same equations, beside the same machine without."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from samara.benchmarks.rotors import TOLERANCE, settled, timed
from samara.benchmarks.rows import Row
from samara.models import puma, puma_hydraulic
from samara.solve.native.codes import Counter

RATE = 400.0


def rows(steps: int = 4000) -> Iterator[Row]:
    """The Puma's rotor on servo-hydraulic actuators and on rigid ones, in turn, 100 steps each."""
    for blades in ("rigid", "elastic"):
        yield from _compared(blades, steps)


def _compared(blades: str, steps: int) -> Iterator[Row]:
    step, case = 1.0 / RATE, "puma-hydraulic" if blades == "rigid" else f"puma-hydraulic-{blades}"
    sims = [settled(build(blades=blades), step) for build in (puma_hydraulic.build, puma.build)]
    before = sims[0].counters.copy()
    spent = np.array([[timed(sim, step, 100) / 100 for sim in sims] for _ in range(max(5, steps // 100))])
    count = sims[0].counters - before
    hydraulic, plain = np.median(spent, axis=0)
    unknowns = [sim.system.unknowns.size for sim in sims]
    yield Row(case, "unknowns", unknowns[0], "", "", f"{unknowns[1]} with rigid actuators")
    note = f"{spent[:, 0].min() * 1e6:.1f} to {spent[:, 0].max() * 1e6:.1f} us over {len(spent)} runs of 100 steps"
    yield Row(case, "us_per_step_median", hydraulic * 1e6, "us", "", note)
    yield Row(case, "us_per_step_max", float(spent[:, 0].max()) * 1e6, "us", "", "mean of 100 steps, the slowest")
    taken = count[Counter.ITERATIONS] / count[Counter.STEPS]
    yield Row(case, "iterations_per_step", taken, "", "", f"tolerance {TOLERANCE:g}")
    yield Row(case, "jacobians_per_step", count[Counter.JACOBIANS] / count[Counter.STEPS])
    yield Row(case, "real_over_sim", hydraulic / step, "", "", f"at {RATE:.0f} Hz")
    note = "CPU time per step over that of the same rotor with rigid actuators, in turn"
    yield Row(case, "cost_of_hydraulics", hydraulic / plain, "x", "", note)
