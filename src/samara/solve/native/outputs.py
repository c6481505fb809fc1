"""All measures at the present state, and its constraint violation."""

from __future__ import annotations

from samara.solve.native.books import show_books
from samara.solve.native.kernels import OUTPUTS, clear, residual, run_kinds
from samara.solve.native.verbs import publish
from samara.system.memory.blocks import Coefficient
from samara.tracing.driver.driver_cache import driver, inner

POSE = int(Coefficient.POSE)


@inner
def outputs(work):
    """All measures at the present state, into `out`: status."""
    status = publish(work)
    measure(work.machine)
    return status


@inner
def measure(m):
    """All measures of nodes and states as they lie in memory."""
    clear(m.scratch.out)
    run_kinds(m, m.plan.program, OUTPUTS, m.scratch.out.ctypes.data, m.scratch.out.ctypes.data)
    show_books(m)


@inner
def violation(m):
    """Largest violation of a constraint [m, rad]."""
    worst = 0.0
    residual(m)
    for i in range(m.layout.multiplier_count):
        worst = max(worst, abs(m.scratch.res[m.layout.multiplier_rows + i]))
    return worst * m.coef[POSE]


@driver
def measure_at_rest(m):
    """Measures of a pose that no step has led to; the last of them is the constraint violation."""
    measure(m)
    m.scratch.out[m.scratch.out.size - 1] = violation(m)
