"""The law of a free wake: called at the beginning of a step, it gives the velocity of the far wake at its end.

At time t the positions of the blades and the strengths of their vortices are known; markers move along previously
computed displacements, and the hub along its velocity. The far wake at t + h is therefore an input of the step: it adds
no unknowns and no columns to its matrix. Marker velocities are computed in between, for some of the markers in each
step.
"""

from __future__ import annotations

import math

from samara.elements.aero.wake.filaments import (
    attach,
    begin,
    carry,
    disk_axes,
    follow_hub,
    look_ahead,
    move,
    prescribe,
    release,
    slice_of,
    stay_above,
    strengthen,
    to_world,
)
from samara.elements.aero.wake.memory import (
    ANSWER,
    COUNT,
    EXPECTED,
    FILAMENT,
    FRAME,
    GEOMETRY,
    GROUND,
    GROWTH,
    HEIGHT,
    NEAR,
    PARTS,
    ROTORS,
    SINGLE,
    SLICED,
    SPIN,
    STEP,
    TURN,
    double_room,
    from_first,
    parts_of,
    single_room,
    wake_of,
)
from samara.elements.aero.wake.rings import last_turn, pack_rings
from samara.elements.aero.wake.segments import PACKED, induce_at_markers, induce_at_stations, own_arc, pack
from samara.tracing.driver.driver_cache import inner, linked
from samara.tracing.driver.views import doubles


@linked
def pack_wake(w, numbers, u, S, first, off):
    """All filaments, what is bound between their beginnings, and the rings, from row `first` on: the row after them.

    off: by how much they are shifted, from the rotor's hub to that of the first rotor of the field.
    """
    L, n, growth = w.length, first, numbers[GROWTH]
    for f in range(w.filaments):
        core = w.table[FILAMENT * (f % w.kinds) + 1]
        for i in range(L - 1):
            j = 3 * (f * L + i)
            _pack_between(w.M, j, j + 3, S, n, w.G[f * L + i], core + growth * i)
            n += 1
    for b in range(w.blades):
        n = _pack_bound(w, S, n, b, 1.0)
    n = pack_rings(w, numbers, S, n, disk_axes(u, numbers[STEP])[0])
    for i in range(first, n):
        for c in range(3):
            S[i, c] += off[c]
    return n


@linked
def pack_images(numbers, memory, S, n):
    """Mirror images of n segments under the ground, if there is one: the row after them.

    A mirrored vortex turns the other way: what both induce has no part through the ground.
    """
    first = int(numbers[PARTS])
    if numbers[first + GROUND] == 0.0:
        return n
    twice = 2.0 * (numbers[first + HEIGHT] - memory[int(numbers[PARTS + 2]) + EXPECTED + 2])
    for j in range(n):
        for c in range(PACKED):
            S[n + j, c] = S[j, c]
        S[n + j, 2], S[n + j, 5] = twice - S[j, 2], -S[j, 5]
        S[n + j, 6], S[n + j, 7] = -S[j, 6], -S[j, 7]
    return 2 * n


@inner
def _pack_between(M, i, j, S, n, G, core_2):
    """Segment n from the marker at place i to that at j."""
    pack(S, n, M[i], M[i + 1], M[i + 2], M[j], M[j + 1], M[j + 2], G, core_2)


@inner
def _pack_bound(w, S, n, b, factor):
    """Bound vortices of blade b from where one filament begins to the next, root to tip: the row after them."""
    L, f, bound = w.length, b * w.kinds, 0.0
    for q in range(1, w.kinds):
        bound -= factor * w.G[(f + q) * L]
        outer = f + q + 1 if q + 1 < w.kinds else f
        _pack_between(w.M, 3 * (f + q) * L, 3 * outer * L, S, n, bound, w.table[1])
        n += 1
    return n


@linked
def _pack_near(w, numbers, u, S, n, b):
    """Minus the own near wake of blade b and what is bound there, from row n on: the matrix of the blade has those."""
    L, phase = w.length, int(w.plain[COUNT]) % w.substeps
    step = numbers[STEP] * abs(u[SPIN])
    for q in range(w.kinds):
        f = b * w.kinds + q
        core = w.table[FILAMENT * q + 1]
        for i in range(L - 1):
            young = step * (phase + 1.0 + (i - 1.0) * w.substeps) if i > 0 else 0.0
            old = step * (phase + 1.0 + i * w.substeps)
            if young >= numbers[NEAR]:
                break
            part, j = min(1.0, (numbers[NEAR] - young) / (old - young + 1e-300)), 3 * (f * L + i)
            x, y, z = w.M[j], w.M[j + 1], w.M[j + 2]
            pack(
                S, n, x, y, z, x + part * (w.M[j + 3] - x), y + part * (w.M[j + 4] - y), z + part * (w.M[j + 5] - z),
                -w.G[f * L + i], core + numbers[GROWTH] * i,
            )  # fmt: skip
            n += 1
    return _pack_bound(w, S, n, b, -1.0)


