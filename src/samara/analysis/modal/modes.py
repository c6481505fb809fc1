"""Modes of small motions: eigenvalues, frequencies, damping, shapes."""

from __future__ import annotations

import difflib
import operator
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.linalg import lu_factor, lu_solve, matrix_balance
from scipy.sparse.linalg import LinearOperator, eigs

from samara.analysis.linearisation.linear import Linearisation, small_motions, with_dense
from samara.analysis.linearisation.operating_point import at_rest
from samara.analysis.linearisation.sampled_loop import sampled_loop
from samara.analysis.linearisation.sparse_modes import BLOCK, Slowest, is_few, slowest
from samara.analysis.linearisation.time_invariance import steady
from samara.analysis.linearisation.turning_axes import TurningAxes
from samara.analysis.modal.participation import Described, describe
from samara.analysis.modal.rigid_body_modes import at_zero, cleaned, each_once, takes_no_time
from samara.analysis.modal.rotor_modes import multiblade_system
from samara.analysis.modal.sampled_modes import sampled_eigen
from samara.analysis.periodic_motion.periodic import Periodic
from samara.analysis.rotors.frame import RotorFrame
from samara.analysis.rotors.motion import as_a_whole
from samara.arguments import several, whole, yes_or_no
from samara.blas import one_thread
from samara.model import Model
from samara.notebook.html import note, table
from samara.results.attrs import Scene
from samara.scene.outline import Outline, outline
from samara.scene.pictures import nodes_alone
from samara.scene.scene import scene_of
from samara.solve import Simulation, SolveError
from samara.solve.as_simulation import as_simulation
from samara.solve.linear_systems.first_order import FirstOrder, first_order
from samara.solve.sampling import sampled_elements
from samara.solve.start.present_loads import as_told
from samara.system.system import System

#: Part of A v, entry by entry, that may be left of A v - s v, and how many vectors are improved for that at most.
RESIDUE, IMPROVED = 1e-13, 100
#: Distance of eigenvalues that coincide, of their size, and coordinates up to which dense matrices are taken for them.
SAME_PLACE, DENSE = 1e-6, 4000
#: From this many states on, a few modes are found without all the others.
LARGE_MODEL = 1000
#: Part of the equations that changes within a period, and error of eigenvalues by that, which are worth a word.
CHANGING, INEXACT = 1e-4, 1e-3
#: Turn within a cycle of samples [rad], below 1e-4 of which slow motions may be none: rounding parts pairs of zeros.
SLOWEST_TURN = 1e-2
#: Where they are looked for [rad/s]: near zero, and not at zero, where rigid motions are.
SHIFT = 0.1


class Oscillations:
    """Frequencies and damping of an object with eigenvalues s [rad/s], of any array shape."""

    eigenvalues: np.ndarray

    @property
    def frequencies(self) -> np.ndarray:
        """Frequency of oscillation, |Im s| [rad/s]; zero for a mode that does not oscillate."""
        return np.abs(self.eigenvalues.imag)

    @property
    def frequencies_hz(self) -> np.ndarray:
        """Frequency of oscillation [Hz]."""
        return self.frequencies / (2.0 * np.pi)

    @property
    def natural(self) -> np.ndarray:
        """|s| [rad/s]: the undamped frequency of a lightly damped mode."""
        return np.abs(self.eigenvalues)

    @property
    def damping(self) -> np.ndarray:
        """Damping ratio -Re s / |s|; negative when the mode grows, nan for s = 0."""
        size = np.abs(self.eigenvalues)
        return np.where(size > 0.0, -self.eigenvalues.real / np.where(size > 0.0, size, 1.0), np.nan)


#: Of the table of modes.
COLUMNS = ("mode", "frequency [Hz]", "damping ratio", "eigenvalue [rad/s]", "what moves")


