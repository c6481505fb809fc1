"""Velocity that straight vortex segments induce at points: Biot and Savart's law with a core, native.

A segment from a to b with the circulation G, s = b - a, r = x - a, the textbook's forms multiplied out:

    stations (Vatistas, n = 2):  u = G / 4 pi (s x r) (s.r / |r| - s.(r - s) / |r - s|) / sqrt(|s x r|^4 + r_c^4 |s|^4)
    markers (Rosenhead, Moore):  u = G / 4 pi (s x r) (s.r / sqrt(q) - s.(r - s) / sqrt(p)) / (|s|^2 q - (s.r)^2)
                                 q = |r|^2 + d^2,   p = |r - s|^2 + d^2,   d = 0.573 r_c

Vatistas's core has the swirl of measured vortices, but the distance to the segment's *line* in it, which nearly
vanishes for the neighbours on a curve: it takes away 42 % of a ring's own speed at r_c = 0.03 R, however fine the ring.
So vortices move each other by the second form, with the closed form of the two arcs beside a marker on top (`own_arc`):
a ring moves as Saffman's with a Lamb-Oseen core r_c does, within 2 % up to 30 degrees between markers. d = 0.573 r_c is
what makes the two cores alike: ln(8 R / d) - 1 = ln(8 R / r_c) - 0.444.

Arrays are of one precision, that of the interactions. Sources: G. H. Vatistas, V. Kozel, W. C. Mih, A simpler model for
concentrated vortices, Experiments in Fluids 11 (1991); P. G. Saffman, Vortex Dynamics (1992), sections 10.2 and 11.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from samara.tracing.driver.driver_cache import driver, inner, linked

FOUR_PI = 4.0 * math.pi
#: Numbers of a packed segment: a (3), s (3), G s / 4 pi (3), |s|^2, r_c^4 |s|^4, d^2.
PACKED = 12
#: d / r_c of `own_arc`, see above.
MOORE = math.exp(0.444 - 1.0)
#: Square of a distance below which points are one [m^2]: at an end of a segment the cross product vanishes anyway.
SAME_POINT = 1e-12
#: Added to what a segment without length is divided by [m^4, m^8].
NOTHING = 1e-30
#: Cube of a length [m^3] below which two segments have no curvature.
NO_LENGTH = 1e-18


def vectorised(function: Callable[..., Any]) -> Any:
    """A part of native code whose loops over points may be computed abreast, with sums in another order."""
    part = linked(function)
    part.targetoptions["fastmath"] = True
    return part


@inner
def pack(S, j, ax, ay, az, bx, by, bz, G, core_2):
    """Segment j of the packed ones: from a to b, circulation G, core_2 = r_c^2."""
    sx, sy, sz, g = bx - ax, by - ay, bz - az, G / FOUR_PI
    s2 = sx * sx + sy * sy + sz * sz
    S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5] = ax, ay, az, sx, sy, sz
    S[j, 6], S[j, 7], S[j, 8] = g * sx, g * sy, g * sz
    S[j, 9], S[j, 10], S[j, 11] = s2, (core_2 * s2) ** 2 + NOTHING, MOORE * MOORE * core_2


@vectorised
def induce_at_stations(S, first, last, x, y, z, u, v, w, count):
    """Adds to (u, v, w) at `count` points (x, y, z) what segments first to last - 1 induce: Vatistas's core."""
    one, two, tiny = S.dtype.type(1.0), S.dtype.type(2.0), S.dtype.type(SAME_POINT)
    for j in range(first, last):
        ax, ay, az, sx, sy, sz = S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5]
        gx, gy, gz, s2, core = S[j, 6], S[j, 7], S[j, 8], S[j, 9], S[j, 10]
        for i in range(count):
            rx, ry, rz = x[i] - ax, y[i] - ay, z[i] - az
            d1 = sx * rx + sy * ry + sz * rz
            q1 = rx * rx + ry * ry + rz * rz + tiny
            d2 = d1 - s2
            q2 = q1 - two * d1 + s2
            c2 = s2 * q1 - d1 * d1
            f = (d1 / math.sqrt(q1) - d2 / math.sqrt(q2)) * (one / math.sqrt(c2 * c2 + core))
            u[i] += f * (gy * rz - gz * ry)
            v[i] += f * (gz * rx - gx * rz)
            w[i] += f * (gx * ry - gy * rx)


