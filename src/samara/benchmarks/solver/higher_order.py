"""A scheme of fourth order beside the usual one of second order, at equal accuracy, in redundant coordinates.

Two motions that second order takes short steps for: Dzhanibekov's body, free and spinning about its middle axis, and
the heavy top on a ball joint, a constraint. Each scheme takes the longest step with which the attitude at the end is
right to `ERROR`; what is compared is CPU time. Exact is an explicit method of order eight in minimal coordinates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, interleave, ratio
from samara.elements.bodies.body import Body
from samara.model import Model
from samara.models import spinning_top
from samara.rotations import rotation_y, skew
from samara.solve import Integrator, LookAhead, Simulation, TwoStep, assemble
from samara.solve.native.codes import Counter
from samara.system import System

#: Of the attitude at the end [rad], and Newton's tolerance, which must not be seen in it.
ERROR, TOLERANCE = 1e-6, 1e-12
#: Part of the step that the order promises which is tried, and what is left of one that is too long.
SAFETY, SHORTER = 0.97, 0.93
#: How much faster fourth order has to be to earn its place.
AIM = 3


@dataclass(frozen=True)
class SpinningMotion:
    """A body that turns about a point which is fixed, or about its centre of mass.

    inertia: about that point [kg m^2]; moment: m g l of the weight about it, in the axes of the body [N m];
    R, spin: at the start, spin in the axes of the body; end [s]; steps that errors are first looked at with [s].
    """

    name: str
    model: Model
    inertia: np.ndarray
    moment: float
    R: np.ndarray
    spin: np.ndarray
    end: float
    steps: tuple[float, float]

    def exact(self) -> np.ndarray:
        """Attitude at the end."""
        from scipy.integrate import solve_ivp  # takes its time

        J, arm = self.inertia, np.array([0.0, 0.0, self.moment])

        def rate(t: float, y: np.ndarray) -> np.ndarray:
            R, w = y[:9].reshape(3, 3), y[9:]
            return np.concatenate([(R @ skew(w)).ravel(), (np.cross(arm, -R[2]) - np.cross(w, J * w)) / J])

        start = np.concatenate([self.R.ravel(), self.spin])
        found = solve_ivp(rate, (0.0, self.end), start, method="DOP853", rtol=1e-13, atol=1e-13)
        return found.y[:9, -1].reshape(3, 3)


def motions() -> tuple[SpinningMotion, SpinningMotion]:
    """Dzhanibekov's body for ten seconds, six flips; the top of the literature for two, 48 turns."""
    J, spin = np.array([1.0, 2.0, 3.0]), np.array([0.1, 3.0, 0.1])
    free = Model("dzhanibekov")
    free.add("body", Body(free.node("nut", angular_velocity=spin), mass=1.0, inertia=tuple(J)))
    mass, across, axial, tilt = 15.0, 0.234375, 0.46875, math.pi / 3
    point = np.array([across + mass, across + mass, axial])
    top = spinning_top.build(steady=False, tilt=tilt, spin=150.0)
    return (
        SpinningMotion("dzhanibekov", free, J, 0.0, np.eye(3), spin, 10.0, (2e-3, 1e-2)),
        SpinningMotion(
            "heavy-top", top, point, mass * 9.81, rotation_y(tilt), np.array([0.0, 0.0, 150.0]), 2.0, (2e-5, 2e-4)
        ),
    )


class AccurateCase:
    """A motion by a scheme, with steps as long as its error allows."""

    def __init__(self, motion: SpinningMotion, scheme: Integrator, exact: np.ndarray, first: float) -> None:
        self.motion, self.scheme, self.exact = motion, scheme, exact
        self.system = System(motion.model)
        self._take(round(motion.end / first))
        step = self.step * SAFETY * (ERROR / self.error) ** (1.0 / scheme.order)
        self._take(math.ceil(motion.end / step))
        while self.error > ERROR:
            self._take(math.ceil(self.steps / SHORTER))

    def _take(self, steps: int) -> None:
        self.steps, self.step = steps, self.motion.end / steps
        self.solve(self.fresh())
        R = self.system.state.pose(self.system.layout.free[0]).R
        turned = R.T @ self.exact
        self.error = float(np.linalg.norm(turned - turned.T)) / math.sqrt(8.0)

    def fresh(self) -> Simulation:
        """At the start."""
        self.system.reset()
        self.sim = Simulation(self.system, self.scheme, tolerance=TOLERANCE)
        assemble(self.sim)
        self.sim.analyse_for(self.step)
        return self.sim

    def solve(self, sim: Simulation) -> None:
        """To the end."""
        advance(sim, self.step, self.steps)

    def __str__(self) -> str:
        work = int(self.sim.counters[Counter.ITERATIONS])
        return f"{self.scheme.name} at h = {self.step:.3g} s, {work} iterations, error {self.error:.2g} rad"


def higher_order(repeats: int) -> Iterator[Row]:
    """CPU time of the two-step scheme over that of the one that looks ahead."""
    for motion in motions():
        exact, name = motion.exact(), f"higher-order-{motion.name}"
        usual, fourth = (
            AccurateCase(motion, scheme, exact, first)
            for scheme, first in zip((TwoStep(0.6), LookAhead()), motion.steps, strict=True)
        )
        cases = {"usual": usual, "fourth": fourth}
        timings = interleave(
            {key: case.solve for key, case in cases.items()},
            setups={key: case.fresh for key, case in cases.items()},
            repeats=max(3, repeats // 2),
        )
        gain = ratio(timings["usual"], timings["fourth"])
        work = int(usual.sim.counters[Counter.ITERATIONS]) / int(fourth.sim.counters[Counter.ITERATIONS])
        yield Row(name, "speedup_at_equal_accuracy", gain, "x", AIM, f"{fourth}; {usual}")
        yield Row(name, "iterations_at_equal_accuracy", work, "x", "", "of Newton's method, two-step over look-ahead")
