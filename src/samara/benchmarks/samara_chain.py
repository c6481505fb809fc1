"""The benchmark chain in Samara itself, run by the native driver alone, as the peers are."""

from __future__ import annotations

import numpy as np

from samara.benchmarks.chain import ChainSpec, Vector
from samara.models.chain import build
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.codes import Counter
from samara.solve.march import march
from samara.system import System
from samara.system.blocks import POSITION, ROTATION

TOLERANCE = 1e-7
RADIUS = 0.6


class ChainCase:
    """One chain, compiled once: `fresh` puts it back to the start, `solve` runs it, `ends` are the latest result."""

    def __init__(self, spec: ChainSpec, step: float, lanes: int | None = None) -> None:
        self.spec, self.step, self.steps = spec, step, spec.steps(step, spec.duration)
        self.system = System(build(spec.links), lanes)
        self.nothing = np.zeros(0, np.int64), np.zeros(1), np.zeros((1, 0))
        self.fresh()

    def fresh(self) -> Simulation:
        self.system.reset()
        self.sim = Simulation(self.system, TwoStep(RADIUS), tolerance=TOLERANCE)
        assemble(self.sim)
        self.sim.analyse_for(self.step)
        return self.sim

    def solve(self, sim: Simulation) -> None:
        status, done, _ = march(
            sim.machine, sim.lu, sim.v, sim.settings, sim.memory, sim.counters,
            self.step, self.steps, self.steps + 1, 0, *self.nothing,
        )  # fmt: skip
        if done != self.steps:
            raise RuntimeError(f"chain of {self.spec.links} links stopped after {done} steps, status {status}")

    def ends(self) -> Vector:
        """Outer ends of all links [m]."""
        outer = np.array([self.spec.length, 0.0, 0.0])
        result = []
        for node in self.system.free:
            R = self.system.read(node, ROTATION, 9).reshape(3, 3)
            result.append(self.system.read(node, POSITION, 3) + R @ outer)
        return np.array(result)

    def counted(self, which: Counter) -> float:
        """A counter a step."""
        return float(self.sim.counters[which]) / self.steps
