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

from samara.benchmarks.advance import advance
from samara.benchmarks.cases.chain import ChainSpec
from samara.benchmarks.cases.samara_chain import ChainCase
from samara.benchmarks.peers import available, reference
from samara.benchmarks.rows import Row, Timing, interleave, ratio
from samara.benchmarks.solver.higher_order import higher_order
from samara.benchmarks.solver.user_element import user_element
from samara.solve.native.codes import Counter
from samara.solve.native.kernels import jacobian, residual

CALLS = 50
"""Native calls per sample where single ones are short, so that the way from Python into native code is not measured."""
STEPS = (1.0e-3, 0.8e-3, 0.625e-3, 0.5e-3, 0.4e-3, 0.25e-3)
"""Steps that Samara may take instead of the 1 ms of a peer to reach the peer's accuracy."""


def rows(repeats: int = 7, sizes: tuple[int, ...] = ChainSpec.SIZES) -> Iterator[Row]:
    """All cases; sizes: links of the chains, three or more."""
    yield from chain(repeats, sizes)
    yield from minimal_peers(repeats, sizes[:3])
    yield from spinning()
    yield from lanes(repeats, sizes[-1])
    yield from linear_solver(repeats, tuple(links for links in (13, 25, 65) if links <= sizes[-1]) or sizes[:1])
    yield from user_element(repeats)
    yield from higher_order(repeats)
    yield warm_start(min(5, repeats))


# ---- chain
def chain(repeats: int, sizes: tuple[int, ...]) -> Iterator[Row]:
    """An N-link 3-D chain at 1 ms, beside Exudyn."""
    costs = {}
    peers = available()
    for links in sizes:
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
    exponent = float(np.polyfit(np.log(list(costs))[1:], np.log(list(costs.values()))[1:], 1)[0])
    note = f"CPU time per step over N = {', '.join(map(str, sizes[1:]))}, log-log slope"
    yield Row("chain", "cost_exponent", exponent, "", "< 1.1", note)


def _own_rows(case: str, ours: ChainCase, own: Timing) -> Iterator[Row]:
    renewed = int(ours.sim.counters[Counter.ANALYSES]) - 1
    note = f"{ours.system.unknowns.size} unknowns, {own.best:.1f} to {own.worst:.1f}; {renewed} new pivots on the way"
    yield Row(case, "us_per_step", own.median, "us", "", note)
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


