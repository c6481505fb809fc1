"""Four flexible blades in steady rotation in Samara, run by the native driver alone, and what their motion tells."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from samara.benchmarks.advance import advance
from samara.models.rotor4 import RADIUS, SPEED, build
from samara.solve import Simulation, TwoStep, assemble, transient
from samara.solve.native.codes import Counter

STEPS_PER_TURN = 90
STEP = 2 * np.pi / SPEED / STEPS_PER_TURN
TURNS = 10
"""After so many the blades are taken to be in steady motion: what is left is flapping under their weight."""
TOLERANCE = 1e-7
RADIUS_INF = 0.6
"""Spectral radius at high frequency, for every code."""


class RotorCase:
    """One rotor, compiled once and run up: `turn` goes on by some turns."""

    def __init__(self, beams: int = 5) -> None:
        self.beams = beams
        self.sim = Simulation(build(beams=beams), TwoStep(RADIUS_INF), tolerance=TOLERANCE)
        assemble(self.sim)
        self.sim.analyse_for(STEP)
        self.turn(TURNS)

    def turn(self, turns: int = 1) -> None:
        advance(self.sim, STEP, turns * STEPS_PER_TURN)

    def times(self, repeats: int) -> np.ndarray:
        """CPU times per step [s], a sample per turn."""
        found = []
        for _ in range(repeats):
            start = time.thread_time()
            self.turn()
            found.append((time.thread_time() - start) / STEPS_PER_TURN)
        return np.array(found)

    def counted(self, which: Counter) -> float:
        """A counter per step."""
        return float(self.sim.counters[which]) / float(self.sim.counters[Counter.STEPS])


@dataclass(frozen=True)
class TipMotion:
    """How a blade's tip moves when the rotor starts undeformed and its weight bends it.

    stretch    mean of the tip's distance from the axis, less that at the start [m]
    droop      mean height of the tip over the hub [m], negative
    swing      amplitude about it [m]
    frequency  of the first flap mode [rad/s]
    """

    stretch: float
    droop: float
    swing: float
    frequency: float

    @classmethod
    def of(cls, time: np.ndarray, tip: np.ndarray) -> TipMotion:
        """From samples of the tip's position [m], shape (n, 3): least squares of one oscillation about a mean."""
        z = tip[:, 2]

        def misfit(q):
            return q[0] + q[1] * np.cos(q[3] * time) + q[2] * np.sin(q[3] * time) - z

        # a slender blade that is held at the axis flaps a little above once a turn
        from scipy.optimize import least_squares  # half a second: loaded only when it is needed

        fit = least_squares(misfit, [z.mean(), z.std(), 0.0, 1.05 * SPEED], x_scale=[1e-2, 1e-2, 1e-2, 1.0]).x
        reach = np.hypot(tip[:, 0], tip[:, 1])
        return cls(float(reach.mean()) - RADIUS, float(fit[0]), float(np.hypot(fit[1], fit[2])), float(fit[3]))


def tip_motion(turns: int = 2 * TURNS) -> TipMotion:
    """Of a blade in Samara; the first turns, in which the stretch still rings, are left out."""
    run = transient(
        Simulation(build(), TwoStep(RADIUS_INF), tolerance=TOLERANCE),
        turns * STEPS_PER_TURN * STEP,
        STEP,
        outputs=("blade_0.n10.position",),
        progress=False,
    )
    late = run.time > TURNS // 2 * STEPS_PER_TURN * STEP
    return TipMotion.of(run.time[late], run["blade_0.n10.position"][late])
