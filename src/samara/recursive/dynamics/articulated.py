"""Forward dynamics of a tree by articulated bodies: one pass inward, one outward, on plain or traced numbers.

The wrench that an articulated body needs is I a + f. Inward, each segment takes the freedom out of its body and hands
the rest to its parent; outward, accelerations follow:

    U = I S,  D = S^T U,  u = tau - S^T f
    I' = I - U D^-1 U^T,   f' = f + I' c + U D^-1 u            c = Omega(eta) S s
    s_dot = D^-1 (u - U^T (X a_parent + c))

Inertias do not depend on forces: the first pass is made once, and answers any number of forces. What is zero by
construction, I' S, is never computed. Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.recursive.dynamics.inertia import Inertia, nothing, symmetric
from samara.recursive.dynamics.recursion import Recursion, carried_on, own_twist
from samara.recursive.dynamics.spatial import Wrench, add_wrench, wrench_from
from samara.recursive.tree import Segment
from samara.rotations import dot
from samara.rotations.scalars import Matrix, Scalar, Vector

ZERO = np.zeros(3)


@dataclass
class Hinge:
    """A free segment: U by its halves, D^-1, U D^-1 by its halves."""

    linear: Any
    angular: Any
    inverse: Any
    weighed: Any


class ArticulatedBodies:
    """The inertias of a tree, from the tips to the base, with every freedom taken out.

    inertias: of the bodies fixed to each segment, about its outer frame.
    """

    def __init__(self, recursion: Recursion, inertias: Mapping[int, Inertia]) -> None:
        self.recursion = recursion
        self._hinges: dict[int, Hinge] = {}
        self._left: dict[int, Inertia] = {}  # what a segment hands on: of a free one without its freedom
        carried: dict[int, Inertia] = dict(inertias)
        for motion in reversed(recursion.motions):
            segment = motion.segment
            inertia = carried.get(segment.number)
            if inertia is None:
                continue
            if segment.free:
                self._hinges[segment.number], inertia = take_out(segment, inertia)
            self._left[segment.number] = inertia
            if segment.parent >= 0:
                up, seen = segment.parent, inertia.seen_from(motion.pose.R, motion.pose.p)
                carried[up] = carried[up] + seen if up in carried else seen

    def rates(
        self,
        forces: Mapping[int, Wrench],
        efforts: Mapping[int, Sequence[Scalar]],
        gravity: Vector,
    ) -> dict[int, list[Scalar]]:
        """Rates of the speeds of all free segments, in the present motion.

        forces:  what bodies need beside I a, in outer axes: gyroscopic forces less the loads on them.
        efforts: on the freedoms [N, N m].
        gravity: in world axes [m/s^2].
        """
        recursion = self.recursion
        own: dict[int, Wrench] = {}  # acceleration of each segment that does not depend on forces
        for motion in recursion.motions:
            own[motion.segment.number] = motion.bias
            if not motion.segment.free:
                more = own_twist(motion.segment, recursion.given.known_acceleration(motion.segment))
                own[motion.segment.number] = motion.bias[0] + more[0], motion.bias[1] + more[1]
        left = self._inward(forces, efforts, own)
        return self._outward(left, own, lambda segment, found: recursion.under(segment, found, gravity))

    def response(self, forces: Mapping[int, Wrench]) -> tuple[dict[int, list[Scalar]], list[Wrench]]:
        """What forces alone change: rates of the speeds of free segments, and accelerations of all segments."""
        left = self._inward(forces, {}, {})
        accelerations: list[Wrench] = []
        found = self._outward(left, {}, self._still_base, accelerations)
        return found, accelerations

    def answer(self, forces: Mapping[int, Wrench], own: Mapping[int, Wrench], under: Any) -> dict[int, list[Scalar]]:
        """The same where some segments move by themselves: `own`. under: what is carried on to a segment."""
        return self._outward(self._inward(forces, {}, own), own, under)

    # ---- passes
    def _inward(
        self,
        forces: Mapping[int, Wrench],
        efforts: Mapping[int, Sequence[Scalar]],
        own: Mapping[int, Wrench],
    ) -> dict[int, Any]:
        """u of each free segment."""
        needed: dict[int, Wrench] = dict(forces)
        left: dict[int, Any] = {}
        for motion in reversed(self.recursion.motions):
            segment = motion.segment
            k = segment.number
            if k not in self._left or (k not in needed and k not in own and k not in efforts):
                continue
            force, inertia = needed.get(k, (ZERO, ZERO)), self._left[k]
            gained = inertia.times(*own[k]) if k in own else (ZERO, ZERO)
            if segment.free:
                effort = efforts.get(k, [0.0] * segment.freedom.speeds)
                left[k], force = handed_on(segment, self._hinges[k], force, effort, gained)
            else:
                force = force[0] + gained[0], force[1] + gained[1]
            if segment.parent >= 0:
                up = segment.parent
                add_wrench(needed, up, wrench_from(motion.pose, *force))
        return left

    def _outward(
        self, left: Mapping[int, Any], own: Mapping[int, Wrench], under: Any, accelerations: list[Wrench] | None = None
    ) -> dict[int, list[Scalar]]:
        found: dict[int, list[Scalar]] = {}
        accelerations = [] if accelerations is None else accelerations
        for motion in self.recursion.motions:
            segment = motion.segment
            k = segment.number
            dv, dw = under(segment, accelerations)
            if k in own:
                dv, dw = dv + own[k][0], dw + own[k][1]
            if segment.free:
                found[k] = hinge_rates(segment, self._hinges[k], left.get(k), dv, dw)
                more = own_twist(segment, found[k])
                dv, dw = dv + more[0], dw + more[1]
            accelerations.append((dv, dw))
        return found

    def _still_base(self, segment: Segment, found: Sequence[Wrench]) -> Wrench:
        if segment.parent < 0:
            return ZERO, ZERO
        return carried_on(self.recursion.motions[segment.number].pose, *found[segment.parent])


def take_out(segment: Segment, inertia: Inertia) -> tuple[Hinge, Inertia]:
    """The freedom of a segment out of its articulated body."""
    M, H, J = inertia.M, inertia.H, inertia.J
    kind, i = segment.freedom.kind, segment.freedom.axis
    zero = nothing().M
    if kind == "ball":
        inverse = inverse_symmetric(J)
        G = H @ inverse
        bare = symmetric(lambda a, b: M[a, b] - dot(G[a], H[b]))
        return Hinge(H, J, inverse, G), Inertia(bare, zero, zero)
    if kind == "turn":
        linear, angular = H[:, i], J[:, i]
        across = angular[i]
    elif kind == "slide":
        linear, angular = M[:, i], H[i, :]
        across = linear[i]
    else:
        pitch = segment.freedom.pitch
        linear, angular = pitch * M[:, i] + H[:, i], pitch * H[i, :] + J[:, i]
        across = pitch * linear[i] + angular[i]
    inverse = 1.0 / across
    weighed = [x * inverse for x in linear], [x * inverse for x in angular]
    gone_M, gone_J = kind == "slide", kind == "turn"
    rest_M = symmetric(lambda a, b: 0.0 if gone_M and i in (a, b) else M[a, b] - linear[a] * weighed[0][b])
    rest_J = symmetric(lambda a, b: 0.0 if gone_J and i in (a, b) else J[a, b] - angular[a] * weighed[1][b])
    rest_H = zero.copy()
    for a in range(3):
        for b in range(3):
            if not ((gone_M and a == i) or (gone_J and b == i)):
                rest_H[a, b] = H[a, b] - linear[a] * weighed[1][b]
    return Hinge(linear, angular, inverse, weighed), Inertia(rest_M, rest_H, rest_J)


def handed_on(
    segment: Segment, hinge: Hinge, force: Wrench, effort: Sequence[Scalar], gained: Wrench
) -> tuple[Any, Wrench]:
    """u of a free segment, and the force that it hands on: along the freedom the effort alone."""
    kind, i = segment.freedom.kind, segment.freedom.axis
    if kind == "ball":
        left = np.array([t - f for t, f in zip(effort, force[1], strict=True)], dtype=object)
        return left, (force[0] + gained[0] + hinge.weighed @ left, np.array(list(effort), dtype=object))
    pushed, turned = np.array([*force[0]], dtype=object), np.array([*force[1]], dtype=object)
    inside = {"turn": turned[i], "slide": pushed[i]}.get(kind)
    if kind == "screw":
        inside = segment.freedom.pitch * pushed[i] + turned[i]
    left = segment.sign * effort[0] - inside
    for a in range(3):
        pushed[a] = pushed[a] + gained[0][a] + hinge.weighed[0][a] * left
        turned[a] = turned[a] + gained[1][a] + hinge.weighed[1][a] * left
    if kind == "turn":
        turned[i] = segment.sign * effort[0]
    if kind == "slide":
        pushed[i] = segment.sign * effort[0]
    return left, (pushed, turned)


def hinge_rates(segment: Segment, hinge: Hinge, left: Any, dv: Vector, dw: Vector) -> list[Scalar]:
    """D^-1 (u - U^T a), with a before the freedom's own acceleration; left: u, None for nothing."""
    if segment.freedom.kind == "ball":
        start = [0.0] * 3 if left is None else left
        rest = [start[k] - dot(hinge.linear[:, k], dv) - dot(hinge.angular[k], dw) for k in range(3)]
        return [dot(hinge.inverse[k], rest) for k in range(3)]
    along = dot(hinge.linear, dv) + dot(hinge.angular, dw)
    return [segment.sign * (hinge.inverse * ((0.0 if left is None else left) - along))]


def inverse_symmetric(A: Matrix) -> Matrix:
    """Of a symmetric positive definite 3x3 matrix, by its cofactors."""
    cofactor = symmetric(lambda i, j: _minor(A, (j + 1) % 3, (j + 2) % 3, (i + 1) % 3, (i + 2) % 3))
    scale = 1.0 / dot(A[0], cofactor[0])
    return symmetric(lambda i, j: cofactor[i, j] * scale)


def _minor(A: Matrix, i: int, j: int, k: int, m: int) -> Scalar:
    return A[i, k] * A[j, m] - A[i, m] * A[j, k]