def minimal_peers(repeats: int, sizes: tuple[int, ...]) -> Iterator[Row]:
    """MuJoCo and Pinocchio on the same chain: minimal coordinates and explicit steps, another class of code."""
    peers = available()
    for name in ("mujoco", "pinocchio"):
        module = peers[name]
        for links in sizes:
            spec, case = ChainSpec(links), f"chain-{links}"
            if isinstance(module, str):
                yield Row(case, f"{name}_us_per_step", float("nan"), "us", "", f"left out: {module}")
                continue
            run = module.run(spec, repeats=max(3, repeats // 2))
            note = f"{run.version}, tip error {run.tip_error(spec):.2g} m; {run.note}"
            yield Row(case, f"{name}_us_per_step", run.us_per_step, "us", "", note)


# ---- spinning
def spinning() -> Iterator[Row]:
    """A mechanism of ten bodies in steady rotation keeps its factorisation."""
    from samara.models.mechanisms.spinning import build
    from samara.solve import Simulation, assemble

    sim = Simulation(build())
    assemble(sim)
    sim.analyse_for(1e-3)
    steps = 5000
    start = time.process_time()
    advance(sim, 1e-3, steps)
    spent = (time.process_time() - start) * 1e6 / steps
    count = sim.counters
    yield Row("spinning", "jacobians_per_step", count[Counter.JACOBIANS] / steps, "", "< 0.05", "30 rad/s, 1 ms")
    yield Row("spinning", "iterations_per_step", count[Counter.ITERATIONS] / steps, "")
    yield Row("spinning", "us_per_step", spent, "us", "", f"{sim.system.unknowns.size} unknowns")


# ---- lanes
def lanes(repeats: int, links: int) -> Iterator[Row]:
    """Assembly (residual and Jacobian) of a long chain: W lanes against one, in native loops."""
    from numba import njit

    @njit(nogil=True)
    def assemble_often(machine, v, with_residual, with_jacobian, count):
        for _ in range(count):
            if with_residual:
                residual(machine)
            if with_jacobian:
                jacobian(machine, v)

    cases = {"wide": ChainCase(ChainSpec(links), 1e-3), "narrow": ChainCase(ChainSpec(links), 1e-3, lanes=1)}
    width = cases["wide"].system.layout.width
    for metric, parts, aim in (
        ("assembly_gain", (True, True), 3),
        ("residual_gain", (True, False), ""),
        ("jacobian_gain", (False, True), ""),
    ):
        calls = {
            name: partial(assemble_often, case.sim.machine, case.sim.v, *parts, CALLS) for name, case in cases.items()
        }
        timings = interleave(calls, repeats=5 * repeats)
        spent = timings["wide"].median * 1e6 / CALLS
        note = f"{width} lanes, {spent:.1f} us for {links} bodies and {links} hinges"
        yield Row("lanes", metric, ratio(timings["narrow"], timings["wide"]), "x", aim, note)


# ---- linear solver
def linear_solver(repeats: int, sizes: tuple[int, ...]) -> Iterator[Row]:
    """Refactorisation and solution against SuperLU and LAPACK, on the matrices of chains."""
    for links in sizes:
        case = ChainCase(ChainSpec(links), 1e-3)
        case.solve(case.sim)
        yield from _linear_rows(case, case.sim.matrix_values(), repeats)


def _linear_rows(case: ChainCase, values: np.ndarray, repeats: int) -> Iterator[Row]:
    import scipy.linalg as dense
    from scipy.sparse.linalg import splu

    from samara.solve.linear.lu import analyse

    s = case.system
    matrix = s.pattern.matrix(values).tocsc()
    full, right, name = matrix.toarray(), np.sin(np.arange(s.unknowns.size) + 1.0), f"lu-{s.unknowns.size}"
    ours = {
        order: analyse(s.unknowns.size, s.pattern.indptr, s.pattern.indices, values, ordering=order)
        for order in ("markowitz", "superlu")
    }
    factor, solve = _native_loops()
    stored = {order: _stored(lu, values) for order, lu in ours.items()}
    calls: dict[str, Callable] = {order: partial(factor, lu, *stored[order], CALLS) for order, lu in ours.items()}
    calls |= {"SuperLU": partial(splu, matrix), "LAPACK": partial(dense.lu_factor, full, check_finite=False)}
    factoring = interleave(calls, repeats=5 * repeats)
    lu, table = splu(matrix), dense.lu_factor(full)
    work, x = stored["markowitz"][0], np.zeros(s.unknowns.size)
    solving = interleave(
        {
            "markowitz": partial(solve, ours["markowitz"], work, right, x, CALLS),
            "SuperLU": partial(lu.solve, right),
            "LAPACK": partial(dense.lu_solve, table, right, check_finite=False),
        },
        repeats=5 * repeats,
    )
    note = f"{ours['markowitz'].size} numbers stored; in a native loop, with the copy that restores the matrix"
    yield Row(name, "factor_us", factoring["markowitz"].median * 1e6 / CALLS, "us", "", note)
    yield Row(name, "solve_us", solving["markowitz"].median * 1e6 / CALLS, "us")
    for rival in ("SuperLU", "LAPACK"):
        for what, timing in (("factor", factoring), ("solve", solving)):
            gain = ratio(timing[rival], timing["markowitz"]) * CALLS
            yield Row(name, f"{what}_speedup_vs_{rival.lower()}", gain, "x", "", "called from Python, as its users do")
    note = f"fill {ours['superlu'].size} with SuperLU's order against {ours['markowitz'].size} with our own"
    gain = ratio(factoring["superlu"], factoring["markowitz"])
    yield Row(name, "markowitz_gain_vs_superlu_order", gain, "x", "", note)


def _stored(lu, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Storage of the factors, and the matrix laid out in it."""
    from samara.solve.linear.lu import new_storage

    v = new_storage(lu)
    v[lu.slot] = values
    return v, v.copy()


def _native_loops() -> tuple[Callable, Callable]:
    """(refactor n times, solve n times) without a way back to Python in between."""
    from numba import njit

    from samara.solve.linear.lu import refactor, solve

    @njit(nogil=True)
    def factor_often(lu, v, start, count):
        for _ in range(count):
            v[:] = start
            refactor(lu, v)

    @njit(nogil=True)
    def solve_often(lu, v, right, x, count):
        for _ in range(count):
            solve(lu, v, right, x)

    return factor_often, solve_often


# ---- start
_START = """
import time; start = time.perf_counter()
import samara
from samara.models.mechanisms.pendulum import build
samara.transient(build(), 0.01, 1e-3, progress=False)
print(time.perf_counter() - start)
"""


def warm_start(repeats: int) -> Row:
    """Import, load a cached model, assemble, ten steps: wall clock of a fresh process, from its first line."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "start.py"
        script.write_text(_START)
        run = lambda: float(subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout)  # noqa: E731
        run()  # fills the caches
        times = sorted(run() for _ in range(repeats))
    note = f"wall clock, {times[0]:.2f} to {times[-1]:.2f} s on a shared machine"
    return Row("warm-start", "seconds", times[len(times) // 2], "s", "< 1.5", note)
