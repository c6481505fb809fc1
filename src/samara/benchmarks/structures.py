"""`samara bench structures`: flexible blades in steady rotation."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from samara.benchmarks import gimbal
from samara.benchmarks.peers import available
from samara.benchmarks.rows import Row, interleave, ratio
from samara.benchmarks.samara_rotor import STEP, STEPS_PER_TURN, TOLERANCE, RotorCase, tip_motion
from samara.solve.native.codes import Counter

BEAMS = (5, 15, 60)
"""Beams per blade."""


def rows(repeats: int = 40, beams: tuple[int, ...] = BEAMS) -> Iterator[Row]:
    """All cases."""
    yield from rotor(repeats, beams)
    yield from gimbal.rows(repeats)


def rotor(repeats: int, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Four blades on a hub that spins: the time a step, beside Exudyn, and its growth with the number of beams."""
    costs = {}
    for beams in sizes:
        case = RotorCase(beams)
        samples = case.times(repeats if beams < 60 else max(3, repeats // 4))
        costs[beams] = float(np.median(samples))
        if beams == 5:
            yield from _own_rows(samples, case)
            yield from _peer_rows(case, max(3, repeats // 6))
    slope = float(np.polyfit(np.log(list(costs)), np.log(list(costs.values())), 1)[0])
    note = f"CPU time per step over {', '.join(map(str, costs))} beams per blade: "
    note += ", ".join(f"{c * 1e6:.0f} us" for c in costs.values())
    yield Row("rotor4", "cost_exponent", slope, "", "< 1.1", note)


def _own_rows(samples: np.ndarray, case: RotorCase) -> Iterator[Row]:
    name, median = "rotor4-flexible", float(np.median(samples))
    note = (
        f"{case.sim.system.unknowns.size} unknowns, p99 {np.percentile(samples, 99) * 1e6:.1f} us, "
        f"Newton tolerance {TOLERANCE:g}"
    )
    yield Row(name, "us_per_step_median", median * 1e6, "us", "", note)
    yield Row(name, "real_over_sim", median / STEP, "", "< 0.012", "period of 2.6 ms: 90 steps per turn at 27 rad/s")
    yield Row(name, "iterations_per_step", case.counted(Counter.ITERATIONS), "")
    yield Row(name, "jacobians_per_step", case.counted(Counter.JACOBIANS), "", "< 0.05")


def _peer_rows(case: RotorCase, repeats: int, turns: int = 4) -> Iterator[Row]:
    """Exudyn and Samara in turn, the same nodes, the same step, both after ten turns."""
    name, aim = "rotor4-flexible", "80, at least 30"
    missing = available()["exudyn"]
    if isinstance(missing, str):
        yield Row(name, "speedup_vs_exudyn", float("nan"), "x", aim, f"left out: {missing}")
        return
    from samara.benchmarks.peers import exudyn_rotor

    peer = exudyn_rotor.Case()
    timings = interleave({"exudyn": partial(peer.turn, turns), "samara": partial(case.turn, turns)}, repeats=repeats)
    theirs = timings["exudyn"].scaled(1e6 / (turns * STEPS_PER_TURN))
    yield Row(name, "exudyn_us_per_step_median", theirs.median, "us", "", str(peer.setting))
    own, other = tip_motion(), exudyn_rotor.tip_motion()
    for metric, ours, exudyn in (
        ("flap_frequency_vs_exudyn", own.frequency, other.frequency),
        ("stretch_vs_exudyn", own.stretch, other.stretch),
        ("droop_vs_exudyn", own.droop, other.droop),
    ):
        yield Row(name, metric, ours / exudyn, "", "1, within 0.02", f"{ours:.4g} against {exudyn:.4g}")
    gain = ratio(timings["exudyn"], timings["samara"])
    yield Row(name, "speedup_vs_exudyn", gain, "x", aim, f"the same nodes and step, {turns} turns of each in turn")
