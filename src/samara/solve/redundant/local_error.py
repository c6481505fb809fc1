"""The local error of a step, estimated with another formula of the same order."""

from __future__ import annotations

from samara.solve.redundant.scheme import C, prepare_estimate
from samara.system.memory.blocks import (
    ACC_1,
    ETA_1,
    ETA_2,
    INCREMENT,
    RATE_1,
    RATE_2,
    SECOND_1,
    SIZE,
    STATE_SIZE,
    VALUE,
    VALUE_1,
)
from samara.tracing.driver.driver_cache import routine

G1, G2, G3, IMPLICIT, EXPLICIT, LASTING = (C[k] for k in ("G1", "G2", "G3", "IMPLICIT", "EXPLICIT", "LASTING"))
#: Power of the step that it grows with.
ERROR_ORDER = 3


@routine
def local_error(work, h, old):
    """Local error of the last step h after one of size old: poses (m by the size of their part, rad), states (by size).

    What the integrator found is compared with an explicit formula of the same order, whose error it knows.
    """
    m = work.machine
    prepare_estimate(m, work.settings, h, old)
    coef, s, width = m.coef, m.state, m.layout.width
    e1, e2, f1 = coef[G1], coef[G2], coef[G3]
    worst = 0.0
    for g in range(m.layout.free_groups):
        first = g * SIZE * width
        for c in range(6):
            for lane in range(width):
                scale = 1.0 / m.plan.lengths[g * width + lane] if c < 3 else 1.0
                at = first + c * width + lane
                guess = e1 * s[at + ETA_1 * width] + e2 * s[at + ETA_2 * width] + f1 * s[at + ACC_1 * width]
                worst = max(worst, abs(s[at + INCREMENT * width] - guess) * scale)
    for k in range(m.layout.state_groups * width):
        if m.plan.orders[k] == 0:  # it follows from the others, and its rate means nothing
            continue
        at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
        guess = e1 * s[at + RATE_1 * width] + e2 * s[at + RATE_2 * width] + f1 * s[at + SECOND_1 * width]
        value, before = s[at + VALUE * width], s[at + VALUE_1 * width]
        worst = max(worst, abs(value - before - guess) / (abs(value) + m.plan.scale[k]))
    return worst * coef[LASTING] * coef[IMPLICIT] / (coef[IMPLICIT] + coef[EXPLICIT])
