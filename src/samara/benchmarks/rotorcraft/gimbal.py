"""What a dedicated gimbal saves against one made of base joints: the same tilted rotor, both ways, run in turn.

Gravity acts across the mast, so that the blades move in either model and Newton's method has something to do. The mast
leans, so that no number fades to where the processor is slow (below 1e-308).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, interleave, ratio
from samara.models.mechanisms.gimbal import SPEED, build
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.native.codes import Counter

STEPS_PER_TURN = 87  # as in table I of the real-time paper
TOLERANCE = 1e-7


def rows(repeats: int = 40) -> Iterator[Row]:
    """Time per step of both, and their ratio."""
    sims = {kind: _prepared(kind) for kind in ("gimbal", "joints")}
    found = interleave({kind: _turn(sim) for kind, sim in sims.items()}, repeats=repeats, warmup=5)
    times = {kind: timing.scaled(1e6 / STEPS_PER_TURN) for kind, timing in found.items()}
    for kind, name in (("gimbal", "dedicated"), ("joints", "base_joints")):
        t = times[kind]
        sim = sims[kind]
        iterations = sim.counters[Counter.ITERATIONS] / sim.counters[Counter.STEPS]
        note = (
            f"{sim.system.unknowns.size} unknowns, {iterations:.1f} iterations per step, "
            f"{t.best:.1f} to {t.worst:.1f} us over {repeats} turns"
        )
        yield Row("gimbal", f"us_per_step_{name}", t.median, "us", "", note)
    pairs = found["joints"].samples / found["gimbal"].samples
    note = f"median of {repeats} pairs run in turn, {pairs.min():.2f} to {pairs.max():.2f}; the paper's: 1.30 to 1.32"
    yield Row("gimbal", "speedup_dedicated", ratio(found["joints"], found["gimbal"]), "", "> 1", note)


def _prepared(kind: str) -> Simulation:
    sim = Simulation(build(kind, gravity=9.81, lean_deg=20.0), TwoStep(0.6), tolerance=TOLERANCE)
    assemble(sim)
    sim.analyse_for(2 * np.pi / SPEED / STEPS_PER_TURN)
    return sim


def _turn(sim: Simulation) -> Callable[[], None]:
    """Advances by one revolution."""
    return partial(advance, sim, 2 * np.pi / SPEED / STEPS_PER_TURN, STEPS_PER_TURN)
