"""Coefficients of a step in the driver: what every formulation requests from an integrator before a step."""

from __future__ import annotations

from samara.solve.integrators.native import BEGIN, call_coefficients
from samara.system.memory.blocks import Coefficient
from samara.tracing.driver.driver_cache import inner

#: A step that is so many times longer than the one before has no past to speak of.
LONGEST_RATIO = 4.0
STEP, F1, F2 = int(Coefficient.STEP), int(Coefficient.F1), int(Coefficient.F2)


@inner
def set_coefficients(m, settings, h, old):
    """Of a step h after one of size old; returns the ratio of both, 0 where there is no past."""
    if h > LONGEST_RATIO * old:
        old = 0.0
    m.coef[STEP] = h
    call_coefficients(m.plan.scheme[BEGIN], m.coef, settings.scheme, h, old)
    return h / old if old != 0.0 else 0.0


@inner
def leans_on_accelerations(m):
    """Whether the prediction goes on with past accelerations."""
    return m.coef[F1] != 0.0


@inner
def leave_out_accelerations(m):
    """The prediction goes on with past velocities alone."""
    m.coef[F1] = m.coef[F2] = 0.0
