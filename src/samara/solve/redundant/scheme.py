"""The integrator in the driver: coefficients of a step, predictor, corrector, and undoing a step."""

from __future__ import annotations

from samara.solve.contact.calls import keep_contacts, take_back_contacts, take_back_flights
from samara.solve.integrators.coefficients import set_coefficients
from samara.solve.integrators.native import BEGIN, ESTIMATE, RESTART, call_coefficients
from samara.solve.linear.schur.calls import walk_together
from samara.solve.native.kernels import BETWEEN, CORRECT, PREDICT, TAKE_BACK, copy, walk
from samara.system.memory.blocks import Coefficient
from samara.tracing.driver.driver_cache import inner

#: The short steps of Euler's formula after an event, as parts of what is left of its step.
SHORT_STEP = 1.0 / 64.0
#: What goes on with parts that hit (`solve.impacts.flights`): nothing; velocities jump, with factors of their own;
#: Newton's method finds the rest of their step.
OFF, IMPACT, FLIGHT = range(3)
C = {c.name: int(c) for c in Coefficient}
POSE, TWIST, PER_POSE, MOVING = (C[k] for k in ("POSE", "TWIST", "PER_POSE", "MOVING"))
STEP, PART = C["STEP"], C["PART"]
TURNED, LIMIT = C["TURNED"], C["LIMIT"]
ACCELERATION, PER_ACCELERATION = C["ACCELERATION"], C["PER_ACCELERATION"]
B1, B2, E1, E2 = (C[k] for k in ("B1", "B2", "E1", "E2"))
G1, G2, G3 = (C[k] for k in ("G1", "G2", "G3"))
AHEAD, W1, W2, W3 = (C[k] for k in ("AHEAD", "W1", "W2", "W3"))
#: What may be asked of a scheme that looks ahead, as `Coefficient.LIMIT`.
WITHIN, ONCE = 1.0, 2.0


@inner
def prepare(m, settings, memory, h):
    """Coefficients of the scheme for a step h; returns the ratio of steps, 0 without a past."""
    if memory.clock.rush:
        memory.clock.rush = False
        prepare_restart(m, settings, h)
        return 0.0
    return set_coefficients(m, settings, h, memory.clock.step)


@inner
def prepare_restart(m, settings, h):
    """Coefficients of a step that looks at no past."""
    m.coef[STEP] = h
    call_coefficients(m.plan.scheme[RESTART], m.coef, settings.scheme, h, 0.0)


@inner
def prepare_limited(m, settings, h, old, limit):
    """Coefficients of a step of a scheme that looks ahead (`look_ahead`): WITHIN the step, or not at all, ONCE."""
    m.coef[STEP], m.coef[LIMIT] = h, limit
    call_coefficients(m.plan.scheme[BEGIN], m.coef, settings.scheme, h, old)
    m.coef[LIMIT] = 0.0


@inner
def prepare_estimate(m, settings, h, old):
    """Coefficients that tell the local error of the step h that was taken after another one."""
    call_coefficients(m.plan.scheme[ESTIMATE], m.coef, settings.scheme, h, old)


@inner
def leave_out_changes(m):
    """A scheme that looks ahead predicts with the last velocity alone, and comes back along a straight line."""
    coef = m.coef
    coef[E1], coef[E2] = 1.0, 0.0
    coef[W1], coef[W2], coef[W3] = 1.0 - 1.0 / coef[AHEAD], 0.0, 1.0 / coef[AHEAD]


@inner
def leave_out_velocities(m):
    """The prediction is rest."""
    m.coef[E1] = m.coef[E2] = 0.0


@inner
def predict(m, alpha):
    """Poses, twists and multipliers from the past; alpha: ratio of steps, 0 where multipliers have no past."""
    keep_contacts(m)
    walk(m, PREDICT)
    extrapolate_multipliers(m, alpha)


@inner
def predict_together(work, alpha):
    """The same by all hands."""
    keep_contacts(work.machine)
    walk_together(work, PREDICT)
    extrapolate_multipliers(work.machine, alpha)


@inner
def extrapolate_multipliers(m, alpha):
    """Multipliers from the past."""
    state, lam_1, lam_2, base = m.state, m.multipliers.last, m.multipliers.before, m.layout.multiplier_base
    for k in range(m.layout.multiplier_count):
        last, before = state[base + k], lam_1[k]
        lam_2[k], lam_1[k] = before, last
        state[base + k] = last + alpha * (last - before)


@inner
def take_back(m):
    """Undoes the last predict."""
    take_back_flights(m)
    take_back_contacts(m)
    walk(m, TAKE_BACK)
    for k in range(m.layout.multiplier_count):
        m.state[m.layout.multiplier_base + k] = m.multipliers.last[k]
        m.multipliers.last[k] = m.multipliers.before[k]


@inner
def is_impact(m):
    """Whether velocities jump in a step, with factors of their own."""
    return m.contacts.flights.on[0] == IMPACT


@inner
def begin_again(m, alpha):
    """Back to where Newton's method began: a prediction, of a step or its end, or parts in flight after an impact."""
    flights = m.contacts.flights
    if flights.on[0] == FLIGHT:
        copy(m.state, flights.present)
        return
    if m.coef[TURNED] != 0.0:
        copy(m.state, m.ahead.prediction)
        return
    take_back(m)
    predict(m, alpha)


@inner
def show_part(m, part, h, old, kept):
    """Nodes, states and reactions a part of the way through the last step h; `kept` has room for the state as it is.

    old: the step before, 0 for none. What is known at ends of steps alone is along the parabola through the last three.
    """
    for i in range(kept.size):
        kept[i] = m.state[i]
    bend = part * (part - 1.0) * h * h / (h + old) if old != 0.0 else 0.0
    last = bend / old if old != 0.0 else 0.0
    now, before = part + bend / h, 1.0 - part - bend / h - last
    m.coef[PART], m.coef[G1], m.coef[G2], m.coef[G3] = part, now, before, last
    walk(m, BETWEEN)
    for k in range(m.layout.multiplier_count):
        at = m.layout.multiplier_base + k
        m.state[at] = now * m.state[at] + before * m.multipliers.last[k] + last * m.multipliers.before[k]


@inner
def correct(work):
    """Newton's correction of poses, twists and multipliers."""
    walk_together(work, CORRECT)
    correct_multipliers(work.machine)


@inner
def correct_multipliers(m):
    """Newton's correction of the multipliers alone."""
    state, x, base, rows = m.state, m.x, m.layout.multiplier_base, m.layout.multiplier_rows
    for k in range(m.layout.multiplier_count):
        state[base + k] -= x[rows + k]
