"""Modes of small motion: eigenvalues, frequencies, damping, shapes."""

from __future__ import annotations

import difflib
import operator
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.linalg import lu_factor, lu_solve, matrix_balance
from scipy.sparse.linalg import LinearOperator, eigs

from samara.analysis.linear import Linearisation, linearise
from samara.analysis.reduction import first_order
from samara.model import Model
from samara.model.arguments import whole
from samara.scene.outline import Outline, outline
from samara.solve import Simulation, static
from samara.solve.given import simulation_of
from samara.system.system import System

#: From this many states on, a few modes are found without all the others.
LARGE_MODEL = 1000
#: Where they are looked for [rad/s]: near zero, and not at zero, where rigid motions are.
SHIFT = 0.1


class Oscillations:
    """What has eigenvalues s [rad/s], in any shape, has frequencies."""

    eigenvalues: np.ndarray

    @property
    def frequencies(self) -> np.ndarray:
        """Of the oscillation, |Im s| [rad/s]; zero for a mode that does not oscillate."""
        return np.abs(self.eigenvalues.imag)

    @property
    def frequencies_hz(self) -> np.ndarray:
        """Of the oscillation [Hz]."""
        return self.frequencies / (2.0 * np.pi)


@dataclass(frozen=True)
class Origin:
    """A simulation, and its state, its time [s] and the values of its parameters when it was linearised."""

    simulation: Simulation
    state: np.ndarray
    time: float
    parameters: np.ndarray


@dataclass(frozen=True)
class Modes(Oscillations):
    """Modes exp(s t), sorted by |s|; of a complex pair the one that turns forward in time, Im s > 0.

    eigenvalues: s [rad/s], shape (m,).
    shapes:      displacement [m] and rotation [rad] of each node in its own axes, shape (m, nodes, 6), complex. The
                 largest component (rotations times the size of the mechanism) is 1.
    nodes, p, R: names, positions [m] and orientations of the nodes in the state that was linearised about.
    outline:     what to draw of the model; the nodes alone if there is none.
    states:      names of the scalar states, and `state_shapes` what they do in each mode, shape (m, states), complex,
                 to the same measure as the shapes.
    origin:      where they come from, for `sensitivity`.
    """

    eigenvalues: np.ndarray
    shapes: np.ndarray
    nodes: tuple[str, ...]
    p: np.ndarray
    R: np.ndarray
    length: float
    outline: Outline | None = None
    states: tuple[str, ...] = ()
    state_shapes: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    origin: Origin | None = field(default=None, repr=False, compare=False)

    @property
    def natural(self) -> np.ndarray:
        """|s| [rad/s]: the undamped frequency of a lightly damped mode."""
        return np.abs(self.eigenvalues)

    @property
    def damping(self) -> np.ndarray:
        """Damping ratio -Re s / |s|; negative when the mode grows, nan for s = 0."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), np.nan)

    def shape(self, mode: int, node: str, world: bool = False) -> np.ndarray:
        """Displacement and rotation of one node in a mode, six complex numbers, in its own axes or in the world's."""
        if node not in self.nodes:
            near = difflib.get_close_matches(str(node), self.nodes, n=3)
            hint = f"; did you mean {', '.join(map(repr, near))}?" if near else ""
            raise ValueError(f"no node {node!r} among the unknowns{hint}")
        k = self.nodes.index(node)
        own = self.shapes[self.number(mode), k]
        return np.concatenate([self.R[k] @ own[:3], self.R[k] @ own[3:]]) if world else own

    def displacements(self, mode: int) -> np.ndarray:
        """Displacements of all nodes in world axes [m], shape (nodes, 3), complex."""
        return np.einsum("kij,kj->ki", self.R, self.shapes[self.number(mode), :, :3])

    def number(self, mode: int) -> int:
        """A mode counted from 0, or from the end as in a list; an error says how many there are."""
        try:
            k = operator.index(mode)
        except TypeError:
            raise ValueError(f"a mode is a whole number, counted from 0, got {mode!r}") from None
        if not -len(self) <= k < len(self):
            raise ValueError(f"there is no mode {k}: they are counted from 0 to {len(self) - 1}")
        return k % len(self)

    def share(self, axes=(0, 1, 2, 3, 4, 5)) -> np.ndarray:
        """Part of each mode's motion, 0 to 1, in the given directions of own axes (rotations weighed by length)."""
        weighed = np.abs(self.shapes * self._weights()) ** 2
        return weighed[:, :, list(axes)].sum(axis=(1, 2)) / weighed.sum(axis=(1, 2))

    def vectors(self) -> np.ndarray:
        """Shapes as rows, rotations times length, shape (m, 6 nodes)."""
        return (self.shapes * self._weights()).reshape(len(self.eigenvalues), -1)

    def _weights(self) -> np.ndarray:
        return np.array([1.0] * 3 + [self.length] * 3)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __str__(self) -> str:
        lines = ["mode   frequency [Hz]   damping ratio   eigenvalue [rad/s]"]
        for k, (f, z, s) in enumerate(zip(self.frequencies_hz, self.damping, self.eigenvalues, strict=True), 1):
            lines.append(f"{k:4d} {f:16.6g} {z:15.6g}   {s:.6g}")
        return "\n".join(lines)

    def plot(self, mode: int = 0, title: str | None = None) -> Any:
        """A 3-D figure of the model at rest and at the two ends of the mode's swing."""
        from samara.scene.pictures import draw_mode

        return draw_mode(self, self.number(mode), title)

    def animate(self, mode: int | Iterable[int], path: str | os.PathLike[str]) -> Path:
        """Writes a page (.html) in which a mode moves in 3-D; of several modes one can be chosen. Returns the file.

        It needs a browser and nothing else. Drag to turn the view; the time scale is not that of the mode.
        """
        from samara.scene.animation import write_animation

        chosen = list(mode) if isinstance(mode, Iterable) else [mode]
        return write_animation(self, [self.number(k) for k in chosen], path)


