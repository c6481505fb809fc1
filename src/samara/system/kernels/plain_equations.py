"""An element's equations on plain numbers: the `formulate` that the kernels are traced from, run with floats.

For debugging elements, and as a reference for the native kernels. Derivatives are complex steps, exact to rounding,
or extrapolated differences for functions that do not accept complex numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from samara.model import Contribution, Drive, Element, Frame, StateMotion
from samara.model.equations import governed
from samara.rotations import Pose, adjoint_times, adjoint_transpose_times, skew
from samara.tracing import Curve, Surface

#: Complex step: so small that its square underflows, without loss of relative accuracy.
COMPLEX_STEP = 1e-30


def _six() -> np.ndarray:
    return np.zeros(6)


@dataclass(frozen=True)
class NodeState:
    """State of a node at one instant: R_WN, p_WN [m], twist (v, w) in its own axes, and the twist's time derivative."""

    R: np.ndarray
    p: np.ndarray
    twist: np.ndarray = field(default_factory=_six)
    acceleration: np.ndarray = field(default_factory=_six)


@dataclass(frozen=True)
class _Step:
    """A direction of motion: of poses relative to E in axes of E, twists, the world, drives and states."""

    poses: np.ndarray
    twists: np.ndarray
    states: np.ndarray
    world: np.ndarray = field(default_factory=_six)
    drives: float = 0.0

    @classmethod
    def of(cls, site: PlainSite, **parts) -> _Step:
        nodes, states = len(site.twists), len(site.given_states)
        still = {"poses": np.zeros((nodes, 6)), "twists": np.zeros((nodes, 6)), "states": np.zeros((states, 3))}
        return cls(**{**still, **parts})


class PlainMeasure:
    """Coordinates on plain numbers."""

    def __init__(self, site: PlainSite, function: Callable[..., Sequence], rate_level: bool = False) -> None:
        self.value = np.array(function(*site.frames), dtype=float)
        self._site, self._function, self._rate_level = site, function, rate_level

    def _slope(self, **parts) -> np.ndarray:
        return self._site.slope(self._function, _Step.of(self._site, **parts))

    @property
    def rate(self) -> np.ndarray:
        """Time derivatives along the motion."""
        site = self._site
        world = -site.twists[-1] if len(site.twists) else np.zeros(6)
        states = np.array([[s.rate, s.acceleration, 0.0] for s in site.given_states]).reshape(-1, 3)
        return self._slope(poses=site.pose_rates, twists=site.twist_rates, world=world, drives=1.0, states=states)

    @property
    def drift(self) -> np.ndarray:
        """Time derivatives due to the drives alone; for quasi-velocities, their values at rest."""
        site = self._site
        if self._rate_level:
            kept = site.states
            site.states = [StateMotion(s.value, 0.0, 0.0) for s in kept]
            value = np.array(self._function(*(frame.at_rest() for frame in site.frames)), dtype=float)
            site.states = kept
            return value
        return self._slope(drives=1.0)

    def wrenches(self, efforts) -> list[np.ndarray]:
        """Sum of effort_k d(value_k), six numbers per node in its own axes."""
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

    def balances(self, efforts) -> np.ndarray:
        """Virtual work done on the states."""
        efforts, count = np.asarray(efforts), len(self._site.given_states)
        result = np.zeros(count)
        for k in range(count):
            unit = np.zeros((count, 3))
            unit[k, 1 if self._rate_level else 0] = 1.0
            result[k] = efforts @ self._slope(states=unit)
        return result[self._site.governed]


