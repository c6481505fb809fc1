"""`samara bench recursive`: trees in minimal coordinates, beside Pinocchio and MuJoCo; the X-Cell; a rotor.

Sides run in turn in one process; times are CPU times of one thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np

from samara.benchmarks.cases import trees
from samara.benchmarks.cases.samara_tree import TreeDynamics
from samara.benchmarks.cases.trees import TreeSpec
from samara.benchmarks.peers import missing
from samara.benchmarks.rows import Row, Timing, interleave, ratio
from samara.benchmarks.tree_formulation.tree_crossover import crossover
from samara.benchmarks.tree_formulation.tree_flight import flight
from samara.benchmarks.tree_formulation.tree_rotor import rotor

#: States of a batch: more than one, so that no branch or address is always the same; few enough for the caches.
BATCH = 32
#: CPU time of a sample [s]: the clock ticks every microsecond or so.
SAMPLE = 4e-3
#: Largest difference of accelerations between codes, by the largest of a state.
AGREEMENT = 1e-8
CHAINS = (10, 40, 100)


@dataclass(frozen=True)
class BenchmarkSize:
    """How much is measured; tests take less."""

    repeats: int = 25
    batch: int = BATCH
    sample: float = SAMPLE
    chains: tuple[int, ...] = CHAINS
    crossover: tuple[int, ...] = (40, 100, 200)
    settling: float = 0.5  # of the flight [s]
    flight_steps: int = 200  # of a sample
    revolutions: int = 10
    finest: int = 1440  # steps per revolution of the rotor


def rows(size: BenchmarkSize | None = None) -> Iterator[Row]:
    """All cases."""
    size = size or BenchmarkSize()
    yield from dynamics(trees.helicopter(), size)
    for links in size.chains:
        yield from dynamics(trees.chain(links), size)
    yield from flight(size.repeats, size.settling, size.flight_steps)
    yield from rotor(size.repeats, size.revolutions, size.finest)
    yield from crossover(size.crossover, size.repeats)


class DisagreementError(AssertionError):
    """Codes that should give the same result disagree."""


# ---- forward dynamics
def dynamics(spec: TreeSpec, size: BenchmarkSize) -> Iterator[Row]:
    """Forward dynamics of one tree in all codes: native loops over a batch of states, and single calls from Python."""
    states, case = spec.random(size.batch), spec.name
    ours = TreeDynamics(spec, states)
    peers = {name: _peer(name) for name in ("pinocchio", "mujoco")}
    theirs = {name: module.TREE(spec, states) for name, module in peers.items() if isinstance(module, ModuleType)}
    loops: dict[str, Callable[[int], Callable]] = {
        "narrow": lambda count: ours.loop(1, count),
        "wide": lambda count: ours.loop(ours.width, count),
    }
    loops |= {name: side.loop for name, side in theirs.items()}
    native = _interleaved(loops, size, size.batch)
    singles: dict[str, Callable[[], object]] = {"ours": ours.from_python()}
    singles |= {name: side.from_python() for name, side in theirs.items()}
    if "pinocchio" in theirs:
        singles["binding"] = theirs["pinocchio"].binding()
    called = _interleaved({name: _repeat(call) for name, call in singles.items()}, size, 1)

    yield _error(case, ours, theirs)
    own = native["narrow"].scaled(1e9)
    note = f"one state after the other in a native loop, {ours.tree.operations} operations; {_span(own)}"
    yield Row(case, "ns_per_forward_dynamics", own.median, "ns", "", note)
    yield Row(case, "ns_per_forward_dynamics_p95", own.percentile(95), "ns", "", f"of {own.samples.size} samples")
    python = called["ours"].scaled(1e9)
    yield Row(case, "ns_from_python", python.median, "ns", "", f"a call of RigidTree.forward_dynamics; {_span(python)}")
    note = f"{ours.width} states abreast, {native['wide'].median * 1e9:.0f} ns each; {_pairs(native, 'narrow', 'wide')}"
    yield Row(case, "lane_gain", ratio(native["narrow"], native["wide"]), "x", "", note)
    yield from _pinocchio_rows(case, peers["pinocchio"], native, called)
    yield from _mujoco_rows(case, peers["mujoco"], native, called)


def _pinocchio_rows(
    case: str, module: ModuleType | str, native: dict[str, Timing], called: dict[str, Timing]
) -> Iterator[Row]:
    if isinstance(module, str):
        yield Row(case, "speedup_vs_pinocchio", float("nan"), "x", "", f"left out: {module}")
        return
    single, inside = called["pinocchio"], native["pinocchio"]
    less = Timing(single.samples - called["binding"].samples)
    which, alone = min((("in a batch", inside), ("a call less its binding", less)), key=lambda pair: pair[1].median)
    note = f"aba of Pinocchio {module.VERSION} called from Python; {_span(single.scaled(1e9))}"
    yield Row(case, "pinocchio_ns_as_called", single.median * 1e9, "ns", "", note)
    note = f"of it the way from Python and back, as for a single hinge; {_span(called['binding'].scaled(1e9))}"
    yield Row(case, "pinocchio_ns_binding", called["binding"].median * 1e9, "ns", "", note)
    spans = (_span(inside.scaled(1e9)), _span(less.scaled(1e9)))
    note = f"its C++ alone, {which}; in a batch {spans[0]}, a call less its binding {spans[1]}"
    yield Row(case, "pinocchio_ns_inside", alone.median * 1e9, "ns", "", note)
    note = f"its C++ alone ({which}) over our native loop, one state at a time on both sides"
    if alone is inside:
        gain = ratio(inside, native["narrow"])
        note += f"; {_pairs(native, 'pinocchio', 'narrow')}"
    else:
        gain = alone.median / native["narrow"].median
    yield Row(case, "speedup_vs_pinocchio", gain, "x", "", note)
    note = "its time as called from Python over our native loop"
    yield Row(case, "speedup_vs_pinocchio_as_called", single.median / native["narrow"].median, "x", "", note)
    note = f"single calls from Python on both sides; {_pairs(called, 'pinocchio', 'ours')}"
    yield Row(case, "speedup_vs_pinocchio_from_python", ratio(single, called["ours"]), "x", "", note)


def _mujoco_rows(
    case: str, module: ModuleType | str, native: dict[str, Timing], called: dict[str, Timing]
) -> Iterator[Row]:
    if isinstance(module, str):
        yield Row(case, "speedup_vs_mujoco", float("nan"), "x", "", f"left out: {module}")
        return
    inside = native["mujoco"]
    note = f"mj_forward of MuJoCo {module.VERSION} in a native loop, {_span(inside.scaled(1e9))}; "
    note += f"called from Python {called['mujoco'].median * 1e9:.0f}"
    yield Row(case, "mujoco_ns_inside", inside.median * 1e9, "ns", "", note)
    note = f"native loops on both sides, one state at a time; {_pairs(native, 'mujoco', 'narrow')}"
    yield Row(case, "speedup_vs_mujoco", ratio(inside, native["narrow"]), "x", "", note)
    note = f"single calls from Python on both sides; {_pairs(called, 'mujoco', 'ours')}"
    yield Row(case, "speedup_vs_mujoco_from_python", ratio(called["mujoco"], called["ours"]), "x", "", note)


def _error(case: str, ours: TreeDynamics, theirs: dict) -> Row:
    """Checks that the accelerations of all codes agree; otherwise there is no benchmark."""
    for width in {1, ours.width}:
        ours.loop(width, 1)()
    own = ours.accelerations()
    others = {f"{ours.width} lanes": ours.accelerations(ours.width)}
    others |= {name: side.accelerations() for name, side in theirs.items()}
    size = np.abs(own).max(axis=1)
    errors = {name: float((np.abs(found - own).max(axis=1) / size).max()) for name, found in others.items()}
    for name, error in errors.items():
        if not error < AGREEMENT:
            raise DisagreementError(f"{case}: accelerations of {name} differ from ours by {error:.2g} of the largest")
    note = "of accelerations by the largest of a state: " + ", ".join(f"{n} {e:.1e}" for n, e in errors.items())
    return Row(case, "error", max(errors.values()), "", f"< {AGREEMENT:g}", note)


# ---- timing
def _interleaved(loops: dict[str, Callable[[int], Callable]], size: BenchmarkSize, calls: int) -> dict[str, Timing]:
    """Times of one evaluation [s]; loops(count) make functions that do `calls` of them that often."""
    counts = {}
    for name, loop in loops.items():
        loop(1)()  # compiles
        start = time.thread_time()
        loop(3)()
        counts[name] = max(1, round(3 * size.sample / max(time.thread_time() - start, 1e-6)))
    timings = interleave({name: loop(counts[name]) for name, loop in loops.items()}, repeats=size.repeats)
    return {name: timing.scaled(1.0 / (calls * counts[name])) for name, timing in timings.items()}


def _repeat(call: Callable[[], object]) -> Callable[[int], Callable[[], None]]:
    def loop(count: int) -> Callable[[], None]:
        def often() -> None:
            for _ in range(count):
                call()

        return often

    return loop


def _span(timing: Timing) -> str:
    return f"{timing.best:.0f} to {timing.percentile(95):.0f} ns"


def _pairs(timings: dict[str, Timing], slow: str, fast: str) -> str:
    found = timings[slow].samples / timings[fast].samples
    return f"pairs {np.percentile(found, 5):.3g} to {np.percentile(found, 95):.3g}"


def _peer(name: str) -> ModuleType | str:
    """The module of a peer, or one line explaining why it is missing."""
    return missing(name) or import_module(f"samara.benchmarks.peers.{name}_tree")
