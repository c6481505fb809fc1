"""Forward dynamics of a tree by articulated bodies: one pass inward, one outward, on plain or traced numbers.

The wrench that an articulated body needs is I a + f. Inward, each segment takes the freedom out of its body and hands
the rest to its parent; outward, accelerations follow:

    U = I S,  D = S^T U,  u = tau - S^T f
    I' = I - U D^-1 U^T,   f' = f + I' c + U D^-1 u            c = Omega(eta) S s
    s_dot = D^-1 (u - U^T (X a_parent + c))

What is zero by construction, I' S, is never computed. Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008,
chapter 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.recursive.inertia import Inertia, nothing, symmetric
from samara.recursive.recursion import Recursion, own_twist
from samara.recursive.tree import Segment
from samara.rotations import cross, dot
from samara.rotations.scalars import Matrix, Scalar, Vector

Wrench = tuple[Vector, Vector]


@dataclass
class _Hinge:
    """What the outward pass needs of a free segment: U by its halves, D^-1, u."""

    linear: Any
    angular: Any
    inverse: Any
    left: Any


def forward_dynamics(
    recursion: Recursion,
    inertias: Mapping[int, Inertia],
    forces: Mapping[int, Wrench],
    efforts: Mapping[int, Sequence[Scalar]],
    gravity: Vector,
) -> dict[int, list[Scalar]]:
    """Rates of the speeds of all free segments.

    inertias: of the bodies fixed to each segment, about its outer frame.
    forces:   what they need beside I a, in outer axes: gyroscopic forces less the loads on them.
    efforts:  on the freedoms [N, N m].
    gravity:  in world axes [m/s^2].
    """
    motions = recursion.motions
    carried: dict[int, Inertia] = dict(inertias)
    needed: dict[int, Wrench] = dict(forces)
    hinges: dict[int, _Hinge] = {}
    for motion in reversed(motions):
        segment = motion.segment
        k = segment.number
        if k not in carried and k not in needed:
            continue
        inertia, force = carried.get(k, nothing()), needed.get(k, (np.zeros(3), np.zeros(3)))
        if segment.free:
            hinges[k], inertia, force = _take_out(segment, inertia, force, motion.bias, efforts[k])
        else:
            own = own_twist(segment, recursion.given.known_acceleration(segment))
            more = inertia.times(motion.bias[0] + own[0], motion.bias[1] + own[1])
            force = force[0] + more[0], force[1] + more[1]
        if segment.parent >= 0:
            up = segment.parent
            seen = inertia.seen_from(motion.pose.R, motion.pose.p)
            carried[up] = carried[up] + seen if up in carried else seen
            pushed = motion.pose.R @ force[0]
            turned = motion.pose.R @ force[1] + cross(motion.pose.p, pushed)
            needed[up] = (needed[up][0] + pushed, needed[up][1] + turned) if up in needed else (pushed, turned)
    found: dict[int, list[Scalar]] = {}
    accelerations: list[Wrench] = []
    for motion in motions:
        segment = motion.segment
        dv, dw = recursion._under(segment, accelerations, gravity)
        dv, dw = dv + motion.bias[0], dw + motion.bias[1]
        if segment.free:
            found[segment.number] = _rates(segment, hinges[segment.number], dv, dw)
            own = own_twist(segment, found[segment.number])
        else:
            own = own_twist(segment, recursion.given.known_acceleration(segment))
        accelerations.append((dv + own[0], dw + own[1]))
    return found


def _take_out(
    segment: Segment, inertia: Inertia, force: Wrench, bias: Wrench, effort: Sequence[Scalar]
) -> tuple[_Hinge, Inertia, Wrench]:
    """The freedom of a segment out of its articulated body."""
    M, H, J = inertia.M, inertia.H, inertia.J
    kind, i = segment.freedom.kind, segment.freedom.axis
    zero = np.full((3, 3), 0.0, dtype=object)
    if kind == "ball":
        inverse = inverse_symmetric(J)
        left = np.array([t - f for t, f in zip(effort, force[1], strict=True)], dtype=object)
        G = H @ inverse
        bare = symmetric(lambda a, b: M[a, b] - dot(G[a], H[b]))
        own = G @ left
        # what is left has no moment of inertia, and the moment that it hands on is the effort
        handed = force[0] + bare @ bias[0] + own, np.array(list(effort), dtype=object)
        return _Hinge(H, J, inverse, left), Inertia(bare, zero, zero), handed
    if kind == "turn":
        linear, angular = H[:, i], J[:, i]
        across, inside = angular[i], force[1][i]
    elif kind == "slide":
        linear, angular = M[:, i], H[i, :]
        across, inside = linear[i], force[0][i]
    else:
        pitch = segment.freedom.pitch
        linear, angular = pitch * M[:, i] + H[:, i], pitch * H[i, :] + J[:, i]
        across, inside = pitch * linear[i] + angular[i], pitch * force[0][i] + force[1][i]
    inverse = 1.0 / across
    left = segment.sign * effort[0] - inside
    weighed = [x * inverse for x in linear], [x * inverse for x in angular]
    gone_M, gone_J = kind == "slide", kind == "turn"
    rest_M = symmetric(lambda a, b: 0.0 if gone_M and i in (a, b) else M[a, b] - linear[a] * weighed[0][b])
    rest_J = symmetric(lambda a, b: 0.0 if gone_J and i in (a, b) else J[a, b] - angular[a] * weighed[1][b])
    rest_H = zero.copy()
    for a in range(3):
        for b in range(3):
            if not ((gone_M and a == i) or (gone_J and b == i)):
                rest_H[a, b] = H[a, b] - linear[a] * weighed[1][b]
    rest = Inertia(rest_M, rest_H, rest_J)
    gained = rest.times(*bias)
    pushed = np.array([force[0][a] + gained[0][a] + weighed[0][a] * left for a in range(3)], dtype=object)
    turned = np.array([force[1][a] + gained[1][a] + weighed[1][a] * left for a in range(3)], dtype=object)
    # along the freedom the effort alone is handed on
    if gone_J:
        turned[i] = segment.sign * effort[0]
    if gone_M:
        pushed[i] = segment.sign * effort[0]
    return _Hinge(linear, angular, inverse, left), rest, (pushed, turned)


def _rates(segment: Segment, hinge: _Hinge, dv: Vector, dw: Vector) -> list[Scalar]:
    if segment.freedom.kind == "ball":
        left = [hinge.left[k] - dot(hinge.linear[:, k], dv) - dot(hinge.angular[k], dw) for k in range(3)]
        return [dot(hinge.inverse[k], left) for k in range(3)]
    along = dot(hinge.linear, dv) + dot(hinge.angular, dw)
    return [segment.sign * (hinge.inverse * (hinge.left - along))]


def inverse_symmetric(A: Matrix) -> Matrix:
    """Of a symmetric positive definite 3x3 matrix, by its cofactors."""
    cofactor = symmetric(lambda i, j: _minor(A, (j + 1) % 3, (j + 2) % 3, (i + 1) % 3, (i + 2) % 3))
    scale = 1.0 / dot(A[0], cofactor[0])
    return symmetric(lambda i, j: cofactor[i, j] * scale)


def _minor(A: Matrix, i: int, j: int, k: int, m: int) -> Scalar:
    return A[i, k] * A[j, m] - A[i, m] * A[j, k]
