"""Campbell (fan) diagram: frequencies against the speed of rotation."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samara.analysis.modal.modes import Modes, Oscillations, modes
from samara.analysis.modal.tracking import ZERO_EIGENVALUE, basis, track
from samara.analysis.periodic_motion.steady_rotation import steady_rotation
from samara.arguments import finite, several, whole
from samara.model import ArgumentError, Model
from samara.solve import Simulation
from samara.solve.as_simulation import as_simulation
from samara.solve.native.kernels import set_time
from samara.system.system import System

#: Likeness below which a mode is said to be lost.
LOST = 0.5


@dataclass(frozen=True)
class Campbell(Oscillations):
    """Campbell diagram: modes at each speed, tracked from one speed to the next by their shapes.

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
        from samara.analysis.modal.campbell_plot import draw_campbell

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
    """Computes a Campbell diagram: frequencies of a steadily rotating model at the given speeds [rad/s].

    model:     a model, or a function speed -> model.
    parameter: name of the model's parameter that holds the speed, for a root that is prescribed to spin:
               ``Motion(rotation=(0, 0, Constant(speed) * Expression(lambda t: t)))``.
    count:     modes to follow, the slowest at the first speed.
    options:   of `steady_rotation`.

    Each speed starts from the shape at the previous one. Modes are paired to maximise the sum of their modal assurance
    criteria.
    """
    speeds = np.array([finite("campbell: a speed", speed) for speed in several("campbell: speeds", speeds)])
    if not speeds.size:
        raise ArgumentError("campbell: speeds is empty: give at least one")
    count = whole("campbell: count", count)
    build = model if callable(model) else None
    sim = None if callable(model) else as_simulation("campbell", model)
    found: list[Modes] = []
    for speed in speeds:
        if build is not None:
            sim = Simulation(build(speed))
        assert sim is not None
        if parameter is not None:
            sim.system.set_parameter(parameter, speed)
            set_time(sim.machine, finite("campbell: time", options.get("time", 0.0)))
        steady_rotation(sim, speed, axis, **options)
        found.append(_distinct(modes(sim, 2 * count + 12)))  # some to spare: the order changes with the speed
    branches = track(speeds, found, [m.vectors() for m in found], count=count)
    always = np.all(branches.index >= 0, axis=0)
    found = [_reordered(m, index[always]) for m, index in zip(found, branches.index, strict=True)]
    likeness = branches.likeness[:, always]
    name = sim.model.name if sim is not None else ""
    if not always.all():
        gone = ", ".join(str(i + 1) for i in np.flatnonzero(~always))
        warnings.warn(f"model {name!r}: mode {gone} does not exist at all speeds and is omitted", stacklevel=2)
    _warn(name, speeds, likeness)
    return Campbell(speeds, np.array([m.eigenvalues for m in found]), likeness, tuple(found), name)


def _warn(name: str, speeds: np.ndarray, likeness: np.ndarray) -> None:
    """Warns of modes that hardly resemble themselves at the previous speed."""
    for k, alike in enumerate(likeness):
        if np.any(alike < LOST):
            lost = ", ".join(str(i + 1) for i in np.flatnonzero(alike < LOST))
            warnings.warn(
                f"model {name!r}: mode {lost} at {speeds[k]:g} rad/s differs strongly from that at "
                f"{speeds[k - 1]:g} rad/s: it may be another mode; use more closely spaced speeds",
                stacklevel=3,
            )


def _distinct(m: Modes) -> Modes:
    """Removes the second of each pair of zeros: a rigid motion and its uniform speed have one shape."""
    kept: list[int] = []
    vectors, still = m.vectors(), np.abs(m.eigenvalues) < ZERO_EIGENVALUE
    for k in range(len(m)):
        others = [i for i in kept if still[i]]
        if still[k] and others:
            one = vectors[k] / np.linalg.norm(vectors[k])
            known = basis(vectors[others])
            if np.linalg.norm(one - known @ (known.conj().T @ one)) < 1e-2:
                continue
        kept.append(k)
    return _reordered(m, np.array(kept, dtype=np.int64))


def _reordered(m: Modes, order: np.ndarray) -> Modes:
    return replace(m, eigenvalues=m.eigenvalues[order], shapes=m.shapes[order], state_shapes=m.state_shapes[order])