@dataclass(frozen=True)
class Origin:
    """A simulation, and its state, its time [s] and the values of its parameters when it was linearised.

    own: whether small motions are expressed in the axes of the nodes rather than in those of a carrier.
    """

    simulation: Simulation
    state: np.ndarray
    time: float
    parameters: np.ndarray
    own: bool = True


@dataclass(frozen=True)
class Modes(Oscillations):
    """Modes exp(s t), sorted by |s|; of a complex pair the one with Im s > 0.

    eigenvalues: s [rad/s], shape (m,).
    shapes:      displacement [m] and rotation [rad] of each node in its own axes, shape (m, nodes, 6), complex. The
                 largest component (rotations times the size of the mechanism) is 1.
    nodes, p, R: names, positions [m] and orientations of the nodes in the state that was linearised about.
    outline:     what to draw of the model in figures; the nodes alone if there is none. scene: the same for pages.
    states:      names of the scalar states, and `state_shapes` what they do in each mode, shape (m, states), complex,
                 to the same measure as the shapes.
    origin:      where they come from, for `sensitivity`.
    names:       what moves, in words; shares: {part: part of each mode's motion, 0 to 1}
    (`samara.analysis.modal.participation`). rigid:       whether a mode is a motion of the whole, or of joints, that
                 nothing brings back: s = 0. Each motion is there once, as that of an oscillation, although its place
    and its speed make zero twice. about:       what was linearised about, and the axes in which that was done.
    periodic:    largest part of the equations that changes within a period; error: of the eigenvalues by that, of their
                 size or of the rotor's speed.
    sampled:     time T [s] after which all sampled laws of the model are called together again; 0: there are none. A
                 mode is then exp(s t) at the samples, z = exp(s T), and shapes are those just after a sample.
    """

    eigenvalues: np.ndarray
    shapes: np.ndarray
    nodes: tuple[str, ...]
    p: np.ndarray
    R: np.ndarray
    length: float
    outline: Outline | None = None
    scene: Scene | None = field(default=None, repr=False, compare=False)
    states: tuple[str, ...] = ()
    state_shapes: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    origin: Origin | None = field(default=None, repr=False, compare=False)
    names: tuple[str, ...] = ()
    shares: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)
    rigid: np.ndarray = field(default_factory=lambda: np.zeros(0, bool))
    about: str = ""
    periodic: float = 0.0
    error: float = 0.0
    sampled: float = 0.0

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
            raise ValueError(f"a mode must be a whole number, from 0 on, got {mode!r}") from None
        if not -len(self) <= k < len(self):
            raise ValueError(f"there is no mode {k}: modes are numbered from 0 to {len(self) - 1}")
        return k % len(self)

    def share(self, axes=(0, 1, 2, 3, 4, 5)) -> np.ndarray:
        """Part of each mode's motion, 0 to 1, in the given directions of own axes (rotations weighed by length)."""
        chosen = [whole("share: a direction", axis, least=0, most=5) for axis in several("share: axes", axes)]
        weighed = np.abs(self.shapes * self._weights()) ** 2
        return weighed[:, :, chosen].sum(axis=(1, 2)) / weighed.sum(axis=(1, 2))

    def vectors(self) -> np.ndarray:
        """Shapes as rows, rotations times length, shape (m, 6 nodes)."""
        return (self.shapes * self._weights()).reshape(len(self.eigenvalues), -1)

    def _weights(self) -> np.ndarray:
        return np.array([1.0] * 3 + [self.length] * 3)

    def __len__(self) -> int:
        return len(self.eigenvalues)

    def __str__(self) -> str:
        lines = ["{}   {}   {}   {:28s} {}".format(*COLUMNS)]
        names = self.names or ("",) * len(self)
        for k, (f, z, s, name) in enumerate(
            zip(self.frequencies_hz, self.damping, self.eigenvalues, names, strict=True), 1
        ):
            lines.append(f"{k:4d} {f:16.6g} {z:15.6g}   {f'{s:.6g}':28s} {name}".rstrip())
        if self.about:
            lines.append(f"about {self.about}")
        if self.sampled:
            lines.append(f"discrete, T = {self.sampled:.6g} s: s = ln(z) / T{self._aliased()}")
        if self.periodic > CHANGING:
            lines.append(
                f"the equations change by {100 * self.periodic:.2g} % within the period: eigenvalues are Floquet's, to "
                f"{max(self.error, 1e-6):.1g} of them, frequencies but for multiples of the rotor's speed"
            )
        return "\n".join(lines)

    def _aliased(self) -> str:
        """Note on the frequencies that sampling leaves ambiguous."""
        half = 0.5 / self.sampled
        if not (self.frequencies_hz > half * (1.0 + RESIDUE)).any():
            return ""
        return (
            f"; frequencies above {half:.6g} Hz, half the rate of the samples, are aliased: they are known but for "
            f"multiples of {2.0 * half:.6g} Hz, and told as the shape moves just after a sample"
        )

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """For notebooks: a row for each mode, and notes on all modes."""
        names = self.names or ("",) * len(self)
        columns = self.frequencies_hz, self.damping, [f"{s:.6g}" for s in self.eigenvalues], names
        rows = [(k, float(f), float(z), s, name) for k, (f, z, s, name) in enumerate(zip(*columns, strict=True), 1)]
        said = str(self).splitlines()[1 + len(self) :]
        return table(COLUMNS, rows) + "".join(note(line) for line in said)

    def plot(self, mode: int = 0, title: str | None = None) -> Any:
        """A 3-D figure of the model at rest and at the two ends of the mode's swing."""
        from samara.scene.pictures import draw_mode

        return draw_mode(self, self.number(mode), title)

    def animate(self, mode: int | Iterable[int] | None = None, path: str | os.PathLike[str] | None = None) -> Any:
        """Writes an HTML page with a 3D animation of one mode, or of several to choose from. Returns the file.

        It needs only a browser. Drag to rotate the view; the time scale is arbitrary. By default all modes; without a
        path, returns an object that a notebook displays.
        """
        from samara.viewer.show import show_modes

        chosen = range(len(self)) if mode is None else mode if isinstance(mode, Iterable) else [mode]
        numbers = [self.number(k) for k in chosen]
        told = [(self._title(k), self.shapes[k]) for k in numbers]
        drawn = (self.outline or nodes_alone(self)).scene(self.nodes) if self.scene is None else self.scene()
        return show_modes(drawn, np.column_stack([self.p, self.R.reshape(-1, 9)]), told, path)

    def _title(self, mode: int) -> str:
        """Number, frequency, damping ratio and what moves."""
        ratio, name = self.damping[mode], self.names[mode] if self.names else ""
        damping = "" if np.isnan(ratio) else f", damping ratio {ratio:.3g}"
        return f"mode {mode + 1}: {self.frequencies_hz[mode]:.4g} Hz{damping}{': ' if name else ''}{name}"


