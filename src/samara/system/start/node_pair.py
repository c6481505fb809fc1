"""Two nodes and the joints between them: their relative pose and motion at the start.

All joints of the pair count together. At the start their constraints hold, drives included, and the coordinates and
rates named in `start` have the given values:

    c(H) = 0,      q(H) = q_start                    H: pose of frame A seen from frame B, six unknowns
    dc/dt = 0,     dq/dt = q_rate_start,    f = 0    for the twist of A against B; f: constraints of rates

Undetermined poses stay as close as possible to the reference pose, and undetermined twists as small, or as close to
those given to nodes, as possible. Newton's method on SE(3); slopes come from the same functions as the joints'
equations of motion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from samara.elements.families import Starting
from samara.model import ModelError
from samara.rotations import Pose, adjoint, compose_poses, exp_se3, exp_so3, log_so3
from samara.system.start.joint_view import ZERO_TWIST, JointView, is_rotation

#: Size of the increments in which angles are approached [rad], and their largest number.
PIECE, PIECES = 0.5, 16
ITERATIONS = 30
TURN = 2.0 * np.pi
#: Violation below which a requirement is met: for poses [m, rad], and for rates relative to the largest of them.
CLOSED = 1e-9
#: Violation attributed to rounding: nothing is left to do [m, rad].
EXACT = 2e-16


@dataclass(frozen=True)
class GoalRow:
    """A number with a target: a constraint, a named coordinate, or the remainder of a named rotation."""

    name: str
    unit: str
    kind: Literal["constraint", "coordinate", "rotation"]
    goal: float = 0.0


class Pair:
    """Joints between the same two nodes; at least one has a start, and the first such joint leads.

    H is the pose of the leading joint's node a seen from its node b; twists are those of a against b, in axes of b
    its origin.

    signals: (value, rate) of the drives of a joint, in the order of its leaves.
    returns: whether whole turns lead back to the initial pose, so that they can be skipped.
    """

    def __init__(
        self,
        joints: Sequence[Starting],
        signals: Callable[[Starting], list[tuple[float, float]]],
        returns: bool = False,
    ) -> None:
        self.lead = next(joint for joint in joints if joint.start is not None)
        self.a, self.b = self.lead.a, self.lead.b
        self.joints = tuple(joints)
        self._views = [JointView(joint, signals(joint), joint.a is self.a) for joint in joints]
        place = self.lead.place_b
        # columns: unit twists at the origin of frame B and in its axes, as b sees them
        self._basis = adjoint(Pose(place.rotation, place.position))
        self._rows = [row for view in self._views for row in _rows(view)]
        self._goal = np.array([row.goal for row in self._rows])
        self._constraint = np.array([row.kind == "constraint" for row in self._rows], dtype=bool)
        self._coordinate = np.array([row.kind == "coordinate" for row in self._rows], dtype=bool)
        self._angle = self._coordinate & [row.unit == "rad" for row in self._rows]
        self._first = self._goal  # values in the reference pose, with its constraints satisfied
        self._returns = self._angle & returns
        self._slopes_at = b"", np.zeros((0, 6))  # a pose, and the slopes of the rates there

    def solve(self, H_ba: Pose, part: float = 1.0) -> tuple[Pose, np.ndarray]:
        """Pose and twist at the start, from the reference pose, or part of the way to it."""
        H = self._pose(H_ba, part)
        drift = self._rates(H, ZERO_TWIST)[0]
        twist = self._smallest(lambda twist: self._rates(H, twist)[0] - drift, drift)
        if part == 1.0 and (miss := self.miss(H, twist)):
            raise ModelError(f"element {self.lead.name!r}: its start cannot be had: {miss}")
        return H, twist

    def keeping(self, H: Pose, wanted: np.ndarray, basis: np.ndarray, *, named: bool = True) -> np.ndarray:
        """Twist at the start that is closest to a given one.

        basis: columns are twists; the correction of the given twist is their smallest combination.
        named: whether named rates take the values in `start`, or are zero.
        """
        drift, names = self._rates(H, ZERO_TWIST)
        add = lambda twist: self._rates(H, twist)[0] - drift  # noqa: E731
        goal = drift if named else np.where([bool(name) for name, _ in names], 0.0, drift)
        return wanted + self._smallest(add, goal + add(wanted), basis)

    def miss(self, H: Pose, twist: np.ndarray) -> str:
        """Describes requirements that are not met; empty if all are."""
        left = np.abs(self._left(self._values(H), self._goal))
        if left.max(initial=0.0) > CLOSED:
            worst = self._rows[int(np.argmax(left))]
            return f"{worst.name} misses by {left.max():.3g} {worst.unit}"
        rates, names = self._rates(H, twist)
        rates = np.abs(rates)
        if rates.max(initial=0.0) > CLOSED * self.speed(H):
            name, label = names[int(np.argmax(rates))]
            return f"{f'{name} of ' if name else ''}{label} misses by {rates.max():.3g} [m/s, rad/s]"
        return ""

    # ---- named coordinates and rates
    @property
    def names_something(self) -> bool:
        """Whether a coordinate or a rate is named."""
        return any(view.coordinates or view.rates for view in self._views)

    def speed(self, H: Pose) -> float:
        """Size of the requested rates, at least 1 [m/s, rad/s]."""
        return max(1.0, np.abs(self._rates(H, ZERO_TWIST)[0]).max(initial=0.0))

    def way(self, length: float) -> float:
        """Longest distance of a named coordinate from the reference pose: of angles [rad], or of a length [1]."""
        far = np.abs(self._goal - self._first)
        return float(np.where([row.unit == "m" for row in self._rows], far / length, far).max(initial=0.0))

    def named_places(self, H: Pose, part: float) -> tuple[np.ndarray, np.ndarray]:
        """Distances of the named coordinates from their targets, and their slopes along twists, shape (rows, 6).

        part: fraction of the way from the reference pose to the targets.
        """
        named = ~self._constraint
        left = self._left(self._values(H), self._goal_at(part))[named]
        if not named.any():
            return left, np.zeros((0, 6))
        return left, np.column_stack([self._slopes(H, unit)[named] for unit in np.eye(6)])

    def named_rates(self, H: Pose, twist: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Errors of the named rates and their slopes, likewise."""
        rates, names = self._rates(H, twist)
        named = np.array([bool(name) for name, _ in names], dtype=bool)
        if not named.any():
            return rates[named], np.zeros((0, 6))
        return rates[named], self._rate_slopes(H)[named]

    def _rate_slopes(self, H: Pose) -> np.ndarray:
        """Slopes of the rates along twists, shape (rows, 6); the last ones are kept."""
        at = H.R.tobytes() + H.p.tobytes()
        if self._slopes_at[0] != at:
            drift = self._rates(H, ZERO_TWIST)[0]
            self._slopes_at = at, np.column_stack([self._rates(H, unit)[0] - drift for unit in np.eye(6)])
        return self._slopes_at[1]

    def asked_and_got(self, H: Pose, twist: np.ndarray, tolerance: float) -> list[str]:
        """Describes named coordinates and rates that do not have the requested values.

        tolerance: for poses [m, rad], and for rates relative to the largest of them.
        """
        places, found = self._left(self._values(H), self._goal), []
        first, rate_tolerance = 0, tolerance * self.speed(H)
        for view in self._views:
            label, first = f"element {view.joint.name!r}", first + view.constraints()
            for name, (asked, unit) in view.coordinates.items():
                left, first = places[first : first + len(asked)], first + len(asked)
                turned = is_rotation(asked, unit)
                got = log_so3(exp_so3(asked) @ exp_so3(left)) if turned else asked + left
                found += _told(f"{name} of {label}", unit, asked, got, np.abs(left).max() > tolerance)
            misses = view.rate_misses(H, twist)
            for name, (asked, unit) in view.rates.items():
                missed = np.abs(misses[name]).max() > rate_tolerance
                found += _told(f"{name} of {label}", unit, asked, asked + misses[name], missed)
        return found

    # ---- the pose
    def _goal_at(self, part: float) -> np.ndarray:
        """Targets a fraction of the way from the reference pose."""
        return self._goal + (1.0 - part) * (self._first - self._goal)

    def _pose(self, H: Pose, part: float) -> Pose:
        """Solves the constraints, then moves named coordinates to their targets in steps short enough for Newton."""
        H = self._approach(H, self._constraint, self._goal, np.zeros_like(self._goal))
        first = np.where(self._constraint, 0.0, self._values(H))
        self._first = first + TURN * np.where(self._returns, np.round((self._goal - first) / TURN), 0.0)
        goal = self._goal_at(part)
        first = np.where(self._coordinate, self._first, goal)
        way = goal - first
        pieces = int(np.clip(np.ceil(np.abs(way[self._angle]).max(initial=0.0) / PIECE), 1, PIECES))
        for k in range(1, pieces + 1 if not self._constraint.all() else 1):
            H = self._approach(H, np.full(len(way), True), first + way * k / pieces, way / pieces)
        return H

    def _approach(self, H: Pose, rows: np.ndarray, goal: np.ndarray, ahead: np.ndarray) -> Pose:
        """Newton's method for some rows; `ahead`: distance of each coordinate to go, whole turns included."""
        size = np.inf
        for k in range(ITERATIONS):
            left = self._left(self._values(H), goal)
            if k == 0:
                left = np.where(self._coordinate, -ahead, left)
            if np.abs(left[rows]).max(initial=0.0) <= EXACT:
                break
            here = H
            step = self._smallest(lambda twist: self._slopes(here, twist)[rows], left[rows])  # noqa: B023
            H = compose_poses(exp_se3(step), H)
            size, last = float(np.abs(step).max()), size
            if size < 1e-9 and size >= 0.5 * last:  # only rounding error remains
                break
        return H

    def _smallest(
        self, slopes: Callable[[np.ndarray], np.ndarray], left: np.ndarray, basis: np.ndarray | None = None
    ) -> np.ndarray:
        """Smallest twist that removes the remaining error; slopes: effect of a twist, to first order."""
        basis = self._basis if basis is None else basis
        columns = np.column_stack([slopes(column) for column in basis.T])
        return basis @ np.linalg.lstsq(columns, -left, rcond=1e-9)[0]

    def _left(self, values: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """Distance of each row from its target; for angles less than half a turn."""
        left = values - goal
        return left - TURN * np.where(self._angle, np.round(left / TURN), 0.0)

    # ---- values of the joints
    def _values(self, H: Pose) -> np.ndarray:
        return np.concatenate([view.values(H) for view in self._views])

    def _slopes(self, H: Pose, twist: np.ndarray) -> np.ndarray:
        return np.concatenate([view.slopes(H, twist) for view in self._views])

    def _rates(self, H: Pose, twist: np.ndarray) -> tuple[np.ndarray, list[tuple[str, str]]]:
        """Errors of the rates, and for each its name (empty for constraints) and element."""
        found: list[np.ndarray] = []
        names: list[tuple[str, str]] = []
        for view in self._views:
            for name, part in view.rate_misses(H, twist).items():
                found.append(part)
                names += [(name, f"element {view.joint.name!r}")] * len(part)
        return np.concatenate(found), names


def _told(name: str, unit: str, asked: np.ndarray, got: np.ndarray, missed: bool) -> list[str]:
    """Describes the requested and the actual value where they differ."""

    def text(values: np.ndarray) -> str:
        numbers = [f"{0.0 if abs(v) < 1e-12 else v:.5g}" for v in values]
        return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"

    return [f"{name}: asked for {text(asked)} {unit}, got {text(got)} {unit}"] if missed else []


def _rows(view: JointView) -> list[GoalRow]:
    label = f"element {view.joint.name!r}"
    rows = [GoalRow(label, "[m, rad]", "constraint")] * view.constraints()
    for name, (values, unit) in view.coordinates.items():
        named = f"{name} of {label}"
        if is_rotation(values, unit):
            rows += [GoalRow(named, unit, "rotation")] * 3
        else:
            rows += [GoalRow(named, unit, "coordinate", float(v)) for v in values]
    return rows
