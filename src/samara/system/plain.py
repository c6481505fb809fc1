"""An element's equations on plain numbers: the same `formulate` as the kernels come from, run as it is with floats.

For debugging an element, and as the oracle of the native kernels. Derivatives are complex steps, exact to rounding;
for functions that cannot take complex numbers, extrapolated differences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from samara.model import Contribution, Drive, Element, Frame
from samara.rotations import Pose, adjoint_times, adjoint_transpose_times, cross
from samara.tracing import Curve, Surface

#: Size of a complex step: its square is lost, its relative accuracy is not.
TINY = 1e-30


def _six() -> np.ndarray:
    return np.zeros(6)


@dataclass(frozen=True)
class NodeState:
    """A node at an instant: R_WN, p_WN [m], twist (v, w) in its own axes and the time derivative of that."""

    R: np.ndarray
    p: np.ndarray
    twist: np.ndarray = field(default_factory=_six)
    acceleration: np.ndarray = field(default_factory=_six)


@dataclass(frozen=True)
class _Step:
    """A direction of motion: of poses against E in axes of E, of twists, of the world and of the drives."""

    poses: np.ndarray
    twists: np.ndarray
    world: np.ndarray = field(default_factory=_six)
    drives: float = 0.0

    @classmethod
    def of(cls, count: int, **parts) -> _Step:
        return cls(**{"poses": np.zeros((count, 6)), "twists": np.zeros((count, 6)), **parts})


class PlainMeasure:
    """Coordinates on plain numbers."""

    def __init__(self, site: PlainSite, function: Callable[..., Sequence], rate_level: bool = False) -> None:
        self.value = np.array(function(*site.frames), dtype=float)
        self._site, self._function, self._rate_level = site, function, rate_level

    def _slope(self, **parts) -> np.ndarray:
        return self._site.slope(self._function, _Step.of(len(self._site.frames), **parts))

    @property
    def rate(self) -> np.ndarray:
        """Time derivatives along the motion."""
        site = self._site
        return self._slope(poses=site.pose_rates, twists=site.twist_rates, world=-site.twists[-1], drives=1.0)

    @property
    def drift(self) -> np.ndarray:
        """Time derivatives that the drives alone make; of quasi-velocities, their values at rest."""
        if self._rate_level:
            return np.array(self._function(*(frame.at_rest() for frame in self._site.frames)), dtype=float)
        return self._slope(drives=1.0)

    def wrenches(self, efforts) -> list[np.ndarray]:
        """Sum of effort_k d(value_k), six numbers a node in its own axes."""
        efforts, frames = np.asarray(efforts), self._site.frames
        columns = np.zeros((len(frames), 6))
        for i, c in np.ndindex(columns.shape):
            unit = np.zeros(columns.shape)
            unit[i, c] = 1.0
            if self._rate_level:
                columns[i, c] = efforts @ self._slope(twists=unit)
            elif i < len(frames) - 1:
                columns[i, c] = efforts @ self._slope(poses=unit)
            else:
                columns[i, c] = efforts @ self._slope(world=unit[i])
        if self._rate_level:
            return list(columns)
        others = [adjoint_transpose_times(Pose(f.R, f.p), c) for f, c in zip(frames[:-1], columns[:-1], strict=True)]
        return [*others, -columns.sum(axis=0)]


class PlainSite:
    """Where an element stands, on plain numbers.

    states:      of the element's nodes, in order.
    multipliers: of its constraints.
    signals:     (value, rate) of each of its drives, in the order of its leaves.
    differences: True to differentiate by differences instead of complex steps.

    Drives and the world frame are followed where a measure's function asks for them: read ``self.field`` and
    ``site.world`` inside that function.
    """

    def __init__(
        self,
        element: Element,
        states: Sequence[NodeState],
        multipliers: Sequence[float] = (),
        signals: Sequence[tuple[float, float]] = (),
        time: float = 0.0,
        differences: bool = False,
    ) -> None:
        self.time, self.differences = time, differences
        self._given, self._signals = element, list(signals)
        self._multipliers = iter(multipliers)
        self.element = element.rebuild(iter(self._leaves(0.0)))
        self.twists = np.array([s.twist for s in states])
        self.twist_rates = np.array([s.acceleration for s in states])
        e = states[-1]
        self._poses = [Pose(e.R.T @ s.R, e.R.T @ (s.p - e.p)) for s in states[:-1]] + [Pose(np.eye(3), np.zeros(3))]
        self.pose_rates = np.array(
            [adjoint_times(H, eta) - e.twist for H, eta in zip(self._poses, self.twists, strict=True)]
        )
        self._fixed = Pose(e.R.T, -(e.R.T @ e.p))
        self.frames = self._frames(_Step.of(len(states)), 0.0)
        self.world = self._world(np.zeros(6))

    def formulate(self) -> Contribution:
        """The element's equations here."""
        return self.element.formulate(self)

    def measure(self, function: Callable[..., Sequence]) -> PlainMeasure:
        return PlainMeasure(self, function)

    def measure_rates(self, function: Callable[..., Sequence]) -> PlainMeasure:
        return PlainMeasure(self, function, rate_level=True)

    def multipliers(self, count: int) -> np.ndarray:
        return np.array([next(self._multipliers) for _ in range(count)])

    def _leaves(self, step: complex) -> list:
        signals = iter(self._signals)
        leaves: list = []
        for leaf in self._given.leaves():
            if isinstance(leaf, Drive):
                value, rate = next(signals)
                leaves.append(value + step * rate if step else value)
            else:
                leaves.append(leaf if isinstance(leaf, (Curve, Surface)) else float(leaf))
        return leaves

    # ---- frames, displaced
    def _frames(self, along: _Step, step: complex) -> list[Frame]:
        frames = []
        rows = zip(self._poses, along.poses, self.twists, along.twists, self.twist_rates, strict=True)
        for H, pose, eta, twist, acc in rows:
            R, p = _displaced(H, step * pose)
            eta = eta + step * twist
            frames.append(Frame(R, p, eta[:3], eta[3:], acc[:3], acc[3:]))
        return frames

    def _world(self, displacement: np.ndarray) -> Frame:
        zero = np.zeros(3)
        return Frame(*_displaced(self._fixed, displacement), zero, zero, zero, zero)

    @contextmanager
    def _elsewhere(self, along: _Step, step: complex) -> Iterator[None]:
        """The drives and the world a step further, for the functions that look at them."""
        fields, world = dict(vars(self.element)), self.world
        self.world = self._world(step * along.world)
        vars(self.element).update(vars(self._given.rebuild(iter(self._leaves(step * along.drives)))))
        try:
            yield
        finally:
            vars(self.element).update(fields)
            self.world = world

    def slope(self, function: Callable[..., Sequence], along: _Step) -> np.ndarray:
        """Derivative of a function of the frames in a direction."""

        def at(step: complex) -> np.ndarray:
            with self._elsewhere(along, step):
                return np.array(function(*self._frames(along, step)))

        return extrapolated_difference(at) if self.differences else np.imag(at(1j * TINY)) / TINY


def _displaced(H: Pose, motion: np.ndarray) -> Pose:
    """First order in (d, theta), in the axes that H is seen from: R + theta x R, p + d + theta x p."""
    R, p = H
    d, theta = motion[:3], motion[3:]
    return Pose(R + np.stack([cross(theta, column) for column in R.T], axis=1), p + d + cross(theta, p))


def extrapolated_difference(function: Callable, step: float = 0.02, levels: int = 5) -> np.ndarray:
    """Derivative at zero by central differences of halved steps, extrapolated: error about step^(2 levels)."""
    rows = [(function(h) - function(-h)) / (2.0 * h) for h in (step / 2.0**k for k in range(levels))]
    for order in range(1, levels):
        factor = 4.0**order
        rows = [(factor * fine - coarse) / (factor - 1.0) for coarse, fine in pairwise(rows)]
    return rows[0]