@vectorised
def induce_at_markers(S, first, last, x, y, z, u, v, w, count):
    """The same by Rosenhead's and Moore's core."""
    one, two, nothing = S.dtype.type(1.0), S.dtype.type(2.0), S.dtype.type(NOTHING)
    for j in range(first, last):
        ax, ay, az, sx, sy, sz = S[j, 0], S[j, 1], S[j, 2], S[j, 3], S[j, 4], S[j, 5]
        gx, gy, gz, s2, core = S[j, 6], S[j, 7], S[j, 8], S[j, 9], S[j, 11]
        for i in range(count):
            rx, ry, rz = x[i] - ax, y[i] - ay, z[i] - az
            d1 = sx * rx + sy * ry + sz * rz
            q1 = rx * rx + ry * ry + rz * rz + core
            d2 = d1 - s2
            q2 = q1 - two * d1 + s2
            f = (d1 / math.sqrt(q1) - d2 / math.sqrt(q2)) * (one / (s2 * q1 - d1 * d1 + nothing))
            u[i] += f * (gy * rz - gz * ry)
            v[i] += f * (gz * rx - gx * rz)
            w[i] += f * (gx * ry - gy * rx)


@inner
def own_arc(a, b, core_2, G):
    """Factor on a x b of the velocity of the two arcs beside a marker, segments a and b before and after it.

    G kappa / 4 pi (asinh(D / d) - D / sqrt(D^2 + d^2)), D their mean length: Moore's integral along the arc, of which
    two straight segments that meet in the marker give nothing. kappa: |2 a x b| / (|a| |b| |a + b|).
    """
    la = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    lb = math.sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2])
    lc = math.sqrt((a[0] + b[0]) ** 2 + (a[1] + b[1]) ** 2 + (a[2] + b[2]) ** 2)
    D, d = 0.5 * (la + lb), MOORE * math.sqrt(core_2)
    far = math.sqrt(D * D + d * d)
    return G / FOUR_PI * (math.log((D + far) / d) - D / far) * 2.0 / (la * lb * lc + NO_LENGTH)


@driver
def induce(S, x, y, z, u, v, w, moving):
    """Adds to (u, v, w) at (x, y, z) what packed segments induce there, by the core of markers or of stations."""
    if moving:
        induce_at_markers(S, 0, S.shape[0], x, y, z, u, v, w, x.size)
    else:
        induce_at_stations(S, 0, S.shape[0], x, y, z, u, v, w, x.size)


def packed(start, end, circulation, core) -> np.ndarray:
    """Segments from `start` to `end` (n, 3), a row each; circulation [m^2/s], core r_c [m]: numbers, or one each."""
    a, b = (np.atleast_2d(np.asarray(v, float)) for v in (start, end))
    s = b - a
    s2 = np.sum(s * s, axis=1)
    G, core_2 = (np.broadcast_to(np.asarray(v, float), s2.shape) for v in (circulation, np.square(core)))
    columns = [*a.T, *s.T, *(G / FOUR_PI * s.T), s2, (core_2 * s2) ** 2 + NOTHING, MOORE**2 * core_2]
    return np.stack(columns, axis=1)


def induced_velocity(start, end, circulation, core, points, single: bool = False, moving: bool = False) -> np.ndarray:
    """Velocity [m/s] of segments from `start` to `end` (n, 3) at points (m, 3): shape (m, 3).

    circulation [m^2/s], core r_c [m]: numbers, or one each. moving: by the core of markers, else by that of stations.
    single: in single precision.
    """
    kind = np.float32 if single else np.float64
    S = packed(start, end, circulation, core).astype(kind)
    X = np.ascontiguousarray(np.asarray(points, kind).T)
    U = np.zeros_like(X)
    induce(S, *X, *U, moving)
    return U.T.astype(float)


@driver
def _own_arcs(points, G, core_2, U):
    for i in range(1, points.shape[0] - 1):
        a = (points[i, 0] - points[i - 1, 0], points[i, 1] - points[i - 1, 1], points[i, 2] - points[i - 1, 2])
        b = (points[i + 1, 0] - points[i, 0], points[i + 1, 1] - points[i, 1], points[i + 1, 2] - points[i, 2])
        e = own_arc(a, b, core_2, G)
        U[i, 0] = e * (a[1] * b[2] - a[2] * b[1])
        U[i, 1] = e * (a[2] * b[0] - a[0] * b[2])
        U[i, 2] = e * (a[0] * b[1] - a[1] * b[0])


def own_velocity(points, circulation: float, core: float) -> np.ndarray:
    """What the arcs beside each marker of a filament (n, 3) add to its velocity; nothing at both ends: shape (n, 3)."""
    points = np.ascontiguousarray(points, float)
    U = np.zeros_like(points)
    _own_arcs(points, float(circulation), float(core) ** 2, U)
    return U
