"""`samara bench engine`: the engine against its peers and against itself.

Ratios come from runs in turn on the same machine; times are CPU times of one thread.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from samara.benchmarks.chain import ChainSpec
from samara.benchmarks.peers import available, reference
from samara.benchmarks.rows import Row, Timing, interleave, ratio
from samara.benchmarks.samara_chain import ChainCase
from samara.benchmarks.user_element import user_element
from samara.solve.machine import jacobian, residual
from samara.solve.step import Counter

STEPS = (1.0e-3, 0.8e-3, 0.625e-3, 0.5e-3, 0.4e-3, 0.25e-3)
"""Steps that Samara may take instead of the 1 ms of a peer to reach the peer's accuracy."""


def rows(repeats: int = 7) -> Iterator[Row]:
    """All cases."""
    yield from chain(repeats)
    yield from spinning()
    yield from lanes(repeats)
    yield from linear_solver(repeats)
    yield from user_element(repeats)
    yield warm_start()


# ---- chain
def chain(repeats: int) -> Iterator[Row]:
    """An N-link 3-D chain at 1 ms, beside Exudyn."""
    costs = {}
    peers = available()
    for links in ChainSpec.SIZES:
        spec, case = ChainSpec(links), f"chain-{links}"
        ours = ChainCase(spec, spec.step)
        calls, setups = {"samara": ours.solve}, {"samara": ours.fresh}
        peer = _exudyn(spec, peers)
        fine = None
        if peer is not None:
            peer.solve(peer.fresh())
            fine = _as_accurate(spec, _tip_error(spec, peer.ends()))
            calls |= {"exudyn": peer.solve, "fine": fine.solve}
            setups |= {"exudyn": peer.fresh, "fine": fine.fresh}
        timings = interleave(calls, setups=setups, repeats=max(3, repeats if links < 200 else repeats // 2))
        own = timings["samara"].scaled(1e6 / ours.steps)
        costs[links] = own.median
        yield from _own_rows(case, ours, own)
        if peer is None or fine is None:
            yield Row(case, "speedup_vs_exudyn", float("nan"), "x", 20, f"left out: {peers['exudyn']}")
            continue
        yield from _peer_rows(case, spec, peer, fine, timings)
    sizes = np.log(list(costs))
    exponent = float(np.polyfit(sizes[1:], np.log(list(costs.values()))[1:], 1)[0])
    yield Row("chain", "cost_exponent", exponent, "", "< 1.1", "CPU time a step over N = 10, 40, 200, log-log slope")


def _own_rows(case: str, ours: ChainCase, own: Timing) -> Iterator[Row]:
    size = ours.system.size
    yield Row(case, "us_per_step", own.median, "us", "", f"{size} unknowns, {own.best:.1f} to {own.worst:.1f}")
    yield Row(case, "iterations_per_step", ours.counted(Counter.ITERATIONS), "")
    yield Row(case, "jacobians_per_step", ours.counted(Counter.JACOBIANS), "")
    yield Row(case, "tip_error", _tip_error(ours.spec, ours.ends()), "m", "", "at 1 s, step 1 ms")


def _peer_rows(case: str, spec: ChainSpec, peer, fine: ChainCase, timings: dict[str, Timing]) -> Iterator[Row]:
    theirs = timings["exudyn"].scaled(1e6 / spec.steps())
    error, own_error = _tip_error(spec, peer.ends()), _tip_error(spec, fine.ends())
    yield Row(case, "exudyn_us_per_step", theirs.median, "us", "", str(peer.setting))
    yield Row(case, "exudyn_tip_error", error, "m", "", "at 1 s, step 1 ms")
    note = (
        f"CPU time of the same simulated second; Samara at h = {fine.step * 1e3:g} ms, tip error {own_error:.2g} m "
        f"against {error:.2g} m"
    )
    if own_error > error:
        note += " (worse: no step tried was as accurate)"
    yield Row(case, "speedup_vs_exudyn", ratio(timings["exudyn"], timings["fine"]), "x", 20, note)
    same = ratio(timings["exudyn"], timings["samara"])
    yield Row(case, "speedup_vs_exudyn_same_step", same, "x", "", "both at 1 ms, whatever the error")


def _exudyn(spec: ChainSpec, peers: dict):
    if isinstance(peers["exudyn"], str):
        return None
    from samara.benchmarks.peers import exudyn_chain as peer

    peer.exudyn.config.printToConsole = False
    return peer._Case(spec, peer.fair_setting(spec.links), spec.steps(), spec.duration)


def _as_accurate(spec: ChainSpec, error: float) -> ChainCase:
    """The largest step whose tip error is no worse than the one given (the smallest one tried, if none is)."""
    for step in STEPS:
        case = ChainCase(spec, step)
        case.solve(case.sim)
        if _tip_error(spec, case.ends()) <= error:
            break
    return case


def _tip_error(spec: ChainSpec, ends: np.ndarray) -> float:
    return float(np.linalg.norm(ends[-1] - reference.ends(spec, spec.duration)[-1]))


# ---- spinning
def spinning() -> Iterator[Row]:
    """A mechanism of ten bodies in steady rotation keeps its factorisation."""
    from samara.models.spinning import build
    from samara.solve import Simulation, assemble
    from samara.solve.march import march

    sim = Simulation(build())
    assemble(sim)
    sim.analyse_for(1e-3)
    steps = 5000
    empty = np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0))
    start = time.process_time()
    march(sim.machine, sim.lu, sim.v, sim.settings, sim.memory, sim.counters, 1e-3, steps, steps + 1, 0, *empty)
    spent = (time.process_time() - start) * 1e6 / steps
    count = sim.counters
    yield Row("spinning", "jacobians_per_step", count[Counter.JACOBIANS] / steps, "", "< 0.05", "30 rad/s, 1 ms")
    yield Row("spinning", "iterations_per_step", count[Counter.ITERATIONS] / steps, "")
    yield Row("spinning", "us_per_step", spent, "us", "", f"{sim.system.size} unknowns")