def modes(
    model: Model | System | Simulation | Linearisation | Periodic, count: int | None = None, *, frozen: bool = False
) -> Modes:
    """Modes of small motions about rest, a steady rotation or a rotor's periodic motion.

        s^2 M phi + s C phi + K phi + G^T mu = 0,     G phi = 0

    model:  a model: about its static equilibrium (an unstable one only if the model starts there), or about its initial
            state if it is unconstrained and at rest; rejected if driven, or in steady motion. A simulation: about its
            present state, at rest, in steady rotation (`steady_rotation`), with axisymmetric parts spinning on others,
            or in steady precession; frequencies are those in the axes in which the equations are constant, rotating or
            fixed, see `Modes.about`. `NotConstant` is raised if there are no such axes, and if driven parts have been
            stopped, as by `static`. The result of `periodic`: with the blades of declared rotors in multiblade
            coordinates (`samara.analysis.rotors`); frequencies are those in the fixed frame. If the equations vary
            within the period, as in forward flight, with two blades or with dissimilar blades, eigenvalues are those of
            Floquet theory, without time-step error; see `Modes.periodic`. With sampled laws (`SampledBlock`): of the
            sampled loop with held outputs, the laws in the state after their last sample; see `Modes.sampled`, and
            `about` for laws with constant output, such as saturated ones. The model must then be at rest with the
            initial outputs of its laws.
    count:  number of modes to keep, lowest frequency first; all by default.
    frozen: uses the equations of this instant even if they vary with time, which is an error otherwise; for a model,
            those at standstill.

    Constraints are eliminated first, so that no eigenvalue is infinite. Rigid-body and other unrestrained motions come
    first, with eigenvalue zero.
    """
    count = None if count is None else whole("modes: count", count)
    frozen = yes_or_no("modes: frozen", frozen)
    if isinstance(model, Periodic):
        turning = multiblade_system(model)
        sim, about = turning.simulation, "a periodic motion, in multiblade coordinates"
        if turning.error > INEXACT:
            warnings.warn(
                f"modes: the equations of small motions of model {sim.model.name!r} change by "
                f"{100 * turning.periodic:.2g} % within the period, and its modes are known to "
                f"{100 * turning.error:.1g} % only: take a smaller step, or floquet(...)",
                stacklevel=2,
            )
        told = _of(sim, with_dense(sim), _eigen(turning.reduced, count), turning.frames, about, count)
        return replace(told, periodic=turning.periodic, error=turning.error)
    if isinstance(model, Linearisation):
        return _of(None, model, _eigen(first_order(model), count), (), "", count)
    sim, about = as_simulation("modes", model, sampled=True), ""
    if sim is not model:
        about = at_rest(sim, frozen)
    with one_thread(sim.system.layout.coordinates), as_told(sim):
        if sampled_elements(sim):
            return _of_samples(sim, count, frozen, about, sim is not model)
        return _about(sim, count, frozen, about)


