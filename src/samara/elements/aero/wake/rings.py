"""The wake beyond the last markers: vortex rings, one per turn of all blades, that continue the last turn. Native.

Without them the induced power would be below the ideal power of momentum theory, which is impossible. Above ground they
descend to half their radius above it, and then move outward along a free streamline: the air below them flows out in a
layer whose height decreases with the radius, r h = const. The outer air is at rest, so the speed w of the sheet equals
its strength, and rings of circulation G are w T = sqrt(G T) apart, with T the time of a turn.
"""

from __future__ import annotations

import math

import numpy as np

from samara.elements.aero.wake.memory import END, EXPECTED, GROUND, HEIGHT, RING_CORE, RINGS, SIDES, SPEED, TURN
from samara.elements.aero.wake.segments import pack
from samara.tracing.driver.driver_cache import linked

#: Corners of a polygon with the area pi.
_ANGLE = 2.0 * np.pi / SIDES
_SIZE = float(np.sqrt(2.0 * np.pi / (SIDES * np.sin(_ANGLE))))
CORNERS_X = tuple(_SIZE * float(np.cos(k * _ANGLE)) for k in range(SIDES + 1))
CORNERS_Y = tuple(_SIZE * float(np.sin(k * _ANGLE)) for k in range(SIDES + 1))
#: Circulation times area below which there are no rings.
NO_RING = 1e-12
#: Least height of the last turn over the ground, of its radius.
LOWEST = 0.05
#: Least way down in a turn over a ground, of that outward.
SLOWEST = 0.5


@linked
def last_turn(w, numbers, share):
    """Of the last turn of all blades, `share` of it in w.end: see `memory.END`."""
    L = w.length
    n = min(numbers[TURN], L - 2.0)
    whole = int(n)
    part = n - whole
    for j in range(END):
        w.end[j] *= 1.0 - share
    for f in range(w.filaments):
        _turn_of(w, f, L - 1 - whole, part, share)


@linked
def _turn_of(w, f, first, part, share):
    """The part of filament f: markers from `first` to the last, and `part` of the segment before them."""
    L, e = w.length, share / w.blades
    p, o, last = 3 * (f * L + first), 3 * (f * L + first - 1), 3 * (f * L + L - 1)
    sx = w.M[p] + part * (w.M[o] - w.M[p])
    sy = w.M[p + 1] + part * (w.M[o + 1] - w.M[p + 1])
    sz = w.M[p + 2] + part * (w.M[o + 2] - w.M[p + 2])
    mx, my, mz, G, size = part * sx, part * sy, part * sz, 0.0, part
    for i in range(first, L - 1):
        j = 3 * (f * L + i)
        mx, my, mz, G, size = mx + w.M[j], my + w.M[j + 1], mz + w.M[j + 2], G + w.G[f * L + i], size + 1.0
    mx, my, mz, G = mx / size, my / size, mz / size, G / max(L - 1 - first, 1)
    x, y, z = sx - mx, sy - my, sz - mz
    ax = ay = az = 0.0
    for i in range(first, L):
        j = 3 * (f * L + i)
        a, b, c = w.M[j] - mx, w.M[j + 1] - my, w.M[j + 2] - mz
        ax, ay, az = ax + 0.5 * (y * c - z * b), ay + 0.5 * (z * a - x * c), az + 0.5 * (x * b - y * a)
        x, y, z = a, b, c
    w.end[6] += share * G * ax
    w.end[7] += share * G * ay
    w.end[8] += share * G * az
    if f % w.kinds == 0:
        w.end[0] += e * mx
        w.end[1] += e * my
        w.end[2] += e * mz
        w.end[3] += e * (w.M[last] - sx)
        w.end[4] += e * (w.M[last + 1] - sy)
        w.end[5] += e * (w.M[last + 2] - sz)
        w.end[9] += e * math.sqrt(ax * ax + ay * ay + az * az) / math.pi


@linked
def pack_rings(w, numbers, S, n, along):
    """Packs the rings from row n on; along: a direction of the disk, from which their corners are counted."""
    E = w.end
    strength = math.sqrt(E[6] * E[6] + E[7] * E[7] + E[8] * E[8])
    if not (strength > NO_RING and E[9] > 0.0):
        return n
    x, y, z = E[6] / strength, E[7] / strength, E[8] / strength
    e = along[0] * x + along[1] * y + along[2] * z
    ux, uy, uz = along[0] - e * x, along[1] - e * y, along[2] - e * z
    size = math.sqrt(ux * ux + uy * uy + uz * uz) + NO_RING
    ux, uy, uz = ux / size, uy / size, uz / size
    vx, vy, vz = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
    r, G = math.sqrt(E[9]), strength / (math.pi * E[9])
    grounded, floor = numbers[GROUND] != 0.0, numbers[HEIGHT] - w.plain[EXPECTED + 2]
    way = math.sqrt(2.0 * math.pi * G / abs(numbers[SPEED])) if grounded else 0.0
    sink, height = max(-E[5], SLOWEST * way), max(E[2] - floor, LOWEST * r)
    for k in range(RINGS):
        cx, cy, cz = E[0] + (k + 1.0) * E[3], E[1] + (k + 1.0) * E[4], E[2] + (k + 1.0) * E[5]
        if grounded:
            down = min(sink, max(height - 0.5 * r, 0.0))
            wider = r + way * (1.0 - down / sink)
            height, r = (height - down) * r / wider, wider
            cz = floor + height
        for j in range(SIDES):
            a, b, c, d = r * CORNERS_X[j], r * CORNERS_Y[j], r * CORNERS_X[j + 1], r * CORNERS_Y[j + 1]
            pack(
                S, n, cx + a * ux + b * vx, cy + a * uy + b * vy, cz + a * uz + b * vz,
                cx + c * ux + d * vx, cy + c * uy + d * vy, cz + c * uz + d * vz, G, numbers[RING_CORE],
            )  # fmt: skip
            n += 1
    return n
