"""Verbs of schemes that solve twice in a step, first beyond its end (`integrators.integrator.Ahead`).

    advance:  predict for c h - Newton - turn: predict the end by way of that - Newton - is it resolved?

The node blocks need no additional memory: `turn` overwrites the first solution. If Newton's method has to restart in
the second one, it uses a copy of the state.

If a drive jumps within c h but not within the step, the first solution is placed inside the step. The formulas are then
of the same order but unstable in the long run, which is acceptable for the two or three steps before a jump. A step
that does not converge is tried again without extrapolating velocities, and then solved once with a two-step formula,
which is counted.

**Start-up.** A fourth-order scheme needs a fourth-order start. A step without history is therefore taken in equal
parts, the first by the trapezoidal rule. The history is then rewritten as if this had been one step: the beginning of
the first part is saved, and the increment leads from there to the end,

    n = log(H_0^-1 H)

The error of this start, h^3 / (12 PARTS^3) times a third derivative, is less than that of a few ordinary steps.

**Unresolved steps are rejected.** Far from equilibrium, the solution ahead can throw a part on a stiff spring far
outside the spring's range, and Newton's method then finds a different equilibrium. A step detects this itself. The
fourth-order formula that needs no solution ahead,

    n* = -a2 n_1 + h (b0 eta + b1 eta_1 + b2 eta_2),     (a1, a2, b0, b1, b2) as of the first solution at c = 1,

is also exact up to t^4, so n - n* is of the order of h^5 times a fifth derivative if the step resolves the motion, and
of the size of the motion itself if it does not. Above `LARGEST_DOUBT` of a part's length, of a radian or of a state,
the step is rejected and counted; it is taken in parts, as at start-up, and so are the following steps until all motion
in them is smooth again. Accepting only the steps that happen to pass would make vibrations grow, because those that
pass err to one side. If the parts do not resolve the motion either, the status is UNRESOLVED: the step is divided, and
if that does not help, the run stops.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.solve.integrators.look_ahead import ahead
from samara.solve.native.codes import NOT_CONVERGED, NOT_FINITE, OK, UNRESOLVED, Counter
from samara.solve.native.kernels import TIME, TURN, clear, copy, set_time, walk
from samara.solve.redundant import formulation
from samara.solve.redundant.formulation import accept, converge
from samara.solve.redundant.newton import newton
from samara.solve.redundant.renewal import learn
from samara.solve.redundant.restart import restart_within
from samara.solve.redundant.scheme import (
    AHEAD,
    ONCE,
    STEP,
    TURNED,
    WITHIN,
    leave_out_changes,
    predict,
    prepare,
    prepare_limited,
    take_back,
)
from samara.solve.redundant.step_kept import BEFORE_IT, ROUGH, VALID
from samara.solve.step.events import note_drives, time_of_jump
from samara.system.memory.blocks import (
    ACC,
    ACC_1,
    ACC_2,
    BEFORE,
    CARRIER,
    ETA,
    ETA_1,
    ETA_2,
    INCREMENT,
    INCREMENT_1,
    POSITION,
    RATE,
    RATE_1,
    RATE_2,
    ROTATION,
    SIZE,
    STATE_SIZE,
    VALUE,
    VALUE_1,
    VALUE_2,
)
from samara.tracing.driver.driver_cache import inner, linked, routine

#: Parts of a step without a past.
PARTS = 16
#: A step that is so many times longer than the one before has no past for a formula of fourth order.
LONGEST_RATIO = 1.5
#: What two formulas of fourth order may differ by in a step [of a part's length, rad, of a state].
LARGEST_DOUBT = 1e-4
#: Part of that below which steps are whole again.
EASED_PART = 0.1
#: Square of an angle [rad^2] below which series stand for what is divided by it.
SMALL_SQUARE = 1e-4
_weights = linked(ahead)


@routine
def advance(work, h, at):
    """From the present state to the one after h, in parts where there is no past. What fails stays as it is."""
    m, memory, since = work.machine, work.memory, work.machine.ahead.since
    _keep(work)
    if memory.clock.step == 0.0 or h > LONGEST_RATIO * memory.clock.step:
        return _start(work, h, at)
    if since[ROUGH] == 0.0:
        status = _step(work, memory.clock.time, h, at)
        if status != UNRESOLVED:
            return status
        undo(work)
        since[ROUGH] = 1.0
    work.counters[Counter.UNRESOLVED] += 1
    status = _start(work, h, at)
    if status == OK:
        since[ROUGH] = 0.0 if _doubt(m, h, since[BEFORE_IT]) <= EASED_PART * LARGEST_DOUBT else 1.0
    return status


@routine
def undo(work):
    """All as it was kept; after a restart, back by its last prediction."""
    m, memory, kept = work.machine, work.memory, work.machine.ahead
    if kept.since[VALID] == 0.0:
        take_back(m)
        return OK
    copy(m.state, kept.origin)
    for k in range(m.multipliers.last.size):
        m.multipliers.last[k], m.multipliers.before[k] = kept.reactions[0, k], kept.reactions[1, k]
    memory.clock.step, memory.clock.first = kept.since[BEFORE_IT], False
    set_time(m, memory.clock.time)
    note_drives(m)
    return OK


@routine
def restart(work, h, relaxes):
    """The scheme anew; its short steps are parts of a first part."""
    work.machine.ahead.since[VALID] = 0.0
    return restart_within(work, h / PARTS, h, relaxes)


@inner
def _keep(work):
    """The state as it is, to be undone to."""
    m, kept = work.machine, work.machine.ahead
    copy(kept.origin, m.state)
    for k in range(m.multipliers.last.size):
        kept.reactions[0, k], kept.reactions[1, k] = m.multipliers.last[k], m.multipliers.before[k]
    kept.since[VALID], kept.since[BEFORE_IT] = 1.0, work.memory.clock.step


@routine
def _step(work, start, h, at):
    """One step from a time on, after one of the size that is remembered."""
    m, settings, memory, counters = work.machine, work.settings, work.memory, work.counters
    before, old = counters[Counter.ITERATIONS], memory.clock.step
    if settings.project:
        memory.trust.factored_for = 0.0
    alpha = prepare(m, settings, memory, h)
    memory.clock.ratio = alpha
    status = NOT_CONVERGED
    if alpha != 0.0:
        status = _solve_twice(work, start, h, at, alpha)
        counters[Counter.LOWER_ORDER] += status == NOT_CONVERGED or status == NOT_FINITE
    if status == NOT_CONVERGED or status == NOT_FINITE:
        status = converge(work, h, at, alpha)
    if status == OK and alpha != 0.0 and not _doubt(m, h, old) <= LARGEST_DOUBT:
        return UNRESOLVED
    if status == OK:
        learn(memory, counters[Counter.ITERATIONS] - before)
    return status


# ---- two solutions
@routine
def _turn(m, h, alpha):
    """From the solution at c h to the prediction of the one at h; multipliers along a parabola."""
    c, q = m.coef[AHEAD], 1.0 / alpha
    m.coef[STEP] = h
    walk(m, TURN)
    now = (1.0 + q) / (c * (c + q))
    before = (1.0 - c) / (q * (q + c))
    for k in range(m.layout.multiplier_count):
        at = m.layout.multiplier_base + k
        last, old = m.multipliers.last[k], m.multipliers.before[k]
        m.state[at] = now * m.state[at] + (1.0 - now - before) * last + before * old


@inner
def _solve(work, h, at, end, alpha):
    """Both solutions, the first for the time `end`, with drives of the second at the time `at`."""
    m = work.machine
    m.coef[STEP] = m.coef[AHEAD] * h
    predict(m, m.coef[AHEAD] * alpha)
    if m.coef[TIME] != end:
        set_time(m, end)
    status = newton(work, h, m.coef[AHEAD] * alpha)
    m.coef[STEP] = h
    if status != OK:
        return status
    _turn(m, h, alpha)
    set_time(m, at)
    copy(m.ahead.prediction, m.state)
    m.coef[TURNED] = 1.0
    status = newton(work, h, alpha)
    m.coef[TURNED] = 0.0
    return status


@inner
def _solve_twice(work, start, h, at, alpha):
    """By coefficients that are set. Where that fails, it is undone and to be solved once."""
    m, settings, memory = work.machine, work.settings, work.memory
    old = memory.clock.step
    end = start + m.coef[AHEAD] * h
    if not time_of_jump(m, start, end)[1] > end:
        prepare_limited(m, settings, h, old, WITHIN)
        end = start + m.coef[AHEAD] * h
    status = OK
    for trial in range(2):
        status = _solve(work, h, at, end, alpha)
        if status != NOT_CONVERGED and status != NOT_FINITE:
            return status
        work.counters[Counter.RETRIED] += 1
        take_back(m)
        memory.trust.factored_for = 0.0
        if trial == 0:
            leave_out_changes(m)
    prepare_limited(m, settings, h, old, ONCE)
    return status


@routine
def _doubt(m, h, old):
    """By how much two formulas of fourth order differ, of poses (m by the size of their part, rad) and states."""
    _, a2, b0, b1, b2 = _weights(1.0, old / h)
    b0, b1, b2 = h * b0, h * b1, h * b2
    s, width, worst, total = m.state, m.layout.width, 0.0, 0.0
    for g in range(m.layout.free_groups):
        for i in range(6 * width):
            at = g * SIZE * width + i
            guess = b0 * s[at + ETA * width] + b1 * s[at + ETA_1 * width] + b2 * s[at + ETA_2 * width]
            error = abs(s[at + INCREMENT * width] + a2 * s[at + INCREMENT_1 * width] - guess)
            if i < 3 * width:
                error /= m.plan.lengths[g * width + i % width]
            worst, total = max(worst, error), total + error
    for k in range(m.layout.state_groups * width):
        if m.plan.orders[k] == 0:  # it follows from the others, and its rate means nothing
            continue
        at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
        now, before = s[at + VALUE * width], s[at + VALUE_1 * width]
        guess = b0 * s[at + RATE * width] + b1 * s[at + RATE_1 * width] + b2 * s[at + RATE_2 * width]
        guess += before + a2 * (s[at + VALUE_2 * width] - before)
        error = abs(now - guess) / (abs(now) + m.plan.scale[k])
        worst, total = max(worst, error), total + error
    return worst + 0.0 * total  # a nan anywhere is not lost


# ---- a start in parts
@routine
def _start(work, h, at):
    """A step without a past, in parts; the first and the last end with velocities on the constraints."""
    m, memory = work.machine, work.memory
    start, part = memory.clock.time, h / PARTS
    memory.clock.step = 0.0
    for k in range(PARTS):
        if k == 0 or k == PARTS - 1:
            _project_next(work)
        now, end = start + k * part, at if k == PARTS - 1 else start + (k + 1) * part
        status = _step(work, now, part, end)
        if status != OK:
            return status
        memory.clock.step = part
        if k != PARTS - 1:
            status = accept(work, part)
            if status != OK:
                return status
            note_drives(m)
    _join(m, h)
    return OK


@inner
def _project_next(work):
    """The next part ends with velocities on the constraints, and accelerations that follow from the forces."""
    m, memory = work.machine, work.memory
    if m.layout.multiplier_count != 0:
        clear(m.multipliers.target)
        memory.clock.first, memory.trust.factored_for = True, 0.0


@routine
def _join(m, h):
    """Writes the past anew: a step before, all was as it has been kept."""
    width, state, origin = m.layout.width, m.state, m.ahead.origin
    for k in range(m.layout.free_groups * width):
        first = (k // width) * SIZE * width + k % width
        _join_node(m, first, h)
        for i in range(12):
            state[first + (BEFORE + i) * width] = origin[first + (ROTATION + i) * width]
        for i in range(6):
            state[first + (ETA_1 + i) * width] = origin[first + (ETA + i) * width]
            state[first + (ACC_1 + i) * width] = origin[first + (ACC + i) * width]
            state[first + (ETA_2 + i) * width] = origin[first + (ETA_1 + i) * width]
            state[first + (ACC_2 + i) * width] = origin[first + (ACC_1 + i) * width]
            state[first + (INCREMENT_1 + i) * width] = origin[first + (INCREMENT + i) * width]
    for k in range(m.layout.state_groups * width):
        first = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
        for i in range(6):  # the step before is beside the last
            state[first + (VALUE_1 + i) * width] = origin[first + (VALUE + i) * width]
    for k in range(m.layout.multiplier_count):
        m.multipliers.last[k], m.multipliers.before[k] = origin[m.layout.multiplier_base + k], m.ahead.reactions[0, k]


@inner
def _turned_by(m, first, i, j):
    """Component of R_0^T R."""
    total, w = 0.0, m.layout.width
    for a in range(3):
        row = first + (ROTATION + 3 * a) * w
        total += m.ahead.origin[row + i * w] * m.state[row + j * w]
    return total


@inner
def _moved_by(m, first, i, h):
    """Component of R_0^T (p - p_0 - h V)."""
    total, w = 0.0, m.layout.width
    for j in range(3):
        place = first + (POSITION + j) * w
        way = m.state[place] - m.ahead.origin[place] - h * m.state[first + (CARRIER + j) * w]
        total += m.ahead.origin[first + (ROTATION + 3 * j + i) * w] * way
    return total


@inner
def _join_node(m, first, h):
    """Increment of a node from where it was kept, (d, phi) with exp(d, phi) = (R, p), for less than half a turn,

    d = p - phi x p / 2 + k phi x (phi x p),     k = (1 - (t / 2) cot(t / 2)) / t^2,   t = |phi|
    """
    x = 0.5 * (_turned_by(m, first, 2, 1) - _turned_by(m, first, 1, 2))
    y = 0.5 * (_turned_by(m, first, 0, 2) - _turned_by(m, first, 2, 0))
    z = 0.5 * (_turned_by(m, first, 1, 0) - _turned_by(m, first, 0, 1))
    square = x * x + y * y + z * z
    if square < SMALL_SQUARE:
        scale = 1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0 + square * 5.0 / 112.0))
        t = square * scale * scale
        k = 1.0 / 12.0 + t * (1.0 / 720.0 + t / 30240.0)
    else:
        trace = _turned_by(m, first, 0, 0) + _turned_by(m, first, 1, 1) + _turned_by(m, first, 2, 2)
        t = np.arctan2(np.sqrt(square), 0.5 * (trace - 1.0))
        scale, k = t / np.sqrt(square), (1.0 - 0.5 * t / np.tan(0.5 * t)) / (t * t)
    x, y, z = scale * x, scale * y, scale * z
    a, b, c = _moved_by(m, first, 0, h), _moved_by(m, first, 1, h), _moved_by(m, first, 2, h)
    u, v, w = y * c - z * b, z * a - x * c, x * b - y * a
    n, width = first + INCREMENT * m.layout.width, m.layout.width
    m.state[n] = a - 0.5 * u + k * (y * w - z * v)
    m.state[n + width] = b - 0.5 * v + k * (z * u - x * w)
    m.state[n + 2 * width] = c - 0.5 * w + k * (x * v - y * u)
    m.state[n + 3 * width], m.state[n + 4 * width], m.state[n + 5 * width] = x, y, z


VERBS: dict[str, Any] = formulation.VERBS | {"advance": advance, "undo": undo, "restart": restart}