def _of_samples(sim: Simulation, count: int | None, frozen: bool, about: str, started: bool) -> Modes:
    """Modes from sample to sample. started: whether the simulation was brought to rest just for this."""
    loop = sampled_loop("modes", sim, frozen, started and not frozen)
    eigen = sampled_eigen(loop)
    axes, T = loop.plant.axes, loop.period
    said = [about or axes.name, *(f"the law of {name!r} answers a constant there" for name in loop.constant)]
    if eigen.left_out:
        said.append(f"{eigen.left_out} that die{'s' * (eigen.left_out == 1)} out within {T:.6g} s left out")
    about = "; ".join(filter(None, said)) or "the present state"
    found = _Eigen(eigen.values, eigen.vectors, eigen.basis, 0.0, True, eigen.change, sampled=T)
    return replace(_of(sim, axes.seen(loop.plant.lin), found, (), about, count), origin=None, sampled=T)


def _about(sim: Simulation, count: int | None, frozen: bool, about: str) -> Modes:
    """Modes about the present state."""
    if count is not None and is_few(sim, count):
        slow = _slow(sim, count, frozen, about)
        if len(slow) == count and _coinciding(slow.eigenvalues) < BLOCK:
            return slow
        if sim.system.layout.coordinates > DENSE:
            raise SolveError(
                f"modes: of model {sim.model.name!r} {len(slow)} of {count} modes were found, and {BLOCK} or more of "
                "them coincide, so that others may be missing: take a part of the model, one of those that are alike"
            )
    lin = with_dense(sim)
    if frozen:
        axes, reduced = TurningAxes(lin.eta, lin.R, lin.p), _anywhere(sim, lin)
    else:
        axes, reduced = steady(sim, lin, lambda seen: _anywhere(sim, seen))
    found = _of(sim, axes.seen(lin), _eigen(axes.own(lin, reduced), count), (), about or axes.name, count)
    return _told_by(axes, lin, found)


