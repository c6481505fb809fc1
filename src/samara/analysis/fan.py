"""Campbell (fan) diagram: frequencies against the speed of rotation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from samara.analysis.modal import Modes, Oscillations, modes
from samara.analysis.steady import steady_rotation
from samara.model import ArgumentError, Model
from samara.model.arguments import finite, whole
from samara.solve import Simulation
from samara.solve.given import simulation_of
from samara.solve.machine import set_time
from samara.system.system import System

#: Eigenvalues this close, relatively, are taken as one.
EQUAL = 1e-6
#: Eigenvalues this small are taken as zero: several zeros at once come out as a small ring around it [rad/s].
ZERO_EIGENVALUE = 0.05
#: Likeness below which a mode is said to be lost.
LOST = 0.5


@dataclass(frozen=True)
class Campbell(Oscillations):
    """Modes at each speed, followed from one speed to the next by their shapes.

    speeds [rad/s], shape (n,); eigenvalues [rad/s], and so `frequencies` [rad/s] and `frequencies_hz`, shape
    (n, modes): a column is one mode.
    likeness: modal assurance of each mode with itself at the speed before, shape (n, modes); ones at the first.
    modes:    everything about each speed, its modes in the order of the columns.
    """

    speeds: np.ndarray
    eigenvalues: np.ndarray
    likeness: np.ndarray
    modes: tuple[Modes, ...]
    model: str = ""

    @property
    def damping(self) -> np.ndarray:
        """Damping ratios, shape (n, modes)."""
        return np.array([m.damping for m in self.modes])

    def plot(self, per_rev: int = 6, title: str | None = None) -> Any:
        """Frequencies against speed with the lines of 1 to `per_rev` per revolution, as a figure."""
        from samara.analysis.fan_plot import draw_campbell

        return draw_campbell(self, per_rev, title)


def campbell(
    model: Model | System | Simulation | Callable[[float], Model],
    speeds: Iterable[float],
    axis=(0.0, 0.0, 1.0),
    *,
    count: int = 6,
    parameter: str | None = None,
    **options,
) -> Campbell:
    """Frequencies of a model that turns steadily, at each of the speeds [rad/s], in the order given.

    model:     a model, or a function speed -> model.
    parameter: name of the model's parameter that holds the speed, for a root that is prescribed to spin:
               ``Motion(rotation=(0, 0, Constant(speed) * Expression(lambda t: t)))``.
    count:     modes to follow, the slowest at the first speed.
    options:   of `steady_rotation`.

    Each speed starts from the shape at the last one. Modes are paired so that the sum of their modal assurance
    criteria is largest.
    """
    speeds = np.array([finite("campbell: a speed", speed) for speed in speeds])
    if not speeds.size:
        raise ArgumentError("campbell: speeds is empty: give one or more")
    count = whole("campbell: count", count)
    build = model if callable(model) else None
    sim = None if callable(model) else simulation_of("campbell", model)
    found: list[Modes] = []
    likeness: list[np.ndarray] = []
    for speed in speeds:
        if build is not None:
            sim = Simulation(build(speed))
        assert sim is not None
        if parameter is not None:
            sim.system.set_parameter(parameter, speed)
            set_time(sim.machine, finite("campbell: time", options.get("time", 0.0)))
        steady_rotation(sim, speed, axis, **options)
        here = _distinct(modes(sim, 2 * count + 12))  # some to spare: the order changes with the speed
        if not found:
            chosen, alike = np.arange(min(count, len(here))), np.ones(min(count, len(here)))
        else:
            chosen, alike = _follow(found[-1], here)
        found.append(_reordered(here, chosen))
        likeness.append(alike)
    name = sim.model.name if sim is not None else ""
    for k, alike in enumerate(likeness):
        if np.any(alike < LOST):
            lost = ", ".join(str(i + 1) for i in np.flatnonzero(alike < LOST))
            warnings.warn(
                f"model {name!r}: mode {lost} at {speeds[k]:g} rad/s hardly looks like itself at {speeds[k - 1]:g} "
                "rad/s: it may be another one; take speeds closer to each other",
                stacklevel=2,
            )
    return Campbell(speeds, np.array([m.eigenvalues for m in found]), np.array(likeness), tuple(found), name)


def _follow(before: Modes, here: Modes) -> tuple[np.ndarray, np.ndarray]:
    """Columns of `here` that continue the modes before, and how much alike they are.

    Modes of equal frequency (equal blades) have no shapes of their own: what they span is compared.
    """
    alike = np.zeros((len(before), len(here)))
    for rows, old in _groups(before):
        for columns, new in _groups(here):
            overlap = np.linalg.norm(old.conj().T @ new) ** 2 / min(old.shape[1], new.shape[1])
            alike[np.ix_(rows, columns)] = overlap
    first, chosen = linear_sum_assignment(-alike)
    return chosen, alike[first, chosen]


def _groups(m: Modes) -> list[tuple[np.ndarray, np.ndarray]]:
    """Modes of one frequency, and an orthonormal basis of what they span, shape (components, dimension)."""
    left, found = list(range(len(m))), []
    values, vectors, still = m.eigenvalues, m.vectors(), _still(m)
    while left:
        k, s = left[0], values[left[0]]
        group = [i for i in left if abs(values[i] - s) < EQUAL * max(abs(s), 1.0) or (still[i] and still[k])]
        found.append((np.array(group), _basis(vectors[group])))
        left = [k for k in left if k not in group]
    return found


def _still(m: Modes) -> np.ndarray:
    """Which modes are motions without a frequency."""
    return np.abs(m.eigenvalues) < ZERO_EIGENVALUE


def _basis(rows: np.ndarray) -> np.ndarray:
    scaled = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    u, size, _ = np.linalg.svd(scaled.T, full_matrices=False)
    return u[:, size > 1e-3 * size[0]]


def _distinct(m: Modes) -> Modes:
    """Without the second of each pair of zeros: a rigid motion and its uniform speed have one shape."""
    kept: list[int] = []
    vectors, still = m.vectors(), _still(m)
    for k in range(len(m)):
        others = [i for i in kept if still[i]]
        if still[k] and others:
            one = vectors[k] / np.linalg.norm(vectors[k])
            basis = _basis(vectors[others])
            if np.linalg.norm(one - basis @ (basis.conj().T @ one)) < 1e-2:
                continue
        kept.append(k)
    return _reordered(m, np.array(kept, dtype=np.int64))


def _reordered(m: Modes, order: np.ndarray) -> Modes:
    return replace(m, eigenvalues=m.eigenvalues[order], shapes=m.shapes[order], state_shapes=m.state_shapes[order])
