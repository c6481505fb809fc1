"""Markers of the free vortices: how they begin, are released, move, and how strong they are. Native.

Index of marker i of filament f: f L + i; i = 0 is on the blade, older ones follow. Filament 0 of a blade is the tip
vortex, the others stand for the sheet inboard of it.

Prescribed geometries, as given in J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition, chapter 10:
A. J. Landgrebe, The wake geometry of a hovering helicopter rotor and its influence on rotor performance, J. AHS 17
(1972), tip vortex and sheet; J. D. Kocurek, J. L. Tangler, A prescribed wake lifting surface hover performance
analysis, J. AHS 22 (1977), tip vortex.
"""

from __future__ import annotations

import math

from samara.elements.aero.wake.memory import (
    COUNT,
    EXPECTED,
    FILAMENT,
    GEOMETRY,
    GROUND,
    HEIGHT,
    HUB,
    OUTER,
    RADIUS,
    SOLIDITY,
    SPEED,
    SPIN,
    START,
    STEP,
    THRUST,
    TURN,
    TURNING,
    TWIST,
    VELOCITY,
    WIND,
    X_AXIS,
    Z_AXIS,
)
from samara.tracing.driver.driver_cache import inner, linked

#: A wake that begins contracts to this part of the radius, by exp(-rate age), as Landgrebe's do about.
CONTRACTED, CONTRACTION = 0.78, 0.3
#: Parts of the induced velocity with which it goes down before the next blade has passed and after it.
BEFORE_PASSAGE, AFTER_PASSAGE = 0.6, 1.5
#: Prescribed geometries; where tip vortices contract to, and how the sheet sinks at the tip before and after the next
#: blade has passed, by sqrt(C_T / 2): see `prescribe`. Least thrust coefficient that counts.
LANDGREBE, KOCUREK_TANGLER = 1, 2
TIP_CONTRACTED, SHEET_FIRST, SHEET_THEN, LEAST_THRUST = 0.78, 2.2, 2.7, 1e-6
#: Least height of a marker over the ground [R]; part of the hub's height in which a wake begins.
LEAST_HEIGHT, PRESSED = 0.02, 0.9
#: Squared angular velocity times time below which nothing turns [rad^2].
STILL = 1e-30


@inner
def disk_axes(u, h):
    """x, y and z of the disk in world axes, as they will be after h."""
    x, y, z = u[X_AXIS], u[X_AXIS + 1], u[X_AXIS + 2]
    a, b, c = u[Z_AXIS], u[Z_AXIS + 1], u[Z_AXIS + 2]
    p, q, r = h * u[TURNING], h * u[TURNING + 1], h * u[TURNING + 2]
    if p * p + q * q + r * r > STILL:
        x, y, z = x + q * z - r * y, y + r * x - p * z, z + p * y - q * x
        a, b, c = a + q * c - r * b, b + r * a - p * c, c + p * b - q * a
        size, other = math.sqrt(x * x + y * y + z * z), math.sqrt(a * a + b * b + c * c)
        x, y, z, a, b, c = x / size, y / size, z / size, a / other, b / other, c / other
    return (x, y, z), (b * z - c * y, c * x - a * z, a * y - b * x), (a, b, c)


@inner
def to_world(axes, x, y, z):
    """Components in world axes of a vector in axes of the disk."""
    (ux, uy, uz), (vx, vy, vz), (wx, wy, wz) = axes
    return x * ux + y * vx + z * wx, x * uy + y * vy + z * wy, x * uz + y * vz + z * wz


@inner
def release_point(w, points, b, q):
    """Where filament q of blade b leaves it, by the stations beside, in their axes."""
    i = 3 * (b * w.stations + int(w.table[FILAMENT * q + 2]))
    e = w.table[FILAMENT * q + 3]
    return (
        points[i] + e * (points[i + 3] - points[i]),
        points[i + 1] + e * (points[i + 4] - points[i + 1]),
        points[i + 2] + e * (points[i + 5] - points[i + 2]),
    )


@linked
def begin(w, numbers, u, points):
    """Helices that go down with the induced velocity of the start and away with the wind; circulation of momentum."""
    axes, speed = disk_axes(u, 0.0), abs(numbers[SPEED])
    passage, down = 2.0 * math.pi / w.blades, numbers[START] / speed
    gamma = w.sense * 4.0 * math.pi * numbers[START] ** 2 / (speed * w.blades)
    for i in range(w.before.size):
        w.before[i] = points[i]
    for b in range(w.blades):
        for q in range(w.kinds):
            f = (b * w.kinds + q) * w.length
            for i in range(w.length):
                age = i * numbers[STEP] * w.substeps * speed
                size = CONTRACTED + (1.0 - CONTRACTED) * math.exp(-CONTRACTION * age)
                fall = BEFORE_PASSAGE * min(age, passage) + AFTER_PASSAGE * max(age - passage, 0.0)
                _lay(w, u, axes, release_point(w, points, b, q), f + i, age, speed, size, down * fall)
                w.G[f + i] = gamma if q == 0 else -gamma / (w.kinds - 1)
    for c in range(3):
        w.plain[EXPECTED + c] = u[HUB + c]
    w.plain[THRUST] = 2.0 * (down / numbers[RADIUS]) ** 2


