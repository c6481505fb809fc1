"""The benchmark chain in Samara itself, run by the native driver alone, as the peers are."""

from __future__ import annotations

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.chain import ChainSpec, Vector
from samara.models.chain import build
from samara.solve import Simulation, TwoStep, assemble
from samara.solve.native.codes import Counter
from samara.system import System

TOLERANCE = 1e-7
RADIUS = 0.6


class ChainCase:
    """One chain, compiled once: `fresh` puts it back to the start, `solve` runs it, `ends` are the latest result."""

    def __init__(self, spec: ChainSpec, step: float, lanes: int | None = None) -> None:
        self.spec, self.step, self.steps = spec, step, spec.steps(step, spec.duration)
        self.system = System(build(spec.links), lanes)
        self.fresh()

    def fresh(self) -> Simulation:
        self.system.reset()
        self.sim = Simulation(self.system, TwoStep(RADIUS), tolerance=TOLERANCE)
        assemble(self.sim)
        self.sim.analyse_for(self.step)
        return self.sim

    def solve(self, sim: Simulation) -> None:
        advance(sim, self.step, self.steps)

    def ends(self) -> Vector:
        """Outer ends of all links [m]."""
        outer = np.array([self.spec.length, 0.0, 0.0])
        result = []
        for node in self.system.layout.free:
            R = self.system.state.pose(node).R
            result.append(self.system.state.pose(node).p + R @ outer)
        return np.array(result)

    def counted(self, which: Counter) -> float:
        """A counter per step."""
        return float(self.sim.counters[which]) / self.steps
