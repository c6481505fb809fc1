"""The Puma's rotor on its stops in a gust: time of a run with both models of contact."""

from __future__ import annotations

from collections.abc import Iterator

from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, interleave, ratio
from samara.models import puma_sailing
from samara.solve import Simulation
from samara.solve.native.codes import Counter
from samara.solve.start.start import start

CASE = "puma-sailing"
#: Steps [s] of unilateral stops and of a penalty law.
STEPS = {"unilateral": 1e-3, "penalty": 1e-4}
#: Peak of the gust [m/s].
GUST = 25.0
#: The gust lifts the blade, which falls back on its stop at 4.0 s and bounces: what is timed begins there.
BEFORE = 3.9


def sailing(duration: float, before: float = BEFORE, blades: str = "elastic") -> Iterator[Row]:
    """real_over_sim of both, in turn, in slices of 0.05 s from a time on at which blades come down [s]."""
    sims = {}
    for stops, step in STEPS.items():
        sims[stops] = Simulation(puma_sailing.build("gust", stops, blades, gust=GUST))
        start(sims[stops], step)
        advance(sims[stops], step, round(before / step))
    counted = {name: sim.counters.copy() for name, sim in sims.items()}
    part = 0.05
    runs = {
        name: lambda sim=sim, step=STEPS[name]: advance(sim, step, round(part / step)) for name, sim in sims.items()
    }
    repeats = max(2, round(duration / part))
    timings = interleave(runs, repeats=repeats, warmup=0)
    for name, timing in timings.items():
        spent = timing.scaled(1.0 / part)
        made = sims[name].counters - counted[name]
        iterations = made[Counter.ITERATIONS] / made[Counter.STEPS]
        note = f"{STEPS[name]:g} s per step, {iterations:.2g} iterations per step, {made[Counter.IMPACTS]} impacts; "
        note += f"{spent.best:.2g} to {spent.percentile(95):.2g}"
        suffix = "" if name == "unilateral" else "_penalty"
        yield Row(CASE, f"real_over_sim{suffix}", spent.median, "", "< 0.1" if not suffix else "", note)
    note = "time of the penalty law over that of unilateral stops"
    yield Row(CASE, "speedup_vs_penalty", ratio(timings["penalty"], timings["unilateral"]), "x", "", note)
