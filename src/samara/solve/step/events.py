"""Events: jumps of drives, inputs and parameters, and their times.

If a force jumps, a multistep formula or a reused factorisation has a finite error. The time of the jump is therefore
located, the step ends just before it, and the formulation restarts after it (`native.verbs`).
"""

from __future__ import annotations

import numpy as np

from samara.solve.native.kernels import set_time
from samara.solve.native.verbs import respond
from samara.tracing.driver.driver_cache import inner, routine

#: A drive has jumped when it moved by more than this part of its largest value beyond what its rates tell.
SMALLEST_JUMP = 0.02
#: Part of its largest value from which on a change of an input is an event.
SMALLEST_INPUT_JUMP = 0.5
#: Bisections that find its time, 1e-9 of a step; what is left of it after some, at 1e-4 of a step, shows that it jumps.
JUMP_BISECTIONS, STEEP_BISECTIONS, JUMP_LEFT = 30, 13, 0.5
#: Part of a step before and after a known jump.
JUMP_MARGIN = 1e-9
#: Part of a step that is left after a jump below which the jump counts as one at the end: shorter steps drown in
#: rounding.
END_MARGIN = 1e-4
#: Columns of `Machine.known`.
KNOWN_VALUE, KNOWN_RATE, KNOWN_LARGEST = range(3)


@inner
def drive_gap(m, k, h):
    """What drive k moved by within h, beyond what its rates at both ends tell."""
    at = m.jumps.watched[k]
    return abs(m.state[at] - m.jumps.known[k, KNOWN_VALUE] - 0.5 * h * (m.jumps.known[k, KNOWN_RATE] + m.state[at + 1]))


@inner
def note_drives(m):
    """Remembers values and rates of the drives as they are at the present time."""
    for k in range(m.jumps.watched.size):
        at = m.jumps.watched[k]
        m.jumps.known[k, KNOWN_VALUE], m.jumps.known[k, KNOWN_RATE] = m.state[at], m.state[at + 1]
        m.jumps.known[k, KNOWN_LARGEST] = max(m.jumps.known[k, KNOWN_LARGEST], abs(m.state[at]))


@inner
def _jumped(m, h):
    """The drive that jumped most within h, of its largest value; -1 for none, -2 where one is no number."""
    worst, which = 0.0, -1
    for k in range(m.jumps.watched.size):
        size = max(m.jumps.known[k, KNOWN_LARGEST], abs(m.state[m.jumps.watched[k]]))
        gap = drive_gap(m, k, h)
        if not gap < np.inf:
            return -2
        if gap > SMALLEST_JUMP * size and gap > worst * size:
            worst, which = gap / size, k
    return which


@routine
def _bisect(m, start, end, which):
    """The last time before and the first after the jump of a drive, inf where it is only steep; the end is set."""
    at, gap = m.jumps.watched[which], drive_gap(m, which, end - start)
    low, high = start, end
    x_low, r_low = m.jumps.known[which, KNOWN_VALUE], m.jumps.known[which, KNOWN_RATE]
    x_high, r_high = m.state[at], m.state[at + 1]
    for k in range(JUMP_BISECTIONS):
        middle = 0.5 * (low + high)
        set_time(m, middle)
        x, r = m.state[at], m.state[at + 1]
        left = abs(x - x_low - 0.5 * (middle - low) * (r_low + r))
        right = abs(x_high - x - 0.5 * (high - middle) * (r + r_high))
        if left >= right:
            high, x_high, r_high = middle, x, r
        else:
            low, x_low, r_low = middle, x, r
        if max(left, right) < JUMP_LEFT * gap:
            if k < STEEP_BISECTIONS:
                low = high = np.inf
            break
    set_time(m, end)
    return low, high


@inner
def time_of_jump(m, start, end):
    """When the first drive jumps after `start`, to `end`: the last time before and the first after it, inf for none.

    Jumps that are known come first: two of them within a step may cancel. nan where a drive is no number. Leaves drives
    and prescribed nodes as at the end of the step.
    """
    set_time(m, end)
    hair = JUMP_MARGIN * (end - start)
    for k in range(m.jumps.times.size):
        if m.jumps.times[k] > start + hair and m.jumps.times[k] <= end:
            return m.jumps.times[k] - hair, min(m.jumps.times[k] + hair, end)
    which = _jumped(m, end - start)
    if which < 0:
        none = np.inf if which == -1 else np.nan
        return none, none
    return _bisect(m, start, end, which)


@inner
def next_jump(m, start):
    """Time of the first known jump after another one at `start`, inf for none."""
    for k in range(m.jumps.times.size):
        if m.jumps.times[k] > start:
            return m.jumps.times[k]
    return np.inf


@inner
def look_at_inputs(work):
    """Parameters and inputs that were changed since the last step."""
    m, memory = work.machine, work.memory
    if m.layout.input_count != 0 or m.jumps.parameter_changes[0] != memory.clock.changes:
        _take_in(work)


@routine
def _take_in(work):
    """What has changed since the last step, at the present time: parameters, inputs, and what inputs drive.

    A parameter that changed or an input that jumped is an event. A smaller change, such as that of a sampled command,
    moves accelerations only: a held input acts from its sample on, not half a step later.
    """
    m, memory = work.machine, work.memory
    if m.jumps.parameter_changes[0] != memory.clock.changes:
        memory.clock.changes = m.jumps.parameter_changes[0]
        memory.clock.event = True
    set_time(m, memory.clock.time)
    largest = 0.0
    for k in range(m.jumps.watched.size):
        x = m.state[m.jumps.watched[k]]
        size = max(abs(x), m.jumps.known[k, KNOWN_LARGEST])
        if size > 0.0:
            largest = max(largest, abs(x - m.jumps.known[k, KNOWN_VALUE]) / size)
    if largest > SMALLEST_INPUT_JUMP:
        memory.clock.event = True
    elif largest > 0.0:
        respond(work, largest)
    note_drives(m)