def _told_by(axes: TurningAxes, lin: Linearisation, found: Modes) -> Modes:
    own = not np.abs(axes.twists - lin.eta).max(initial=0.0) > 0.0
    return replace(found, origin=replace(found.origin, own=own) if found.origin else None)


def _anywhere(sim: Simulation, lin: Linearisation) -> FirstOrder:
    """First-order form of a model that can move."""
    found = first_order(lin)
    if not found.A.size:
        raise SolveError(
            f"modes: model {sim.model.name!r} has no degrees of freedom: joints and drives constrain all of it"
        )
    return found


def _slow(sim: Simulation, count: int, frozen: bool, about: str) -> Modes:
    """The slowest modes of a large model."""
    lin = small_motions(sim)

    def find(seen: Linearisation) -> Slowest:
        try:
            return slowest(seen, count)
        except SolveError as error:
            raise SolveError(f"modes: model {sim.model.name!r}: {error}") from None

    axes, found = (TurningAxes(lin.eta, lin.R, lin.p), find(lin)) if frozen else steady(sim, lin, find)
    motions = found.motions
    half = len(motions) // 2
    motions = np.vstack([motions[:half], motions[half:] + axes.matrices(lin)[1] @ motions[:half]])
    own = _Eigen(found.values, np.eye(found.values.size), motions, found.largest, every=False)
    return _told_by(axes, lin, _of(sim, found.lin, own, (), about or axes.name, count))


def _coinciding(values: np.ndarray) -> int:
    """Most eigenvalues at one place, but for rigid motions."""
    values = values[values != 0.0]
    near = np.abs(values[:, None] - values) <= SAME_PLACE * np.maximum(np.abs(values), 1e-300)
    return int(near.sum(axis=1).max(initial=0))