class PlainSite:
    """The context of an element, on plain numbers.

    states:      of the element's nodes, in order.
    multipliers: of the element's constraints.
    signals:     (value, rate) of each of its drives, in the order of its leaves.
    scalars:     (value, rate, acceleration) of each of its scalar states.
    differences: True to differentiate by differences instead of complex steps.
    tied_rates:  whether tied states are tied by their rates rather than by their values.

    Derivatives follow drives, states and the world frame only where a measure's function reads them: use
    ``self.field``, ``site.states`` and ``site.world`` inside that function.
    """

    def __init__(
        self,
        element: Element,
        states: Sequence[NodeState],
        multipliers: Sequence[float] = (),
        signals: Sequence[tuple[float, float]] = (),
        time: float = 0.0,
        differences: bool = False,
        scalars: Sequence[Sequence[float]] = (),
        tied_rates: bool = True,
    ) -> None:
        self.time, self.differences, self.tied_rates = time, differences, tied_rates
        self._given, self._signals = element, list(signals)
        self._multipliers = iter(multipliers)
        self.element = element.rebuild(iter(self._leaves(0.0)))
        self.given_states = [StateMotion(*map(float, s)) for s in scalars]
        self.states, self.governed = list(self.given_states), governed(element)
        self.twists = np.array([s.twist for s in states]).reshape(-1, 6)
        self.twist_rates = np.array([s.acceleration for s in states]).reshape(-1, 6)
        e = states[-1] if states else NodeState(np.eye(3), np.zeros(3))
        self._poses = [Pose(e.R.T @ s.R, e.R.T @ (s.p - e.p)) for s in states[:-1]]
        self._poses += [Pose(np.eye(3), np.zeros(3))] * bool(states)
        self.pose_rates = np.array(
            [adjoint_times(H, eta) - e.twist for H, eta in zip(self._poses, self.twists, strict=True)]
        ).reshape(-1, 6)
        self._fixed = Pose(e.R.T, -(e.R.T @ e.p))
        self.frames = self._frames(_Step.of(self), 0.0)
        self.world = self._world(np.zeros(6))

    def formulate(self) -> Contribution:
        """Evaluates the element's equations; balances cover all its states, with zero for those that it only reads."""
        found = self.element.formulate(self)
        balances = np.zeros(len(self.given_states))
        if len(self.governed):
            balances[self.governed] = np.asarray(found.balances, dtype=float)
        return replace(found, balances=balances)

    def measure(self, function: Callable[..., Sequence]) -> PlainMeasure:
        return PlainMeasure(self, function)

    def measure_rates(self, function: Callable[..., Sequence]) -> PlainMeasure:
        return PlainMeasure(self, function, rate_level=True)

    def tied(self, state: StateMotion, value: Any, rate: Any, gap: Any = None) -> Any:
        if self.tied_rates:
            return state.rate - rate
        return state.value - value if gap is None else gap

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
            R, p = displaced(H, step * pose)
            eta = eta + step * twist
            frames.append(Frame(R, p, eta[:3], eta[3:], acc[:3], acc[3:]))
        return frames

    def _world(self, displacement: np.ndarray) -> Frame:
        zero = np.zeros(3)
        return Frame(*displaced(self._fixed, displacement), zero, zero, zero, zero)

    @contextmanager
    def _elsewhere(self, along: _Step, step: complex) -> Iterator[None]:
        """Drives and world one step ahead, for functions that depend on them."""
        fields, world, states = dict(vars(self.element)), self.world, self.states
        self.world = self._world(step * along.world)
        moved = zip(self.given_states, along.states, strict=True)
        self.states = [StateMotion(*(x + step * d for x, d in zip(s, by, strict=True))) for s, by in moved]
        self._become(vars(self._given.rebuild(iter(self._leaves(step * along.drives)))))
        try:
            yield
        finally:
            self._become(fields)
            self.world, self.states = world, states

    def _become(self, fields: dict) -> None:
        """Gives the element these fields and discards values derived from the previous ones."""
        vars(self.element).clear()
        vars(self.element).update(fields)

    def slope(self, function: Callable[..., Sequence], along: _Step) -> np.ndarray:
        """Derivative of a function of the frames along a direction."""

        def at(step: complex) -> np.ndarray:
            with self._elsewhere(along, step):
                return np.array(function(*self._frames(along, step)))

        return extrapolated_difference(at) if self.differences else np.imag(at(1j * COMPLEX_STEP)) / COMPLEX_STEP


def displaced(H: Pose, motion: np.ndarray) -> Pose:
    """First-order displacement by (d, theta), in the axes that H is seen from: R + theta x R, p + d + theta x p."""
    R, p = H
    d, theta = motion[:3], motion[3:]
    turn = skew(theta)
    return Pose(R + turn @ R, p + d + turn @ p)


def extrapolated_difference(function: Callable, step: float = 0.02, levels: int = 5) -> np.ndarray:
    """Derivative at zero by central differences of halved steps, extrapolated: error about step^(2 levels)."""
    rows = [(function(h) - function(-h)) / (2.0 * h) for h in (step / 2.0**k for k in range(levels))]
    for order in range(1, levels):
        factor = 4.0**order
        rows = [(factor * fine - coarse) / (factor - 1.0) for coarse, fine in pairwise(rows)]
    return rows[0]
