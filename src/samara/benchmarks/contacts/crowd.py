"""Balls that fly about in a box and hit each other and its walls: time of a step over their number, and memory.

Pairs are found by the run itself (`samara.elements.contact.contacts`), and the box grows with the number of balls.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, cpu_time_per_call
from samara.elements.bodies.body import Body
from samara.elements.contact.contacts import Contacts
from samara.elements.contact.shapes import BallShape
from samara.elements.contact.wall import Wall
from samara.model import Model
from samara.solve import Simulation
from samara.solve.contact.broad_phase import find_pairs_at_rest
from samara.solve.native.codes import Counter
from samara.solve.start.start import start

CASE = "crowd"
#: Step, time of a slice that is timed, and of the flight before the first [s].
STEP, SLICE, BEFORE = 1e-3, 0.02, 0.02
#: Radius [m], part of the box that balls fill, and their speeds to begin with [m/s].
RADIUS, FILLED, SPEED = 0.05, 0.1, 1.0
#: Times that the broad phase is repeated to be timed.
LOOKS = 20


def build(count: int) -> Model:
    """A number of balls in a cube, each at a random position in its own cell."""
    rng, side = np.random.default_rng(1), int(np.ceil(count ** (1.0 / 3.0) - 1e-9))
    cell = (4.0 / 3.0 * np.pi * RADIUS**3 / FILLED) ** (1.0 / 3.0)
    model = Model("crowd", gravity=(0.0, 0.0, -9.81))
    nodes = []
    for k in range(count):
        corner = cell * np.array(np.unravel_index(k, (side,) * 3))
        place = corner + 1.01 * RADIUS + (cell - 2.02 * RADIUS) * rng.random(3)
        nodes.append(model.node(f"ball-{k}", place, velocity=rng.normal(0.0, SPEED, 3)))
        model.add(f"body-{k}", Body(nodes[-1], mass=1.0, inertia=(0.4 * RADIUS**2,) * 3))
    ends = ((0.0,) * 3, 1.0), ((cell * side,) * 3, -1.0)
    walls = [Wall(model.ground, at=at, axis=sign * axis) for at, sign in ends for axis in np.eye(3)]
    law = {"restitution": 0.9, "friction": 0.2}
    model.add("contacts", Contacts(nodes, shape=BallShape(RADIUS), walls=walls, **law))
    return model


def crowds(counts: Sequence[int], repeats: int) -> Iterator[Row]:
    """us_per_step for each number of balls, cost of the broad phase, memory, and the exponents between them."""
    found, looked, memory = [], [], []
    for count in counts:
        sim = Simulation(build(count))
        start(sim, STEP)
        advance(sim, STEP, round(BEFORE / STEP))
        counted = sim.counters.copy()
        timing = cpu_time_per_call(lambda sim=sim: advance(sim, STEP, round(SLICE / STEP)), repeats=repeats, warmup=0)
        made, case = sim.counters - counted, f"{CASE}-{count}"
        per_step = timing.scaled(1e6 * STEP / SLICE)
        impacts, iterations = (made[k] / made[Counter.STEPS] for k in (Counter.IMPACTS, Counter.ITERATIONS))
        note = f"all against all and six walls, {STEP:g} s; "
        note += f"{impacts:.2g} impacts and {iterations:.2g} iterations per step; "
        note += f"{made[Counter.DIVIDED]} of {made[Counter.STEPS]} steps divided; "
        note += f"{per_step.best:.3g} to {per_step.worst:.3g} us"
        yield Row(case, "us_per_step", per_step.median, "us", "", note)
        broad = cpu_time_per_call(lambda sim=sim: _look(sim), repeats=repeats, warmup=1).scaled(1e6 / LOOKS)
        note = f"of it in each look for pairs; {broad.best:.3g} to {broad.worst:.3g} us"
        yield Row(case, "us_of_broad_phase", broad.median, "us", "", note)
        found.append(per_step.median)
        looked.append(broad.median)
        memory.append(_memory())
    for k in range(1, len(counts)):
        ratio = np.log(counts[k] / counts[k - 1])
        for name, times in (("step", found), ("broad_phase", looked)):
            exponent = np.log(times[k] / times[k - 1]) / ratio
            yield Row(f"{CASE}-{counts[k]}", f"{name}_exponent", exponent, "", "1", f"from {counts[k - 1]} balls on")
        more = (memory[k] - memory[k - 1]) / (counts[k] - counts[k - 1])
        yield Row(
            f"{CASE}-{counts[k]}", "memory_a_ball", more, "kB", "", f"more than with {counts[k - 1]}, model included"
        )


def _look(sim: Simulation) -> None:
    for _ in range(LOOKS):
        find_pairs_at_rest(sim.machine, 1.0)


def _memory() -> float:
    """Peak memory of this process [kB]."""
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
