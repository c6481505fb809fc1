"""Step size: the next step that the accuracy allows, and the step to try after a failed one.

h = 0 requests an adaptive step, within `StepLimits`. With a fixed size, a failed step is taken in parts, each half the
size of the one that failed.
"""

from __future__ import annotations

from samara.solve.laws.samples import next_sample
from samara.solve.native.clock import jump_at
from samara.solve.native.codes import (
    BELOW_FLOOR,
    INEXACT,
    NOT_CONVERGED,
    NOT_FINITE,
    PASSED_THROUGH,
    SINGULAR,
    UNRESOLVED,
)
from samara.solve.native.records import StepLimits
from samara.solve.step.events import drive_gap
from samara.tracing.driver.driver_cache import inner, routine

#: Part of what is left to a sample or to the end from which on a step goes all the way.
WHOLE_PART = 0.999
#: Part of the step that the error allows which is taken, and the smallest error that counts, over the accuracy.
SAFETY_PART, SMALLEST_ERROR = 0.9, 1e-6
#: Growth of a step from which on it is worth a new factorisation, and the largest in one step.
SMALLEST_GAIN, LARGEST_GAIN = 1.3, 2.0
#: Part of the largest step in which prescribed motions need not be smooth: one that jumps a little is passed.
JUMP_PART = 1e-6
#: What is left of a step at least that was too inexact, and of one that failed, at a free and at a given size.
LARGEST_CUT, CUT_OF_A_FAILURE, CUT_IN_HALF = 0.2, 0.25, 0.5
#: Smallest and largest step, of the time of the end.
SMALLEST_STEP, LARGEST_STEP = 1e-10, 0.05


@inner
def fails(status):
    """Whether shorter steps may do what this one did not."""
    return status == NOT_CONVERGED or status == NOT_FINITE or status == SINGULAR or is_too_long(status)


@inner
def is_too_long(status):
    """Whether a step has ended where it must not because it was too long, however it was found."""
    return status == BELOW_FLOOR or status == PASSED_THROUGH or status == UNRESOLVED


@inner
def free_goal(work):
    """Time that the next step is to end at: as the accuracy allows; a sample and the end of the run are met as numbers.

    What is left to them is shared out evenly. A jump that is known within their rounding is where they are.
    """
    m, limits, time = work.machine, work.limits, work.memory.clock.time
    target = jump_at(m, min(limits.end, next_sample(m)), limits.smallest)
    h, left = min(limits.next, limits.largest), target - time
    if h > WHOLE_PART * left:
        return target
    return time + (0.5 * left if h > 0.5 * left else h)


@routine
def motion_error(m, h):
    """What drives that prescribe nodes move by within h, beyond what their rates at both ends tell.

    That is h^3 / 12 times a third derivative, as large as the error of a free node that moves like that: contacts and
    all else know prescribed nodes at the ends of a step. Lengths and angles count as in `local_error`.
    """
    worst = 0.0
    for k in range(m.jumps.watched.size):
        if m.jumps.motions[k] != 0.0:
            worst = max(worst, m.jumps.motions[k] * drive_gap(m, k, h))
    return worst


@inner
def is_exact(work, size, h):
    """Whether a step h with that error, over the accuracy, is accepted; sets the next step."""
    limits = work.limits
    factor = SAFETY_PART * (1.0 / max(size, SMALLEST_ERROR)) ** (1.0 / work.machine.plan.error_order)
    # what is cut short by a jump or by the end has no shorter step; anything else asks for more than there is
    if size <= 1.0 or (h <= limits.smallest and h < limits.next):
        allowed = h * min(factor, LARGEST_GAIN)
        # small gains are not worth a new factorisation, and a step that was cut short says nothing of longer ones
        if factor < 1.0 or (factor > SMALLEST_GAIN and allowed > limits.next):
            limits.next = allowed
        return True
    limits.next = h * max(factor, LARGEST_CUT)
    return False


@inner
def shorter_free_step(work, status, h):
    """What is tried after a step h that failed, where steps follow an accuracy; 0 for nothing."""
    limits = work.limits
    if status != INEXACT:  # else it is known
        if not fails(status):
            return 0.0
        limits.next = CUT_OF_A_FAILURE * h
    return limits.next if limits.next >= limits.smallest else 0.0


@inner
def shorter_part(work, status, h, whole):
    """The same at a given size of the whole step: what an explicit formula makes infinite has grown over many steps."""
    parts = work.settings.parts
    divides = fails(status) and parts > 1.0 and (work.machine.plan.iterates != 0 or is_too_long(status))
    return CUT_IN_HALF * h if divides and CUT_IN_HALF * h * parts > WHOLE_PART * whole else 0.0


def new_limits(accuracy: float, end: float, first: float, usual: float, start: float = 0.0) -> StepLimits:
    """Of a run to `end` whose first step is that [s]; usual: that of one that starts.

    What follows an event is not tested before it is done: its short steps err by their square, so it is shorter by the
    fourth root of the accuracy. More would drown accelerations in rounding.
    """
    return StepLimits(
        accuracy=accuracy, smallest=SMALLEST_STEP * end, largest=LARGEST_STEP * end, next=first,
        after_event=usual * accuracy**0.25, recorded=start, end=end,
    )  # fmt: skip
