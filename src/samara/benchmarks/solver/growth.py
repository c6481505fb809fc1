"""`samara bench growth`: what comes before the first step, and a step, over the size of the model.

Three models of very different shape: a chain (long and thin), a rotor of beams (branches), and a net of bodies (as wide
as it is long, so that its matrix fills). Each case has a process of its own, for its peak of memory. Kernels are warm:
a small model of the same kinds is set up off the clock.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.cases.chain import ChainSpec
from samara.benchmarks.cases.samara_rotor import RADIUS_INF, TOLERANCE
from samara.benchmarks.peers import available
from samara.benchmarks.rows import Row
from samara.elements.bodies.body import Body
from samara.elements.deformable.joint import DeformableJoint
from samara.elements.laws.vector_laws.linear_vector import LinearLaw6
from samara.method.method import Method
from samara.model import Model
from samara.models.mechanisms import chain
from samara.models.rotors import rotor4
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.native.codes import Counter
from samara.system import System

PITCH = 0.1
"""Distance of the bodies of the net [m]."""
STIFFNESS = (1e4, 1e4, 1e4, 10.0, 10.0, 10.0)  # [N/m, N m/rad]


def net(side: int) -> Model:
    """side x side bodies in a plane, each joined to its neighbours by elastic joints, the first row to the ground."""
    model = Model("net", gravity=(0.0, 0.0, -9.81))
    law = LinearLaw6(stiffness=STIFFNESS, damping=1e-3)
    nodes = {}
    for i in range(side):
        for j in range(side):
            here = nodes[i, j] = model.node(f"n_{i}_{j}", (PITCH * (i + 1), PITCH * j, 0.0))
            model.add(f"body_{i}_{j}", Body(here, mass=0.1, inertia=(1e-4, 1e-4, 1e-4)))
            rest = (PITCH, 0.0, 0.0) if i else (PITCH, PITCH * j, 0.0)
            before = nodes.get((i - 1, j), model.ground)
            model.add(f"along_{i}_{j}", DeformableJoint(before, here, law=law, rest_position=rest))
            if j:
                beside = DeformableJoint(nodes[i, j - 1], here, law=law, rest_position=(0.0, PITCH, 0.0))
                model.add(f"beside_{i}_{j}", beside)
    return model


def _rotor(beams: int) -> Model:
    return rotor4.build(beams=beams)


@dataclass(frozen=True)
class GrowthCase:
    """How a model of some size is made, the sizes up to 10^5 unknowns, small ones with which all is tried, and steps.

    step: their size [s]; steps: their number; tolerance: of Newton's method.
    """

    build: Callable[[int], Model]
    sizes: tuple[int, ...]
    small: tuple[int, ...]
    step: float = 1e-4
    steps: int = 20
    tolerance: float = TOLERANCE


CASES = {
    "chain": GrowthCase(
        chain.build, (1000, 3000, 9100), (10, 20, 40), step=1e-3, steps=100, tolerance=Method.tolerance
    ),
    "rotor": GrowthCase(_rotor, (208, 650, 2084), (2, 4, 8)),
    "net": GrowthCase(net, (41, 73, 130), (3, 5, 8)),
}


@dataclass(frozen=True)
class Growth:
    """CPU times [s] of one size: of the stages before the first step, and of a step; and the peak of memory [MiB]."""

    unknowns: int
    stages: dict[str, float]
    step: float
    memory: float
    counts: dict[str, float] = field(default_factory=dict)  # per step

    @property
    def setup(self) -> float:
        """Time from the first node to the first step [s]."""
        return sum(self.stages.values())


def rows(quick: bool = False) -> Iterator[Row]:
    """All cases; quick: at small sizes, whose exponents mean little."""
    for case in CASES:
        yield from _rows(case, _alone(measure, case, quick))
        if case == "chain":
            yield from _exudyn_rows(quick)


def _alone(work: Callable[..., list[Growth]], *arguments: object) -> list[Growth]:
    """Runs a case in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(work, *arguments).result()


