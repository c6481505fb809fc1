"""The redundant equations for Newton's method (`solve.step.newton`).

A correction is measured by its largest twist, relative to the speeds of the model, and by the largest rate of a scalar
state, relative to the state's own rate and its size per second and per radian of the fastest part; for a state of order
zero, by the correction of its value. Reactions are measured as forces, relative to the largest of them
(`solve.redundant.reactions`). `solve.redundant.renewal` decides when factors are renewed.
"""

from __future__ import annotations

from samara.solve.contact.calls import answer_again, close_contacts, has_contacts, push_contacts
from samara.solve.linear.schur.calls import correction_by_parts, extend_together, keep_together
from samara.solve.linear.schur.corrections import forget_looks, largest_of_all, progress_of_all, set_looks
from samara.solve.native.codes import GROWTH, NOT_FINITE, OK
from samara.solve.native.kernels import residual
from samara.solve.redundant import renewal, scheme
from samara.solve.redundant.correction import correction
from samara.solve.redundant.reactions import OF_REACTION, REACTION_TOLERANCE, force_of_rounding, size_of_reactions
from samara.solve.redundant.renewal import KEPT, UNSUITABLE, may_be_renewed_in_part, renew, renew_stale
from samara.solve.redundant.scheme import POSE, correct
from samara.solve.step.newton import heads, newton_for, tossed
from samara.system.memory.blocks import ALGEBRAIC, ETA, POSITION, RATE, SIZE, STATE_SIZE, VALUE
from samara.tracing.driver.bits import largest_in, largest_of
from samara.tracing.driver.driver_cache import inner

#: Longest step [s] of which the usual speeds are what slow means; with longer ones that is slower.
BRISK_STEP = 1e-2
#: Rate below which a model counts as not turning [rad/s].
LEAST_SPIN = 1e-2
#: Rounding of positions, of the slow speed times a second (1e-2 of the length), and of their distance from the origin.
LENGTH_ROUNDING, DISTANCE_ROUNDING = 1e-12, 1e-15
#: Forces [N, N m] beyond which it is no use to look for pivots.
HUGE_FORCE = 1e100


# ---- what corrections are measured by
@inner
def speeds(m):
    """Largest speed [m/s] and spin [rad/s] of the nodes, against their carriers, and distance from the origin [m]."""
    v = w = distance = 0.0
    state, width = m.state, m.layout.width
    for g in range(m.layout.free_groups):
        eta, pose = (g * SIZE + ETA) * width, (g * SIZE + POSITION) * width
        v = largest_of(v, largest_in(state[eta : eta + 3 * width]))
        w = largest_of(w, largest_in(state[eta + 3 * width : eta + 6 * width]))
        distance = largest_of(distance, largest_in(state[pose : pose + 3 * width]))
    return v, w, distance


@inner
def _scales(work, h):
    """Inverses of the model's speed and spin, rate at which states count as moving, the force [N] of which the
    tolerance is what rounding moves, and whether contacts are closed.
    """
    m, settings = work.machine, work.settings
    speed, spin, distance = speeds(m)
    brisk = min(1.0, BRISK_STEP / h)  # what is slow is looked at by long steps
    speed = 1.0 / (speed + brisk * settings.speed_floor)
    spin = 1.0 / (spin + brisk * LEAST_SPIN)
    # positions are known to 1e-16 of the length (the floor is 1e-2 of it) and of their distance from the origin, so
    # twists to some times that over c0
    rounding = LENGTH_ROUNDING * settings.speed_floor + DISTANCE_ROUNDING * distance
    rounding /= m.coef[POSE]
    floor = force_of_rounding(m, rounding, m.coef[POSE]) / (REACTION_TOLERANCE * settings.tolerance)
    touching = has_contacts(m) and close_contacts(work) != 0
    set_looks(work.schur, speed, spin)
    return (speed, spin, brisk, floor, touching), rounding * speed, m.coef[POSE] / (speed * spin), not touching