@inner
def _points_of_blade(w, axes, b, x, y, z, first):
    """Points at 3/4 of the chord of the stations of blade b after the step, in world axes, from place `first` on."""
    for k in range(w.stations):
        i, angle = 3 * (b * w.stations + k), -w.sense * w.back[k]
        c, s = math.cos(angle), math.sin(angle)
        px, py, pz = c * w.ahead[i] - s * w.ahead[i + 1], s * w.ahead[i] + c * w.ahead[i + 1], w.ahead[i + 2]
        x[first + k], y[first + k], z[first + k] = to_world(axes, px, py, pz)


@inner
def _clear(first, second, third, count):
    for i in range(count):
        first[i] = second[i] = third[i] = 0.0


@inner
def _shift(X, Y, Z, off, count):
    for i in range(count):
        X[i] += off[0]
        Y[i] += off[1]
        Z[i] += off[2]


@linked
def _feel_at_stations(w, numbers, u, S, n, off, X, Y, Z, A, B, C, y):
    """Velocity of the far wakes at all stations, into y: in world axes."""
    axes, total = disk_axes(u, numbers[STEP]), w.blades * w.stations
    for b in range(w.blades):
        last = _pack_near(w, numbers, u, S, n, b)
        _points_of_blade(w, axes, b, X, Y, Z, 0)
        _clear(A, B, C, w.stations)
        induce_at_stations(S, n, last, X, Y, Z, A, B, C, w.stations)
        for k in range(w.stations):
            i = ANSWER * (b * w.stations + k)
            y[i], y[i + 1], y[i + 2] = A[k], B[k], C[k]
    for b in range(w.blades):
        _points_of_blade(w, axes, b, X, Y, Z, b * w.stations)
    _shift(X, Y, Z, off, total)
    _clear(A, B, C, total)
    induce_at_stations(S, 0, n, X, Y, Z, A, B, C, total)
    for k in range(total):
        i = ANSWER * k
        y[i], y[i + 1], y[i + 2] = y[i] + A[k], y[i + 1] + B[k], y[i + 2] + C[k]


@linked
def _feel_at_markers(w, numbers, S, n, off, X, Y, Z, A, B, C):
    """Velocities of the free markers whose turn it is, in world axes."""
    L, k, releases = w.length, w.substeps, int(w.plain[COUNT]) // w.substeps
    phase, sliced, count = int(w.plain[COUNT]) % k, numbers[SLICED] != 0.0, 0
    if (not sliced and phase < k - 1) or numbers[GEOMETRY] != 0.0:
        return
    for f in range(w.filaments):
        for i in range(w.free):
            if not sliced or slice_of(i, releases, k) == phase:
                j = 3 * (f * L + i)
                X[count], Y[count], Z[count] = w.M[j], w.M[j + 1], w.M[j + 2]
                count += 1
    _shift(X, Y, Z, off, count)
    _clear(A, B, C, count)
    induce_at_markers(S, 0, n, X, Y, Z, A, B, C, count)
    count = 0
    for f in range(w.filaments):
        core = w.table[FILAMENT * (f % w.kinds) + 1]
        for i in range(w.free):
            if not sliced or slice_of(i, releases, k) == phase:
                j = 3 * (f * L + i)
                w.V[j], w.V[j + 1], w.V[j + 2] = A[count], B[count], C[count]
                if 0 < i < L - 1:
                    _add_own_arc(w, j, 0.5 * (w.G[f * L + i - 1] + w.G[f * L + i]), core + numbers[GROWTH] * i)
                count += 1