def _exudyn_rows(quick: bool) -> Iterator[Row]:
    """The chain in Exudyn, at the same sizes and steps."""
    missing = available()["exudyn"]
    if isinstance(missing, str):
        for metric in ("exudyn_setup_seconds", "exudyn_step_exponent", "exudyn_memory_mib"):
            yield Row("chain", metric, float("nan"), "", "", f"left out: {missing}")
        return
    found = _alone(_measure_exudyn, quick)
    steps = ", ".join(f"{growth.step * 1e6:.0f} us" for growth in found)
    yield Row("chain", "exudyn_setup_seconds", found[-1].setup, "s", "", "to the assembled system")
    slope = _exponent(found, lambda growth: growth.step)
    yield Row("chain", "exudyn_step_exponent", slope, "", "", f"CPU time per step over the same sizes: {steps}")
    yield Row("chain", "exudyn_memory_mib", found[-1].memory, "MiB", "", "the same, with what Samara imports")


def _measure_exudyn(quick: bool) -> list[Growth]:
    from samara.benchmarks.peers import exudyn_chain as peer

    peer.exudyn.config.printToConsole = False
    case, found = CASES["chain"], []
    for links in case.small if quick else case.sizes:
        spec = ChainSpec(links)
        setting = peer.fair_setting(links)
        start = time.thread_time()
        _container, system, _ = peer.build(spec, setting)
        ready = time.thread_time()
        settings = peer.settings_of(setting, case.steps, case.steps * case.step)
        system.SolveDynamic(settings, solverType=getattr(peer.exudyn.DynamicSolverType, setting.solver))
        step = (time.thread_time() - ready) / case.steps
        found.append(Growth(11 * links, {"description": ready - start}, step, _peak()))
    return found


def _rows(case: str, found: list[Growth]) -> Iterator[Row]:
    largest, sizes = found[-1], ", ".join(str(growth.unknowns) for growth in found)
    stages = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in largest.stages.items())
    yield Row(case, "setup_seconds", largest.setup, "s", "< 60", f"{largest.unknowns} unknowns: {stages}")
    setups = ", ".join(f"{growth.setup:.2f} s" for growth in found)
    slope = _exponent(found, lambda growth: growth.setup)
    yield Row(case, "setup_exponent", slope, "", "< 1.2", f"over {sizes} unknowns: {setups}")
    steps = ", ".join(f"{growth.step * 1e6:.0f} us" for growth in found)
    slope = _exponent(found, lambda growth: growth.step)
    counts = "; ".join(", ".join(f"{x:.2f} {name}" for name, x in growth.counts.items()) for growth in found)
    note = f"CPU time per step over the same sizes: {steps}; per step {counts}"
    yield Row(case, "step_exponent", slope, "", "< 1.15", note)
    yield Row(case, "memory_mib", largest.memory, "MiB", "< 4096", "peak of the process, Python included")


def _exponent(found: list[Growth], cost: Callable[[Growth], float]) -> float:
    """Slope of a cost over the number of unknowns, log-log."""
    return float(np.polyfit(np.log([g.unknowns for g in found]), np.log([cost(g) for g in found]), 1)[0])


def measure(case: str, quick: bool = False) -> list[Growth]:
    """The three sizes of a case, the smallest first."""
    how = CASES[case]
    _grown(how, how.small[0])  # loads the kernels
    return [_grown(how, size) for size in (how.small if quick else how.sizes)]


def _grown(case: GrowthCase, size: int) -> Growth:
    clock = [time.thread_time()]
    model = case.build(size)
    clock.append(time.thread_time())
    system = System(model)
    sim = Simulation(system, TwoStep(RADIUS_INF), tolerance=case.tolerance)
    clock.append(time.thread_time())
    assemble(sim, step=case.step)
    clock.append(time.thread_time())
    sim.analyse_for(case.step)
    clock.append(time.thread_time())
    before = sim.counters.copy()
    advance(sim, case.step, case.steps)
    step = (time.thread_time() - clock[-1]) / case.steps
    taken = (sim.counters - before) / case.steps
    counts = {"iterations": float(taken[Counter.ITERATIONS]), "Jacobians": float(taken[Counter.JACOBIANS])}
    names = ("description", "system", "assembly", "analysis")
    stages = dict(zip(names, np.diff(clock).tolist(), strict=True))
    return Growth(system.unknowns.size, stages, step, _peak(), counts)


def _peak() -> float:
    """Peak memory of this process so far [MiB]; nan where the system does not report it."""
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
