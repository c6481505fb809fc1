"""Nothing in a step asks for memory: no page fault, no allocation, in Python or in native code."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest

import samara as sm
from samara import PID
from samara.solve.measures import chosen
from samara.solve.sampling import sampling_of
from samara.solve.step.march import march
from samara.solve.step.step_size import new_limits

STEPS = 10_000
STEP = 1e-3


def chain() -> sm.Model:
    """Six links: Jacobians are renewed on the way, joints react, discrete laws sample, everything is recorded."""
    model = sm.Model("chain", gravity=(0, 2.0, -9.81))
    before = model.ground
    for k in range(6):
        node = model.node(f"link{k}", (0.1 * k + 0.05, 0, 0))
        model.add(f"body{k}", sm.Body(node, mass=0.1, inertia=(1e-4, 2e-4, 2e-4)))
        axis = (0, 1, 0) if k % 2 == 0 else (0, 0, 1)
        model.add(f"hinge{k}", sm.Revolute(before, node, at=(0.1 * k, 0, 0), axis=axis))
        before = node
    gain = model.add("gain", sm.Gain(sm.Sine(1.0, 3.0), gain=2.0))
    model.add(
        "law",
        sm.SampledBlock(
            [gain.output, 0.0], law=PID(proportional=1.0, integral=2.0, derivative=0.1, step=2 * STEP, c=0.0, lag=0.0)
        ),
    )
    return model


class Warm:
    """A simulation that has run, and room for what it records."""

    def __init__(self) -> None:
        self.sim = sm.Simulation(chain())
        self.sim.settings.turn = np.inf  # no whipping link is taken for a rotor: that asks for a new analysis
        sm.assemble(self.sim)
        self.sim.analyse_for(STEP)
        sampling_of(self.sim).clear(self.sim)
        sampling_of(self.sim).begin(self.sim, STEP)
        assert not self.sim.sampling.refused
        channels, self.columns = chosen(self.sim.system, ("*",))
        self.times, self.rows = np.zeros(STEPS), np.zeros((STEPS // 10, channels.width))
        self.limits = new_limits(1e-6, 40 * STEP, STEP, STEP)

    def march(self, count) -> None:
        status, done, _ = march(self.sim.work, STEP, count, 10, 0, self.columns, self.times, self.rows)
        assert (status, done) == (0, count)

    def adapt(self, count) -> None:
        # every step is recorded here
        nothing, rows = self.columns[:0], self.rows[:, :0]
        self.sim.limits.words[:] = self.limits.words
        self.sim.limits.end = 1e9
        status, done, _ = march(self.sim.work, 0.0, count, 1, 0, nothing, self.times, rows)
        assert (status, done) == (0, count)


@pytest.fixture(scope="module")
def warm():
    it = Warm()
    it.march(2000)
    it.adapt(500)
    it.march(2000)
    return it


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts of one thread are Linux's")
@pytest.mark.parametrize("drive", ["march", "adapt"])
def test_no_page_faults(warm, drive):
    import resource

    native = getattr(warm, drive)
    count = STEPS if drive == "march" else STEPS // 10

    def faults():
        before = resource.getrusage(resource.RUSAGE_THREAD)
        native(count)
        after = resource.getrusage(resource.RUSAGE_THREAD)
        return after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt

    gc.collect()
    gc.disable()
    try:
        found = [faults() for _ in range(4)]  # the first may be of the warm-up, and one of the system's making
    finally:
        gc.enable()
    assert sorted(found)[:2] == [0, 0]


@pytest.fixture
def native_allocations():
    """Numba's count of what its compiled code allocates: arrays, and the handles by which arrays are passed in."""
    from numba.core.runtime import _nrt_python, rtsys

    _nrt_python.memsys_enable_stats()
    yield rtsys.get_allocation_stats
    _nrt_python.memsys_disable_stats()


@pytest.mark.parametrize("drive", ["march", "adapt"])
def test_no_native_allocations(warm, drive, native_allocations):
    # a call hands its arrays over, at a fixed price whatever it does: a thousand steps cost no more than ten
    native = getattr(warm, drive)

    def price(count):
        before = native_allocations()
        native(count)
        after = native_allocations()
        return after.alloc - before.alloc, after.mi_alloc - before.mi_alloc

    assert price(1000) == price(10)


def test_no_python_allocations(warm):
    def most(count):
        tracemalloc.clear_traces()
        warm.march(count)
        return tracemalloc.get_traced_memory()[1]

    warm.march(100)
    gc.collect()
    tracemalloc.start()
    try:
        warm.march(10)
        # the least of some tries: other threads of this process may allocate meanwhile, which counts too
        few, many = (min(most(count) for _ in range(5)) for count in (10, STEPS // 10))
    finally:
        tracemalloc.stop()
    # what is left is the call itself (argument tuples): some kilobytes, the same for ten steps and for a thousand
    assert many <= few + 256
    assert many < 16_384


def test_jacobians_were_among_the_steps(warm):
    before = warm.sim.counters.copy()
    warm.march(1000)
    assert warm.sim.counters[2] > before[2]