@inner
def _lay(w, u, axes, point, i, age, speed, size, fall):
    """Puts marker i where it is at an age [rad]: turned back from its blade, contracted, lower, and downwind."""
    cosine, sine = size * math.cos(w.sense * age), -size * math.sin(w.sense * age)
    x, y, z = to_world(axes, point[0] * cosine - point[1] * sine, point[0] * sine + point[1] * cosine, point[2] - fall)
    time = age / speed
    w.M[3 * i] = x + time * (u[WIND] - u[VELOCITY])
    w.M[3 * i + 1] = y + time * (u[WIND + 1] - u[VELOCITY + 1])
    w.M[3 * i + 2] = z + time * (u[WIND + 2] - u[VELOCITY + 2])


@linked
def prescribe(w, numbers, u, gamma):
    """All markers where a prescribed geometry has them after the step, by the thrust of the last turns."""
    axes, speed, per_step = disk_axes(u, numbers[STEP]), abs(numbers[SPEED]), numbers[STEP] * abs(numbers[SPEED])
    thrust = 0.0
    for b in range(w.blades):
        for k in range(w.stations):
            thrust += w.lift[k] * gamma[b * w.stations + k]
    w.plain[THRUST] += per_step / (2.0 * math.pi) * (max(thrust, LEAST_THRUST) - w.plain[THRUST])
    CT, R = w.plain[THRUST], numbers[RADIUS]
    k1, k2, rate = tip_geometry(numbers[GEOMETRY], CT, w.blades, numbers[TWIST], numbers[SOLIDITY])
    root, twist, passage = math.sqrt(0.5 * CT), numbers[TWIST], 2.0 * math.pi / w.blades
    phase = int(w.plain[COUNT]) % w.substeps
    for b in range(w.blades):
        for q in range(w.kinds):
            point, f, r = release_point(w, w.ahead, b, q), (b * w.kinds + q) * w.length, w.table[FILAMENT * q] / R
            first, then = -k1, -k2
            if q > 0:  # the sheet: straight from the shaft to the tip
                first = r * SHEET_FIRST * root
                then = r * SHEET_THEN * root - (1.0 - r) * twist / 128.0 * (0.45 * twist + 18.0) * root
            for i in range(w.length):
                age = per_step * (phase + 1.0 + (i - 1.0) * w.substeps) if i > 0 else 0.0
                size = TIP_CONTRACTED + (1.0 - TIP_CONTRACTED) * math.exp(-rate * age)
                fall = R * (first * min(age, passage) + then * max(age - passage, 0.0))
                _lay(w, u, axes, point, f + i, age, speed, size, fall)


@inner
def tip_geometry(kind, CT, blades, twist, solidity):
    """k1, k2 [R/rad] and rate of contraction [1/rad] of the tip vortex; twist: tip minus root [deg].

    z = k1 psi to the passage of the next blade, then slope k2;   r = 0.78 + 0.22 exp(-rate psi)
    """
    if kind == LANDGREBE:
        return (
            -0.25 * (CT / solidity + 0.001 * twist), -(1.41 + 0.0141 * twist) * math.sqrt(0.5 * CT), 0.145 + 27.0 * CT
        )  # fmt: skip
    B, C = -0.000729 * twist, -2.3 + 0.206 * twist
    m, n = 1.0 - 0.25 * math.exp(0.040 * twist), 0.5 - 0.0172 * twist
    least = blades**n * (-B / C) ** (1.0 / m) if B > 0.0 else 0.0
    return B + C * (CT / blades**n) ** m, -math.sqrt(max(CT - least, 0.0)), 4.0 * math.sqrt(CT)


@linked
def follow_hub(w, numbers, u):
    """Positions are from the hub: where it is not where it was expected, the markers are elsewhere from there."""
    h = numbers[STEP]
    for c in range(3):
        off = u[HUB + c] - w.plain[EXPECTED + c]
        if off != 0.0:
            for i in range(w.filaments * w.length):
                w.M[3 * i + c] -= off
        w.plain[EXPECTED + c] = u[HUB + c] + h * u[VELOCITY + c]


@linked
def strengthen(w, numbers, gamma):
    """Circulation of the newest segments: the largest outboard of R / 2 at the tip, minus that inboard."""
    first = int(numbers[OUTER])
    for b in range(w.blades):
        g, largest = b * w.stations, 0.0
        for i in range(first, w.stations):
            if abs(gamma[g + i]) > abs(largest):
                largest = gamma[g + i]
        f = b * w.kinds * w.length
        w.G[f] = w.sense * largest
        inside = 0.0
        for q in range(1, w.kinds):
            outside = largest
            if q < w.kinds - 1:
                i, e = int(w.table[FILAMENT * q + 4]), w.table[FILAMENT * q + 5]
                outside = gamma[g + i] + e * (gamma[g + i + 1] - gamma[g + i])
            w.G[f + q * w.length] = w.sense * (inside - outside)
            inside = outside


