"""History of parts re-integrated after an impact, extrapolated backwards; their output before the impact."""

from __future__ import annotations

from samara.solve.native.kernels import BETWEEN, call_native
from samara.system.memory.blocks import (
    ACC,
    ACC_1,
    BEFORE,
    CARRIER,
    ETA,
    ETA_1,
    ETA_2,
    INCREMENT,
    POSITION,
    ROTATION,
    SIZE,
)
from samara.tracing.driver.driver_cache import inner, routine

#: Part of a step back to its beginning over which a jerk that is seen in the rest of it does not tell.
FAR_BACK = 0.6
#: Terms of the series of an exponential: rounding from then on, for angles up to 1 rad.
TERMS = 18


@inner
def write_past(m, h, old):
    """Of parts that have hit: as if they had flown as they do now since the step began, and since the one before."""
    f, w, s = m.contacts.flights, m.layout.width, m.state
    for k in range(f.since.size):
        back = f.since[k] * h
        if back == 0.0:
            continue
        for e in range(f.begins[k], f.begins[k + 1]):
            at, length = (f.nodes[e] // w) * SIZE * w + f.nodes[e] % w, m.plan.lengths[f.nodes[e]]
            for i in range(6):
                eta, a = s[at + (ETA_1 + i) * w], s[at + (ACC_1 + i) * w]
                change = s[at + (ACC + i) * w] - a
                f.error[0] = max(f.error[0], (h - back) ** 2 * abs(change) / (12.0 * (length if i < 3 else 1.0)))
                jerk = change / (h - back) if back < FAR_BACK * h else 0.0
                s[at + (INCREMENT + i) * w] += back * (eta - back * (0.5 * a - back * jerk / 6.0))
                s[at + (ETA_1 + i) * w] = eta - back * (a - 0.5 * back * jerk)
                s[at + (ACC_1 + i) * w] = a - back * jerk
                s[at + (ETA_2 + i) * w] = eta - (back + old) * (a - 0.5 * (back + old) * jerk)
            _begin_at(m, at, h)


@inner
def _begin_at(m, at, h):
    """The pose before a step h from the one after it, of the node at a place: R exp(-w) and p - h V - R p(n)."""
    s, w = m.state, m.layout.width
    x, y, z = s[at + (INCREMENT + 3) * w], s[at + (INCREMENT + 4) * w], s[at + (INCREMENT + 5) * w]
    for row in range(4):  # those of the rotation, and the displacement
        source = (ROTATION + 3 * row) * w if row < 3 else INCREMENT * w
        a, b, c = s[at + source], s[at + source + w], s[at + source + 2 * w]
        p, q, r = a, b, c
        for k in range(1, TERMS):
            a, b, c = y * c - z * b, z * a - x * c, x * b - y * a
            scale = k if row < 3 else k + 1
            a, b, c = a / scale, b / scale, c / scale
            p, q, r = p + a, q + b, r + c
        target = at + (BEFORE + 3 * row) * w
        s[target], s[target + w], s[target + 2 * w] = p, q, r
    p, q, r = s[at + (BEFORE + 9) * w], s[at + (BEFORE + 10) * w], s[at + (BEFORE + 11) * w]
    for i in range(3):
        turned = at + (BEFORE + 3 * i) * w
        way = h * s[at + (CARRIER + i) * w] + s[turned] * p + s[turned + w] * q + s[turned + 2 * w] * r
        s[at + (BEFORE + 9 + i) * w] = s[at + (POSITION + i) * w] - way


@routine
def show_before_impacts(m):
    """Parts that have hit in the last step, where a part of it (`contacts.step[0]`) is shown that was before it."""
    f, w, part = m.contacts.flights, m.layout.width, m.contacts.step[0]
    for k in range(f.since.size):
        if part >= f.since[k]:
            continue
        for e in range(f.begins[k], f.begins[k + 1]):
            base, lane = (f.nodes[e] // w) * SIZE * w, f.nodes[e] % w
            for i in range(SIZE * w):
                f.block[i] = f.flown[base + i]
            first = f.block.ctypes.data
            call_native(m.plan.walks[BETWEEN, 0], 1, first, first, first, m.coef.ctypes.data, first, first, first)
            for i in range(CARRIER):
                m.state[base + i * w + lane] = f.block[i * w + lane]
            for i in range(3):  # against the carrier of now
                total = 0.0
                for j in range(3):
                    change = f.block[(CARRIER + j) * w + lane] - m.state[base + (CARRIER + j) * w + lane]
                    total += m.state[base + (ROTATION + 3 * j + i) * w + lane] * change
                m.state[base + (ETA + i) * w + lane] += total
