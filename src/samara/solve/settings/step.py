"""The numbers that steer a step."""

from __future__ import annotations

from samara.solve.contact.impulses import GOOD_ENOUGH
from samara.solve.integrators import Integrator
from samara.solve.integrators.native import numbers_of
from samara.solve.native.records import StepSettings

#: Default of Newton's tolerance: constraints then hold to 1e-11 m or so, far below the error of any practical step.
TOLERANCE = 1e-10
#: Angle per step [rad] beyond which two nodes turn against each other: a turn in 300 steps.
TURN_PER_STEP = 0.02
#: A step that stops converging is accepted, and counted, up to this many times the tolerance; one that fails is taken
#: in parts, the shortest 1 / MOST_PARTS of it.
ACCEPTED_CORRECTION, MOST_PARTS = 100.0, 1024.0


def step_settings(
    scheme: Integrator, length: float, tolerance: float, iterations: int, sweeps: int, divide: bool, stabilise: bool
) -> StepSettings:
    """Of the native driver, for a mechanism of this size [m]; the others as `Simulation` takes them."""
    found = StepSettings()
    found.scheme.words[:] = numbers_of(scheme)
    found.tolerance = tolerance
    found.max_iterations = iterations
    found.contraction = 0.4
    found.keep = 6
    found.turn = TURN_PER_STEP
    found.speed_floor = 1e-2 * length
    found.spin_floor = 1e-2
    found.ceiling = ACCEPTED_CORRECTION * tolerance
    found.parts = MOST_PARTS if divide else 1.0
    found.project = stabilise
    found.sweeps, found.contact_ceiling = sweeps, GOOD_ENOUGH
    return found
