"""Balls that bounce independently on a floor: time per step over their number, with impacts in every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from samara.benchmarks.advance import advance
from samara.benchmarks.rows import Row, cpu_time_per_call
from samara.elements.bodies.body import Body
from samara.elements.contact.contact import Contact
from samara.elements.contact.shapes import BallShape
from samara.model import Model
from samara.solve import Simulation
from samara.solve.native.codes import Counter
from samara.solve.start.start import start

CASE = "balls"
#: Step, time of a slice that is timed, and of the fall before the first [s]: then the balls are bouncing.
STEP, SLICE, BEFORE = 1e-3, 0.05, 0.2
#: Distance of neighbours, radius, and height that they fall from at most [m].
APART, RADIUS, HEIGHT = 0.3, 0.1, 0.5


def build(count: int) -> Model:
    """Balls above a floor at random heights from a fixed seed."""
    rng, side = np.random.default_rng(1), int(np.ceil(np.sqrt(count)))
    model = Model("balls", gravity=(0.0, 0.0, -9.81))
    for k in range(count):
        place = (APART * (k % side), APART * (k // side), 1.5 * RADIUS + HEIGHT * rng.random())
        ball = model.node(f"ball-{k}", place, velocity=rng.normal(0.0, 0.3, 3))
        model.add(f"body-{k}", Body(ball, mass=1.0, inertia=(0.4 * RADIUS**2,) * 3))
        floor = Contact(model.ground, ball, place_a=(0, 0, 0), shape=BallShape(RADIUS), restitution=0.8, friction=0.2)
        model.add(f"floor-{k}", floor)
    return model


def balls(counts: Sequence[int], repeats: int) -> Iterator[Row]:
    """us_per_step of each number of balls, and the exponents between them."""
    found = []
    for count in counts:
        sim = Simulation(build(count))
        start(sim, STEP)
        advance(sim, STEP, round(BEFORE / STEP))
        before = sim.counters.copy()
        timing = cpu_time_per_call(lambda sim=sim: advance(sim, STEP, round(SLICE / STEP)), repeats=repeats, warmup=0)
        made = sim.counters - before
        per_step = timing.scaled(1e6 * STEP / SLICE)
        impacts, iterations = (made[k] / made[Counter.STEPS] for k in (Counter.IMPACTS, Counter.ITERATIONS))
        note = f"redundant formulation, {STEP:g} s; {impacts:.2g} impacts and {iterations:.2g} iterations per step; "
        note += f"{per_step.best:.3g} to {per_step.worst:.3g} us"
        yield Row(f"{CASE}-{count}", "us_per_step", per_step.median, "us", "", note)
        found.append(per_step.median)
    for k in range(1, len(counts)):
        exponent = np.log(found[k] / found[k - 1]) / np.log(counts[k] / counts[k - 1])
        yield Row(f"{CASE}-{counts[k]}", "step_exponent", exponent, "", "1", f"from {counts[k - 1]} balls on")
