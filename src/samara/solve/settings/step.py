"""Numbers that control a step."""

from __future__ import annotations

from samara.method.method import Method
from samara.solve.contact.impulses import GOOD_ENOUGH
from samara.solve.integrators import Integrator
from samara.solve.integrators.native import numbers_of
from samara.solve.native.records import StepSettings

#: Angle per step [rad] beyond which two nodes turn against each other: a turn in 300 steps.
TURN_PER_STEP = 0.02
#: A step that stops converging is accepted, and counted, up to so many times the tolerance, unless a ceiling is given.
ACCEPTED_CORRECTION = 100.0
#: Ratio of corrections above which a kept factorisation is too slow, and iterations that it may take.
SLOW_CONTRACTION, KEPT_ITERATIONS = 0.4, 6
#: Speed below which a model counts as at rest, in its lengths per second.
LEAST_SPEED = 1e-2


def step_settings(scheme: Integrator, length: float, method: Method, stabilise: bool) -> StepSettings:
    """Of the native driver, for a mechanism of this size [m]."""
    found = StepSettings()
    found.scheme.words[:] = numbers_of(scheme)
    found.tolerance = method.tolerance
    found.max_iterations = method.iterations
    found.contraction = SLOW_CONTRACTION
    found.keep = KEPT_ITERATIONS
    found.turn = TURN_PER_STEP
    found.length = length
    found.speed_floor = LEAST_SPEED * length
    found.ceiling = method.ceiling or ACCEPTED_CORRECTION * method.tolerance
    found.parts = method.substeps
    found.project = stabilise
    found.sweeps, found.contact_ceiling = method.sweeps, method.ceiling or GOOD_ENOUGH
    return found
