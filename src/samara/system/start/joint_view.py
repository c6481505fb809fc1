"""A joint on plain numbers: its constraints, coordinates and rates, from the relative motion of two nodes.

Uses the same functions as the joint's kernels. Rates are complex steps, exact to rounding, or differences where a
function does not accept complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from samara.elements.families import Starting
from samara.elements.joints.friction.joint_with_friction import turning
from samara.model import Drive, Frame, Parameter
from samara.rotations import Pose, adjoint_times, exp_so3, inverse_pose, log_so3
from samara.system.kernels.plain_equations import COMPLEX_STEP, displaced, extrapolated_difference

ZERO = np.zeros(3)
ZERO_TWIST = np.zeros(6)
REST = Frame(np.eye(3), ZERO, ZERO, ZERO, ZERO, ZERO)
#: A function of a joint and its two frames.
Function = Callable[[Any, Frame, Frame], Sequence]


class JointView:
    """A joint between two nodes, one at rest; the other is at a pose H and moves with a twist, seen from the first.

    signals:    (value, rate) of its drives, in the order of its leaves.
    a_is_moved: whether its node a is the moving one.
    """

    def __init__(self, joint: Starting, signals: Sequence[tuple[float, float]], a_is_moved: bool) -> None:
        self.joint, self._signals, self._a_is_moved = joint, signals, a_is_moved
        self._here, self._ahead = self._at(0.0), self._at(1j * COMPLEX_STEP)
        self._resting = REST.at(joint.place_b if a_is_moved else joint.place_a)
        self._complex = True
        units = joint.startable()
        # coordinates and rates named in its start, {name: (values, unit)}
        named = {name: (values, units[name][1]) for name, values in (joint.start or {}).items()}
        self.coordinates = {name: named[name] for name in named if f"{name}_rate" in units}
        self.rates = {name: named[name] for name in named if name not in self.coordinates}
        # whether twists themselves are needed, not only rates of coordinates
        self._twisted = "angular_velocity" in named or type(joint).rate_constraint is not Starting.rate_constraint

    # ---- poses
    def constraints(self) -> int:
        """Number of position constraints."""
        with np.errstate(all="ignore"):
            return len(_constraints(self._here, REST, REST))

    def values(self, H: Pose) -> np.ndarray:
        """Constraints, then the named coordinates; for a rotation vector, the remaining rotation to the given one."""
        return np.array(self._rows(self._here, *self._frames(H, ZERO_TWIST)), dtype=float)

    def slopes(self, H: Pose, twist: np.ndarray) -> np.ndarray:
        """Rates of `values` while the drives are at rest."""
        return self._rate(self._rows, H, twist, drives=False)

    # ---- velocities
    def rate_misses(self, H: Pose, twist: np.ndarray) -> dict[str, np.ndarray]:
        """Rates of the constraints, constraints of rates (name ""), and errors of the named rates."""
        names = [name for name in self.rates if name != "angular_velocity"]
        coordinates = [name.removesuffix("_rate") for name in names]
        rates = self._rate(_ConstraintsAnd(coordinates), H, twist)
        sizes = [len(self.rates[name][0]) for name in names]
        first, *others = np.split(rates, np.cumsum([len(rates) - sum(sizes), *sizes])[:-1])
        found = {"": first}
        frames = self._frames(H, twist) if self._twisted else ()
        if self._twisted and len(tied := self._here.rate_constraint(*frames)):
            found[""] = np.array(tied, dtype=float)
        of_coordinates = dict(zip(names, others, strict=True))
        for name, (values, _) in self.rates.items():
            found[name] = (turning(*frames) if name == "angular_velocity" else of_coordinates[name]) - values
        return found

    # ---- evaluation
    def _rows(self, joint: Any, a: Frame, b: Frame) -> list:
        """Uses log(exp(given)^T exp(rotation)) for a rotation vector: no jump where the vector changes sign."""
        rows, motion = [*_constraints(joint, a, b)], joint.motion(a, b) if self.coordinates else {}
        for name, (values, unit) in self.coordinates.items():
            here = list(np.ravel(motion[name][0]))
            rows += log_so3(exp_so3(values).T @ exp_so3(here)).tolist() if is_rotation(values, unit) else here
        return rows

    def _rate(self, rows: Function, H: Pose, twist: np.ndarray, drives: bool = True) -> np.ndarray:
        if self._complex:
            try:
                found = rows(self._ahead if drives else self._here, *self._frames(H, twist, 1j * COMPLEX_STEP))
                return np.imag(np.array(found, dtype=complex)) / COMPLEX_STEP
            except TypeError:
                self._complex = False

        def at(step: float) -> np.ndarray:
            joint = self._at(step) if drives else self._here
            return np.array(rows(joint, *self._frames(H, twist, step)), dtype=float)

        return extrapolated_difference(at)

    def _frames(self, H: Pose, twist: np.ndarray, step: complex = 0.0) -> tuple[Frame, Frame]:
        """Both frames of the joint, with the moving one displaced by a small step along its twist."""
        eta = adjoint_times(inverse_pose(H), twist)
        R, p = displaced(H, step * twist) if step else H
        moved = Frame(R, p, eta[:3], eta[3:], ZERO, ZERO)
        if self._a_is_moved:
            return moved.at(self.joint.place_a), self._resting
        return self._resting, moved.at(self.joint.place_b)

    def _at(self, step: complex) -> Any:
        """The joint with numbers for its parameters and drives, the drives a small time ahead."""
        signals = iter(self._signals)
        leaves = []
        for leaf in self.joint.leaves():
            if isinstance(leaf, Drive):
                value, rate = next(signals)
                leaf = value + step * rate if step else value
            leaves.append(float(leaf) if isinstance(leaf, Parameter) else leaf)
        return self.joint.rebuild(iter(leaves))


class _ConstraintsAnd:
    """Constraints of a joint, followed by the numbers of some coordinates."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def __call__(self, joint: Any, a: Frame, b: Frame) -> list:
        motion = joint.motion(a, b) if self.names else {}
        return [*_constraints(joint, a, b), *(x for name in self.names for x in np.ravel(motion[name][0]))]


def _constraints(joint: Any, a: Frame, b: Frame) -> Sequence:
    return joint.constraint(a, b)


def is_rotation(values: np.ndarray, unit: str) -> bool:
    """Whether a coordinate is a rotation vector."""
    return len(values) == 3 and unit == "rad"
