"""Two nodes and the joints between them: where one is against the other at the start, and how it moves then.

All joints of the pair speak together. At the start their constraints hold, drives included, and the coordinates and
rates that `start` names are as given:

    c(H) = 0,      q(H) = q_start                    H: pose of frame A seen from frame B, six unknowns
    dc/dt = 0,     dq/dt = q_rate_start,    f = 0    for the twist of A against B; f: constraints of rates

What they leave open stays as near as possible to the reference pose, and the twist as small as possible. Newton's
method on SE(3); slopes come from the same functions as the joints' equations of motion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from samara.elements.families import Joint, RateJoint, Starting
from samara.elements.joints.rubbing import turning
from samara.model import ModelError
from samara.rotations import Pose, adjoint, adjoint_times, compose_poses, exp_se3, exp_so3, inverse_pose, log_so3
from samara.system.plain import NodeState, PlainSite

#: Angles are approached in pieces of about this size [rad], so many at most.
PIECE, PIECES = 0.5, 16
ITERATIONS = 30
#: Violation below which all that was asked for is had: of poses [m, rad], and of rates against the largest of them.
CLOSED = 1e-9
STILL = np.zeros(6)


@dataclass(frozen=True)
class Row:
    """One number that has a goal: a constraint, a coordinate that is named, or what is left of a named rotation."""

    name: str
    unit: str
    kind: Literal["constraint", "coordinate", "rotation"]
    goal: float = 0.0


class Pair:
    """Joints between the same two nodes, of which one at least has a start: the first of those leads.

    Poses H are those of the lead's node a seen from its node b; twists are those of a against b, in axes of b and at
    its origin.

    signals: (value, rate) of the drives of a joint, in the order of its leaves.
    """

    def __init__(self, joints: Sequence[Starting], signals: Callable[[Starting], list[tuple[float, float]]]) -> None:
        self.joints = list(joints)
        self.lead = next(joint for joint in joints if joint.start is not None)
        self.a, self.b = self.lead.a, self.lead.b
        self._signals = {joint.name: signals(joint) for joint in joints}
        self._named = {joint.name: _named(joint) for joint in joints}
        place = self.lead.place_b
        # columns: unit twists at the origin of frame B and in its axes, as b sees them
        self._basis = adjoint(Pose(place.rotation, place.position))
        self._rows = [row for joint in joints for row in self._rows_of(joint)]
        self._goal = np.array([row.goal for row in self._rows])
        self._constraint = np.array([row.kind == "constraint" for row in self._rows], dtype=bool)
        self._coordinate = np.array([row.kind == "coordinate" for row in self._rows], dtype=bool)
        self._angle = self._coordinate & [row.unit == "rad" for row in self._rows]

    def solve(self, H_ba: Pose) -> tuple[Pose, np.ndarray]:
        """Pose and twist at the start, from the reference pose."""
        H = self._pose(H_ba)
        drift = self._rates(H, STILL)[0]
        twist = self._smallest(lambda twist: self._rates(H, twist)[0], drift, drift)
        if miss := self.miss(H, twist):
            raise ModelError(f"element {self.lead.name!r}: its start cannot be had: {miss}")
        return H, twist

    def miss(self, H: Pose, twist: np.ndarray, tolerance: float = CLOSED) -> str:
        """What is not as it was asked for, in words; nothing if all is.

        tolerance: of poses [m, rad], and of rates against the largest of them.
        """
        left = np.abs(self._left(self._values(H, STILL)[:, 0], self._goal))
        if left.max(initial=0.0) > tolerance:
            worst = self._rows[int(np.argmax(left))]
            return f"{worst.name} misses by {left.max():.3g} {worst.unit}".rstrip()
        rates, names = self._rates(H, twist)
        speed = max(1.0, np.abs(self._rates(H, STILL)[0]).max(initial=0.0))
        if np.abs(rates).max(initial=0.0) > tolerance * speed:
            return f"{names[int(np.argmax(np.abs(rates)))]} misses by {np.abs(rates).max():.3g} [m/s, rad/s]"
        return ""

    # ---- the pose
    def _pose(self, H: Pose) -> Pose:
        """First the constraints alone, then by pieces of the way of each named coordinate: not too far for Newton."""
        H = self._approach(H, self._constraint, self._goal, np.zeros_like(self._goal))
        first = np.where(self._coordinate, self._values(H, STILL)[:, 0], 0.0)
        way = self._goal - first
        pieces = int(np.clip(np.ceil(np.abs(way[self._angle]).max(initial=0.0) / PIECE), 1, PIECES))
        for k in range(1, pieces + 1):
            H = self._approach(H, np.full(len(way), True), first + way * k / pieces, way / pieces)
        return H

    def _approach(self, H: Pose, rows: np.ndarray, goal: np.ndarray, ahead: np.ndarray) -> Pose:
        """Newton's method for some rows; `ahead`: the way of each coordinate, which an angle itself does not tell."""
        size = np.inf
        for k in range(ITERATIONS if rows.any() else 0):
            values, here = self._values(H, STILL), H
            left = self._left(values[:, 0], goal)
            if k == 0:
                left = np.where(self._coordinate, -ahead, left)
            step = self._smallest(
                lambda twist: self._values(here, twist)[rows, 1],  # noqa: B023
                values[rows, 1],
                left[rows],
            )
            H = compose_poses(exp_se3(step), H)
            size, last = float(np.abs(step).max()), size
            if size < 1e-15 or (size < 1e-9 and size >= 0.5 * last):
                break
        return H

    def _smallest(self, rates: Callable[[np.ndarray], np.ndarray], drift: np.ndarray, left: np.ndarray) -> np.ndarray:
        """The smallest twist that takes away what is left, from rates that are linear in twists."""
        slopes = np.column_stack([rates(column) - drift for column in self._basis.T])
        return self._basis @ np.linalg.lstsq(slopes, -left, rcond=1e-9)[0]

    def _left(self, values: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """How far each row is from its goal; angles by less than half a turn."""
        left = values - goal
        return left - 2.0 * np.pi * np.where(self._angle, np.round(left / (2.0 * np.pi)), 0.0)

    # ---- what the joints say
    def _rows_of(self, joint: Starting) -> list[Row]:
        here = Pose(np.eye(3), np.zeros(3))
        with np.errstate(all="ignore"):  # only their number matters
            count = len(self._measured(joint, here, STILL, _constraints))
        rows = [Row(f"element {joint.name!r}", "[m, rad]", "constraint")] * count
        for name, (values, unit) in self._named[joint.name].items():
            label = f"{name} of element {joint.name!r}"
            if _is_rotation(values, unit):
                rows += [Row(label, unit, "rotation")] * 3
            else:
                rows += [Row(label, unit, "coordinate", float(v)) for v in values]
        return rows

    def _values(self, H: Pose, twist: np.ndarray) -> np.ndarray:
        """Values and rates of all rows, shape (n, 2)."""
        found = []
        for joint in self.joints:
            named = self._named[joint.name]
            found.append(self._measured(joint, H, twist, lambda *at, n=named: [*_constraints(*at), *_reached(n, *at)]))
        return np.concatenate(found)

    def _rates(self, H: Pose, twist: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Rates of the constraints, constraints of rates, and what the named rates miss; whose they are."""
        found: list[np.ndarray] = []
        names: list[str] = []
        for joint in self.joints:
            site = self._site(joint, H, twist)
            frames = [f.at(place) for f, place in zip(site.frames, (joint.place_a, joint.place_b), strict=True)]
            parts = {"": self._measured(joint, H, twist, _constraints)[:, 1]}
            if isinstance(joint, RateJoint):
                parts[""] = np.array(site.element.rate_constraint(*frames), dtype=float)
            for name, values in (joint.start or {}).items():
                if name == "angular_velocity":
                    parts[name] = turning(*frames) - values
                elif name.endswith("_rate"):
                    coordinate = name.removesuffix("_rate")
                    measured = self._measured(joint, H, twist, lambda j, a, b, c=coordinate: _flat(j.motion(a, b)[c]))
                    parts[name] = measured[:, 1] - values
            found += parts.values()
            label = f"element {joint.name!r}"
            names += [f"{name} of {label}" if name else label for name, part in parts.items() for _ in part]
        return np.concatenate(found), names

    def _measured(self, joint: Starting, H: Pose, twist: np.ndarray, rows: Callable[..., Sequence]) -> np.ndarray:
        """Values and rates of functions of a joint and its frames, shape (n, 2).

        By complex steps, or by differences where a function takes no complex numbers.
        """
        for differences in (False, True):
            site = self._site(joint, H, twist, differences)
            e: Any = site.element
            measure = site.measure(lambda a, b, e=e: [*rows(e, a.at(e.place_a), b.at(e.place_b))])
            try:
                return np.column_stack([measure.value, measure.rate])
            except TypeError:
                if differences:
                    raise
        raise AssertionError("unreachable")

    def _site(self, joint: Starting, H: Pose, twist: np.ndarray, differences: bool = False) -> PlainSite:
        """The joint with a at H and moving, seen from b, which rests; whichever way round the joint has them."""
        a = NodeState(H.R, H.p, adjoint_times(inverse_pose(H), twist))
        b = NodeState(np.eye(3), np.zeros(3))
        states = [a, b] if joint.a is self.a else [b, a]
        return PlainSite(joint, states, signals=self._signals[joint.name], differences=differences)


def _constraints(joint: Any, a, b) -> list:
    return joint.constraint(a, b) if isinstance(joint, Joint) else []


def _reached(named: dict[str, tuple[np.ndarray, str]], joint: Any, a, b) -> list:
    """The coordinates that are named; of a rotation vector what is left to the one given.

    log(exp(given)^T exp(rotation)): it has no jump where the vector itself changes its sign.
    """
    rows: list = []
    motion = joint.motion(a, b) if named else {}
    for name, (values, unit) in named.items():
        here = _flat(motion[name])
        rows += log_so3(exp_so3(values).T @ exp_so3(here)).tolist() if _is_rotation(values, unit) else here
    return rows


def _named(joint: Starting) -> dict[str, tuple[np.ndarray, str]]:
    """Coordinates that a joint's start names: {name: (values, unit)}; rates are left out."""
    units = joint.startable()
    coordinates = {name for name in units if f"{name}_rate" in units}
    return {name: (values, units[name][1]) for name, values in (joint.start or {}).items() if name in coordinates}


def _flat(coordinate: tuple[Any, str]) -> list:
    return list(np.ravel(coordinate[0]))


def _is_rotation(values: np.ndarray, unit: str) -> bool:
    return len(values) == 3 and unit == "rad"
