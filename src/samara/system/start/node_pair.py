"""Two nodes and the joints between them: where one is against the other at the start, and how it moves then.

All joints of the pair speak together. At the start their constraints hold, drives included, and the coordinates and
rates that `start` names are as given:

    c(H) = 0,      q(H) = q_start                    H: pose of frame A seen from frame B, six unknowns
    dc/dt = 0,     dq/dt = q_rate_start,    f = 0    for the twist of A against B; f: constraints of rates

What they leave open stays as near as possible to the reference pose, and the twist as small as possible, or as near as
possible to what nodes were given. Newton's method on SE(3); slopes come from the same functions as the joints'
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

#: Angles are approached in pieces of about this size [rad], so many at most.
PIECE, PIECES = 0.5, 16
ITERATIONS = 30
TURN = 2.0 * np.pi
#: Violation below which all that was asked for is had: of poses [m, rad], and of rates against the largest of them.
CLOSED = 1e-9
#: Violation that is rounding: nothing is left to do [m, rad].
EXACT = 2e-16


@dataclass(frozen=True)
class GoalRow:
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
    returns: whether whole turns lead back to where they began, and need not be gone.
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
        self._first = self._goal  # values in the reference pose, once its constraints hold
        self._returns = self._angle & returns
        self._slopes_at = b"", np.zeros((0, 6))  # a pose, and the slopes of rates there

    def solve(self, H_ba: Pose, part: float = 1.0) -> tuple[Pose, np.ndarray]:
        """Pose and twist at the start, from the reference pose; or a part of the way to it."""
        H = self._pose(H_ba, part)
        drift = self._rates(H, ZERO_TWIST)[0]
        twist = self._smallest(lambda twist: self._rates(H, twist)[0] - drift, drift)
        if part == 1.0 and (miss := self.miss(H, twist)):
            raise ModelError(f"element {self.lead.name!r}: its start cannot be had: {miss}")
        return H, twist

    def keeping(self, H: Pose, wanted: np.ndarray, basis: np.ndarray, *, named: bool = True) -> np.ndarray:
        """The twist at the start that is nearest to a wanted one.

        basis: columns are twists; what is added to the wanted one is the smallest combination of them.
        named: whether rates have what `start` names, or are zero.
        """
        drift, names = self._rates(H, ZERO_TWIST)
        add = lambda twist: self._rates(H, twist)[0] - drift  # noqa: E731
        goal = drift if named else np.where([bool(name) for name, _ in names], 0.0, drift)
        return wanted + self._smallest(add, goal + add(wanted), basis)

    def miss(self, H: Pose, twist: np.ndarray) -> str:
        """What is not as it was asked for, in words; nothing if all is."""
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

    # ---- what is named
    @property
    def names_something(self) -> bool:
        """Whether a coordinate or a rate is named."""
        return any(view.coordinates or view.rates for view in self._views)

    def speed(self, H: Pose) -> float:
        """Size of the rates that are asked for, 1 at least [m/s, rad/s]."""
        return max(1.0, np.abs(self._rates(H, ZERO_TWIST)[0]).max(initial=0.0))

    def way(self, length: float) -> float:
        """The longest way of a named coordinate from the reference pose: of angles [rad], or of a length [1]."""
        far = np.abs(self._goal - self._first)
        return float(np.where([row.unit == "m" for row in self._rows], far / length, far).max(initial=0.0))

    def named_places(self, H: Pose, part: float) -> tuple[np.ndarray, np.ndarray]:
        """How far the coordinates that are named are from their goals, and what a twist adds, shape (rows, 6).

        part: of the way from the reference pose, where the goals are.
        """
        named = ~self._constraint
        left = self._left(self._values(H), self._goal_at(part))[named]
        if not named.any():
            return left, np.zeros((0, 6))
        return left, np.column_stack([self._slopes(H, unit)[named] for unit in np.eye(6)])

    def named_rates(self, H: Pose, twist: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same of the rates that are named."""
        rates, names = self._rates(H, twist)
        named = np.array([bool(name) for name, _ in names], dtype=bool)
        if not named.any():
            return rates[named], np.zeros((0, 6))
        return rates[named], self._rate_slopes(H)[named]

    def _rate_slopes(self, H: Pose) -> np.ndarray:
        """What twists add to the rates, shape (rows, 6); the last ones are remembered."""
        at = H.R.tobytes() + H.p.tobytes()
        if self._slopes_at[0] != at:
            drift = self._rates(H, ZERO_TWIST)[0]
            self._slopes_at = at, np.column_stack([self._rates(H, unit)[0] - drift for unit in np.eye(6)])
        return self._slopes_at[1]

    def asked_and_got(self, H: Pose, twist: np.ndarray, tolerance: float) -> list[str]:
        """Of all that is named and is not as it was asked for, in words.

        tolerance: of poses [m, rad], and of rates against the largest of them.
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
        """Goals a part of the way from the reference pose."""
        return self._goal + (1.0 - part) * (self._first - self._goal)

    def _pose(self, H: Pose, part: float) -> Pose:
        """First the constraints alone, then by pieces of the way of each named coordinate: not too far for Newton."""
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
        """Newton's method for some rows; `ahead`: the way of each coordinate, which an angle itself does not tell."""
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
            if size < 1e-9 and size >= 0.5 * last:  # only rounding is left
                break
        return H

    def _smallest(
        self, slopes: Callable[[np.ndarray], np.ndarray], left: np.ndarray, basis: np.ndarray | None = None
    ) -> np.ndarray:
        """The smallest twist that takes away what is left; slopes: what a twist adds, linear in it."""
        basis = self._basis if basis is None else basis
        columns = np.column_stack([slopes(column) for column in basis.T])
        return basis @ np.linalg.lstsq(columns, -left, rcond=1e-9)[0]

    def _left(self, values: np.ndarray, goal: np.ndarray) -> np.ndarray:
        """How far each row is from its goal; angles by less than half a turn."""
        left = values - goal
        return left - TURN * np.where(self._angle, np.round(left / TURN), 0.0)

    # ---- what the joints say
    def _values(self, H: Pose) -> np.ndarray:
        return np.concatenate([view.values(H) for view in self._views])

    def _slopes(self, H: Pose, twist: np.ndarray) -> np.ndarray:
        return np.concatenate([view.slopes(H, twist) for view in self._views])

    def _rates(self, H: Pose, twist: np.ndarray) -> tuple[np.ndarray, list[tuple[str, str]]]:
        """What rates miss, and which they are (nothing for those of constraints), of which element."""
        found: list[np.ndarray] = []
        names: list[tuple[str, str]] = []
        for view in self._views:
            for name, part in view.rate_misses(H, twist).items():
                found.append(part)
                names += [(name, f"element {view.joint.name!r}")] * len(part)
        return np.concatenate(found), names


def _told(name: str, unit: str, asked: np.ndarray, got: np.ndarray, missed: bool) -> list[str]:
    """What was asked for and what was had, if that is not the same."""

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
