"""Rows of masses before a stop: the definition of the cases of `nonsmooth`, and how Samara runs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara.benchmarks.advance import advance
from samara.elements.bodies.body import Body
from samara.elements.contact.contact import Contact
from samara.elements.joints.prismatic import Prismatic
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.axial import Axial
from samara.model import Model
from samara.solve import Simulation
from samara.solve.native.codes import Counter
from samara.solve.start.start import start
from samara.solve.tree.machine import FRESH
from samara.solve.tree.schemes import MoreauJean

#: Distance of neighbours where all springs but the first are at rest [m].
SPACING = 1.0


@dataclass(frozen=True)
class StopSpec:
    """Equal masses one above the other, joined by springs; the last and lowest one meets a stop.

        m x_i'' = k (x_(i-1) - 2 x_i + x_(i+1)) - m g,     x_(-1) = -pressed,     x_(n-1) >= 0
        x_(n-1)'(+) = -restitution x_(n-1)'(-) in an impact

    x_i: height of mass i above its place, where it touches the stop and all springs but the first are at rest [m];
    x_n = x_(n-1), for there is no spring below. pressed: how far below the stop the row would come to rest without it
    and without gravity [m]. height, speed: x_i and its rate at the beginning, the same for all masses [m, m/s].
    """

    name: str
    count: int = 1
    mass: float = 1.0  # [kg]
    stiffness: float = 0.0  # [N/m]
    pressed: float = 0.0
    gravity: float = 0.0  # [m/s^2]
    height: float = 1.0
    speed: float = 0.0
    restitution: float = 0.8
    duration: float = 3.0  # [s]

    def stiffness_matrix(self) -> np.ndarray:
        """K of m x'' + K x = f [N/m], shape (n, n)."""
        stretch = np.eye(self.count) - np.eye(self.count, k=-1)
        return self.stiffness * stretch.T @ stretch

    def force(self) -> np.ndarray:
        """f [N], shape (n,)."""
        found = np.full(self.count, -self.mass * self.gravity)
        found[0] -= self.stiffness * self.pressed
        return found


BALL = StopSpec("ball", mass=2.0, gravity=9.81)
OSCILLATOR = StopSpec("oscillator", stiffness=400.0, pressed=0.005, height=0.1)


def chain(count: int = 5) -> StopSpec:
    """A row of masses that is thrown at the stop, comes to rest there, leaves it again, and so on."""
    name = "chain" if count == 5 else f"chain-{count}"
    return StopSpec(name, count, stiffness=2000.0, pressed=0.05, height=0.1, speed=-1.0, restitution=0.5)


def build(spec: StopSpec) -> Model:
    """The row as a model: sliders along z, springs between neighbours, a contact below the last mass."""
    model = Model(spec.name, gravity=(0.0, 0.0, -spec.gravity))
    above, at, rest = model.ground, (0.0, 0.0, SPACING * spec.count), -SPACING - spec.pressed
    for i in range(spec.count):
        place = (0.0, 0.0, SPACING * (spec.count - 1 - i) + spec.height)
        node = model.node(f"mass-{i}", position=place, velocity=(0.0, 0.0, spec.speed))
        model.add(f"body-{i}", Body(node, mass=spec.mass, inertia=(0.1, 0.1, 0.1)))
        model.add(f"slider-{i}", Prismatic(model.ground, node, axis=(0.0, 0.0, 1.0)))
        if spec.stiffness:
            law = LinearLaw(spec.stiffness)
            model.add(f"spring-{i}", Axial(above, node, law=law, rest=rest, place_a=at, place_b=(0.0, 0.0, 0.0)))
        above, at, rest = node, (0.0, 0.0, 0.0), -SPACING
    model.add("stop", Contact(model.ground, above, place_a=(0.0, 0.0, 0.0), restitution=spec.restitution))
    return model


class StopRun:
    """A row in motion in Samara, compiled once: `fresh` puts it back to its start, `advance` goes on."""

    def __init__(self, spec: StopSpec, integrator: MoreauJean | None = None) -> None:
        self.spec = spec
        self.sim = Simulation(build(spec), integrator or MoreauJean(), formulation="recursive")
        start(self.sim, 1e-3)
        assert self.sim.tree is not None
        self.tree = self.sim.tree
        self._start = self.tree.coordinates.copy(), self.tree.speeds.copy()

    def fresh(self) -> None:
        """Where the description starts."""
        self.tree.to_rest()
        self.tree.coordinates[:], self.tree.speeds[:] = self._start
        self.sim.memory.clock.time = 0.0
        self.sim.machine.tree.status[FRESH] = 0

    def advance(self, step: float, steps: int) -> None:
        """So many steps [s] by the native driver alone."""
        advance(self.sim, step, steps)

    def positions(self, step: float, every: int, samples: int) -> np.ndarray:
        """x of all masses after each `every` steps [s] from the start, shape (samples, n) [m]."""
        found = np.zeros((samples, self.spec.count))
        self.fresh()
        for row in found:
            self.advance(step, every)
            row[:] = self.spec.height + self.tree.coordinates - self._start[0]
        return found

    @property
    def problems(self) -> int:
        """Complementarity problems solved so far."""
        return int(self.sim.counters[Counter.CONTACT_PROBLEMS])