@inner
def _sizes_of_state(m, k, spin, brisk):
    """Correction of a state, by its rate or, where that means nothing, by its value; and of that by its size."""
    width = m.layout.width
    at = m.layout.states_base + (k // width) * STATE_SIZE * width + k % width
    size, e = abs(m.state[at + VALUE * width]) + m.plan.scale[k], abs(m.x[m.layout.state_rows + k])
    moved = e * m.coef[POSE] / size
    if m.state[at + ALGEBRAIC * width] > 0.5:
        return moved, moved
    return e / (size * (brisk + 1.0 / spin) + abs(m.state[at + RATE * width])), moved


@inner
def _size_of_motion(work, speed, spin, brisk):
    """Largest correction relative to the speeds; speed and spin are the inverses of the model's.

    brisk: rate [1/s] at which a state that rests counts as moving. Also returns the largest of the nodes alone, and by
    how much of itself the value of a state moves at most.
    """
    m, moved = work.machine, 0.0
    worst = nodes = largest_of_all(m, work.schur, speed, spin)
    for k in range(m.layout.state_groups * m.layout.width):
        e, by = _sizes_of_state(m, k, spin, brisk)
        worst, moved = largest_of(worst, e), largest_of(moved, by)
    return worst, nodes, moved


@inner
def _measure(work, scales):
    speed, spin, brisk, floor, _ = scales
    size, nodes, moved = _size_of_motion(work, speed, spin, brisk)
    reactions = size_of_reactions(work.machine, floor) / REACTION_TOLERANCE
    return largest_of(size, reactions), nodes, moved, reactions


@inner
def _worst(work, scales):
    """Row of the largest correction, or `OF_REACTION`."""
    m, (speed, spin, brisk, floor, _), worst, where = work.machine, scales, 0.0, 0
    rows = 6 * m.layout.width
    for i in range(m.layout.free_groups * rows):
        e = abs(m.x[i]) * (speed if i % rows < rows // 2 else spin)
        if not e <= worst:
            worst, where = e, i
    for k in range(m.layout.state_groups * m.layout.width):
        e = _sizes_of_state(m, k, spin, brisk)[0]
        if not e <= worst:
            worst, where = e, m.layout.state_rows + k
    return OF_REACTION if size_of_reactions(m, floor) / REACTION_TOLERANCE > worst else where


# ---- corrections
@inner
def evaluate(work):
    """All equations at the present state, and the correction they ask for."""
    m = work.machine
    if work.schur.apart != 0 and not has_contacts(m):  # rows of closed contacts are of the whole
        correction_by_parts(work, 1)
    else:
        residual(m)
        correction(work)


@inner
def _evaluate(work, alpha, scales):
    evaluate(work)
    if not scales[4]:
        return OK
    forget_looks(work.schur)  # contacts push afterwards
    return push_contacts(work)


@inner
def _accelerate(work, scales, first):
    """Anderson's acceleration by one iteration: what the last one left over tells how far to go beyond this one.

        a = z - g (a' + z - z'),     g = <z, z - z'> / <z - z', z - z'>

    z: correction found, a: taken, dashes: in the iteration before. Twists are weighed as in `_size_of_motion`. Forces
    of closed contacts are no part of a series.
    """
    speed, spin, _, _, touching = scales
    if touching:
        return
    if first:
        keep_together(work)
        return
    top, bottom = progress_of_all(work.machine, work.schur, speed, spin)
    gain = top / bottom if bottom > 0.0 else 0.0
    extend_together(work, min(max(gain, -1.0), 0.5))


@inner
def _vectors(work):
    m = work.machine
    return m.x, m.scratch.found, m.scratch.taken


@inner
def _shake(work, part):
    m, toss = work.machine, 1
    width = m.layout.width
    for g in range(m.layout.free_groups):
        first = (g * SIZE + POSITION) * width
        for i in range(first, first + 3 * width):
            toss = tossed(toss)
            m.state[i] += part * m.state[i] if heads(toss) else 0.0
    forget_looks(work.schur)  # corrections are going to be compared


@inner
def _move(work):
    correct(work)


# ---- factors
@inner
def _begin_again(work, alpha):
    scheme.begin_again(work.machine, alpha)


@inner
def _unsuitable(m):
    """Why factors are no good: pivots that do not suit, or equations that are not finite."""
    residual(m)
    total = 0.0
    for i in range(m.plan.rows.size):
        total += abs(m.scratch.res[m.plan.rows[i]])
    return GROWTH if total < HUGE_FORCE else NOT_FINITE


@inner
def _ready(work, h, alpha):
    status, age = renewal.ready(work, h)
    return (_unsuitable(work.machine) if status == UNSUITABLE else status), age


@inner
def _improve(work, alpha, scales, age, wild):
    suits, age = renewal.improve(work, age, wild)
    if not suits:  # pivots that do not suit where an iteration has gone may do so where it began
        _begin_again(work, alpha)
        if not renew(work):
            return _unsuitable(work.machine), age
    if scales[4]:
        answer_again(work)
    return OK, age


@inner
def _improve_part(work, age):
    if not may_be_renewed_in_part(work, age):
        return OK, False
    renewed = renew_stale(work)
    return (_unsuitable(work.machine) if renewed == UNSUITABLE else OK), renewed != KEPT


@inner
def evaluate_beforehand(work, h):
    """An evaluation, a correction, its measure; with contacts the equations alone, which do not ask what is closed."""
    if has_contacts(work.machine):
        residual(work.machine)
        return
    scales = _scales(work, h)[0]
    evaluate(work)
    _measure(work, scales)
    _accelerate(work, scales, True)
    _move(work)


newton = newton_for(
    __name__, ready=_ready, scales=_scales, evaluate=_evaluate, measure=_measure, worst=_worst, accelerate=_accelerate,
    vectors=_vectors, shake=_shake, move=_move, begin_again=_begin_again, improve=_improve, improve_part=_improve_part,
)  # fmt: skip