@dataclass(frozen=True)
class _Eigen:
    """Eigenvalues [rad/s] and vectors, columns, of x_dot = A x.

    basis:   from x to (xi, xi_dot) of all nodes and states.
    largest: entry of A.
    every:   whether these are all, and not too many to tell participations by left vectors.
    A:       the matrix, if these are all. sampled: of small motions from sample to sample, that time [s]: A is then
             their change, per second.
    """

    values: np.ndarray
    vectors: np.ndarray
    basis: np.ndarray
    largest: float
    every: bool
    A: np.ndarray | None = None
    sampled: float = 0.0

    @property
    def poses(self) -> np.ndarray:
        """xi of each mode, a column."""
        return self.basis[: len(self.basis) // 2] @ self.vectors


def _of(
    sim: Simulation | None,
    lin: Linearisation,
    found: _Eigen,
    frames: Sequence[RotorFrame],
    about: str,
    count: int | None,
) -> Modes:
    """Modes of x_dot = A x."""
    poses = found.poses
    values = found.values if found.sampled else cleaned(lin, found.largest, found.values, poses)
    if sim is not None and frames:
        speed = max(frame.speed for frame in frames)
        values[takes_no_time(values, poses, as_a_whole(sim), speed)] = 0.0
    nodes = len(poses) - len(lin.states)
    weights = np.concatenate([np.tile([1.0] * 3 + [lin.length] * 3, nodes // 6), lin.length / lin.scales])
    spin = SLOWEST_TURN / found.sampled if found.sampled else np.linalg.norm(lin.eta[:, 3:], axis=1).max(initial=0.0)
    if found.A is None or frames:
        vectors, again = each_once(values, found.vectors, weights[:, None] * poses)
    else:
        values, vectors, again = at_zero(found.A, values, found.vectors, weights[:, None] * poses, spin)
    found = replace(found, vectors=vectors)
    forward = np.setdiff1d(np.flatnonzero(values.imag >= 0.0), again)
    order = forward[np.lexsort((values.imag[forward], np.abs(values[forward])))][:count]
    every = found.poses[:, order].T.astype(complex)
    for k, one in enumerate(every * weights):
        measured = one[:nodes] if np.any(one[:nodes]) else one
        every[k] /= measured[np.argmax(np.abs(measured))] or 1.0
    shapes = every[:, :nodes].reshape(len(order), -1, 6)
    told = _told(sim, found, frames, values, order) if sim is not None else Described((), {})
    origin = None
    if sim is not None and not frames:
        origin = Origin(sim, sim.state.copy(), sim.state.time, sim.system.parameters.values())
    rigid = values[order] == 0.0
    return Modes(
        eigenvalues=values[order],
        shapes=shapes,
        nodes=lin.nodes,
        p=lin.p,
        R=lin.R,
        length=lin.length,
        outline=outline(sim.system) if sim is not None else None,
        scene=scene_of(sim.system, nodes=sim.system.layout.free) if sim is not None else None,
        states=lin.states,
        state_shapes=every[:, nodes:],
        origin=origin,
        names=tuple(f"rigid: {n}" if r else n for n, r in zip(told.names, rigid, strict=True)) if told.names else (),
        shares=told.shares,
        rigid=rigid,
        about=about,
    )


def _told(sim, found: _Eigen, frames, values, order) -> Described:
    """Names of the chosen modes."""
    left = np.linalg.pinv(found.vectors)[order] if found.every else None
    return describe(sim, frames, values[order], found.basis, found.vectors[:, order], left)


def _eigen(reduced: FirstOrder, count: int | None) -> _Eigen:
    """Eigenvalues and vectors; of a large matrix only those near zero, by Arnoldi's method on (A - shift)^-1.

    Limit: the latter is good to about 1e-6 of |s|, damping ratios too, where the fastest mode is 1e5 times faster.
    """
    A, basis = reduced.A, np.vstack([reduced.pose[0], reduced.rate[0]])
    largest, small = float(np.abs(A).max(initial=0.0)), len(A) < LARGE_MODEL
    if count is None or small or 2 * count + 10 > len(A) // 4:
        values, vectors = np.linalg.eig(A)
        return _Eigen(values.astype(complex), _improved(A, values, vectors), basis, largest, small, A)
    balanced, scale = matrix_balance(A, permute=False)
    factors = lu_factor(balanced - SHIFT * np.eye(len(A)))
    inverse = LinearOperator(A.shape, matvec=lambda x: lu_solve(factors, x, check_finite=False), dtype=float)
    start = np.random.default_rng(0).standard_normal(len(A))  # the same result in every run
    k = 2 * count + 10
    near, vectors = eigs(inverse, k=k, ncv=min(4 * k, len(A) - 1), which="LM", v0=start, tol=1e-12)
    return _Eigen(SHIFT + 1.0 / near, scale @ vectors, basis, largest, every=False)


def _improved(A: np.ndarray, values: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Eigenvectors, by a step of inverse iteration where rounding that was scaled up has spoilt them."""
    left = np.abs(A @ vectors - vectors * values).max(axis=0, initial=0.0)
    size = (np.abs(A) @ np.abs(vectors)).max(axis=0, initial=0.0)
    spoilt = np.flatnonzero(left > RESIDUE * size)
    if not 0 < spoilt.size <= IMPROVED:
        return vectors
    better, shift = vectors.astype(complex), 1e-15 * np.abs(A).max()
    for k in spoilt:
        x = np.linalg.solve(A - (values[k] + shift) * np.eye(len(A)), better[:, k])
        better[:, k] = x / np.linalg.norm(x)
    return better


def mac(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Modal assurance criterion |a_i^H b_j|^2 / (|a_i|^2 |b_j|^2) between rows of a and of b, 0 to 1."""
    product = np.abs(a.conj() @ b.T) ** 2
    sizes = np.outer((np.abs(a) ** 2).sum(axis=1), (np.abs(b) ** 2).sum(axis=1))
    return product / np.maximum(sizes, 1e-300)