def modes(model: Model | System | Simulation | Linearisation, count: int | None = None) -> Modes:
    """Modes about the present state of a simulation, or about the static equilibrium of a model, stable or not.

        s^2 M phi + s C phi + K phi + G^T mu = 0,     G phi = 0

    count: how many to keep, the slowest first; all by default.

    The constraints are solved before, so that no eigenvalue is infinite. For a rotating structure pass what
    `steady_rotation` returns; frequencies are then those felt in the rotating parts.
    """
    if count is not None:
        count = whole("modes: count", count)
    if isinstance(model, Linearisation):
        lin, drawn, origin = model, None, None
    else:
        sim = simulation_of("modes", model)
        if sim is not model:
            static(sim, outputs="model.violation", stable=False)
        lin, drawn = linearise(sim), outline(sim)
        origin = Origin(sim, sim.state.copy(), sim.state.time, sim.system.parameters.values())
    reduced = first_order(lin)
    values, vectors = _eigen(reduced.A, count)
    forward = np.flatnonzero(values.imag >= 0.0)
    order = forward[np.lexsort((values.imag[forward], np.abs(values[forward])))][:count]
    every = (reduced.pose[0] @ vectors[:, order]).T.astype(complex)
    nodes = every.shape[1] - len(lin.states)
    weights = np.concatenate([np.tile([1.0] * 3 + [lin.length] * 3, nodes // 6), lin.length / lin.scales])
    for k, one in enumerate(every * weights):
        measured = one[:nodes] if np.any(one[:nodes]) else one
        every[k] /= measured[np.argmax(np.abs(measured))] or 1.0
    shapes = every[:, :nodes].reshape(len(order), -1, 6)
    return Modes(
        values[order], shapes, lin.nodes, lin.p, lin.R, lin.length, drawn, lin.states, every[:, nodes:], origin
    )


def _eigen(A: np.ndarray, count: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and vectors; of a large matrix only those near zero, by Arnoldi's method on (A - shift)^-1.

    Limit: the latter is good to about 1e-6 of |s|, damping ratios too, where the fastest mode is 1e5 times faster.
    """
    if count is None or len(A) < LARGE_MODEL or 2 * count + 10 > len(A) // 4:
        values, vectors = np.linalg.eig(A)
        return values.astype(complex), vectors
    balanced, scale = matrix_balance(A, permute=False)
    factors = lu_factor(balanced - SHIFT * np.eye(len(A)))
    inverse = LinearOperator(A.shape, matvec=lambda x: lu_solve(factors, x, check_finite=False), dtype=float)
    start = np.random.default_rng(0).standard_normal(len(A))  # the same result in every run
    k = 2 * count + 10
    near, vectors = eigs(inverse, k=k, ncv=min(4 * k, len(A) - 1), which="LM", v0=start, tol=1e-12)
    return SHIFT + 1.0 / near, scale @ vectors


def mac(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Modal assurance criterion |a_i^H b_j|^2 / (|a_i|^2 |b_j|^2) between rows of a and of b, 0 to 1."""
    product = np.abs(a.conj() @ b.T) ** 2
    sizes = np.outer((np.abs(a) ** 2).sum(axis=1), (np.abs(b) ** 2).sum(axis=1))
    return product / np.maximum(sizes, 1e-300)
