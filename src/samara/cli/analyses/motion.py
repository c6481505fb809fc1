"""The periodic motion about which a command linearises."""

from __future__ import annotations

import argparse

import numpy as np

from samara.analysis import Periodic, periodic
from samara.analysis.rotors.turn import steps_per_period, turn
from samara.cli.report import FAILED, CommandError
from samara.cli.target import Target
from samara.solve import Simulation, assemble, transient
from samara.system.memory.blocks import ACC, CARRIER, ETA

#: Change of the state over a period that counts as none, and periods that it may take.
SETTLED, PERIODS = 1e-7, 400
#: Step of a model that does not say [s].
STEP = 1e-3
#: Speed that counts as none, by the size of the mechanism in a period over 2 pi.
AT_REST = 1e-5


def simulation(target: Target) -> Simulation:
    """Of a target, at its start."""
    return Simulation(target.model, method=target.method_of({"formulation": "redundant"}))


def found_motion(
    sim: Simulation, target: Target, args: argparse.Namespace, outputs: str = "model.violation"
) -> Periodic:
    """The motion that repeats itself, after what is to be run before; outputs: what is recorded of it."""
    step = target.timeline.step or STEP
    if args.after > 0.0:
        transient(sim, args.after, step, outputs="model.violation", progress=False)
    else:
        assemble(sim)
    period = args.period or turn(sim)
    steps = args.steps or steps_per_period(sim, period, step)
    found = periodic(sim, period, period / steps, tolerance=SETTLED, periods=PERIODS, outputs=outputs, method="auto")
    if not found.settled:
        raise CommandError(
            f"{target.name}: no periodic motion of period {period:.6g} s found within {PERIODS} "
            f"periods; the state still changes by {found.residual:.2g} per period. Give its --period, or use "
            f"--after to let transients decay first",
            FAILED,
        )
    return found


def in_words(found: Periodic) -> str:
    """What was found, and how."""
    steps = round(found.period / found.step)
    by = f"{found.shots} shots" if found.shots else "marching"
    what = f"rest (period {found.period:.6g} s)" if _rests(found) else f"a motion of period {found.period:.6g} s"
    return f"{what} in {steps} steps, found in {found.periods} periods by {by}"


def _rests(found: Periodic) -> bool:
    """Whether nothing moves, nor is about to: speeds and accelerations by the period and the size of the mechanism."""
    sim, rate = found.simulation, 2.0 * np.pi / found.period
    size = np.repeat([sim.length, 1.0], 3)
    for node in (*sim.system.layout.free, *sim.system.layout.held):
        speeds = (sim.state.read(node, ETA, 6) / rate, sim.state.read(node, ACC, 6) / rate**2)
        if np.any(np.abs(speeds) > AT_REST * size) or np.any(sim.state.read(node, CARRIER, 3)):
            return False
    return True