@linked
def attach(w, u, points):
    """The first markers where the blades are now."""
    axes = disk_axes(u, 0.0)
    for b in range(w.blades):
        for q in range(w.kinds):
            x, y, z = release_point(w, points, b, q)
            x, y, z = to_world(axes, x, y, z)
            f = 3 * (b * w.kinds + q) * w.length
            w.M[f], w.M[f + 1], w.M[f + 2] = x, y, z


@inner
def slice_of(i, releases, substeps):
    """Which of the steps from one marker to the next finds the velocity of marker i: the same all its life."""
    return (i - releases) % substeps


@linked
def release(w, numbers, sliced):
    """A new marker: all become older by one. Displacements until the next: Adams and Bashforth's of order two.

    D = dt (v + (1.5 - age) (v - v_before)), v found `age` of the time from marker to marker after the last release.
    """
    releases, k, L = int(w.plain[COUNT]) // w.substeps, w.substeps, w.length
    dt = numbers[STEP] * k
    for f in range(w.filaments):
        for i in range(L - 1, 0, -1):
            here, there = 3 * (f * L + i), 3 * (f * L + i - 1)
            age = (slice_of(i, releases, k) + 1.0) / k if sliced else 1.0
            # what was just released has no past
            more = 0.0 if i == 1 or releases < 2 else 1.5 - age
            for c in range(3):
                v = w.V[there + c]
                w.D[here + c] = dt * (v + more * (v - w.W[there + c]))
                w.M[here + c] = w.M[there + c]
                w.W[here + c] = v
            w.G[f * L + i] = w.G[f * L + i - 1]


@linked
def look_ahead(w, numbers, u, points):
    """Stations and release points after a step: as they go on turning, what moves beside goes on moving."""
    turn = u[SPIN] * numbers[STEP]
    cosine, sine = math.cos(turn), math.sin(turn)
    for s in range(w.blades * w.stations):
        i = 3 * s
        x, y, z = points[i], points[i + 1], points[i + 2]
        x += x - (cosine * w.before[i] - sine * w.before[i + 1]) if w.plain[COUNT] > 0.0 else 0.0
        y += y - (sine * w.before[i] + cosine * w.before[i + 1]) if w.plain[COUNT] > 0.0 else 0.0
        z += z - w.before[i + 2]
        w.ahead[i], w.ahead[i + 1], w.ahead[i + 2] = cosine * x - sine * y, sine * x + cosine * y, z
        w.before[i], w.before[i + 1], w.before[i + 2] = points[i], points[i + 1], points[i + 2]


@linked
def move(w, numbers, u):
    """All markers by a step: their part of the way to the next release, the wind, and the hub's own way."""
    h, part = numbers[STEP], 1.0 / w.substeps
    axes = disk_axes(u, h)
    for c in range(3):
        along = h * (u[WIND + c] - u[VELOCITY + c])
        for i in range(w.filaments * w.length):
            w.M[3 * i + c] += part * w.D[3 * i + c] + along
    for b in range(w.blades):
        for q in range(w.kinds):
            x, y, z = release_point(w, w.ahead, b, q)
            x, y, z = to_world(axes, x, y, z)
            f = 3 * (b * w.kinds + q) * w.length
            w.M[f], w.M[f + 1], w.M[f + 2] = x, y, z


@linked
def stay_above(w, numbers, pressed):
    """No marker is below the ground, nor within LEAST_HEIGHT of it. pressed: whether all are raised, at the start."""
    if numbers[GROUND] == 0.0:
        return
    height = w.plain[EXPECTED + 2] - numbers[HEIGHT]  # of the hub
    least, reach = LEAST_HEIGHT * numbers[RADIUS] - height, PRESSED * height
    for i in range(w.filaments * w.length):
        z = w.M[3 * i + 2]
        if pressed != 0.0 and z < 0.0:
            z /= (1.0 + (z / reach) ** 4) ** 0.25
        w.M[3 * i + 2] = max(z, least)


@linked
def carry(w, numbers):
    """Markers that are no longer free move with the mean velocity of the turn before."""
    n = min(int(numbers[TURN] + 0.5), w.free)
    x = y = z = 0.0
    for f in range(w.filaments):
        for i in range(w.free - n, w.free):
            j = 3 * (f * w.length + i)
            x, y, z = x + w.V[j], y + w.V[j + 1], z + w.V[j + 2]
    share = 1.0 / (n * w.filaments)
    for f in range(w.filaments):
        for i in range(w.free, w.length):
            j = 3 * (f * w.length + i)
            w.V[j], w.V[j + 1], w.V[j + 2] = share * x, share * y, share * z