@inner
def _add_own_arc(w, j, G, core_2):
    """What the arcs beside the marker at place j add to its velocity."""
    M = w.M
    a = (M[j] - M[j - 3], M[j + 1] - M[j - 2], M[j + 2] - M[j - 1])
    b = (M[j + 3] - M[j], M[j + 4] - M[j + 1], M[j + 5] - M[j + 2])
    e = own_arc(a, b, core_2, G)
    w.V[j] += e * (a[1] * b[2] - a[2] * b[1])
    w.V[j + 1] += e * (a[2] * b[0] - a[0] * b[2])
    w.V[j + 2] += e * (a[0] * b[1] - a[1] * b[0])


@linked
def _feel(numbers, memory, u, S, X, Y, Z, A, B, C, y):
    """All velocities in the precision of the arrays: every rotor feels the wakes of all."""
    count, n = int(numbers[ROTORS]), 0
    for k in range(count):
        own, kept, into, _ = parts_of(numbers, memory, u, y, k)
        n = pack_wake(wake_of(own, kept), own, into, S, n, from_first(numbers, memory, k))
    n = pack_images(numbers, memory, S, n)
    for k in range(count):
        own, kept, into, out = parts_of(numbers, memory, u, y, k)
        w, off = wake_of(own, kept), from_first(numbers, memory, k)
        _feel_at_stations(w, own, into, S, n, off, X, Y, Z, A, B, C, out)
        _feel_at_markers(w, own, S, n, off, X, Y, Z, A, B, C)


@linked
def _answer(w, numbers, u, gamma, y):
    """Velocities at the stations in axes of the disk; and the near wake at 1/4 of the chord less that at 3/4."""
    axes, ns = disk_axes(u, numbers[STEP]), w.stations
    for b in range(w.blades):
        for k in range(ns):
            i, s = ANSWER * (b * ns + k), 0.0
            for j in range(ns):
                s += w.shift[k * ns + j] * gamma[b * ns + j]
            p, q, r = y[i], y[i + 1], y[i + 2]
            for c in range(3):
                y[i + c] = p * axes[c][0] + q * axes[c][1] + r * axes[c][2]
            y[i + 3] = s


@inner
def _stations_of(w, u):
    """Places and circulation of the stations in what goes in."""
    total = w.blades * w.stations
    return doubles(u.ctypes.data + 8 * FRAME, 3 * total), doubles(u.ctypes.data + 8 * (FRAME + 3 * total), total)


@linked
def _march(numbers, memory, u):
    """The markers of a rotor to the end of the step."""
    w = wake_of(numbers, memory)
    points, gamma = _stations_of(w, u)
    if w.plain[COUNT] == 0.0:
        begin(w, numbers, u, points)
        stay_above(w, numbers, numbers[GROUND])
        last_turn(w, numbers, 1.0)
    follow_hub(w, numbers, u)
    strengthen(w, numbers, gamma)
    attach(w, u, points)
    if int(w.plain[COUNT]) % w.substeps == 0:
        release(w, numbers, numbers[SLICED] != 0.0)
    look_ahead(w, numbers, u, points)
    if numbers[GEOMETRY] == 0.0:
        move(w, numbers, u)
        stay_above(w, numbers, 0.0)
    else:
        prescribe(w, numbers, u, gamma)


@linked
def _conclude(numbers, memory, u, y):
    """What a rotor answers, and what is to be known of its last turn."""
    w = wake_of(numbers, memory)
    _answer(w, numbers, u, _stations_of(w, u)[1], y)
    w.plain[COUNT] += 1.0
    if int(w.plain[COUNT]) % w.substeps == 0:
        last_turn(w, numbers, 1.0 / max(numbers[TURN], 1.0))
        if w.free < w.length and numbers[GEOMETRY] == 0.0:
            carry(w, numbers)


def free_wake_law(t, numbers, memory, u, y):
    """One sample of all rotors in a field: see the module, `samara.elements.aero.wake.memory` for the arrays."""
    count = int(numbers[ROTORS])
    for k in range(count):
        own, kept, into, _ = parts_of(numbers, memory, u, y, k)
        _march(own, kept, into)
    if numbers[int(numbers[PARTS]) + SINGLE] != 0.0:
        S, X, Y, Z, A, B, C = single_room(numbers)
        _feel(numbers, memory, u, S, X, Y, Z, A, B, C, y)
    else:
        S2, X2, Y2, Z2, A2, B2, C2 = double_room(numbers)
        _feel(numbers, memory, u, S2, X2, Y2, Z2, A2, B2, C2, y)
    for k in range(count):
        own, kept, into, out = parts_of(numbers, memory, u, y, k)
        _conclude(own, kept, into, out)