# ---- lanes
def lanes(repeats: int) -> Iterator[Row]:
    """Assembly (residual and Jacobian) of a chain of 200 links: W lanes against one."""
    wide, narrow = ChainCase(ChainSpec(200), 1e-3), ChainCase(ChainSpec(200), 1e-3, lanes=1)
    width = wide.system.width
    for metric, call, aim in (
        ("assembly_gain", _assembly, 3),
        ("residual_gain", lambda case: residual(case.sim.machine), ""),
        ("jacobian_gain", lambda case: jacobian(case.sim.machine, case.sim.v), ""),
    ):
        calls = {"wide": partial(call, wide), "narrow": partial(call, narrow)}
        timings = interleave(calls, repeats=5 * repeats, inner=20)
        gain = ratio(timings["narrow"], timings["wide"])
        note = f"{width} lanes, {timings['wide'].median * 1e6:.1f} us for 200 bodies and 200 hinges"
        yield Row("lanes", metric, gain, "x", aim, note)


def _assembly(case: ChainCase) -> None:
    residual(case.sim.machine)
    jacobian(case.sim.machine, case.sim.v)


# ---- linear solver
def linear_solver(repeats: int) -> Iterator[Row]:
    """Refactorisation and solution against SuperLU and LAPACK, on the matrices of chains."""
    import scipy.linalg as dense
    import scipy.sparse as sparse
    from scipy.sparse.linalg import splu

    from samara.solve.lu import analyse, new_storage, refactor, solve

    for unknowns in (140, 280, 720):
        case = ChainCase(ChainSpec(round(unknowns / 11)), 1e-3)
        sim, s = case.sim, case.system
        case.solve(sim)
        values = sim.matrix_values()
        matrix = sparse.csr_matrix((values, s.indices, s.indptr), (s.size, s.size)).tocsc()
        full, right, x = matrix.toarray(), np.sin(np.arange(s.size) + 1.0), np.zeros(s.size)
        stored, calls = {}, dict[str, Callable]()
        for ordering in ("markowitz", "superlu"):
            lu = analyse(s.size, s.indptr, s.indices, values, ordering=ordering)
            v = new_storage(lu)
            stored[ordering] = lu, v

            def factor(lu=lu, v=v, values=values):
                v[:] = 0.0
                v[lu.slot] = values
                refactor(lu, v)

            calls[ordering] = factor
        calls["SuperLU"] = partial(splu, matrix)
        calls["LAPACK"] = partial(dense.lu_factor, full, check_finite=False)
        factoring = interleave(calls, repeats=5 * repeats, inner=5)
        other, table = splu(matrix), dense.lu_factor(full)
        lu, v = stored["markowitz"]
        solving = interleave(
            {
                "markowitz": partial(solve, lu, v, right, x),
                "SuperLU": partial(other.solve, right),
                "LAPACK": partial(dense.lu_solve, table, right, check_finite=False),
            },
            repeats=5 * repeats,
            inner=20,
        )
        name = f"lu-{s.size}"
        ours = factoring["markowitz"]
        yield Row(
            name, "factor_us", ours.median * 1e6, "us", "", f"{lu.size} numbers stored, incl. loading and the call"
        )
        for rival in ("SuperLU", "LAPACK"):
            gain = ratio(factoring[rival], ours)
            yield Row(
                name,
                f"factor_speedup_vs_{rival.lower()}",
                gain,
                "x",
                "",
                "full factorisation, as a solver would redo it",
            )
            yield Row(name, f"solve_speedup_vs_{rival.lower()}", ratio(solving[rival], solving["markowitz"]), "x")
        note = f"fill {stored['superlu'][0].size} against {lu.size} with our own order"
        yield Row(name, "markowitz_gain_vs_superlu_order", ratio(factoring["superlu"], ours), "x", "", note)


# ---- start
_START = """
import time; start = time.perf_counter()
import samara
from samara.models.pendulum import build
samara.transient(build(), 0.01, 1e-3, progress=False)
print(time.perf_counter() - start)
"""


def warm_start(repeats: int = 5) -> Row:
    """Import, load a cached model, assemble, ten steps: wall clock of a fresh process, from its first line."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "start.py"
        script.write_text(_START)
        run = lambda: float(subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout)  # noqa: E731
        run()  # fills the caches
        times = sorted(run() for _ in range(repeats))
    note = f"wall clock, {times[0]:.2f} to {times[-1]:.2f} s on a shared machine"
    return Row("warm-start", "seconds", times[len(times) // 2], "s", "< 1.5", note)
